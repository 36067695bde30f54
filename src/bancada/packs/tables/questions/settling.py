"""What the meanings of a question leave open, settled once all are known."""

from __future__ import annotations

from dataclasses import replace

from bancada.packs.tables.questions.figures import Figures
from bancada.packs.tables.questions.question import (
    ROWS,
    Condition,
    Group,
    Measure,
    Rank,
    Trouble,
)

SEVERAL = 5
"""How many are listed where "the most frequent ones" are asked for."""


class Settling(Figures):
    """Puts together what was found."""

    def _settle(self) -> None:
        said = self.said
        said.counts = self.counting or self.row_word or self.frequent
        self._time_conditions()
        self._settle_superlatives()
        figured = self.counting or said.groups or said.measures or self.subjects
        if self.sample and (figured or not (self.row_word or self.numbers)):
            self._lost_word("sample")  # "na primeira semana de março" is no sample of rows
        elif self.sample:
            said.kind = "sample"
            if self.numbers:
                said.rows = max(1, min(200, int(self.numbers.pop(0)[0])))
            self._bare_left()
            return
        if self.empty:
            said.kind = "empty"
            said.measures = [Measure("count", one) for one in self.bare]
            self.bare = []
            return
        if said.kind == "columns":
            return
        self._settle_rank()
        self._settle_bare()
        self._settle_share()
        if self.numbers and said.rank is not None and said.rank.limit is None:
            number, text = self.numbers.pop(0)
            if number == int(number) and 1 <= number <= 1000:
                said.rank = replace(said.rank, limit=int(number))
            else:
                self._lost(text)
        elif self.several and said.rank is not None and self.place == 1:
            said.rank = replace(said.rank, limit=SEVERAL)
        self._lost(*(text for _, text in self.numbers))
        if said.sets_against and not (said.versus or said.groups):
            self._set_against_values()
        if said.having is not None and not said.groups:
            self._lost(str(said.having.number))

    def _settle_superlatives(self) -> None:
        said = self.said
        things = [one for one in self.bare if one.family == "text"]
        if self.superlatives and len(things) == 1 and not (self.subjects or said.groups):
            self.bare.remove(things[0])
            self.subjects = [Group(things[0])]  # "conta com maior saldo"
        for order, column in self.superlatives:
            several = bool(self.numbers) and not self.subjects
            if self.subjects:
                self._ordered(order)
                measured = [one for one in said.measures if one.column is column]
                rated = Measure("max" if order == "most" else "min", column)
                self.by_rank = (
                    measured[0] if measured else Measure("sum", column) if column.adds_up else rated
                )
            elif several and not said.groups:
                said.groups.append(Group(column))
                said.rank = Rank(order, int(self.numbers.pop(0)[0]), of_values=True)
                said.measures = [ROWS]
            elif self.place > 1 and not said.groups:
                said.groups.append(Group(column))
                said.rank = Rank(order, None, of_values=True, place=self.place)
                said.measures = [ROWS]
            else:
                said.measures.append(Measure("max" if order == "most" else "min", column))

    def _settle_rank(self) -> None:
        said = self.said
        if said.superlative is not None and (self.subjects or said.measures or self.row_word):
            self._ordered(said.superlative)
            if self.subjects and not said.measures and not self.row_word:
                self._lost_superlative()
            said.superlative = None
        if self.rank_order is None:
            if self.place > 1 and said.rank is None:
                self._lost(f"{self.place}.º")
            if self.subjects:
                said.groups = [*self.subjects, *said.groups]
                if not said.measures and not said.counts:
                    said.counts = True
            return
        if not self.subjects and not said.groups:
            kind = self.table.kind
            dated = [one for one in self.bare if not one.is_number]
            if dated:
                self.subjects = [Group(self.bare.pop(self.bare.index(dated[0])))]
            elif self.by_rank is not None:
                pass
            elif self.row_word and kind is not None and not (self.counting and not self.frequent):
                self._lost_rows()
                self.subjects = [Group(kind)]
            elif self.counting:
                self._lost_word("rank")  # "quantos defeitos a mais" ranks nothing
                return
        if not self.subjects and not said.groups:
            if self.by_rank is not None and self.by_rank.column is not None:
                # "mais quantidade" with nothing to rank: a comparison of nothing.
                self._lost(self.by_rank.column.name)
            else:
                said.rank = Rank(self.rank_order, None, place=self.place)
            return
        said.groups = [*self.subjects, *said.groups] if self.subjects else said.groups
        if self.by_rank is not None:
            if self.by_rank not in said.measures:
                said.measures = [self.by_rank]
        elif not said.measures:
            said.counts = True
        said.rank = Rank(self.rank_order, None, place=self.place)

    def _lost_word(self, tag: str) -> None:
        self._lost(*(one.text for one in self.atoms if one.tag == tag))

    def _lost_rows(self) -> None:
        """`linha com mais defeitos`: where rows have a name, another one is something else."""
        if any(one.tag == "row" for one in self.atoms):
            self._lost_word("rows")

    def _lost_superlative(self) -> None:
        numbers = tuple(one for one in self.table.columns if one.is_number)
        self.said.trouble = self.said.trouble or Trouble("needs_number", (), numbers)

    def _settle_bare(self) -> None:
        """Columns that were only named: a figure, a list of values, a yes; or not understood."""
        said = self.said
        drawn = said.form is not None or self.listing or self.share or said.running
        for column in self.bare:
            if column.family == "boolean" and (said.counts or said.measures or self.share):
                self._keep(Condition(column, "in", (True,), but=self.negated))
            elif column.is_number and not said.measures and not self.counting:
                said.measures.append(Measure("sum" if column.adds_up else "avg", column))
            elif (
                (drawn and not column.is_number and not said.groups)
                or (
                    said.sets_against
                    and not column.is_number
                    and all(one.column is not column for one in said.conditions)
                )
                or (self.listing and column.is_number)
                or (not said.asks and not said.measures and said.goes_on)
            ):
                said.groups.append(Group(column))
            else:
                self._lost(self.texts.get(column, column.name))
        self.bare = []
        if said.operations and said.measures:
            self._lost(*self.idle)
        figured = said.counts or said.groups or said.versus
        if not said.measures and figured and not said.operations:
            said.measures = [ROWS]
            said.loosely = self.row_word and bool(said.groups) and not said.table.shape.row

    def _bare_left(self) -> None:
        self._lost(*(column.name for column in self.bare))
        self.bare = []

    def _settle_share(self) -> None:
        said = self.said
        if not self.share:
            return
        if said.groups and not any(one.sign in ("in", "like") for one in said.conditions):
            said.shares = True
            return
        if not said.part:
            if not said.conditions:
                self._lost_share()
                return
            # "percentagem de lixo à noite": the first that is named, of all that the rest leaves.
            first = next((one for one in said.conditions if one.sign == "in"), said.conditions[0])
            said.part = [first]
            said.conditions.remove(first)
        if not said.measures:
            said.measures = [ROWS]

    def _lost_share(self) -> None:
        word = next(one.text for one in self.atoms if one.tag == "share")
        if self.said.measures or self.row_word:
            self._lost(word)
        else:
            self.said.shares = True

    def _set_against_values(self) -> None:
        """`compara a Julia com o Carlos`: the figures of each."""
        said = self.said
        several = [one for one in said.conditions if one.sign == "in" and len(one.values) > 1]
        if len(several) == 1:
            said.groups = [Group(several[0].column)]
            said.measures = said.measures or [ROWS]
        elif self.subjects:
            said.groups = list(self.subjects)
            said.measures = said.measures or [ROWS]
        else:
            self._lost(next(one.text for one in self.atoms if one.tag == "versus"))

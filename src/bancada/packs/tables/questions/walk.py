"""Going through the meanings of a question: where one is, and what was found so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bancada.packs.tables.questions.atoms import NOTHING, Atom
from bancada.packs.tables.questions.dates import Period
from bancada.packs.tables.questions.question import (
    Condition,
    Group,
    Measure,
    Order,
    Trouble,
)
from bancada.packs.tables.questions.said import SaidQuestion
from bancada.packs.tables.questions.schema import AskedColumn, AskedTable


class Walk:
    """A place among the meanings, and everything they said up to it."""

    told: dict[str, Callable[[Atom], None]]
    """What to do with each kind of meaning."""

    def __init__(self, table: AskedTable, atoms: list[Atom]) -> None:
        self.table = table
        self.atoms = atoms
        self.said = SaidQuestion(table, atoms)
        self.at = 0
        self.bare: list[AskedColumn] = []
        """Columns that were named, and nothing yet done with."""
        self.idle: list[str] = []
        """Operations as they were written that have no column."""
        self.texts: dict[AskedColumn, str] = {}
        """As they were written."""
        self.negated = False
        self.subjects: list[Group] = []
        """What is ranked or listed: `qual o turno …`, `top 5 racks`."""
        self.numbers: list[tuple[float, str]] = []
        self.superlatives: list[tuple[Order, AskedColumn]] = []
        self.by_rank: Measure | None = None
        self.rank_order: Order | None = None
        self.place = 1
        self.counting = False
        self.row_word = False
        self.distinct = False
        self.listing = False
        self.frequent = False
        self.several = False
        """More than one is asked for, though no number says how many."""
        self.sample = False
        self.empty = False
        self.is_seen = False
        self.share = False
        self.since: str = ""
        self.periods: list[tuple[str, Period, bool]] = []
        self.time_column: AskedColumn | None = None

    def _next(self, ahead: int = 0) -> Atom:
        at = self.at + ahead
        return self.atoms[at] if at < len(self.atoms) else NOTHING

    def _before(self, back: int = 2) -> Atom:
        at = self.at - back
        return self.atoms[at] if at >= 0 else NOTHING

    def _lost(self, *texts: str) -> None:
        self.said.unknown.extend(text for text in texts if text)

    def _one(self, atom: Atom, *, wants: str = "") -> AskedColumn | None:
        """The column an atom means; where it may be several, the fitting one or trouble."""
        fitting = [one for one in atom.columns if not wants or getattr(one, wants)]
        if len(fitting) == 1:
            return fitting[0]
        if wants and not fitting:
            return None
        if self.said.trouble is None:
            self.said.trouble = Trouble("ambiguous", (atom.text,), tuple(fitting or atom.columns))
        return (fitting or list(atom.columns))[0]

    def _keep(self, condition: Condition) -> None:
        """Add a condition; several values of one column are alternatives."""
        kept = self.said.part if self.share and self.is_seen else self.said.conditions
        for at, one in enumerate(kept):
            same = (one.column, one.sign, one.but) == (
                condition.column, condition.sign, condition.but,
            )  # fmt: skip
            if same and one.sign in ("in", "like", "period", "months", "weekdays"):
                values = tuple(dict.fromkeys((*one.values, *condition.values)))
                if one.sign == "period":
                    values = (*one.values, *condition.values)
                kept[at] = replace(one, values=values)
                return
        kept.append(condition)

    def _date_column(self, words: str = "") -> AskedColumn | None:
        dates = self.table.dates
        if self.time_column is not None:
            return self.time_column
        if len(dates) == 1:
            return dates[0]
        if self.said.trouble is None:
            self.said.trouble = (
                Trouble("ambiguous", (words,), dates) if dates else Trouble("needs_date")
            )
        return None

    def _col(self, atom: Atom) -> None:
        """A column that is named; what it is for, its neighbours tell."""
        raise NotImplementedError

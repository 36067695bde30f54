"""Reading a question beside one table: what is measured, by what, of which rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from bancada import Language
from bancada.packs.tables.questions.conditions import Conditions
from bancada.packs.tables.questions.marks import Mark, marks_of
from bancada.packs.tables.questions.question import (
    Condition,
    Form,
    Group,
    Kind,
    Measure,
    Operation,
    Order,
    Rank,
    Spoken,
    Trouble,
)
from bancada.packs.tables.questions.spoken import Unknown
from bancada.packs.tables.questions.tables import NAMES, Column, Table
from bancada.packs.tables.questions.tokens import number_in
from bancada.packs.tables.questions.vocabulary import NUMBER_WORDS


@dataclass(frozen=True, kw_only=True)
class Said:
    """What the words say, no more: a question that leans on another leaves things out."""

    table: Table
    kind: Kind | None = None
    measures: tuple[Measure, ...] = ()
    operations: tuple[Operation, ...] = ()
    """Operations without a column."""
    counts: bool = False
    """Rows are to be counted."""
    groups: tuple[Group, ...] = ()
    conditions: tuple[Condition, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    rank: Rank | None = None
    form: Form | None = None
    rows: int = 10
    goes_on: bool = False
    """It begins as a question does that leans on the one before."""
    names_file: bool = False
    loosely: bool = False
    shares: str = ""
    """The word that asks what part each group has."""
    running: bool = False
    trouble: Trouble | None = None
    tags: frozenset[str] = frozenset()

    @property
    def measures_something(self) -> bool:
        return bool(self.measures or self.operations or self.counts or self.kind)


@dataclass
class _Place:
    """A column that was named, where, and whether after `por`."""

    at: int
    column: Column
    by: bool
    double: bool = False


@dataclass
class Reader:
    """One sentence beside one table."""

    text: str
    table: Table
    language: Language
    marks: list[Mark] = field(default_factory=list)
    trouble: Trouble | None = None

    def read(self) -> Said:
        marks = marks_of(self.text, self.table, self.language)
        conditions = Conditions(self.table, self.language, list(marks))
        conditions.read()
        self.trouble = conditions.trouble
        unknown = Unknown(self.language, conditions.left, self.trouble)
        spoken = unknown.read()
        self.trouble, self.marks = unknown.trouble, unknown.left
        tags = frozenset(mark.tag for mark in marks)
        said = Said(
            table=self.table,
            conditions=tuple(conditions.found),
            spoken=tuple(spoken),
            form=self._form(),
            goes_on=bool(marks) and marks[0].tag == "go_on",
            names_file="file" in tags,
            tags=tags,
        )
        return replace(self._roles(said), trouble=self.trouble)

    # ------------------------------------------------------------------ what is asked

    def _roles(self, said: Said) -> Said:
        tags = {mark.tag for mark in self.marks}
        places = self._places()
        if self.trouble is not None:
            return said
        if "empty" in tags:
            columns = tuple(Measure("count", place.column) for place in places)
            return replace(said, kind="empty", measures=columns)
        if tags & {"columns"} and not places and not tags & {"operation", "rank", "empty"}:
            return replace(said, kind="columns")
        if self._shows_rows(tags, places):
            rows = self._how_many() or said.rows
            return replace(said, kind="sample", rows=rows)
        if highest := self._highest_values(places, tags):
            return replace(said, counts=True, groups=highest[0], rank=highest[1])
        if self._counts_rows() and not tags & _SINGLING:
            # What is named beside counted rows says which of them: those that have it.
            beside = [one.column for one in places if not one.by]
            filled = tuple(Condition(column, "filled") for column in beside)
            said = replace(said, conditions=(*said.conditions, *filled))
            places = [one for one in places if one.by]
        sides, measured = self._sides(places, tags, "unit" in tags)
        groups = self._with_units(sides, measured)
        # "o maior valor de cada cliente" has a maximum for each; "o cliente com maior valor" is one.
        each = "superlative" in tags and bool(sides) and all(place.by for place in sides)
        measures, bare = self._measures(measured, groups, tags, ranked=bool(groups) and not each)
        rank = None if each else self._rank(groups, tags)
        things = [mark for mark in self.marks if mark.tag in ("rows", "thing")]
        listed = bool(groups) and bool(tags & {"frequent", "list", "which"})
        counts = not measures and not bare and ("count" in tags or bool(things) or listed)
        sales = any(mark.value == "sales" for mark in things)
        if bare == ("sum",) and things:
            # "total de linhas" counts them; "total de vendas" may mean more than their number.
            bare, counts = (), True
        loosely = counts and sales and not tags & {"count", *_SHARING}
        return replace(
            said,
            measures=measures,
            operations=bare,
            counts=counts,
            groups=tuple(dict.fromkeys(groups)),
            rank=rank,
            loosely=loosely,
            shares=next((mark.text for mark in self.marks if mark.tag in _SHARING), ""),
            running="pareto" in tags,
        )

    def _counts_rows(self) -> bool:
        """Whether rows are what `quantas` asks for: it is followed by a word for them."""
        following = [mark.tag for mark in self.marks if mark.tag not in ("filler", "go_on")]
        counted = [after for tag, after in pairwise(following) if tag == "count"]
        return bool(counted) and counted[0] in ("rows", "thing")

    def _highest_values(
        self, places: Sequence[_Place], tags: set[str]
    ) -> tuple[tuple[Group, ...], Rank] | None:
        """`os 3 maiores salários`: the values themselves, where nothing else is named."""
        limit = self._how_many()
        plain = "superlative" in tags and not tags & {"operation", "unit", "count", "frequent"}
        if not plain or limit is None or limit < 2 or len(places) != 1 or places[0].by:
            return None
        column = places[0].column
        if not (column.is_number or column.is_date):
            return None
        least = any(mark.value == "least" for mark in self.marks if mark.tag == "superlative")
        rank = Rank("least" if least else "most", limit, of_values=True)
        return (Group(column),), rank

    def _places(self) -> list[_Place]:
        """The columns named, in order; what may mean several is trouble."""
        found: list[_Place] = []
        by = False
        for at, mark in enumerate(self.marks):
            if mark.tag == "by":
                by = True
            elif mark.tag == "name":
                if len(mark.columns) > 1:
                    self.trouble = self.trouble or Trouble("ambiguous", mark.text, mark.columns)
                found.append(_Place(at, mark.columns[0], by))
            elif mark.tag not in ("filler", "go_on", "column", "unit"):
                by = False
        if any(mark.tag == "who" for mark in self.marks) and all(
            place.column.is_number for place in found
        ):
            people = [one for one in self.table.texts if NAMES.intersection(one.words)]
            if len(people) == 1:
                found.append(_Place(-1, people[0], by=False))
            elif self.trouble is None:
                self.trouble = Trouble("needs_column")
        if not any(place.column.is_number for place in found):
            for at, mark in enumerate(self.marks):
                # "total" is a word for a sum, "valores" one for values, and here also a column.
                double = mark.tag == "operation" or (mark.tag == "list" and not found)
                if double and any(one.is_number for one in mark.columns):
                    found.append(_Place(at, mark.columns[0], by=False, double=True))
                    break
        return sorted(found, key=lambda place: place.at)

    def _sides(
        self, places: Sequence[_Place], tags: set[str], timed: bool
    ) -> tuple[list[_Place], list[_Place]]:
        """Which columns make groups, and which are measured."""
        numbers = [one for one in places if not one.by and one.column.is_number]
        others = [one for one in places if not one.by and not one.column.is_number]
        marked = [one for one in places if one.by]
        if "frequent" in tags and places:
            return list(places[:2]), []
        if numbers:
            aside = others if not marked and not timed and tags & _SINGLING else []
            # "por cliente, ordenado por valor" names the measure again.
            if others and marked and tags & _SINGLING:
                columns = tuple(one.column for one in (*others, *marked))
                words = " / ".join(column.name for column in columns)
                self.trouble = self.trouble or Trouble("ambiguous", words, columns)
            measured_too = {one.column for one in numbers}
            groups = [one for one in marked if one.column not in measured_too]
            return [*aside[:1], *groups], numbers
        measured = [one for one in marked if one.column.is_number]
        kept = [one for one in marked if not one.column.is_number]
        if measured and others:
            return others[:2], measured
        if measured and kept and (tags & {"operation", "rank", "superlative"}):
            return kept, measured
        if marked or timed:
            distinct = others if tags & {"count", "distinct"} or not tags & _SINGLING else []
            first = others[:1] if not distinct and not marked else []
            return [*first, *marked], distinct
        counted = "count" in tags and not self._counts_rows()
        if tags & (_SINGLING | {"list", "which"}) and not (
            counted or tags & {"distinct", "recent"}
        ):
            return others[:2], []
        return [], others

    def _with_units(self, sides: Sequence[_Place], measured: Sequence[_Place]) -> list[Group]:
        """The groups in the order they were said; a unit of time divides the date that is meant."""
        found = {place.at: _grouped(place.column) for place in sides}
        for at, mark in enumerate(self.marks):
            if mark.tag != "unit":
                continue
            dated = [place for place in sides if place.column.is_date]
            dates = [place.column for place in dated] or [
                place.column for place in measured if place.column.is_date
            ]
            dates = dates or list(self.table.dates)
            if len(dates) == 1:
                found[at] = Group(dates[0], mark.value)  # type: ignore[arg-type]
            elif self.trouble is None:
                self.trouble = (
                    Trouble("ambiguous", mark.text, tuple(dates))
                    if dates
                    else Trouble("needs_date", mark.text)
                )
            for place in dated:
                found.pop(place.at, None)
        return [found[at] for at in sorted(found)]

    def _measures(
        self,
        measured: Sequence[_Place],
        groups: Sequence[Group],
        tags: set[str],
        *,
        ranked: bool,
    ) -> tuple[tuple[Measure, ...], tuple[Operation, ...]]:
        """Each operation with its column; and the operations that have none."""
        grouped = {group.column for group in groups}
        places = [one for one in measured if one.column not in grouped]
        doubled = {one.at for one in places if one.double}
        found: list[Measure] = []
        bare: list[Operation] = []
        for at, mark in enumerate(self.marks):
            operation = self._operation(mark, ranked=ranked)
            if operation is None or at in doubled:
                continue
            column = self._operand(at, operation, places)
            if column is None:
                bare.append(operation)
            else:
                found.append(Measure(operation, column))
        taken = {measure.column for measure in found}
        for place in places:
            if place.column not in taken:
                found += self._unsaid(place.column, groups, tags)
        return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(bare)) if not found else ()

    def _operation(self, mark: Mark, *, ranked: bool) -> Operation | None:
        if mark.tag == "operation":
            return mark.value  # type: ignore[return-value]
        if mark.tag == "recent":
            return "max" if mark.value == "max" else "min"
        if mark.tag == "superlative" and not ranked:
            return "max" if mark.value == "most" else "min"
        return None

    def _operand(self, at: int, operation: Operation, places: Sequence[_Place]) -> Column | None:
        """The column an operation is for: right before it ("valor médio"), else the next one."""
        timely = operation in ("min", "max")
        fit = [one for one in places if one.column.is_number or (timely and one.column.is_date)]
        touching = [one for one in fit if one.at == at - 1]
        after = [one for one in fit if one.at > at]
        before = [one for one in fit if one.at < at]
        chosen = touching[:1] or after[:1] or before[-1:]
        return chosen[0].column if chosen else None

    def _unsaid(self, column: Column, groups: Sequence[Group], tags: set[str]) -> list[Measure]:
        """What is meant by a column without an operation."""
        if tags & {"count", "distinct"} and not column.adds_up:
            return [Measure("distinct", column)]
        if not column.is_number:
            return [Measure("distinct", column)] if groups else []
        if tags & {"statistics"} or not (groups or tags & {"count", "much", "rank"}):
            return [Measure(one, column) for one in ("sum", "avg", "median", "min", "max")]
        if column.is_rate and "superlative" in tags:
            least = any(mark.value == "least" for mark in self.marks if mark.tag == "superlative")
            return [Measure("min" if least else "max", column)]
        return [Measure("avg" if column.is_rate else "sum", column)]

    def _rank(self, groups: Sequence[Group], tags: set[str]) -> Rank | None:
        ranked = [mark for mark in self.marks if mark.tag in ("rank", "superlative", "frequent")]
        if not ranked or not (groups or "rank" in tags or "frequent" in tags):
            return None
        order: Order = "least" if any(mark.value == "least" for mark in ranked) else "most"
        limit = self._how_many()
        if limit is None and (
            _several(self.marks) or any(m.text.casefold() == "top" for m in ranked)
        ):
            limit = 5
        return Rank(order, limit)

    def _how_many(self) -> int | None:
        for mark in self.marks:
            if mark.tag == "number":
                number = number_in(mark.text, self.language)
                if isinstance(number, int):
                    return number
            elif mark.tag == "word" and mark.value in NUMBER_WORDS:
                return NUMBER_WORDS[mark.value]
        return None

    def _shows_rows(self, tags: set[str], places: Sequence[_Place]) -> bool:
        """Whether the rows themselves are wanted."""
        if places or tags & {"operation", "count", "by", "rank", "frequent", "unit"}:
            return False
        if not tags & {"rows", "file", "thing"}:
            return False
        return "sample" in tags or ("show" in tags and not tags & _NOT_ROWS)

    def _form(self) -> Form | None:
        forms = [mark.value for mark in self.marks if mark.tag == "form"]
        if not forms:
            return None
        charts = [form.partition(" ")[2] for form in forms if form.startswith("chart")]
        if charts:
            kind = next((chart for chart in charts if chart not in ("", "kept")), None)
            return Form("chart", kind, kept="kept" in charts)
        return Form("table" if "table" in forms else "kpi")


_SHARING = frozenset(("share", "pareto"))
_NOT_ROWS = frozenset(("which", "statistics", "form", "share", "pareto"))
_SINGLING = frozenset(("rank", "superlative", "frequent"))


def _grouped(column: Column) -> Group:
    """A moment groups by its day: hardly two rows share one."""
    return Group(column, "day") if column.family == "datetime" else Group(column)


def _several(marks: Sequence[Mark]) -> bool:
    """Whether more than one is asked for: the plural of `qual`, or of the superlative."""
    plural = {"quais", "os", "as", "principais", "maiores", "menores"}
    return any(
        mark.text.casefold() in plural
        or mark.text.casefold().endswith(("frequentes", "comuns", "values"))
        for mark in marks
        if mark.tag in ("which", "rank", "superlative", "frequent")
    )

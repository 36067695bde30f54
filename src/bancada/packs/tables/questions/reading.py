"""What the meanings of a question ask for together.

Every meaning must be used. One that is left over makes the whole question not understood: a
condition that nobody applied would make its figure wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import cast

from bancada.packs.tables.questions.atoms import NOTHING, Atom, atoms_of
from bancada.packs.tables.questions.dates import Calendar, Period
from bancada.packs.tables.questions.question import (
    ROWS,
    Condition,
    Form,
    Group,
    Having,
    Measure,
    Operation,
    Order,
    Question,
    Rank,
    Scalar,
    Sign,
    Trouble,
    Unit,
)
from bancada.packs.tables.questions.schema import Column, Table
from bancada.packs.tables.questions.tokens import folded

STATISTICS: tuple[Operation, ...] = ("avg", "median", "min", "max", "deviation")
NEGATABLE = frozenset(
    ("value", "and", "not", "col", "period", "quoted", "compare", "is", "unknown")
)
"""Meanings that a "not" before them reaches, or reaches through."""
SEVERAL = 5
"""How many are listed where "the most frequent ones" are asked for."""
NAMES = frozenset(("nome", "name"))
YES = frozenset(("sim", "yes", "true", "verdadeiro", "verdade"))
NO = frozenset(("nao", "no", "false", "falso"))
SKIPPED = frozenset(("show", "only", "go_on", "file", "rows_word", "column"))
"""Meanings that change nothing by themselves."""


@dataclass
class Said:
    """A question as far as it was said: what leans on the one before is incomplete."""

    table: Table
    atoms: list[Atom]
    measures: list[Measure] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    part: list[Condition] = field(default_factory=list)
    versus: list[Condition] = field(default_factory=list)
    rank: Rank | None = None
    having: Having | None = None
    form: Form | None = None
    kind: str = "figures"
    rows: int = 10
    shares: bool = False
    running: bool = False
    operations: list[Operation] = field(default_factory=list)
    """Said without a column: of the one before, or of none."""
    superlative: Order | None = None
    counts: bool = False
    """Rows are named, or counted."""
    loosely: bool = False
    sets_against: bool = False
    goes_on: bool = False
    names_file: bool = False
    touches: bool = False
    """Something of this very table is named: a column, a value, its word for a row."""
    unknown: list[str] = field(default_factory=list)
    trouble: Trouble | None = None

    @property
    def asks(self) -> bool:
        """Whether it is a question by itself."""
        return bool(
            self.measures
            or self.groups
            or self.counts
            or self.part
            or self.versus
            or self.kind != "figures"
        )


def read_words(text: str, table: Table, calendar: Calendar) -> Said:
    return Interpreter(table, atoms_of(text, table, calendar)).read()


class Interpreter:
    """Goes through the meanings once, then settles what they leave open."""

    def __init__(self, table: Table, atoms: list[Atom]) -> None:
        self.table = table
        self.atoms = atoms
        self.said = Said(table, atoms)
        self.at = 0
        self.bare: list[Column] = []
        """Columns that were named, and nothing yet done with."""
        self.idle: list[str] = []
        """Operations as they were written that have no column."""
        self.texts: dict[Column, str] = {}
        """As they were written."""
        self.negated = False
        self.subjects: list[Group] = []
        """What is ranked or listed: `qual o turno …`, `top 5 racks`."""
        self.numbers: list[tuple[float, str]] = []
        self.superlatives: list[tuple[Order, Column]] = []
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
        self.time_column: Column | None = None
        self.told = {
            "operation": self._operation, "count": self._count, "much": self._much,
            "distinct": self._distinct, "rank": self._rank, "superlative": self._superlative,
            "frequent": self._frequent, "recent": self._recent, "place": self._place,
            "empty": self._empty, "columns": self._columns, "sample": self._sample,
            "rows": self._row, "row": self._row, "by": self._by, "unit": self._unit,
            "form": self._form, "which": self._which, "list": self._list,
            "statistics": self._statistics, "not": self._not, "compare": self._compare,
            "since": self._time_word, "until": self._time_word, "before": self._time_word,
            "after": self._time_word, "between": self._between, "share": self._share,
            "pareto": self._pareto, "versus": self._versus, "is": self._is, "and": self._and,
            "soft": self._soft, "who": self._who, "col": self._col, "value": self._value, "period": self._period,
            "number": self._number, "quoted": self._quoted, "unknown": self._unknown,
        }  # fmt: skip

    # ------------------------------------------------------------------ going through

    def read(self) -> Said:
        said = self.said
        said.goes_on = bool(self.atoms) and (
            self.atoms[0].tag in ("go_on", "only") or self.atoms[0].tag == "and"
        )
        while self.at < len(self.atoms):
            atom = self.atoms[self.at]
            self.at += 1
            if atom.tag in ("col", "value", "row"):
                said.touches = True
            if atom.tag == "file":
                said.names_file = True
            joined = self._before().tag in ("not", "and", "col", "is", "compare")
            if atom.tag not in NEGATABLE or not (joined or atom.tag == "and"):
                # "sem lixo em fevereiro": what is left out ends where the list of it does.
                self.negated = False
            if atom.tag in SKIPPED:
                continue
            self.told[atom.tag](atom)
        self._settle()
        return said

    def _next(self, ahead: int = 0) -> Atom:
        at = self.at + ahead
        return self.atoms[at] if at < len(self.atoms) else NOTHING

    def _before(self, back: int = 2) -> Atom:
        at = self.at - back
        return self.atoms[at] if at >= 0 else NOTHING

    def _lost(self, *texts: str) -> None:
        self.said.unknown.extend(text for text in texts if text)

    def _one(self, atom: Atom, *, wants: str = "") -> Column | None:
        """The column an atom means; where it may be several, the fitting one or trouble."""
        fitting = [one for one in atom.columns if not wants or getattr(one, wants)]
        if len(fitting) == 1:
            return fitting[0]
        if wants and not fitting:
            return None
        if self.said.trouble is None:
            self.said.trouble = Trouble("ambiguous", (atom.text,), tuple(fitting or atom.columns))
        return (fitting or list(atom.columns))[0]

    # ------------------------------------------------------------------ figures

    def _operation(self, atom: Atom) -> None:
        operations = [cast(Operation, atom.value)]
        while True:
            if self._next().tag == "operation":
                operations.append(self._next().value)
                self.at += 1
            elif self._next().tag == "and" and self._next(1).tag == "operation":
                operations.append(self._next(1).value)
                self.at += 2
            else:
                break
        if self._next().tag == "row":
            if operations == ["sum"]:
                self.counting = True
                return
            self._lost(atom.text)
            return
        if self._next().tag == "rows" and operations == ["sum"]:
            return
        while self._next().tag == "column":
            self.at += 1
        columns = self._columns_ahead()
        if not columns and self.bare and self._before().tag == "col":
            columns = [self.bare.pop()]
        if not columns:
            self.said.operations += operations
            self.idle.append(atom.text)
            return
        for column in columns:
            for operation in operations:
                self._measured(operation, column, atom)

    def _columns_ahead(self) -> list[Column]:
        """The columns that follow, joined or one; `soma de valor e quantidade`."""
        found: list[Column] = []
        while self._next(bool(found)).tag == "col" and (not found or self._next().tag == "and"):
            atom = self._next(bool(found))
            after = self._next(1 + bool(found))
            if found and (after.tag in ("value", "compare", "operation", "unknown")):
                break
            column = self._one(atom, wants="is_number") or self._one(atom)
            if column is None or (found and not column.is_number):
                break
            self.at += 1 + bool(found)
            self.said.touches = True
            found.append(column)
        return found

    def _measured(self, operation: Operation, column: Column, atom: Atom) -> None:
        timely = column.is_date and operation in ("min", "max")
        if not (column.is_number or timely or operation in ("distinct", "count")):
            numbers = tuple(one for one in self.table.columns if one.is_number)
            self.said.trouble = self.said.trouble or Trouble("needs_number", (), numbers)
            return
        measure = Measure(operation, column)
        if measure not in self.said.measures:
            self.said.measures.append(measure)

    def _statistics(self, atom: Atom) -> None:
        columns = self._columns_ahead()
        if not columns:
            self._lost(atom.text)
        for column in columns:
            for operation in STATISTICS:
                self._measured(operation, column, atom)

    def _count(self, atom: Atom) -> None:
        self.counting = True
        if self._next().tag == "distinct":
            self.distinct = True
            self.at += 1
        if self._next().tag == "col" and self._next(1).tag not in ("value", "compare"):
            column = self._one(self._next())
            if column is None:
                return
            self.at += 1
            self.said.touches = True
            if self._next().tag == "distinct":
                self.at += 1
                self.said.measures.append(Measure("distinct", column))
            elif column.adds_up and not self.distinct:
                self.said.measures.append(Measure("sum", column))
            else:
                self.said.measures.append(Measure("distinct", column))
            self.distinct = False
        elif self._next().tag == "unit":
            self._lost(self._next().text)
            self.at += 1

    def _much(self, atom: Atom) -> None:
        column = self._one(self._next(), wants="is_number") if self._next().tag == "col" else None
        if column is None:
            if self._next().tag not in ("row", "operation"):
                self._lost(atom.text)
            return
        self.at += 1
        self._measured("sum" if column.adds_up else "avg", column, atom)

    def _distinct(self, atom: Atom) -> None:
        while self._next().tag in ("soft", "column"):
            self.at += 1
        if self._next().tag == "col":
            column = self._one(self._next())
            self.at += 1
        elif self.bare:
            column = self.bare.pop()
        else:
            column = None
        if column is None:
            self._lost(atom.text)
        else:
            self.said.measures.append(Measure("distinct", column))

    def _recent(self, atom: Atom) -> None:
        if self._next().tag == "col":
            column = self._one(self._next(), wants="is_date")
            self.at += 1
        elif self.bare and self.bare[-1].is_date:
            column = self.bare.pop()
        else:
            column = self._date_column()
        if column is not None:
            self._measured(atom.value, column, atom)

    def _row(self, atom: Atom) -> None:
        self.row_word = True

    def _soft(self, atom: Atom) -> None:
        near = {"empty", "distinct", "frequent", "superlative", "list", "column", "share", "rank",
                "sample", "which", "recent", "count"}  # fmt: skip
        if not near & {self._next().tag, self._before().tag, self._before(3).tag}:
            self._lost(atom.text)

    # ------------------------------------------------------------------ orders

    def _rank(self, atom: Atom) -> None:
        order: Order = atom.value
        follows = self._next()
        if follows.tag == "col":
            column = self._one(follows, wants="is_number")
            if column is not None and not any(not one.is_number for one in follows.columns):
                self.at += 1
                self.said.touches = True
                self.by_rank = Measure("sum" if column.adds_up else "avg", column)
        self._ordered(order)

    def _ordered(self, order: Order) -> None:
        if self.rank_order is not None and self.rank_order != order:
            order = self.rank_order
        self.rank_order = order

    def _superlative(self, atom: Atom) -> None:
        order: Order = atom.value
        while self._next().tag == "soft" and self._next(1).tag == "col":
            self.at += 1
        follows = self._next()
        if follows.tag == "operation" and self._next(1).tag == "col":
            self._ordered(order)  # the highest sum of a column
        elif follows.tag == "col" and (column := self._one(follows, wants="is_number")):
            self.at += 1
            self.said.touches = True
            self.superlatives.append((order, column))
        elif follows.tag in ("count", "share"):
            self._ordered(order)
        elif self.bare and self._before().tag == "col" and self.bare[-1].is_number:
            self.superlatives.append((order, self.bare.pop()))
        elif follows.tag == "row":
            numbers = tuple(one for one in self.table.columns if one.is_number)
            self.said.trouble = self.said.trouble or Trouble("needs_number", (), numbers)
        else:
            self.said.superlative = order

    def _frequent(self, atom: Atom) -> None:
        self.frequent = True
        said = folded(atom.text)
        self.several |= any(one in said for one in ("values", "valores", "frequentes", "comuns"))
        self._ordered(atom.value)

    def _place(self, atom: Atom) -> None:
        self.place = int(atom.value)
        if self._next().tag == "superlative" or self._next().tag in ("frequent", "rank", "col"):
            return

    def _number(self, atom: Atom) -> None:
        before = self._before()
        if before.tag == "col" and self.bare and self.bare[-1].is_number:
            column = self.bare.pop()
            self._keep(Condition(column, "in", (atom.value,), but=self.negated))
            self._more_numbers(column)
            return
        text = f"{before.text} {atom.text}" if before.tag == "col" else atom.text
        if before.tag == "col" and self.bare and self.bare[-1].family == "text":
            self._named_value(self.bare[-1], atom, text)
            return
        self.numbers.append((atom.value, atom.text))

    def _more_numbers(self, column: Column) -> None:
        """`posição 3 e 4`."""
        while self._next().tag == "and" and self._next(1).tag == "number":
            if self._next(2).tag in ("col", "rank", "row", "frequent"):
                return
            self._keep(Condition(column, "in", (self._next(1).value,), but=self.negated))
            self.at += 2

    # ------------------------------------------------------------------ groups

    def _which(self, atom: Atom) -> None:
        while self._next().tag in ("number", "place", "is"):
            follow = self._next()
            self.at += 1
            self.told[follow.tag](follow)
        if self._next().tag == "col" and self._next(1).tag not in ("operation", "empty"):
            column = self._one(self._next())
            second = self._next(1)
            if column is None or (column.is_number and not second.tag):
                return
            if second.tag in ("superlative", "recent") and not self._names_things(column):
                return
            if not column.is_number or second.tag in ("rank", "superlative"):
                self.at += 1
                self.said.touches = True
                if column.is_date and second.tag == "recent":
                    self.bare.append(column)
                else:
                    self.subjects.append(Group(column))
        elif self._next().tag == "unit":
            self._unit_subject(self._next())
            self.at += 1

    def _names_things(self, column: Column) -> bool:
        return not (column.is_number or column.is_date)

    def _unit_subject(self, atom: Atom) -> None:
        column = self._date_column()
        if column is not None:
            self.subjects.append(Group(column, cast(Unit, atom.value)))

    def _list(self, atom: Atom) -> None:
        self.listing = True

    def _by(self, atom: Atom) -> None:
        found = False
        while True:
            follows = self._next()
            if follows.tag == "col":
                column = self._one(follows)
                after = self._next(1)
                if column is None:
                    return
                if after.tag == "value" and any(of is column for of, _ in after.values):
                    return  # "por turno da noite" is said of a value
                self.at += 1
                self.said.touches = True
                self._grouped(column)
            elif follows.tag == "unit":
                self.at += 1
                column = self._unit_column()
                if column is not None:
                    self.said.groups.append(Group(column, cast(Unit, follows.value)))
            elif follows.tag == "value" and not found:
                return
            elif follows.tag in ("row", "rows") and self.subjects and not found:
                self._ordered("most")  # "o segundo operador por defeitos"
                return
            else:
                if not found and follows.tag != "unknown":
                    self._lost(atom.text)
                return
            found = True
            if self._next().tag == "and" and self._next(1).tag in ("col", "unit", "by"):
                second = self._next(2)
                if self._next(1).tag == "col" and second.tag in ("value", "compare"):
                    return
                self.at += 1 + (self._next(1).tag == "by")
            else:
                return

    def _grouped(self, column: Column) -> None:
        """Groups, or what ranks them: `top 2 clientes por valor`."""
        if column.is_number and (self.subjects or self.rank_order) and not column.is_code:
            self.by_rank = Measure("sum" if column.adds_up else "avg", column)
        else:
            self.said.groups.append(Group(column))

    def _unit_column(self) -> Column | None:
        """The dates that a unit is of: those named after it, or the only ones."""
        follows = self._next()
        if follows.tag == "col" and any(one.is_date for one in follows.columns):
            self.at += 1
            return self._one(follows, wants="is_date")
        return self._date_column(self._before(1).text)

    def _unit(self, atom: Atom) -> None:
        if self._before().tag in ("which", "rank", "superlative", "number", "is", "only"):
            self._unit_subject(atom)
            return
        column = self._unit_column()
        if column is not None:
            self.said.groups.append(Group(column, cast(Unit, atom.value)))

    def _date_column(self, words: str = "") -> Column | None:
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

    # ------------------------------------------------------------------ conditions

    def _not(self, atom: Atom) -> None:
        self.negated = True
        follows = self._next()
        if follows.tag in ("count", "rows") and self._next(1).tag in ("value", "col", "period"):
            self.at += 1
        elif follows.tag == "col" and self._next(1).tag not in (
            "value", "compare", "unknown", "quoted", "number", "is", "not",
        ):  # fmt: skip
            column = self._one(follows)
            self.at += 1
            self.said.touches = True
            if column is not None:
                self._keep(Condition(column, "empty"))
            self.negated = False
        elif follows.tag not in ("value", "col", "period", "quoted", "compare", "is", "unknown",
                                 "not"):  # fmt: skip
            self._lost(atom.text)

    def _value(self, atom: Atom) -> None:
        chosen = dict(atom.values)
        columns = list(dict.fromkeys(column for column, _ in atom.values))
        named = self.bare[-1] if self.bare and self._col_just_before() else None
        if named is not None:
            if named in chosen:
                self.bare.pop()
                columns = [named]
            elif named.family in ("text", "boolean"):
                self._lost(f"{named.name} {atom.text}")
        if len(columns) > 1 and (later := self._column_after(columns)) is not None:
            columns = [later]
        if len(columns) > 1:
            asked = [one.column for one in self.said.conditions if one.column in columns]
            columns = asked[-1:] or columns
        if len(columns) > 1:
            self.said.trouble = self.said.trouble or Trouble(
                "ambiguous", (atom.text,), tuple(columns)
            )
            return
        column = columns[0]
        self._column_after([column])
        values = tuple(value for of, value in atom.values if of is column)
        self._keep(Condition(column, "in", values, but=self.negated))

    def _col_just_before(self) -> bool:
        back = 2
        while self._before(back).tag in ("is", "compare", "not", "only"):
            back += 1
        return self._before(back).tag == "col"

    def _column_after(self, columns: list[Column]) -> Column | None:
        """English says the column after its value: `the North region`."""
        follows = self._next()
        fitting = [one for one in follows.columns if one in columns]
        after = self._next(1)
        another = after.tag == "value" and any(of in fitting for of, _ in after.values)
        if follows.tag == "col" and len(fitting) == 1 and not another:
            self.at += 1
            return fitting[0]
        return None

    def _quoted(self, atom: Atom) -> None:
        if self.bare and self._col_just_before():
            self._named_value(self.bare[-1], atom, atom.text)
        else:
            self._lost(atom.text)

    def _unknown(self, atom: Atom) -> None:
        """A word that is in no list: a value, where its column is named and not fully known."""
        column = self.bare[-1] if self.bare and self._col_just_before() else None
        if column is not None and self._is_open(column):
            self._named_value(column, atom, atom.text)
        else:
            self._lost(atom.text)
            if column is not None:
                self.bare.pop()

    def _is_open(self, column: Column) -> bool:
        return column.family == "text" and not column.shape.complete

    def _named_value(self, column: Column, atom: Atom, text: str) -> None:
        """A value said beside its column: looked for as it is written, case and accents aside."""
        if column.family != "text":
            self._lost(text)
            return
        self.bare.pop()
        self._keep(Condition(column, "like", (str(atom.text),), but=self.negated))

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

    def _compare(self, atom: Atom) -> None:
        follows = self._next()
        if atom.value == "=":
            if follows.tag in ("value", "quoted", "number", "unknown", "not", "period"):
                if follows.tag == "number" and self.bare and self.bare[-1].is_number:
                    self.at += 1
                    self._keep(Condition(self.bare.pop(), "in", (follows.value,), but=self.negated))
                elif follows.tag == "unknown" and self.bare:
                    self.at += 1
                    self._named_value(self.bare[-1], follows, follows.text)
                return
            self._lost(atom.text)
            return
        if follows.tag != "number":
            self._lost(atom.text)
            return
        self.at += 1
        if self._next().tag in ("row", "rows"):
            self.at += 1
            self.said.having = Having(atom.value, follows.value)
            self.row_word = True
            return
        column = self._numeric_nearby()
        if column is None:
            self._lost(f"{atom.text} {follows.text}")
            return
        sign = cast(Sign, {">": "<=", "<": ">=", ">=": "<", "<=": ">"}[atom.value])
        self._keep(Condition(column, sign if self.negated else atom.value, (follows.value,)))

    def _numeric_nearby(self) -> Column | None:
        """The column that a comparison is about: the one before it, else the one after."""
        if self.bare and self.bare[-1].is_number:
            return self.bare.pop()
        follows = self._next()
        if follows.tag == "col" and (column := self._one(follows, wants="is_number")):
            self.at += 1
            self.said.touches = True
            return column
        last = self.said.measures[-1] if self.said.measures else None
        if last is not None and self._before(3).tag == "col":
            return last.column
        return None

    def _between(self, atom: Atom) -> None:
        if (
            self._next().tag == "number"
            and self._next(1).tag == "and"
            and self._next(2).tag == "number"
        ):
            low, high = self._next().value, self._next(2).value
            text = f"{atom.text} {self._next().text}"
            self.at += 3
            column = self._numeric_nearby()
            if column is None:
                self._lost(text)
            else:
                values: tuple[Scalar, ...] = (min(low, high), max(low, high))
                self._keep(Condition(column, "between", values, but=self.negated))
        elif self.said.sets_against and self._next().tag in ("value", "period", "col"):
            return
        else:
            self._lost(atom.text)

    def _time_word(self, atom: Atom) -> None:
        if self._next().tag == "col" and self._next(1).tag == "period":
            self._col(self._next())
            self.at += 1
        if self._next().tag == "period":
            self.since = atom.tag
        else:
            self._lost(atom.text)

    def _period(self, atom: Atom) -> None:
        if self.bare and self.bare[-1].is_date:
            self.time_column = self.bare.pop()
        elif self._next().tag == "col" and any(one.is_date for one in self._next().columns):
            self.time_column = self._one(self._next(), wants="is_date")
            self.at += 1
        period: Period = atom.value
        self.periods.append((self.since, period, self.negated))
        self.since = ""

    def _time_conditions(self) -> None:
        if not self.periods:
            return
        column = self._date_column()
        if column is None:
            return
        plain = [one for one in self.periods if not one[0] and not one[2]]
        if self.said.sets_against and len(self.periods) == 1 and plain and plain[0][1].parts:
            # "a diferença entre fevereiro e março": the ends of what else would be a range.
            plain = [("", part, False) for part in plain[0][1].parts]
            self.periods = plain
        whole = all(one[1].start and not one[1].months for one in plain)
        if self.said.sets_against and len(plain) == 2 == len(self.periods):
            self.said.versus = [_timely(column, word, one, but) for word, one, but in plain]
            return
        if self.said.sets_against and len(plain) > 1:
            self._lost("…")
            return
        mixed = len(plain) > 1 and not whole
        for word, period, but in self.periods:
            if mixed and period.months:
                period = replace(period, months=())
            self._keep(_timely(column, word, period, but))

    # ------------------------------------------------------------------ names and the rest

    def _col(self, atom: Atom) -> None:
        follows = self._next()
        if self._before().tag == "number" and self.numbers and self._next().tag != "compare":
            column = self._one(atom)
            if column is not None and not column.is_number:
                self.subjects.append(Group(column))  # "os 3 clientes com mais valor"
                return
        if self._before().tag in ("rank", "place", "versus", "frequent") and follows.tag not in (
            "value",
        ):
            column = self._one(atom)
            if column is not None and not column.is_number:
                self.subjects.append(Group(column))
                self._more_subjects()
                return
        if follows.tag == "frequent" or (follows.tag == "soft" and self.frequent):
            column = self._one(atom)
            if column is not None:
                self.subjects.append(Group(column))
            return
        if follows.tag == "value":
            fitting = [one for one in atom.columns if any(one is of for of, _ in follows.values)]
            column = fitting[0] if len(fitting) == 1 else self._one(atom)
        elif (follows.tag == "compare" and follows.value != "=") or follows.tag in (
            "operation",
            "superlative",
            "number",
            "between",
        ):
            column = self._one(atom, wants="is_number") or self._one(atom)
        elif follows.tag in ("period", "since", "until", "before", "after", "recent"):
            column = self._one(atom, wants="is_date") or self._one(atom)
        else:
            column = self._one(atom)
        if column is not None:
            self.texts[column] = atom.text
            self.bare.append(column)
            if column.family == "boolean":
                self._yes_or_no(column)

    def _yes_or_no(self, column: Column) -> None:
        """`pago = sim`, `pago não`: the value of a yes-or-no column, if it is said."""
        ahead = 0
        while self._next(ahead).tag == "is" or self._next(ahead).value == "=":
            ahead += 1
        said = folded(self._next(ahead).text)
        if said in YES or said in NO:
            self.at += ahead + 1
            self.bare.pop()
            self._keep(Condition(column, "in", (said in YES,), but=self.negated))
            self.negated = False

    def _who(self, atom: Atom) -> None:
        """A person: the column of names, where there is one."""
        named = [one for one in self.table.columns if NAMES.intersection(one.words)]
        if len(named) == 1:
            self.subjects.append(Group(named[0]))
        else:
            self._lost(atom.text)

    def _more_subjects(self) -> None:
        while self._next().tag == "and" and self._next(1).tag == "col":
            column = self._one(self._next(1))
            if column is None or column.is_number:
                return
            self.subjects.append(Group(column))
            self.at += 2

    def _empty(self, atom: Atom) -> None:
        if self.bare and self._before().tag == "col" and self.row_word:
            self._keep(Condition(self.bare.pop(), "empty", but=self.negated))
            self.negated = False
        else:
            self.empty = True

    def _columns(self, atom: Atom) -> None:
        self.said.kind = "columns"

    def _sample(self, atom: Atom) -> None:
        self.sample = True

    def _form(self, atom: Atom) -> None:
        widget, _, kind = str(atom.value).partition(" ")
        old = self.said.form
        if kind == "kept":
            form = Form("chart", old.chart if old else None, kept=True)
        else:
            form = Form(widget, kind or None)  # type: ignore[arg-type]
        if old is None or old.chart is None:
            self.said.form = form

    def _share(self, atom: Atom) -> None:
        self.share = True

    def _pareto(self, atom: Atom) -> None:
        self.said.running = self.said.shares = True
        self.said.form = self.said.form or Form("chart", "bar")

    def _versus(self, atom: Atom) -> None:
        self.said.sets_against = True

    def _is(self, atom: Atom) -> None:
        if self.share and (self.said.conditions or self.row_word or self.counting):
            self.is_seen = True
        if self._next().tag == "and":
            return

    def _and(self, atom: Atom) -> None:
        """Joins what stands on both sides; by itself it says nothing."""

    # ------------------------------------------------------------------ settling

    def _settle(self) -> None:
        said = self.said
        said.counts = self.counting or self.row_word or self.frequent
        self._time_conditions()
        self._settle_superlatives()
        if self.sample and (self.row_word or self.numbers):
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
        if not self.subjects and not said.groups and self.by_rank is None:
            kind = self.table.kind
            dated = [one for one in self.bare if not one.is_number]
            if dated:
                self.subjects = [Group(self.bare.pop(self.bare.index(dated[0])))]
            elif self.row_word and kind is not None:
                self.subjects = [Group(kind)]
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

    def _lost_superlative(self) -> None:
        numbers = tuple(one for one in self.table.columns if one.is_number)
        self.said.trouble = self.said.trouble or Trouble("needs_number", (), numbers)

    def _settle_bare(self) -> None:
        """Columns that were only named: a figure, a list of values, a yes; or not understood."""
        said = self.said
        drawn = said.form is not None or self.listing or self.share or said.running
        for column in self.bare:
            if column.family == "boolean" and (said.counts or said.measures):
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


def _timely(column: Column, word: str, period: Period, but: bool) -> Condition:
    """A period as a condition on a column of dates."""
    if period.weekdays:
        return Condition(column, "weekdays", period.weekdays, but=but)
    if period.months and not word:
        return Condition(column, "months", period.months, but=but)
    start = period.start.isoformat() if period.start else ""
    end = period.end.isoformat() if period.end else ""
    pair = {
        "since": (start, ""), "until": ("", end), "before": ("", start), "after": (end, ""),
    }.get(word, (start, end))  # fmt: skip
    return Condition(column, "period", pair, but=but)


def asked(said: Said) -> Question:
    """What was said as a whole question."""
    trouble = said.trouble
    if said.unknown:
        trouble = Trouble("unknown", tuple(dict.fromkeys(said.unknown)))
    elif trouble is None and said.kind == "figures" and (said.operations or said.superlative):
        numbers = tuple(one for one in said.table.columns if one.is_number)
        trouble = Trouble("needs_number", (), numbers)
    elif trouble is None and said.kind == "figures" and said.rank and not said.groups:
        trouble = Trouble("needs_column")
    return Question(
        table=said.table,
        kind=said.kind,  # type: ignore[arg-type]
        measures=tuple(said.measures),
        groups=tuple(dict.fromkeys(said.groups)),
        conditions=tuple(said.conditions),
        rank=said.rank,
        having=said.having,
        form=said.form,
        rows=said.rows,
        loosely=said.loosely,
        shares=said.shares,
        running=said.running,
        part=tuple(said.part),
        versus=tuple(said.versus),
        trouble=trouble,
    )

"""What a question about a table asks for, once it is read: values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bancada.packs.tables.questions.tables import Column, Table

Operation: TypeAlias = Literal[
    "count", "distinct", "sum", "avg", "min", "max", "median", "deviation"
]
Unit: TypeAlias = Literal["hour", "day", "weekday", "week", "month", "quarter", "year"]
Sign: TypeAlias = Literal[
    "=", ">", ">=", "<", "<=", "between", "in", "not in", "month", "year", "empty", "filled"
]
Kind: TypeAlias = Literal["figures", "columns", "empty", "sample"]
Order: TypeAlias = Literal["most", "least"]
Scalar: TypeAlias = str | int | float | bool


@dataclass(frozen=True)
class Measure:
    """A figure: an operation on a column, or rows counted."""

    operation: Operation
    column: Column | None = None


ROWS = Measure("count")


@dataclass(frozen=True)
class Group:
    """A column whose values each get a figure; a date by a unit of time."""

    column: Column
    unit: Unit | None = None

    @property
    def in_time(self) -> bool:
        return self.unit is not None or self.column.is_date


@dataclass(frozen=True)
class Condition:
    """What a row must hold to count."""

    column: Column
    sign: Sign
    values: tuple[Scalar, ...] = ()


@dataclass(frozen=True)
class Spoken:
    """Words that may be a value of some column: the data will tell of which."""

    spans: tuple[tuple[int, int], ...]
    """Where each word stands in the text."""
    text: str
    column: Column | None = None
    """The column that was named beside them."""
    negated: bool = False
    old: bool = False
    """Said in an earlier question: newer words on the same column replace it."""


@dataclass(frozen=True)
class Rank:
    """The first of an order: how many, and from which end."""

    order: Order
    limit: int | None = None
    """None where one is asked for."""
    of_values: bool = False
    """The highest or lowest values themselves, not groups by a figure."""


@dataclass(frozen=True)
class Form:
    """How the answer is shown beside the words."""

    widget: Literal["chart", "table", "kpi"]
    chart: str | None = None
    kept: bool = False
    """It was asked for on a dashboard."""


@dataclass(frozen=True)
class Trouble:
    """Why no figure can be given."""

    kind: Literal["unknown", "ambiguous", "needs_number", "needs_date", "needs_column"]
    words: str = ""
    columns: tuple[Column, ...] = ()
    elsewhere: str = ""
    """Another file that has what was asked for."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """A whole question. Without `spoken` it can be asked of the data at once."""

    table: Table
    kind: Kind = "figures"
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    conditions: tuple[Condition, ...] = ()
    spoken: tuple[Spoken, ...] = ()
    rank: Rank | None = None
    form: Form | None = None
    rows: int = 10
    """How many rows a sample has."""
    loosely: bool = False
    """Rows were counted where a sum may have been meant."""
    shares: bool = False
    """What part each group has of the whole is wanted too."""
    running: bool = False
    """The shares are added up from the first on."""
    trouble: Trouble | None = None

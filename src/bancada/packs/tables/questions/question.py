"""What a question about a table asks for, once it is read: values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from bancada.packs.tables.questions.schema import AskedColumn, AskedTable

Operation: TypeAlias = Literal[
    "count", "distinct", "sum", "avg", "min", "max", "median", "deviation"
]
Unit: TypeAlias = Literal["hour", "day", "weekday", "week", "month", "quarter", "year"]
Sign: TypeAlias = Literal[
    "in", "like", ">", ">=", "<", "<=", "between", "period", "months", "weekdays", "empty"
]
Kind: TypeAlias = Literal["figures", "columns", "empty", "sample"]
Order: TypeAlias = Literal["most", "least"]
Scalar: TypeAlias = str | int | float | bool


@dataclass(frozen=True)
class Measure:
    """A figure: an operation on a column, or rows counted."""

    operation: Operation
    column: AskedColumn | None = None


ROWS = Measure("count")


@dataclass(frozen=True)
class Group:
    """A column whose values each get a figure; a date by a unit of time."""

    column: AskedColumn
    unit: Unit | None = None

    def __post_init__(self) -> None:
        if self.unit is None and self.column.family == "time":
            # A time of day is told by its hour: by the minute nothing comes together.
            object.__setattr__(self, "unit", "hour")

    @property
    def in_time(self) -> bool:
        return self.unit is not None or self.column.is_date


@dataclass(frozen=True)
class Condition:
    """What a row must hold to count; with `but`, must not."""

    column: AskedColumn
    sign: Sign
    values: tuple[Scalar, ...] = ()
    """For a period: its first day and the day after its last, empty where it is open, in pairs."""
    but: bool = False


@dataclass(frozen=True)
class Rank:
    """The first of an order: how many, and from which end."""

    order: Order
    limit: int | None = None
    """None where one is asked for."""
    of_values: bool = False
    """The highest or lowest values themselves, not groups by a figure."""
    place: int = 1
    """Which one is asked for: 2 is the second."""


@dataclass(frozen=True)
class Form:
    """How the answer is shown beside the words."""

    widget: Literal["chart", "table", "kpi"]
    chart: str | None = None
    kept: bool = False
    """It was asked for on a dashboard."""


@dataclass(frozen=True)
class Having:
    """Which groups count: by how many rows they have."""

    sign: Literal[">", ">=", "<", "<="]
    number: float


@dataclass(frozen=True)
class Trouble:
    """Why no figure can be given."""

    kind: Literal["unknown", "ambiguous", "needs_number", "needs_date", "needs_column"]
    words: tuple[str, ...] = ()
    columns: tuple[AskedColumn, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TableQuestion:
    """A whole question."""

    table: AskedTable
    kind: Kind = "figures"
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    conditions: tuple[Condition, ...] = ()
    rank: Rank | None = None
    having: Having | None = None
    form: Form | None = None
    rows: int = 10
    """How many rows a sample has."""
    loosely: bool = False
    """Rows were counted where a sum may have been meant."""
    shares: bool = False
    """What part each group has of the whole is wanted too."""
    running: bool = False
    """The shares are added up from the first on."""
    part: tuple[Condition, ...] = ()
    """What part of the rows these hold for is asked, of all that `conditions` leave."""
    versus: tuple[Condition, ...] = ()
    """Two periods whose figures are set against each other."""
    trouble: Trouble | None = None

"""Tables that can be asked about: their columns, what people call them, the values they hold.

Structure, not prose: whoever reads a question reads it against this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeAlias

from bancada.domain.people import Language

ColumnType: TypeAlias = Literal["boolean", "integer", "number", "date", "datetime", "time", "text"]
Words: TypeAlias = Mapping[Language, Sequence[str]]
"""What something is called in each language; the first is the one to show."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TableColumn:
    """One column of a table."""

    name: str
    type: ColumnType
    words: Words = field(default_factory=dict)
    """Its names for people; without any, its own."""
    values: tuple[str, ...] = ()
    """The different values of a text column, where they are few enough to know them all."""
    complete: bool = False
    """Whether `values` are all there are."""


@dataclass(frozen=True, kw_only=True, eq=False)
class TableShape:
    """One table, as it is now."""

    name: str
    """In queries."""
    rows: int
    columns: tuple[TableColumn, ...]
    file: str = ""
    """The uploaded file it was read from; a pack's table has none."""
    first_sheet: bool = True
    """Of a workbook's tables, whether it is that of its first sheet."""
    row: Mapping[Language, tuple[str, str]] = field(default_factory=dict)
    """What a row is, one and several; without it, a row."""
    kind: str = ""
    """The column that says what kind of thing a row is: the most frequent of them is of it."""
    value_words: Mapping[str, Words] = field(default_factory=dict)
    """What values are called, where that is not what stands in the cells."""
    first: date | None = None
    last: date | None = None
    """Between which days its dates are."""

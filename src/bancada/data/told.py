"""What comes out of the wall with an upload, checked as anything a stranger sends.

The reader inside is ours, but it has read their bytes: if those took it over, this is where they
speak. What does not fit is refused as a damaged file.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Annotated, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from bancada.data.limits import IngestLimits
from bancada.data.problems import DataProblem
from bancada.data.shapes import Profile
from bancada.domain.json import JSON, JSONObject
from bancada.domain.shapes import Shape
from bancada.domain.tables import ColumnType
from bancada.domain.wording import CATALOGUES

T = TypeVar("T")
TableName = Annotated[str, Field(pattern=r"^[a-z_][a-z0-9_]*$", max_length=100)]
Name = Annotated[str, Field(max_length=400)]
Count = Annotated[int, Field(ge=0)]
Cell = str | int | float | bool | None
Rows = Annotated[list[list[Cell]], Field(max_length=100)]


class NoteTold(Shape):
    """A note of the reader's."""

    code: Annotated[str, Field(pattern=r"^[a-z_]+$", max_length=60)]
    line: int | None
    parts: dict[str, str | int | float]


class ColumnTold(Shape):
    """A column."""

    name: Name
    type: ColumnType


class CommonTold(Shape):
    """A value, and how often it stands there."""

    value: Cell
    count: Count


class TableTold(Shape):
    """A table of the data set."""

    table: TableName
    rows: Count
    columns: Annotated[list[ColumnTold], Field(min_length=1)]
    preview: Rows
    statistics: dict[str, dict[str, Cell]]
    categories: dict[str, list[CommonTold]]
    sheet: Name | None
    rejected: TableName | None
    notes: list[NoteTold]


class SheetTold(Shape):
    """A sheet of the workbook, read or not."""

    name: Name
    hidden: bool
    table: TableName | None


class SummaryTold(TableTold):
    """The whole file; what it says of itself, it says of its first table."""

    name: Name
    tables: Annotated[list[TableTold], Field(min_length=1)]
    sheets: list[SheetTold]


class ReadTold(Shape):
    """A file that was read."""

    summary: SummaryTold
    head: Rows
    peak_memory: Count


class ProblemTold(Shape):
    """Why it was not."""

    code: Annotated[str, Field(pattern=r"^[a-z_]+$", max_length=60)]
    parts: dict[str, str | int | float]


class ProfileTold(Shape):
    """A table's structure."""

    rows: Count
    columns: list[ColumnTold]
    values: dict[str, list[str]]
    first: Annotated[date, Field(strict=False)] | None
    last: Annotated[date, Field(strict=False)] | None


class Unbelievable(Exception):
    """The reader's answer is none that ours would give."""


_READ = TypeAdapter(ReadTold)
_PROBLEM = TypeAdapter(ProblemTold)
_PROFILES = TypeAdapter(list[ProfileTold])


def believed(
    done: JSON, filename: str, taken: Collection[str], limits: IngestLimits
) -> tuple[JSONObject, list[list[JSON]], int]:
    """The summary, the first rows and the memory used, if they can be."""
    found = _fitted(_READ, done)
    summary = found.summary
    names = [name for each in summary.tables for name in (each.table, each.rejected) if name]
    known = {name.casefold() for name in taken}
    # A table of that name is a pack's, or another file's: queries would be answered from this one.
    if len(set(names)) < len(names) or known & set(names):
        raise Unbelievable("a table's name is not its own")
    if summary.name != filename or len(summary.tables) > limits.sheets:
        raise Unbelievable("a summary of another file")
    if any(len(each.columns) > limits.columns for each in summary.tables):
        raise Unbelievable("more columns than may be")
    # As it came: what was checked keeps its order, and numbers their kind.
    return done["summary"], done["head"], found.peak_memory


def believed_problem(problem: JSON) -> DataProblem:
    """The problem it tells of, if it is one of ours."""
    found = _fitted(_PROBLEM, problem)
    if f"upload_{found.code}" not in CATALOGUES["en"]:
        raise Unbelievable("a problem nobody knows")
    return DataProblem(found.code, **found.parts)


def believed_profiles(profiles: JSON, tables: int) -> tuple[Profile, ...]:
    """Each table's structure, in their order."""
    found = _fitted(_PROFILES, profiles)
    if len(found) != tables:
        raise Unbelievable("not a profile a table")
    return tuple(
        Profile(
            each.rows,
            tuple((column.name, column.type) for column in each.columns),
            {name: tuple(values) for name, values in each.values.items()},
            each.first,
            each.last,
        )
        for each in found
    )


def _fitted(shape: TypeAdapter[T], told: JSON) -> T:
    try:
        return shape.validate_python(told)
    except ValidationError as error:
        raise Unbelievable(str(error)[:500]) from None

"""What the workspace holds: documents, employees and sales, and how they are read from files.

An organisation points the pack at a folder with `documents.csv`, `employees.csv` and
`sales.csv` (any of them may be missing); the demo brings its own.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import MISSING, astuple, dataclass, fields
from datetime import date
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from bancada import BadDefinition

T = TypeVar("T")
Month: TypeAlias = str
"""`2024-12`."""


@dataclass(frozen=True, kw_only=True)
class Document:
    """One file of the organisation, as the search knows it."""

    id: str
    title: str
    category: str
    format: str
    size_mb: float
    author: str
    filed_on: date
    text: str
    keywords: str = ""


@dataclass(frozen=True, kw_only=True)
class Employee:
    """Somebody who works here."""

    id: str
    name: str
    title: str
    role: str
    department: str
    location: str = ""
    hired_on: date


@dataclass(frozen=True, kw_only=True)
class Sale:
    """One month's sales of one product in one region."""

    month: Month
    region: str
    product: str
    units: int
    revenue: float


@dataclass(frozen=True, kw_only=True)
class Contents:
    """Everything the pack reads; what people write (tasks, announcements) is kept beside it."""

    documents: Sequence[Document] = ()
    employees: Sequence[Employee] = ()
    sales: Sequence[Sale] = ()

    @property
    def version(self) -> str:
        """The same for the same rows: a changed file is loaded again, and forgets cached answers."""
        parts = (self.documents, self.employees, self.sales)
        rows = repr([[astuple(row) for row in part] for part in parts])
        return hashlib.sha256(rows.encode()).hexdigest()[:16]


def read_folder(folder: Path) -> Contents:
    """Read the organisation's own files. Raises `BadDefinition` naming the file and line."""
    if not folder.is_dir():
        raise BadDefinition(f"[packs.workspace] data: there is no folder {folder}.")
    return Contents(
        documents=_rows(folder / "documents.csv", Document),
        employees=_rows(folder / "employees.csv", Employee),
        sales=_rows(folder / "sales.csv", Sale),
    )


def demo_contents() -> Contents:
    """The made-up office of the demo: files of the same kind, the same every time."""
    return read_folder(Path(__file__).parent / "demo")


def _rows(path: Path, kind: type[T]) -> tuple[T, ...]:
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        found = []
        for row in reader:
            try:
                found.append(_made(kind, row))
            except (KeyError, ValueError, AttributeError) as error:
                what = f"no column {error}" if isinstance(error, KeyError) else str(error)
                raise BadDefinition(f"{path.name}, line {reader.line_num}: {what}.") from error
    return tuple(found)


def _made(kind: type[T], row: dict[str, str]) -> T:
    """A line as a value: each column read as its field's type says."""
    said = {key: (value or "").strip() for key, value in row.items()}
    return kind(
        **{
            one.name: _READ[str(one.type)](said[one.name])
            for one in fields(kind)  # type: ignore[arg-type]
            if one.name in said or one.default is MISSING
        }
    )


def _month(text: str) -> str:
    return f"{date.fromisoformat(f'{text}-01'):%Y-%m}"


_READ: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "date": date.fromisoformat,
    "Month": _month,
}

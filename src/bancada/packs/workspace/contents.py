"""What the workspace holds: documents, employees and sales, and how they are read from files.

An organisation points the pack at a folder with `documents.csv`, `employees.csv` and
`sales.csv` (any of them may be missing); the demo brings its own rows.
"""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar

from bancada import BadDefinition

T = TypeVar("T")


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
    location: str
    hired_on: date


@dataclass(frozen=True, kw_only=True)
class Sale:
    """One month's sales of one product in one region."""

    month: str
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
        documents=_rows(folder / "documents.csv", _document),
        employees=_rows(folder / "employees.csv", _employee),
        sales=_rows(folder / "sales.csv", _sale),
    )


def _rows(path: Path, make: Callable[[dict[str, str]], T]) -> tuple[T, ...]:
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        found = []
        for row in reader:
            try:
                found.append(make({key: (value or "").strip() for key, value in row.items()}))
            except (KeyError, ValueError, AttributeError) as error:
                what = f"no column {error}" if isinstance(error, KeyError) else str(error)
                raise BadDefinition(f"{path.name}, line {reader.line_num}: {what}.") from error
    return tuple(found)


def _document(row: dict[str, str]) -> Document:
    return Document(
        id=row["id"],
        title=row["title"],
        category=row["category"],
        format=row["format"],
        size_mb=float(row["size_mb"]),
        author=row["author"],
        filed_on=date.fromisoformat(row["filed_on"]),
        text=row["text"],
        keywords=row.get("keywords", ""),
    )


def _employee(row: dict[str, str]) -> Employee:
    return Employee(
        id=row["id"],
        name=row["name"],
        title=row["title"],
        role=row["role"],
        department=row["department"],
        location=row.get("location", ""),
        hired_on=date.fromisoformat(row["hired_on"]),
    )


def _sale(row: dict[str, str]) -> Sale:
    month = date.fromisoformat(f"{row['month']}-01")
    return Sale(
        month=f"{month:%Y-%m}",
        region=row["region"],
        product=row["product"],
        units=int(row["units"]),
        revenue=float(row["revenue"]),
    )

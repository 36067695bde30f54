"""Files as factories have them, made by chance: the same number gives the same file."""

from __future__ import annotations

import csv
import datetime as dt
import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import openpyxl
import pandas

Sort: TypeAlias = Literal["id", "date", "text", "whole", "decimal", "percent", "money", "lot"]

SIZES = (1, 2, 3, 4, 7, 12, 60, 250, 999, 4_998, 4_999, 5_000, 5_001, 12_000)
SMALL = (1, 2, 3, 5, 8, 13, 40, 120)
TOTALS = ("Total", "TOTAL", "Total geral", "Totais", "Soma")
TEXTS = ("manhã", "tarde", "noite", "Linha 1", "L-02", "João; turno", 'aço "duro"', "peça, nova")
SIGNS = ("€ {}", "{} €", "{}€", "R$ {}", "EUR {}")


@dataclass(frozen=True)
class Column:
    """A column: its heading, its sort, and how its cells are written."""

    name: str
    sort: Sort
    write: Callable[[float], str]


@dataclass(frozen=True)
class File:
    """A made file, what pandas needs to read its cells, and its columns."""

    name: str
    content: bytes
    columns: tuple[Column, ...]
    header: int
    comma: bool
    """Decimal comma, points between thousands."""
    totals: bool
    separator: str = ","
    encoding: str = "utf-8"

    @property
    def frame(self) -> pandas.DataFrame:
        """Every cell as it stands, by pandas' own readers; rows without any are none."""
        if self.name.endswith(".csv"):
            frame = pandas.read_csv(
                io.BytesIO(self.content),
                sep=self.separator,
                encoding=self.encoding,
                header=self.header,
                dtype=str,
                keep_default_na=False,
                skip_blank_lines=False,
            )
            frame = frame.replace("", None)
        else:
            frame = pandas.read_excel(
                io.BytesIO(self.content), header=self.header, dtype=object, engine="openpyxl"
            )
        return frame.dropna(how="all")

    def number(self, cell: object) -> float | None:
        """A cell of ours as a number: what a person reads there."""
        if cell is None or cell != cell:
            return None
        if not isinstance(cell, str):
            return float(cell)  # type: ignore[arg-type]
        bare = "".join(c for c in cell if c in "0123456789.,-")
        if self.comma:
            bare = bare.replace(".", "").replace(",", ".")
        return float(bare.replace(",", ""))


def made(seed: int, *, sizes: tuple[int, ...] = SIZES) -> File:
    """One file; a third of them are workbooks."""
    chance = random.Random(seed)
    comma = chance.random() < 0.6
    count = sizes[seed % len(sizes)]
    columns = _columns(chance, comma)
    gaps = chance.choice((0.0, 0.0, 0.05, 0.3))
    rows = [[_value(chance, column, n, gaps) for column in columns] for n in range(count)]
    # A word in its first cell is what makes a row of totals one; dates and ids give way to it.
    totals = chance.random() < 0.4
    if totals:
        rows.append(_totals(chance, columns, rows))
    title = chance.random() < 0.25
    names = [column.name for column in columns]
    if seed % 3 == 2:
        content = _book(chance, columns, names, rows, title)
        return File(f"f{seed}.xlsx", content, columns, 2 * title, comma, totals)
    separator = chance.choice(";;;\t|") if comma else chance.choice(",,;\t|")
    encoding = chance.choice(("utf-8", "utf-8-sig", "cp1252", "utf-16"))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator=chance.choice(("\n", "\r\n")))
    if title:
        writer.writerows([["Relatório de produção"], []])
    writer.writerow(names)
    for row in rows:
        cells = zip(columns, row, strict=True)
        writer.writerow([_written(column, value) for column, value in cells])
    content = text.getvalue().encode(encoding)
    return File(f"f{seed}.csv", content, columns, 2 * title, comma, totals, separator, encoding)


def _columns(chance: random.Random, comma: bool) -> tuple[Column, ...]:
    parted = chance.random() < 0.5
    sign = chance.choice(SIGNS)

    def number(value: float, places: int) -> str:
        text = f"{value:,.{places}f}" if parted else f"{value:.{places}f}"
        return text.translate(str.maketrans(",.", ".,")) if comma else text

    known: dict[Sort, Callable[[float], str]] = {
        "id": lambda value: str(int(value)),
        "whole": lambda value: number(value, 0),
        "decimal": lambda value: number(value, 2),
        "percent": lambda value: number(value, 1) + "%",
        "money": lambda value: sign.format(number(value, 2)),
        "lot": lambda value: "",
        "date": lambda value: "",
        "text": lambda value: "",
    }
    first: Sort = chance.choice(("id", "date", "text", "lot"))
    others: list[Sort] = ["text", "whole", "decimal", "percent", "money", "lot", "date"]
    chosen: list[Sort] = [first, *chance.sample(others, k=chance.randint(2, 6))]
    if not {"whole", "decimal", "money"} & set(chosen):
        chosen.append("decimal")
    return tuple(Column(f"{sort} {n}", sort, known[sort]) for n, sort in enumerate(chosen))


def _value(chance: random.Random, column: Column, number: int, gaps: float) -> object:
    if column.sort == "id":
        return number + 1
    if chance.random() < gaps:
        return None
    match column.sort:
        case "date":
            return dt.date(2026, 1, 1) + dt.timedelta(days=chance.randrange(365))
        case "text":
            return chance.choice(TEXTS)
        case "lot":
            return chance.choice((f"2026E{number % 90}", f"{number:06d}", f"L{number}"))
        case "whole":
            return chance.randrange(100_000)
        case "percent":
            return round(chance.uniform(0, 100), 1)
    return round(chance.uniform(0, 50_000), 2)


def _totals(
    chance: random.Random, columns: tuple[Column, ...], rows: list[list[object]]
) -> list[object]:
    summed = [
        round(sum(float(row[at]) for row in rows if row[at] is not None), 2)  # type: ignore[arg-type]
        if column.sort in ("whole", "decimal", "money")
        else None
        for at, column in enumerate(columns)
    ]
    return [chance.choice(TOTALS), *summed[1:]]


def _written(column: Column, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dt.date):
        return value.strftime("%d/%m/%Y")
    return column.write(value) if isinstance(value, int | float) else str(value)


def _book(
    chance: random.Random,
    columns: tuple[Column, ...],
    names: list[str],
    rows: list[list[object]],
    title: bool,
) -> bytes:
    """Numbers are numbers but for percentages and amounts, which somebody typed as text."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    if title:
        sheet.append(["Relatório de produção"])
        sheet.append([])
    sheet.append(names)
    for row in rows:
        sheet.append(
            [
                _written(column, value) or None if column.sort in ("percent", "money") else value
                for column, value in zip(columns, row, strict=True)
            ]
        )
    if chance.random() < 0.5:
        hidden = book.create_sheet("Escondida")
        hidden.append(["a", "b"])
        hidden.append([1, 2])
        hidden.sheet_state = "hidden"
    kept = io.BytesIO()
    book.save(kept)
    return kept.getvalue()

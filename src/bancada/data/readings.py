"""How a column's cells were read, told where it was a guess or is not what the cells show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import duckdb

from bancada.data import kinds
from bancada.data.csvfile import FileRow
from bancada.data.fitting import Fit
from bancada.data.kinds import COMMA, POINT, TEXT, UNDRESSED, WHOLE_COMMA, WHOLE_ENGLISH, Kind
from bancada.data.layout import Layout
from bancada.data.names import quoted
from bancada.data.notes import Notes
from bancada.data.workbook import SheetCells

_PARTED = r"[+-]?[1-9][0-9]{0,2}([.,][0-9]{3})?|0"
"""What may be thousands parted by a sign, and as well a number with three decimals."""
_DECIMALS = (POINT, COMMA)
_THOUSANDS = (WHOLE_COMMA, WHOLE_ENGLISH)


def note_signs(
    db: duckdb.DuckDBPyConnection,
    relation: str,
    chosen: Sequence[Kind],
    shape: Layout,
    notes: Notes,
) -> list[Kind]:
    """Say of percentages, amounts and bracketed numbers that they were read without that.

    Returns the kinds again: a column of several currencies is text.
    """
    result = list(chosen)
    for position, kind in enumerate(chosen):
        if kind.dress is None:
            continue
        cell, column = f"c{position}", shape.names[position]
        signs = _currencies(db, relation, cell) if kind.dress == "currency" else []
        if len(signs) > 1:
            result[position] = TEXT
            notes.add("currencies", column=column, signs=", ".join(signs))
            continue
        text, read = db.execute(
            f"SELECT {cell}, {kind.value(cell)} FROM {relation} "  # noqa: S608
            f"WHERE ({kind.value(cell)}) IS NOT NULL AND regexp_matches({cell}, '{kinds.SIGN}|[%()]') "
            "LIMIT 1"
        ).fetchone() or ("", 0)
        notes.add(kind.dress, column=column, text=text.strip(), read=read, sign="".join(signs))
    return result


def _currencies(db: duckdb.DuckDBPyConnection, relation: str, cell: str) -> list[str]:
    found = db.execute(
        f"SELECT DISTINCT regexp_extract({cell}, '{kinds.SIGN}', 1) FROM {relation} "  # noqa: S608
        f"WHERE regexp_matches({cell}, '{kinds.SIGN}') AND NOT {kinds.is_missing(cell)}"
    ).fetchall()
    return sorted({kinds.SIGNS[sign] for (sign,) in found if sign})


def note_thousands(
    db: duckdb.DuckDBPyConnection,
    relation: str,
    first: Sequence[FileRow],
    chosen: Sequence[Kind],
    shape: Layout,
    delimiter: str,
    notes: Notes,
) -> None:
    """Say of `1.234` and `12,000` how they were read, where nothing else is there to tell.

    A point is the decimal sign where commas part the cells, and what a sign means in one column
    it means in all of them.
    """
    bare = [UNDRESSED.get(kind, kind) for kind in chosen]
    settled = {COMMA: WHOLE_COMMA, kinds.ENGLISH: WHOLE_ENGLISH}
    known: set[Kind] = {settled[kind] for kind in bare if kind in settled}
    for position, kind in enumerate(bare):
        if kind in known or kind not in (*_DECIMALS, *_THOUSANDS):
            continue
        if kind is POINT and delimiter == ",":
            continue
        cells = (record.cells[position].strip() for record in first if position < len(record.cells))
        if not _all_parted(filter(None, cells)):
            continue
        cell = f"c{position}"
        digits = f"regexp_replace({cell}, '[^0-9.,+-]', '', 'g')"
        other, text, read = db.execute(
            f"SELECT bool_or(NOT regexp_full_match({digits}, '{_PARTED}') "  # noqa: S608
            f"AND NOT {kinds.is_missing(cell)}), min({cell}) FILTER (regexp_matches({cell}, "
            f"'[.,]')), arg_min({chosen[position].value(cell)}, {cell}) FILTER (regexp_matches("
            f"{cell}, '[.,]')) FROM {relation}"
        ).fetchone() or (True, None, None)
        if not other and text is not None:
            code = "thousands" if kind in _DECIMALS else "parted"
            notes.add(code, column=shape.names[position], text=text.strip(), read=read)


def _all_parted(cells: Iterable[str]) -> bool:
    pattern = re.compile(_PARTED)
    return all(
        pattern.fullmatch(re.sub(r"[^0-9.,+-]", "", cell))
        for cell in cells
        if not kinds.is_missing_word(cell)
    )


def note_days(
    db: duckdb.DuckDBPyConnection,
    relation: str,
    table: str,
    chosen: Sequence[Kind],
    shape: Layout,
    notes: Notes,
) -> None:
    """Say of `01/02/2026` that the day was taken to come first, where no day is over twelve."""
    for position, kind in enumerate(chosen):
        if kind not in kinds.DAY_FIRST:
            continue
        name, cell = quoted(shape.names[position]), f"c{position}"
        # The same number twice is the same day either way.
        (open_,) = db.execute(
            f"SELECT coalesce(max(day({name})) <= 12, false) AND bool_or(day({name}) <> "  # noqa: S608
            f"month({name})) FROM {quoted(table)}"
        ).fetchone() or (False,)
        if open_:
            text, read = db.execute(
                f"SELECT {cell}, strftime({kind.value(cell)}, '%Y-%m-%d') FROM {relation} "  # noqa: S608
                f"WHERE day({kind.value(cell)}) <> month({kind.value(cell)}) LIMIT 1"
            ).fetchone() or ("", "")
            notes.add("day_first", column=shape.names[position], text=text.strip(), read=read)


def note_odd_values(
    db: duckdb.DuckDBPyConnection,
    relation: str,
    found: Sequence[Fit],
    chosen: Sequence[Kind],
    shape: Layout,
    notes: Notes,
    *,
    of_sheet: bool,
) -> None:
    """Name the value that keeps a column from being what nearly all of it is.

    In a workbook half of it is enough: dates and typed dates are often mixed there.
    """
    for position, (fit, kind) in enumerate(zip(found, chosen, strict=True)):
        nearly = fit.mostly(0.5) if of_sheet else fit.nearly
        if kind is not TEXT or nearly is None:
            continue
        cell = f"c{position}"
        odd = db.execute(
            f"SELECT line, {cell} FROM {relation} WHERE {cell} IS NOT NULL "  # noqa: S608
            f"AND ({nearly.value(cell)}) IS NULL AND NOT {kinds.is_missing(cell)} LIMIT 1"
        ).fetchone()
        if odd is not None:
            notes.add(
                "odd_value",
                odd[0],
                column=shape.names[position],
                count=fit.filled - fit.counts[nearly],
                filled=fit.filled,
                kind=nearly.family,
                text=odd[1][:60],
            )


def note_cells(
    db: duckdb.DuckDBPyConnection,
    cells: SheetCells,
    chosen: Sequence[Kind],
    shape: Layout,
    first_line: int,
    notes: Notes,
) -> None:
    """What a sheet's cells were that its table does not show any more."""
    for position, kind in enumerate(chosen):
        column = shape.names[position]
        if (seen := cells.numerals.get(position)) is not None:
            if kind.family in ("integer", "number") and kind.dress is None:
                text = "'" + seen.text.replace("'", "''") + "'"
                (read,) = db.execute(f"SELECT {kind.value(text)}").fetchone() or (None,)
                if read is not None:
                    notes.add(
                        "text_numbers", column=column, count=seen.count, text=seen.text, read=read
                    )
            elif kind is TEXT and position in cells.decimals and not notes.speak_of(column):
                notes.add("mixed_numbers", column=column, text=seen.text)
        if (left := cells.uncalculated.get(position)) is not None:
            notes.add("formulas", column=column, count=left.count, text=left.text)
        if (shown := cells.percentages.get(position)) is not None and (
            kind.family in ("integer", "number")
        ):
            read = float(shown.text)
            notes.add("shown_percent", column=column, read=read, text=f"{read * 100:.6g}%")
        for code, places in (("merged", cells.filled), ("merged_numbers", cells.single)):
            count = sum(1 for line, at in places if at == position and line >= first_line)
            if count:
                notes.add(code, column=column, count=count)

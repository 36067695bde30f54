"""Rows that sum up the others: left out, so that no figure counts twice.

A row is one when it says so in its first cell and its numbers agree, or says nothing there and
every number of the last row is the sum of those above. One that only says so stays, and is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import duckdb

from bancada.data.kinds import Kind

LABELS = 6
"""Columns looked at for the first filled cell of a row."""
_MOST = 200
"""A file with more rows that say so has them as its data."""
_SUM = r"(?:(?:sub|grand|gran)[ -]?)?(?:total|totais|totals|totales|soma|sum|somatorio)"
_MEAN = r"(?:media|average|mean|avg)"
_BEGINS = rf"^(?:{_SUM}|{_MEAN})\b"
_WHOLLY = rf"(?:{_SUM}|{_MEAN})(?:[ -](?:geral|global|final|general|overall))?[ :.]*"


@dataclass(frozen=True)
class Candidate:
    """A row that may sum up others."""

    line: int
    text: str
    """Its first filled cell; empty where it has none."""
    sure: bool
    """Its first cell says nothing else."""
    mean: bool = False
    numbers: str = ""
    """What it holds, where it has no words."""

    @property
    def shown(self) -> str:
        return self.text or self.numbers


def label(columns: Sequence[str]) -> str:
    """SQL: the first filled cell of a row."""
    return f"coalesce({', '.join(columns[:LABELS])}, '')"


def says_so(cell: str) -> str:
    """SQL: whether a label says that its row sums up others."""
    return f"regexp_matches(lower(strip_accents({cell})), '{_BEGINS}')"


def candidates(db: duckdb.DuckDBPyConnection, relation: str, width: int) -> list[Candidate]:
    """The rows of a regular copy that say so, and the last row if it says nothing."""
    first = label([f"c{i}" for i in range(width)])
    plain = "lower(strip_accents(said))"
    found = [
        Candidate(line, text, sure, mean)
        for line, text, sure, mean in db.execute(
            f"SELECT line, said, regexp_full_match({plain}, '{_WHOLLY}'), "  # noqa: S608
            f"regexp_matches({plain}, '^{_MEAN}') FROM (SELECT line, {first} AS said "
            f"FROM {relation}) WHERE {says_so('said')} ORDER BY line LIMIT {_MOST + 1}"
        ).fetchall()
    ]
    if len(found) > _MOST:
        return []
    line, text, cells = db.execute(
        f"SELECT line, c0, [{', '.join(f'c{i}' for i in range(width))}] FROM {relation} "  # noqa: S608
        "ORDER BY line DESC LIMIT 1"
    ).fetchone() or (None, None, ())
    if line is not None and text is None and all(each.line != line for each in found):
        numbers = " · ".join(cell for cell in cells if cell is not None)
        found.append(Candidate(line, "", sure=False, numbers=numbers))
    return found


def confirmed(
    db: duckdb.DuckDBPyConnection,
    relation: str,
    found: Sequence[Candidate],
    chosen: Sequence[Kind],
) -> list[Candidate]:
    """Those whose numbers agree with the rows of data, which were read as the chosen kinds."""
    numeric = {i: kind for i, kind in enumerate(chosen) if kind.family in ("integer", "number")}
    values = "".join(f", {kind.value(f'c{i}')} AS n{i}" for i, kind in numeric.items())
    others = [f"c{i}" for i in range(len(chosen)) if i not in numeric]
    words = " + ".join(f"CAST({cell} IS NOT NULL AS INTEGER)" for cell in others) or "0"
    # In a column without data nothing says what a zero is.
    filled = " + ".join(
        f"CAST(coalesce(NOT regexp_full_match(c{i}, '[0.,€$%-]*'), false) AS INTEGER)"
        for i in range(len(chosen))
    )
    lines = [each.line for each in found]
    db.execute(
        f"CREATE OR REPLACE TEMP TABLE summed AS SELECT line, {words} AS words, "  # noqa: S608
        f"{filled} AS filled, list_contains({lines}, line) AS candidate{values} FROM {relation}"
    )
    places = list(numeric)
    try:
        return list(_agreeing(db, found, places))
    finally:
        db.execute("DROP TABLE summed")


def _agreeing(
    db: duckdb.DuckDBPyConnection, found: Sequence[Candidate], places: Sequence[int]
) -> Iterator[Candidate]:
    before = 0
    for each in found:
        cells = "".join(f", n{i}" for i in places)
        row = db.execute(
            f"SELECT words, filled{cells} FROM summed WHERE line = ?",  # noqa: S608
            [each.line],
        ).fetchone()
        words, filled, *numbers = row or (0, 0)
        own = {i: n for i, n in zip(places, numbers, strict=False) if n is not None}
        blocks = (f"line > {before} AND line < {each.line}", f"line < {each.line}", "true")
        if _agrees(each, own, words, filled, [_block(db, b, places, each) for b in blocks]):
            before = each.line
            yield each


@dataclass(frozen=True)
class _Block:
    """The rows of data that a row may sum up."""

    rows: int
    figures: Mapping[int, float]


def _block(
    db: duckdb.DuckDBPyConnection, where: str, places: Sequence[int], each: Candidate
) -> _Block:
    measure = "avg" if each.mean else "sum"
    wanted = "".join(f", {measure}(n{i})" for i in places)
    rows, *figures = db.execute(
        f"SELECT count(*){wanted} FROM summed WHERE NOT candidate AND {where}"  # noqa: S608
    ).fetchone() or (0,)
    known = zip(places, figures, strict=False)
    return _Block(rows, {i: float(figure) for i, figure in known if figure is not None})


def _agrees(
    each: Candidate, own: Mapping[int, float], words: int, filled: int, blocks: Sequence[_Block]
) -> bool:
    if not own:
        # Nothing but its word: a totals row whose formulas have no values yet.
        return each.sure and filled == 1
    for block in blocks:
        agreeing = [i for i, number in own.items() if _same(number, block, i)]
        telling = [i for i in agreeing if own[i]]
        if each.text:
            # A total of nothing is zero.
            if (telling and block.rows > 1) or (
                each.sure and (telling or len(agreeing) == len(own))
            ):
                return True
        elif telling and len(agreeing) == len(own) and block.rows > 1 and not words:
            return True
    return False


def _same(number: float, block: _Block, place: int) -> bool:
    """Equal but for what rounding each row to cents may add up to."""
    figure = block.figures.get(place, 0.0)
    rounding = min(0.005 * block.rows, 0.001 * abs(figure))
    return abs(float(number) - figure) <= max(1e-9 * abs(figure), rounding, 1e-9)

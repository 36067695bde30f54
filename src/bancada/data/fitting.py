"""Which kind a column is of.

It is of a kind when every one of its cells is, over the whole file; one that is not stays text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import duckdb

from bancada.data.kinds import (
    COMMA,
    ENGLISH,
    INTEGER,
    KINDS,
    NUMBERS,
    POINT,
    TEXT,
    WHOLE_COMMA,
    WHOLE_ENGLISH,
    Kind,
    is_missing,
)

_LOOK = 200
"""Cells of a column that are looked at to see what it may be."""
_AMBIGUOUS = (POINT, WHOLE_ENGLISH, ENGLISH, WHOLE_COMMA, COMMA)
"""Kinds of number where the other columns have a say in how they are read."""
_EXPRESSIONS = 300
"""In one query: DuckDB's planning grows with the square of their number."""


@dataclass(frozen=True)
class Fit:
    """How a column's cells fit the kinds that were tried."""

    filled: int
    """Cells that hold something and do not merely say that it is missing."""
    counts: dict[Kind, int]

    @property
    def whole(self) -> list[Kind]:
        """The kinds that every cell is of, best first."""
        return [kind for kind, count in self.counts.items() if self.filled and count == self.filled]

    @property
    def nearly(self) -> Kind | None:
        """The kind that all but a few cells are of."""
        best = max(self.counts, key=lambda kind: self.counts[kind], default=None)
        enough = self.filled >= 5 and best is not None
        return best if enough and best and self.counts[best] >= 0.9 * self.filled else None


def fits(
    db: duckdb.DuckDBPyConnection, relation: str, tried: Mapping[int, Sequence[Kind]]
) -> dict[int, Fit]:
    """Count, in columns `c0`, `c1` … of a relation, the cells that are of each kind tried."""
    result: dict[int, Fit] = {}
    waiting = list(tried.items())
    while waiting:
        wanted: list[str] = []
        batch: list[tuple[int, Sequence[Kind]]] = []
        while waiting and len(wanted) < _EXPRESSIONS:
            position, kinds = waiting.pop(0)
            wanted += _counts(f"c{position}", kinds)
            batch.append((position, kinds))
        query = f"SELECT {', '.join(wanted)} FROM {relation}"  # noqa: S608
        found = iter(db.execute(query).fetchone() or ())
        for position, kinds in batch:
            filled = next(found) - (next(found) if kinds else 0)
            result[position] = Fit(filled, {kind: next(found) for kind in kinds})
    return result


def fits_of_whole(
    db: duckdb.DuckDBPyConnection, relation: str, sample: Sequence[Fit], delimiter: str | None
) -> list[Fit]:
    """Fits over every row, starting from what the first rows suggest.

    Where a guess fails, only kinds that can read the cells it could not are tried on the rest.
    """
    guesses = choose(sample, delimiter)
    tried = {
        position: _worth_trying(fit) if guess is TEXT else [guess]
        for position, (fit, guess) in enumerate(zip(sample, guesses, strict=True))
    }
    found = fits(db, relation, tried)
    others: dict[int, Sequence[Kind]] = {}
    for position, guess in enumerate(guesses):
        if guess is not TEXT and not found[position].whole:
            readers = _readers(db, relation, f"c{position}", guess)
            if readers:
                others[position] = [guess, *readers]
    if any(kind in NUMBERS for kinds in others.values() for kind in kinds):
        # It may change how the points and commas of other columns are read.
        others |= {p: NUMBERS for p, guess in enumerate(guesses) if guess in _AMBIGUOUS}
    found |= fits(db, relation, others)
    return [found[position] for position in range(len(sample))]


def _worth_trying(fit: Fit) -> Sequence[Kind]:
    """What a column that looks like text may be nearly; anything, if its first rows are empty."""
    if fit.filled == 0:
        return KINDS
    return [kind for kind, count in fit.counts.items() if count > fit.filled / 2]


def _readers(
    db: duckdb.DuckDBPyConnection, relation: str, cell: str, guess: Kind
) -> Sequence[Kind]:
    """The kinds that can read what a guess cannot."""
    db.execute(
        f"CREATE OR REPLACE TEMP TABLE odd AS SELECT {cell} AS c0 FROM {relation} WHERE {cell} "  # noqa: S608
        f"IS NOT NULL AND ({guess.value(cell)}) IS NULL AND NOT {is_missing(cell)} LIMIT {_LOOK}"
    )
    return fits(db, "odd", {0: KINDS})[0].whole


def _counts(cell: str, kinds: Sequence[Kind]) -> list[str]:
    """SQL: the cells that hold something, those that say it is missing, those of each kind."""
    if not kinds:
        return [f"count({cell})"]
    # Patterns are slow: only cells that the first kind does not explain are matched.
    unread = f"{cell} IS NOT NULL AND ({kinds[0].value(cell)}) IS NULL"
    missing = f"count(*) FILTER (CASE WHEN {unread} THEN {is_missing(cell)} ELSE false END)"
    return [f"count({cell})", missing, *(f"count({kind.value(cell)})" for kind in kinds)]


def plausible(cells: Iterable[str]) -> list[Kind]:
    """The kinds that a column may be of, by the characters that most of its cells use."""
    looks: Counter[frozenset[str]] = Counter()
    for cell in cells:
        if cell:
            looks[frozenset(cell)] += 1
            if looks.total() >= _LOOK:
                break
    votes: Counter[Kind] = Counter()
    for look, count in looks.items():
        for kind in _written_with(look):
            votes[kind] += count
    used = frozenset().union(*looks)
    return [
        kind
        for kind in KINDS
        if votes[kind] * 2 > looks.total() and (not kind.needs or used & set(kind.needs))
    ]


@lru_cache(maxsize=10_000)
def _written_with(look: frozenset[str]) -> tuple[Kind, ...]:
    return tuple(kind for kind in KINDS if look <= set(kind.characters))


def choose(columns: Sequence[Fit], delimiter: str | None) -> list[Kind]:
    """One kind a column. Where `1.234` or `1,234` can be read two ways, the other columns decide.

    Without a delimiter the cells come from a workbook, whose numbers are never ambiguous.
    """
    decimal_comma = delimiter is not None and any(
        COMMA in fit.whole and not {INTEGER, POINT, WHOLE_COMMA, ENGLISH} & set(fit.whole)
        for fit in columns
    )
    order: tuple[Kind, ...]
    if decimal_comma:
        order = (INTEGER, WHOLE_COMMA, COMMA)
    elif delimiter in (",", None):
        order = (INTEGER, POINT, WHOLE_ENGLISH, ENGLISH)
    else:
        order = (INTEGER, POINT, WHOLE_COMMA, COMMA)
    return [
        next((kind for kind in (*order, *fit.whole) if kind in fit.whole), TEXT) for fit in columns
    ]

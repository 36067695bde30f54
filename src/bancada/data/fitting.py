"""Which kind a column is of.

It is of a kind when every one of its cells is, over the whole file; one that is not stays text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

import duckdb

from bancada.data.kinds import (
    COMMA,
    DRESSED,
    ENGLISH,
    INTEGER,
    KINDS,
    LATE,
    NUMBERS,
    POINT,
    POWERS,
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
WIDE = 60
"""More columns than these are read another way."""


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
        return self.mostly(0.9) if self.filled >= 5 else None

    def mostly(self, share: float) -> Kind | None:
        """The kind that at least such a share of the cells are of."""
        best = max(self.counts, key=lambda kind: self.counts[kind], default=None)
        return best if best is not None and self.counts[best] >= share * self.filled > 0 else None

    def without(self, kinds: Collection[Kind]) -> Fit:
        """The same, some kinds not being tried."""
        return Fit(self.filled, {k: n for k, n in self.counts.items() if k not in kinds})


def fits(
    db: duckdb.DuckDBPyConnection, relation: str, tried: Mapping[int, Sequence[Kind]]
) -> dict[int, Fit]:
    """Count, in columns `c0`, `c1` … of a relation, the cells that are of each kind tried."""
    if len(tried) > WIDE:
        return _fits_of_many(db, relation, tried)
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
        found = list(db.execute(query).fetchone() or ())
        for position, kinds in batch:
            result[position] = _fit(found, kinds)
            del found[: len(_counts("c", kinds))]
    return result


def _fits_of_many(
    db: duckdb.DuckDBPyConnection, relation: str, tried: Mapping[int, Sequence[Kind]]
) -> dict[int, Fit]:
    """The same for hundreds of columns, whose cells are stood one below the other.

    Reading takes longer so, and planning does not grow with the columns.
    """
    alike: dict[tuple[Kind, ...], list[int]] = {}
    for position, kinds in tried.items():
        alike.setdefault(tuple(kinds), []).append(position)
    result = {position: Fit(0, dict.fromkeys(kinds, 0)) for position, kinds in tried.items()}
    for kinds, positions in alike.items():
        cells = ", ".join(f"c{position}" for position in positions)
        query = (
            f"SELECT place, {', '.join(_counts('cell', kinds))} FROM (SELECT "  # noqa: S608
            f"unnest({positions}) AS place, unnest([{cells}]) AS cell FROM {relation}) "
            "GROUP BY place"
        )
        for place, *counts in db.execute(query).fetchall():
            result[place] = _fit(counts, kinds)
    return result


def _fit(counts: Sequence[int], kinds: Sequence[Kind]) -> Fit:
    """A column's fit from what `_counts` asks for."""
    if not kinds:
        return Fit(counts[0], {})
    return Fit(counts[0] - counts[1], dict(zip(kinds, counts[2:], strict=False)))


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
        plain = [kind for kind in NUMBERS if kind.proof is None]
        others |= {p: plain for p, guess in enumerate(guesses) if guess in _AMBIGUOUS}
    found |= fits(db, relation, others)
    return [found[position] for position in range(len(sample))]


def _worth_trying(fit: Fit) -> Sequence[Kind]:
    """What a column that looks like text may be nearly; anything, if its first rows are empty."""
    if fit.filled == 0:
        return LATE
    return [kind for kind, count in fit.counts.items() if count > fit.filled / 2]


def _readers(
    db: duckdb.DuckDBPyConnection, relation: str, cell: str, guess: Kind
) -> Sequence[Kind]:
    """The kinds that can read what a guess cannot."""
    db.execute(
        f"CREATE OR REPLACE TEMP TABLE odd AS SELECT {cell} AS c0 FROM {relation} WHERE {cell} "  # noqa: S608
        f"IS NOT NULL AND ({guess.value(cell)}) IS NULL AND NOT {is_missing(cell)} LIMIT {_LOOK}"
    )
    return fits(db, "odd", {0: LATE})[0].whole


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
    seen = list(islice(filter(None, cells), _LOOK))
    for cell in seen:
        looks[frozenset(cell)] += 1
    votes: Counter[Kind] = Counter()
    for look, count in looks.items():
        for kind in _written_with(look):
            votes[kind] += count
    used = frozenset().union(*looks)
    return [
        kind
        for kind in KINDS
        if votes[kind] * 2 > len(seen)
        and (not kind.needs or not used.isdisjoint(kind.needs))
        and (kind.proof is None or any(map(kind.proof.fullmatch, seen)))
    ]


@lru_cache(maxsize=10_000)
def _written_with(look: frozenset[str]) -> tuple[Kind, ...]:
    return tuple(kind for kind in KINDS if look <= set(kind.characters))


def choose(columns: Sequence[Fit], delimiter: str | None) -> list[Kind]:
    """One kind a column. Where `1.234` or `1,234` can be read two ways, the other columns decide.

    Without a delimiter the cells come from a workbook, whose numbers are never ambiguous.
    """
    decimal_comma = delimiter is not None and any(map(_proves_comma, columns))
    order: tuple[Kind, ...]
    if decimal_comma:
        order = (INTEGER, WHOLE_COMMA, COMMA)
    elif delimiter in (",", None):
        order = (INTEGER, POINT, WHOLE_ENGLISH, ENGLISH)
    else:
        order = (INTEGER, POINT, WHOLE_COMMA, COMMA)
    # Money has no three decimals: `€ 1.200` is over a thousand.
    money = (INTEGER, WHOLE_COMMA, *(() if decimal_comma else (WHOLE_ENGLISH,)))
    preferred = (
        *order,
        *(DRESSED["percent"][kind] for kind in order),
        *(DRESSED["brackets"][kind] for kind in order),
        *(DRESSED["currency"][kind] for kind in (*money, *order)),
    )
    return [
        next((kind for kind in (*preferred, *fit.whole) if kind in fit.whole), TEXT)
        for fit in columns
    ]


def _proves_comma(fit: Fit) -> bool:
    """Whether a column can only be read with a decimal comma."""
    others = (INTEGER, POINT, POWERS, WHOLE_COMMA, ENGLISH)
    whole = set(fit.whole)
    if COMMA in whole:
        return not whole.intersection(others)
    return any(
        pairs[COMMA] in whole and not whole.intersection(pairs[k] for k in others if k in pairs)
        for pairs in DRESSED.values()
    )

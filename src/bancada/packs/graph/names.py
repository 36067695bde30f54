"""The name index: a SQLite file beside the graph, for finding nodes by what people call them.

The graph engine has no secondary index and compares names byte by byte. Here every name, alias
and id of a node is kept folded (no case, no accents), with an index for equality and trigrams
for "contains" and "looks like".
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from bancada.packs.graph.graph import Match, Named, Node, Scored
from bancada.packs.graph.pool import Pool
from bancada.packs.graph.schema import EVERYTHING, NodeGroup, fold

CANDIDATES = 400
"""How many names sharing most trigrams are compared closely."""

ALIKE = 0.45
"""Likeness below which a name is not worth showing."""

_TABLES = """
CREATE TABLE nodes (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, label TEXT NOT NULL, kind TEXT, name TEXT NOT NULL
);
CREATE TABLE names (number INTEGER PRIMARY KEY, node INTEGER NOT NULL, folded TEXT NOT NULL);
CREATE TABLE ids (folded TEXT NOT NULL, node INTEGER NOT NULL);
"""

_INDEXES = """
CREATE UNIQUE INDEX nodes_id ON nodes (id);
CREATE INDEX names_folded ON names (folded, node);
CREATE INDEX ids_folded ON ids (folded, node);
CREATE VIRTUAL TABLE trigrams USING fts5 (
    folded, content='names', content_rowid='number', tokenize='trigram', detail='full'
);
INSERT INTO trigrams (trigrams) VALUES ('rebuild');
PRAGMA optimize;
"""

_EXACT = """
SELECT node FROM names WHERE folded = :folded UNION SELECT node FROM ids WHERE folded = :folded
"""
# `instr` has no wildcards to escape; the trigram match before it narrows the scan.
_CONTAINS = """
SELECT node FROM names WHERE instr(folded, :folded) > 0
AND number IN (SELECT rowid FROM trigrams WHERE trigrams MATCH :phrase)
"""
_CONTAINS_SHORT = "SELECT node FROM names WHERE instr(folded, :folded) > 0"
_PAGE = "ORDER BY name, id LIMIT :limit OFFSET :offset"
_BY_LABEL = """
SELECT label, count(*) FROM nodes WHERE number IN ({}) GROUP BY label ORDER BY count(*) DESC, label
"""
_LIKE_EXACT = """
SELECT id, label, name, kind, :folded FROM nodes
WHERE number IN (SELECT node FROM names WHERE folded = :folded
                 UNION SELECT node FROM ids WHERE folded = :folded) {}
ORDER BY name, id LIMIT :most
"""
_LIKE_LONG = """
SELECT id, label, name, kind, names.folded FROM trigrams
JOIN names ON names.number = trigrams.rowid JOIN nodes ON nodes.number = names.node
WHERE trigrams MATCH :grams {} ORDER BY rank, nodes.number LIMIT :most
"""
_LIKE_SHORT = """
SELECT id, label, name, kind, names.folded FROM names JOIN nodes ON nodes.number = names.node
WHERE instr(names.folded, :folded) > 0 {} ORDER BY length(names.folded), nodes.number LIMIT :most
"""

Values: TypeAlias = Mapping[str, object] | tuple[object, ...]
T = TypeVar("T")
Entry: TypeAlias = tuple[Node, Sequence[str]]
"""A node and its other names."""


def build_names(file: Path, entries: Iterable[Entry]) -> None:
    """Write a new index."""
    with closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _TABLES)
        db.execute("BEGIN")
        for batch in _batches(enumerate(entries), 10_000):
            db.executemany(
                "INSERT INTO nodes VALUES (?, ?, ?, ?, ?)",
                ((n, node.id, node.label, node.kind, node.name) for n, (node, _) in batch),
            )
            db.executemany(
                "INSERT INTO names (node, folded) VALUES (?, ?)",
                (
                    (n, folded)
                    for n, (node, aliases) in batch
                    for folded in dict.fromkeys(map(fold, (node.name, *aliases)))
                ),
            )
            db.executemany(
                "INSERT INTO ids VALUES (?, ?)", ((fold(node.id), n) for n, (node, _) in batch)
            )
        db.execute("COMMIT")
        db.executescript(_INDEXES)


class NameIndex:
    """Reads an index; safe to use from several threads."""

    def __init__(self, file: Path) -> None:
        address = f"{file.resolve().as_uri()}?mode=ro&immutable=1"
        self._connections = Pool(
            lambda: sqlite3.connect(address, uri=True, check_same_thread=False), size=4
        )

    def node(self, id: str) -> Node | None:
        """The node with exactly this id."""
        rows = self._rows("SELECT id, label, name, kind FROM nodes WHERE id = ?", (id,))
        return Node(*rows[0]) if rows else None

    def number(self, node: Node) -> int:
        """The node's place in the index: how `walks` knows it."""
        return int(self._rows("SELECT number FROM nodes WHERE id = ?", (node.id,))[0][0])

    def numbered(self, numbers: Iterable[int]) -> list[Node]:
        """The nodes of these numbers, in the order given."""
        with self._connections.lease() as db:
            find = "SELECT id, label, name, kind FROM nodes WHERE number = ?"
            return [Node(*db.execute(find, (int(number),)).fetchone()) for number in numbers]

    def named(
        self, name: str, group: NodeGroup = EVERYTHING, *, limit: int = 20, offset: int = 0
    ) -> Named:
        """Nodes called exactly this (or by an alias or id), or else those whose name contains it."""
        folded = fold(name)
        condition, values = _only(group)
        values |= {"folded": folded, "phrase": _quoted(folded), "limit": limit, "offset": offset}
        for match, whom in _whom(folded) if folded else ():
            found = f"FROM nodes WHERE number IN ({whom}) {condition}"
            total = self._rows(f"SELECT count(*) {found}", values)[0][0]
            if total:
                page = f"SELECT id, label, name, kind {found} {_PAGE}"
                nodes = tuple(Node(*row) for row in self._rows(page, values))
                return Named(match, nodes, total)
        return Named("none", (), 0)

    def by_label(self, name: str) -> Mapping[str, int]:
        """How many nodes a name means, per label, most first."""
        folded = fold(name)
        values = {"folded": folded, "phrase": _quoted(folded)}
        for _, whom in _whom(folded) if folded else ():
            rows = self._rows(_BY_LABEL.format(whom), values)
            if rows:
                return dict(rows)
        return {}

    def like(self, text: str, group: NodeGroup = EVERYTHING) -> Sequence[Scored]:
        """Nodes whose names resemble the text, best first; typing errors are forgiven."""
        folded = fold(text)
        if not folded:
            return ()
        condition, values = _only(group)
        values |= {"folded": folded, "grams": _any_trigram(folded), "most": CANDIDATES}
        rows = self._rows(_LIKE_EXACT.format(condition), values)
        rows += self._rows(
            (_LIKE_LONG if len(folded) >= 3 else _LIKE_SHORT).format(condition), values
        )
        best: dict[str, Scored] = {}
        for id, label, name, kind, other in rows:
            score = likeness(folded, other)
            if score >= ALIKE and (id not in best or best[id].score < score):
                best[id] = Scored(Node(id, label, name, kind), score)
        return sorted(
            best.values(), key=lambda found: (-found.score, found.node.name, found.node.id)
        )

    def _rows(self, sql: str, values: Values) -> list[Any]:
        with self._connections.lease() as db:
            return db.execute(sql, values).fetchall()


def likeness(wanted: str, name: str) -> float:
    """How alike two folded names are, from 0 to 1: shared letter pairs, word by word and overall."""
    if wanted == name:
        return 1.0
    words = wanted.split()
    others = [_pairs(word) for word in name.split()]
    covered = sum(
        len(word) * max((_shared(_pairs(word), other) for other in others), default=0.0)
        for word in words
    )
    by_word = covered / sum(map(len, words))
    return min(0.99, 0.7 * by_word + 0.3 * _shared(_pairs(wanted), _pairs(name)))


@lru_cache(maxsize=4096)
def _pairs(word: str) -> frozenset[str]:
    padded = f"^{word}$"
    return frozenset(padded[i : i + 2] for i in range(len(padded) - 1))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def _only(group: NodeGroup) -> tuple[str, dict[str, object]]:
    """The SQL condition and values that keep a group's nodes."""
    condition = ""
    values: dict[str, object] = {}
    if group.label is not None:
        condition += " AND label = :label"
        values["label"] = group.label
    if group.kind is not None:
        condition += " AND kind = :kind"
        values["kind"] = group.kind
    return condition, values


def _quoted(text: str) -> str:
    """A phrase of the full-text query language, whatever the text holds."""
    return '"' + text.replace('"', '""') + '"'


def _any_trigram(folded: str) -> str:
    grams = dict.fromkeys(folded[i : i + 3] for i in range(len(folded) - 2))
    return " OR ".join(map(_quoted, islice(grams, 60)))


def _whom(folded: str) -> tuple[tuple[Match, str], ...]:
    """The two readings of a name, the stricter first."""
    return (
        ("exact", _EXACT),
        ("partial", _CONTAINS if len(folded) >= 3 else _CONTAINS_SHORT),
    )


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    source = iter(items)
    while batch := list(islice(source, size)):
        yield batch

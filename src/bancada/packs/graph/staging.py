"""Read and check the files of an import, and lay their rows out by label and type.

Nodes need `id` and `label`; `name` (the id when absent), `kind`, `aliases` (separated by `;`)
and `dimension` (of a category) are known, every other column is a property. Edges need `source`,
`target` and `type`; the rest are properties. Empty cells are absent values. A third file may say
what people call the labels, kinds and dimensions: `word`, `language`, `singular`, `plural`.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from bancada.packs.graph.columns import TEXT, PropertyColumn
from bancada.packs.graph.graph import CATEGORY, Node
from bancada.packs.graph.names import Entry
from bancada.packs.graph.rows import Problems, Row, open_table
from bancada.packs.graph.schema import Noun

NODE_COLUMNS = {
    "id": (":id", "id:id", "node_id"),
    "label": (":label", "labels"),
    "name": ("nome",),
    "kind": ("tipo",),
    "aliases": ("alias",),
    "dimension": ("dimensao", "dimensão"),
}
EDGE_COLUMNS = {
    "source": ("from", "from_id", "source_id", ":start_id"),
    "target": ("to", "to_id", "target_id", ":end_id"),
    "type": (":type", "relationship"),
}

NOUN_COLUMNS = {
    "word": ("label", "kind", "palavra"),
    "language": ("lingua", "língua", "lang"),
    "singular": (),
    "plural": (),
}

_WORD = re.compile(r"[^\W\d]\w{0,63}$")
_BATCH = 50_000


@dataclass(frozen=True)
class Progress:
    """How far an import is: what it is doing, and how much is done, from 0 to 1."""

    stage: str
    done: float


Report: TypeAlias = Callable[[Progress], None]


@dataclass
class NodeTable:
    """The nodes of one label, staged."""

    file: Path
    columns: dict[str, PropertyColumn] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    count: int = 0


@dataclass
class EdgeTable:
    """The edges of one type, staged in a file for each pair of labels they join."""

    files: dict[tuple[str, str], Path] = field(default_factory=dict)
    columns: dict[str, PropertyColumn] = field(default_factory=dict)
    count: int = 0


@dataclass
class Staged:
    """Checked rows on disk, ready to be loaded."""

    folder: Path
    node_properties: tuple[str, ...] = ()
    edge_properties: tuple[str, ...] = ()
    nodes: dict[str, NodeTable] = field(default_factory=dict)
    edges: dict[str, EdgeTable] = field(default_factory=dict)
    dimensions: set[str] = field(default_factory=set)
    nouns: dict[str, list[Noun]] = field(default_factory=dict)

    def entries(self) -> Iterator[Entry]:
        """Every node again, for the name index."""
        for label, table in self.nodes.items():
            with table.file.open(newline="", encoding="utf-8") as source:
                for id, name, kind, aliases, *_ in csv.reader(source):
                    yield Node(id, label, name, kind or None), split_aliases(aliases)

    def edge_rows(self, type: str) -> Iterator[Sequence[str]]:
        """Every edge of a type again: source, target, properties."""
        for file in self.edges[type].files.values():
            with file.open(newline="", encoding="utf-8") as source:
                yield from csv.reader(source)


def split_aliases(text: str) -> Sequence[str]:
    return [alias.strip() for alias in text.split(";") if alias.strip()]


def stage(
    nodes: Path, edges: Path, folder: Path, report: Report, words: Path | None = None
) -> Staged:
    """Read and check the files; raise `ImportFailed` with every problem found."""
    staged = Staged(folder)
    problems = Problems()
    labels = _stage_nodes(nodes, staged, problems, lambda done: report(Progress("nodes", done)))
    # A node that was refused would be missed by its edges: one mistake, told many times.
    problems.stop_if_any()
    _stage_edges(edges, staged, problems, labels, lambda done: report(Progress("edges", done)))
    if words is not None:
        _stage_words(words, staged, problems)
    problems.stop_if_any()
    return staged


def _stage_nodes(
    file: Path, staged: Staged, problems: Problems, advance: Callable[[float], None]
) -> dict[str, str]:
    """Write the nodes by label; returns each id's label."""
    table = open_table(file, NODE_COLUMNS, ("id", "label"), problems, advance)
    header, others = table.header, table.header.others
    staged.node_properties = tuple(others)
    words = _Words("label")
    labels: dict[str, str] = {}
    lines: dict[str, int] = {}
    out = _Writer()
    for line, row in table.rows:
        id, label = header.cell(row, "id"), header.cell(row, "label")
        problem = _unusable("id", id) or words.problem(label)
        if problem is None and id in labels:
            problem = f"id {id!r} was already used on line {lines[id]}."
        if problem is not None:
            problems.add(file, line, problem)
            continue
        labels[id], lines[id] = label, line
        known = staged.nodes.get(label)
        if known is None:
            known = NodeTable(staged.folder / f"nodes-{len(staged.nodes)}.csv")
            staged.nodes[label] = known
        known.count += 1
        kind = header.cell(row, "kind")
        if kind:
            known.kinds[kind] += 1
        aliases, dimension = header.cell(row, "aliases"), header.cell(row, "dimension")
        for column, value in (("aliases", aliases), ("dimension", dimension)):
            if value:
                known.columns.setdefault(column, TEXT)
        if label == CATEGORY and dimension:
            staged.dimensions.add(dimension)
        name = header.cell(row, "name") or id
        values = _values(others, row, known.columns)
        out.write(known.file, (id, name, kind, aliases, dimension, *values))
    out.flush()
    if not labels:
        problems.add(file, None, "there are no nodes.")
    return labels


def _stage_edges(
    file: Path,
    staged: Staged,
    problems: Problems,
    labels: dict[str, str],
    advance: Callable[[float], None],
) -> None:
    table = open_table(file, EDGE_COLUMNS, ("source", "target", "type"), problems, advance)
    header, others = table.header, table.header.others
    staged.edge_properties = tuple(others)
    words = _Words("type", taken={label.casefold(): label for label in staged.nodes})
    out = _Writer()
    pairs = 0
    places = [header.places[column] for column in ("source", "target", "type")]
    for line, row in table.rows:
        source, target, type = (row[place].strip() for place in places)
        problem = words.problem(type)
        for end, id in (("source", source), ("target", target)):
            if problem is None and id not in labels:
                problem = f"{end} {id!r} is not a node." if id else f"the {end} is missing."
        if problem is not None:
            problems.add(file, line, problem)
            continue
        known = staged.edges.setdefault(type, EdgeTable())
        known.count += 1
        pair = labels[source], labels[target]
        if pair not in known.files:
            known.files[pair] = staged.folder / f"edges-{pairs}.csv"
            pairs += 1
        out.write(known.files[pair], (source, target, *_values(others, row, known.columns)))
    out.flush()


def _stage_words(file: Path, staged: Staged, problems: Problems) -> None:
    """What people call the graph's labels, kinds and dimensions."""
    known = {*staged.nodes, *staged.dimensions}
    known |= {kind for table in staged.nodes.values() for kind in table.kinds}
    required = ("word", "language", "singular")
    table = open_table(file, NOUN_COLUMNS, required, problems, lambda done: None)
    for line, row in table.rows:
        word, language, singular = (table.header.cell(row, column) for column in required)
        if word not in known:
            problems.add(file, line, f"{word!r} is no label, kind or dimension of the nodes.")
        elif language not in ("pt", "en"):
            problems.add(file, line, f"the language {language!r} is neither pt nor en.")
        elif not singular:
            problems.add(file, line, "the singular is missing.")
        else:
            plural = table.header.cell(row, "plural") or singular
            staged.nouns.setdefault(word, []).append(Noun(language, singular, plural))


def _values(others: Mapping[str, int], row: Row, columns: dict[str, PropertyColumn]) -> list[str]:
    """The property cells in order; each one seen narrows its column's type."""
    if not others:
        return []
    values = [row[place].strip() for place in others.values()]
    for name, value in zip(others, values, strict=True):
        if value:
            column = columns.get(name)
            if column is None:
                column = columns[name] = PropertyColumn()
            column.see(value)
    return values


def _unusable(what: str, text: str) -> str | None:
    if not text:
        return f"the {what} is missing."
    if len(text) > 200:
        return f"the {what} is longer than 200 characters."
    return None


class _Words:
    """Labels or types: usable as identifiers, and written the same way each time."""

    def __init__(self, what: str, taken: dict[str, str] | None = None) -> None:
        self._what = what
        self._fine: set[str] = set()
        self._spelling = dict(taken or {})
        self._taken = frozenset(self._spelling)

    def problem(self, word: str) -> str | None:
        if word in self._fine:
            return None
        if not word:
            return f"the {self._what} is missing."
        if not _WORD.match(word):
            return (
                f"{self._what} {word!r} must be one word of at most 64 letters, digits and '_',"
                " not starting with a digit."
            )
        other = self._spelling.setdefault(word.casefold(), word)
        if word.casefold() in self._taken:
            return f"{self._what} {word!r} is already the label {other!r}: give it another name."
        if other != word:
            return f"{self._what} {word!r} was written {other!r} before: use one spelling."
        self._fine.add(word)
        return None


class _Writer:
    """Appends rows to many files without keeping them open."""

    def __init__(self) -> None:
        self._waiting: dict[Path, list[Sequence[str]]] = {}
        self._count = 0

    def write(self, file: Path, row: Sequence[str]) -> None:
        self._waiting.setdefault(file, []).append(row)
        self._count += 1
        if self._count >= _BATCH:
            self.flush()

    def flush(self) -> None:
        for file, rows in self._waiting.items():
            with file.open("a", newline="", encoding="utf-8") as target:
                # Cells are quoted for what stands in the line end: both ways to break a line.
                csv.writer(target, lineterminator="\r\n").writerows(rows)
        self._waiting.clear()
        self._count = 0

"""Load staged rows into a new Ladybug database."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from bancada.packs.graph.columns import PropertyColumn
from bancada.packs.graph.engine import ladybug
from bancada.packs.graph.schema import LabelInfo, RelationshipInfo, Schema
from bancada.packs.graph.staging import EdgeTable, NodeTable, Progress, Report, Staged

if TYPE_CHECKING:
    from ladybug import Connection

_CSV = "(HEADER=false, DELIM=',', QUOTE='\"', ESCAPE='\"', AUTO_DETECT=false, PARALLEL=false)"
_ALWAYS = {"id": "STRING", "name": "STRING", "kind": "STRING"}
_LOADING_MEMORY = 1 << 30
_LARGEST = 1 << 36
"""An address range, not memory: the engine reserves 8 TB unless it is told otherwise."""


def quoted(word: str) -> str:
    """An identifier in Cypher; staging lets no backtick through."""
    return f"`{word}`"


def load(staged: Staged, target: Path, report: Report) -> Schema:
    """Create the database file, closed and whole; returns what is in it."""
    steps = len(staged.nodes) + sum(len(table.files) for table in staged.edges.values())
    done = 0

    def advance() -> None:
        nonlocal done
        done += 1
        report(Progress("graph", done / steps))

    with (
        ladybug.Database(
            target, buffer_pool_size=_LOADING_MEMORY, max_db_size=_LARGEST
        ) as database,
        ladybug.Connection(database) as connection,
    ):
        for label, nodes in staged.nodes.items():
            _load_nodes(connection, staged, label, nodes)
            advance()
        for type, edges in staged.edges.items():
            _create_edges(connection, type, edges)
            for pair in edges.files:
                _load_edges(connection, staged, type, edges, pair)
                advance()
        # What is left in the write-ahead log could not be opened read-only.
        connection.execute("CHECKPOINT")
    return _schema(staged)


def _load_nodes(connection: Connection, staged: Staged, label: str, table: NodeTable) -> None:
    columns = _ALWAYS | _types(table.columns)
    described = ", ".join(f"{quoted(name)} {type}" for name, type in columns.items())
    connection.execute(f"CREATE NODE TABLE {quoted(label)}({described}, PRIMARY KEY (id))")
    staged_columns = ("id", "name", "kind", "aliases", "dimension", *staged.node_properties)
    rows = _rows(table.file, staged_columns, columns)
    connection.execute(f"COPY {quoted(label)} FROM ({rows})")


def _create_edges(connection: Connection, type: str, table: EdgeTable) -> None:
    pairs = [f"FROM {quoted(a)} TO {quoted(b)}" for a, b in table.files]
    columns = [f"{quoted(name)} {type}" for name, type in _types(table.columns).items()]
    connection.execute(f"CREATE REL TABLE {quoted(type)}({', '.join(pairs + columns)})")


def _load_edges(
    connection: Connection,
    staged: Staged,
    type: str,
    table: EdgeTable,
    pair: tuple[str, str],
) -> None:
    columns = {"source": "STRING", "target": "STRING"} | _types(table.columns)
    rows = _rows(table.files[pair], ("source", "target", *staged.edge_properties), columns)
    # With one pair of labels there is nothing to choose, and the engine refuses the choice.
    ends = f" (FROM='{pair[0]}', TO='{pair[1]}')" if len(table.files) > 1 else ""
    connection.execute(f"COPY {quoted(type)} FROM ({rows}){ends}")


def _rows(file: Path, staged: tuple[str, ...], columns: Mapping[str, str]) -> str:
    """A scan of a staged file that picks and types the columns in use.

    The columns go by position: a property may be called like a known column in other letters.
    """
    places = {name: f"c{place}" for place, name in enumerate(staged)}
    described = ", ".join(f"{place} STRING" for place in places.values())
    picked = ", ".join(
        places[name] if type == "STRING" else f"CAST({places[name]}, '{type}')"
        for name, type in columns.items()
    )
    path = str(file).replace("\\", "\\\\").replace("'", "\\'")
    return f"LOAD WITH HEADERS ({described}) FROM '{path}' {_CSV} RETURN {picked}"


def _types(columns: Mapping[str, PropertyColumn]) -> dict[str, str]:
    return {name: column.type for name, column in columns.items()}


def _schema(staged: Staged) -> Schema:
    return Schema(
        labels={
            label: LabelInfo(
                table.count,
                dict(sorted(table.kinds.items())),
                _ALWAYS | _types(table.columns),
            )
            for label, table in sorted(staged.nodes.items())
        },
        relationships={
            type: RelationshipInfo(table.count, tuple(sorted(table.files)), _types(table.columns))
            for type, table in sorted(staged.edges.items())
        },
        dimensions=tuple(sorted(staged.dimensions)),
        nouns=staged.nouns,
    )

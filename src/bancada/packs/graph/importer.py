"""Make a graph of two files, nodes and edges, CSV or Parquet: `bancada graph import`.

Everything is checked before anything is kept: the graph is built in a folder of its own, which
becomes the current one by a rename. A mistake in line 900,000 leaves the old graph as it was.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bancada import JSONObject
from bancada.packs.graph import shelf
from bancada.packs.graph.containment import Hierarchy, Undeclarable, declared, propose
from bancada.packs.graph.engine import MISSING
from bancada.packs.graph.loading import load
from bancada.packs.graph.names import build_names
from bancada.packs.graph.rows import ImportFailed
from bancada.packs.graph.schema import Schema
from bancada.packs.graph.shelf import About
from bancada.packs.graph.staging import Progress, Report, stage
from bancada.packs.graph.walks import Arrays, lay_out

__all__ = [
    "ImportFailed",
    "Imported",
    "Progress",
    "Source",
    "change_containment",
    "current_graph",
    "facts",
    "import_graph",
]

NAMELESS = "graph"


@dataclass(frozen=True, kw_only=True)
class Source:
    """The files of an import, and what is said about them."""

    nodes: Path
    edges: Path
    words: Path | None = None
    """What people call labels, kinds and dimensions."""
    name: str = NAMELESS
    containment: tuple[str, ...] = ()
    """`TYPE`, `TYPE:up` or `TYPE:down`; nothing: proposed from the data."""
    demo: bool = False


@dataclass(frozen=True)
class Imported:
    """What an import brought."""

    version: str
    schema: Schema
    about: About

    @property
    def nodes(self) -> int:
        return sum(info.count for info in self.schema.labels.values())

    @property
    def edges(self) -> int:
        return sum(info.count for info in self.schema.relationships.values())


def import_graph(source: Source, folder: Path, report: Report = lambda progress: None) -> Imported:
    """Replace the graph kept in `folder` by that of the files.

    `report` hears the stage, and how much of the whole is done. Raises `ImportFailed`, naming
    files and lines, and then nothing has changed.
    """
    if MISSING is not None:
        raise ImportFailed([MISSING])
    report = _over_all_stages(report)
    with shelf.aside(folder) as place, shelf.aside(folder) as built:
        staged = stage(source.nodes, source.edges, place, report, source.words)
        version = shelf.GraphVersion(built)
        schema = load(staged, version.database, report)
        report(Progress("names", 0.0))
        build_names(version.names, staged.entries())
        report(Progress("names", 0.6))
        rows = {type: staged.edge_rows(type) for type in staged.edges}
        arrays = lay_out((node for node, _ in staged.entries()), rows, schema)
        arrays.write(version.edges)
        about = About(source.name, _hierarchy(arrays, source.containment), source.demo)
        version.schema_file.write_text(json.dumps(schema.as_json()), encoding="utf-8")
        version.about_file.write_text(json.dumps(about.as_json()), encoding="utf-8")
        published = shelf.publish(built, folder)
        report(Progress("names", 1.0))
    return Imported(published.name, schema, about)


def facts(graph: Imported | None) -> JSONObject:
    """What the record of administration keeps of a graph."""
    if graph is None:
        return {}
    return {
        "name": graph.about.name,
        "version": graph.version,
        "nodes": graph.nodes,
        "edges": graph.edges,
        "containment": [f"{one.type}:{one.direction}" for one in graph.about.hierarchy.taken],
    }


def current_graph(folder: Path) -> Imported | None:
    """What is kept in a folder, if anything."""
    version = shelf.current(folder)
    if version is None:
        return None
    schema = version.read_schema()
    return Imported(version.name, schema, about_version(version, schema))


def about_version(version: shelf.GraphVersion, schema: Schema) -> About:
    """What is known of a version; one that an earlier release made is looked at now."""
    known = version.read_about()
    if known is not None:
        return known
    return About(version.name, _hierarchy(Arrays.read(version.edges, schema), ()))


def change_containment(folder: Path, containment: Sequence[str]) -> About | None:
    """Declare the current graph's containment anew; nothing declared: proposed from the data.

    None where there is no graph; `ImportFailed` where the graph has no such relation.
    """
    version = shelf.current(folder)
    if version is None:
        return None
    schema = version.read_schema()
    arrays = Arrays.read(version.edges, schema)
    hierarchy = _hierarchy(arrays, containment)
    about = replace(about_version(version, schema), hierarchy=hierarchy)
    shelf.change(folder, about)
    return about


def _hierarchy(arrays: Arrays, containment: Sequence[str]) -> Hierarchy:
    if not any(word.strip() for word in containment):
        return propose(arrays.edges, len(arrays.labels))
    try:
        return declared(containment, arrays.edges)
    except Undeclarable as problem:
        raise ImportFailed([str(problem)]) from problem


def _over_all_stages(report: Report) -> Report:
    """Turn the share of a stage into the share of the whole, by how long stages usually take."""
    begins = {"nodes": 0.0, "edges": 0.1, "graph": 0.5, "names": 0.7}
    ends = dict(zip(begins, [*list(begins.values())[1:], 1.0], strict=True))

    def report_whole(progress: Progress) -> None:
        begin, end = begins[progress.stage], ends[progress.stage]
        report(Progress(progress.stage, begin + (end - begin) * progress.done))

    return report_whole

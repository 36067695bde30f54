"""Make a graph of two files, nodes and edges, CSV or Parquet: `bancada graph import`.

Everything is checked before anything is kept: the graph is built in a folder of its own, which
becomes the current one by a rename. A mistake in line 900,000 leaves the old graph as it was.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from bancada.packs.graph import shelf
from bancada.packs.graph.loading import load
from bancada.packs.graph.names import build_names
from bancada.packs.graph.rows import ImportFailed
from bancada.packs.graph.schema import Schema
from bancada.packs.graph.staging import Progress, Report, stage
from bancada.packs.graph.walks import lay_out

__all__ = ["ImportFailed", "Imported", "Progress", "import_graph"]


@dataclass(frozen=True)
class Imported:
    """What an import brought."""

    version: str
    schema: Schema

    @property
    def nodes(self) -> int:
        return sum(info.count for info in self.schema.labels.values())

    @property
    def edges(self) -> int:
        return sum(info.count for info in self.schema.relationships.values())


def import_graph(
    nodes: Path, edges: Path, folder: Path, report: Report = lambda progress: None
) -> Imported:
    """Replace the graph kept in `folder` by that of the two files.

    `report` hears the stage, and how much of the whole is done. Raises `ImportFailed`, naming files and lines, and then nothing has changed.
    """
    report = _over_all_stages(report)
    with shelf.aside(folder) as place, shelf.aside(folder) as built:
        staged = stage(nodes, edges, place, report)
        version = shelf.Version(built)
        schema = load(staged, version.database, report)
        report(Progress("names", 0.0))
        build_names(version.names, staged.entries())
        report(Progress("names", 0.6))
        rows = {type: staged.edge_rows(type) for type in staged.edges}
        lay_out((node for node, _ in staged.entries()), rows, schema).write(version.edges)
        version.schema_file.write_text(json.dumps(schema.as_json()), encoding="utf-8")
        published = shelf.publish(built, folder)
        report(Progress("names", 1.0))
    return Imported(published.name, schema)


def _over_all_stages(report: Report) -> Report:
    """Turn the share of a stage into the share of the whole, by how long stages usually take."""
    begins = {"nodes": 0.0, "edges": 0.1, "graph": 0.5, "names": 0.7}
    ends = dict(zip(begins, [*list(begins.values())[1:], 1.0], strict=True))

    def report_whole(progress: Progress) -> None:
        begin, end = begins[progress.stage], ends[progress.stage]
        report(Progress(progress.stage, begin + (end - begin) * progress.done))

    return report_whole

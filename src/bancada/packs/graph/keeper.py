"""Keeps the graph open, and opens the next one when an import has replaced it."""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path

from bancada import ToolFailed
from bancada.packs.graph import shelf
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.graph import CONTAINMENT
from bancada.packs.graph.importer import import_graph
from bancada.packs.graph.plant import write_plant

NO_GRAPH = (
    "There is no graph yet. An administrator imports one with"
    " `bancada graph import nodes.csv edges.csv`."
)


class Keeper:
    """Opens on the first question, so that a start costs nothing; in a demo it makes the plant."""

    def __init__(
        self, folder: Path, *, demo: bool = False, containment: Sequence[str] = CONTAINMENT
    ) -> None:
        self._folder = folder
        self._demo = demo
        self._containment = tuple(containment)
        self._lock = threading.Lock()
        self._open: LadybugGraph | None = None

    def __call__(self) -> LadybugGraph:
        """The graph as it is now. Whoever still holds the one before may finish with it."""
        version = shelf.current(self._folder)
        graph = self._open
        if graph is not None and version is not None and graph.version == version.name:
            return graph
        with self._lock:
            version = shelf.current(self._folder) or self._first()
            if self._open is None or self._open.version != version.name:
                self._open = LadybugGraph(version, self._containment)
            return self._open

    def _first(self) -> shelf.Version:
        if not self._demo:
            raise ToolFailed(NO_GRAPH)
        with tempfile.TemporaryDirectory() as place:
            nodes, edges = write_plant(Path(place))
            import_graph(nodes, edges, self._folder)
        version = shelf.current(self._folder)
        assert version is not None
        return version

"""Keeps the organisations' graphs open while they are asked, and opens the next one when an
import has replaced it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada import KeptFolders, ToolContext, ToolFailed
from bancada.packs.graph import shelf
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.engine import MISSING
from bancada.packs.graph.importer import import_graph
from bancada.packs.graph.plant import PLANT
from bancada.packs.graph.sharing import NAME, catch_up

NO_GRAPH = (
    "Your organisation has no graph yet. An administrator imports one in the panel, or with"
    " `bancada graph import nodes.csv edges.csv`."
)
MOST_OPEN = 8
IDLE_SECONDS = 600.0


@dataclass
class _Open:
    graph: LadybugGraph
    used: float


class Keeper:
    """Opens at the first question, so that a start costs nothing; in a demo it makes the plant.

    It lets go of a graph that nobody asked for some time, and of the one unused longest when too
    many are open. Whoever still holds that graph may finish: it closes when the last one lets go.
    """

    def __init__(
        self,
        folder: Path,
        *,
        kept: KeptFolders | None = None,
        demo_organisation: int | None = None,
        containment: Sequence[str] = (),
        most: int = MOST_OPEN,
        idle: float = IDLE_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._kept = kept
        self._demo_organisation = demo_organisation
        self._containment = tuple(containment)
        self._most = most
        self._idle = idle
        self._clock = clock
        # Tools run in threads: two of them may open the same graph, or one open what another drops.
        self._lock = threading.Lock()
        self._open: OrderedDict[int, _Open] = OrderedDict()
        self._making: dict[int, threading.Lock] = {}
        self._timer: threading.Timer | None = None

    def __call__(self, context: ToolContext) -> LadybugGraph:
        """The graph of the person's organisation, as it is now."""
        return self.graph_of(context.person.organisation_id)

    def graph_of(self, organisation_id: int) -> LadybugGraph:
        if MISSING is not None:
            raise ToolFailed(MISSING)
        folder = self.folder(organisation_id)
        here = shelf.current(folder)
        known = (
            self._known(organisation_id, here) if self._is_newest(organisation_id, here) else None
        )
        if known is not None:
            return known
        # One lock an organisation: making the demo's plant takes a moment, and others must not wait.
        with self._lock:
            making = self._making.setdefault(organisation_id, threading.Lock())
        with making:
            self._catch_up(organisation_id)
            version = shelf.current(folder) or self._first(organisation_id)
            return self._known(organisation_id, version) or self._keep(organisation_id, version)

    def is_outside(self, organisation_id: int) -> bool:
        """Whether the organisation's graph holds text that somebody brought in."""
        if self._kept is not None and self._kept.shared:
            # Asked before the graph is: another machine may have imported one since.
            return True
        version = shelf.current(self.folder(organisation_id))
        if version is None:
            return False
        about = version.read_about()
        return about is None or not about.demo

    def folder(self, organisation_id: int) -> Path:
        return shelf.of_organisation(self._folder, organisation_id)

    def open_now(self) -> list[int]:
        """The organisations whose graphs are open."""
        with self._lock:
            return list(self._open)

    def let_go_of_idle(self) -> None:
        """Close what nobody asked for some time; look again while anything is open."""
        with self._lock:
            oldest = self._clock() - self._idle
            for organisation_id, one in list(self._open.items()):
                if one.used <= oldest:
                    del self._open[organisation_id]
            self._timer = None
            if self._open:
                self._look_again()

    def _known(
        self, organisation_id: int, version: shelf.GraphVersion | None
    ) -> LadybugGraph | None:
        with self._lock:
            one = self._open.get(organisation_id)
            if one is None or version is None or one.graph.version != version.name:
                return None
            one.used = self._clock()
            self._open.move_to_end(organisation_id)
            return one.graph

    def _keep(self, organisation_id: int, version: shelf.GraphVersion) -> LadybugGraph:
        graph = LadybugGraph(version, self._containment)
        with self._lock:
            self._open[organisation_id] = _Open(graph, self._clock())
            self._open.move_to_end(organisation_id)
            while len(self._open) > self._most:
                self._open.popitem(last=False)
            if self._timer is None:
                self._look_again()
        return graph

    def _is_newest(self, organisation_id: int, here: shelf.GraphVersion | None) -> bool:
        """Whether no other machine has imported another."""
        newest = None if self._kept is None else self._kept.newest(organisation_id, NAME)
        return newest is None or (here is not None and here.name == newest)

    def _catch_up(self, organisation_id: int) -> None:
        if self._kept is not None:
            catch_up(self._kept, self.folder(organisation_id), organisation_id)

    def _look_again(self) -> None:
        self._timer = threading.Timer(self._idle, self.let_go_of_idle)
        self._timer.daemon = True
        self._timer.start()

    def _first(self, organisation_id: int) -> shelf.GraphVersion:
        if organisation_id != self._demo_organisation:
            raise ToolFailed(NO_GRAPH)
        import_graph(PLANT, self.folder(organisation_id))
        self._catch_up(organisation_id)
        version = shelf.current(self.folder(organisation_id))
        assert version is not None
        return version

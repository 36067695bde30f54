"""A turn as its reader saw it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.domain.json import JSONObject, loads
from bancada.engine.workbench import Workbench


@dataclass(frozen=True)
class Told:
    """What a turn told its reader, until it ended or waited."""

    turn_id: str
    events: list[JSONObject]
    """In order, each as it went over the wire: `{"type": …}`."""
    numbers: list[int | None] = field(default_factory=list)
    conversation_id: str = ""
    """Give it to `Workshop.ask` to go on."""

    def types(self, *without: str) -> list[str]:
        """The events' types in order, without those named."""
        return [event["type"] for event in self.events if event["type"] not in without]

    def of(self, type: str) -> list[JSONObject]:
        """Every event of one type."""
        return [event for event in self.events if event["type"] == type]

    def one(self, type: str) -> JSONObject:
        """The only event of its type."""
        found = self.of(type)
        assert len(found) == 1, f"{len(found)} events of type {type}"
        return found[0]

    @property
    def text(self) -> str:
        """What the person read; what a reply that began again took back is not in it."""
        said = ""
        kept = 0
        for event in self.events:
            if event["type"] == "text":
                said += event["content"]
            elif event["type"] == "usage":
                kept = len(said)
            elif event["type"] == "again":
                said = said[:kept]
        return said

    @property
    def status(self) -> str:
        """How it ended: `done`, `waiting`, `stopped` or `failed`."""
        return str(self.events[-1]["status"]) if self.events else ""


async def follow(bench: Workbench, turn_id: str, after: int = -1, *, within: str = "") -> Told:
    """Read a turn until it ends or waits."""
    events: list[JSONObject] = []
    numbers: list[int | None] = []
    async for frames in bench.runner.follow(turn_id, after):
        events += [loads(frame.data) for frame in frames]
        numbers += [frame.n for frame in frames]
    return Told(turn_id, events, numbers, within)

"""A turn's events from the record: whole when it is over, as they are stored while it runs elsewhere.

Elsewhere is another process, or this one in the moment before it takes the turn up. On Postgres
the process that writes says so to all others, and one look brings what is new of every turn that is
read here; the record is the truth, what is said only wakes. On SQLite nobody says anything, and the
record is looked at often.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.domain.events import Done
from bancada.domain.json import JSONObject
from bancada.engine.live import EventFrame, EventReader, Live
from bancada.store import events, turns
from bancada.store.database import Database
from bancada.store.turns import TurnProgress

log = logging.getLogger("bancada.engine")

LOOK_SECONDS = {"sqlite": 0.25, "postgresql": 2.0}
"""How often turns that run elsewhere are looked at, whatever was said."""


@dataclass
class FollowedTurn:
    """A turn that somebody here reads and another process runs."""

    live: Live
    seen: int = -1
    readers: int = 0
    whole: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once what was stored before is there."""


class Follower:
    """Every turn that is read here and runs elsewhere, and the one task that keeps up with them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._followed: dict[str, FollowedTurn] = {}
        self._due: set[str] = set()
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    async def place(self, turn_id: str, after: int) -> EventReader:
        """Where a reader stands who has seen everything up to `after`."""
        followed = self._followed.get(turn_id)
        if followed is None:
            # On the list before the first look: what is said meanwhile is looked at again.
            followed = self._followed[turn_id] = FollowedTurn(Live(turn_id, [], 0))
            looking = self._look([turn_id])
        else:
            looking = None
        # Counted before anything is waited for: a reader who leaves meanwhile takes nothing away.
        followed.readers += 1
        try:
            if looking is not None:
                await looking
            await followed.whole.wait()
        except BaseException:
            self._leave(turn_id, followed)
            raise
        if self._closed:
            self._end(turn_id)
        elif self._followed and (self._task is None or self._task.done()):
            self._task = asyncio.create_task(self._keep_up(), name="following")
        place = EventReader(followed.live, after)
        place.left = lambda: self._leave(turn_id, followed)
        return place

    def heard(self, turn_id: str | None) -> None:
        """There may be something new of this turn; none: of any."""
        due = self._followed if turn_id is None else {turn_id} & self._followed.keys()
        if due:
            self._due.update(due)
            self._wake.set()

    def close(self) -> None:
        """The process stops: readers find another."""
        self._closed = True
        for followed in list(self._followed.values()):
            followed.live.close()
        self._followed.clear()
        if self._task is not None:
            self._task.cancel()

    def _leave(self, turn_id: str, followed: FollowedTurn) -> None:
        followed.readers -= 1
        if not followed.readers and self._followed.get(turn_id) is followed:
            del self._followed[turn_id]

    async def _keep_up(self) -> None:
        while self._followed:
            try:
                async with asyncio.timeout(LOOK_SECONDS[self._database.kind]):
                    await self._wake.wait()
            except TimeoutError:
                self._due.update(self._followed)
            self._wake.clear()
            due, self._due = self._due, set()
            try:
                await self._look(due)
            except Exception:
                # Their readers come back, here or elsewhere, with the number they saw last.
                log.warning("turns that run elsewhere cannot be followed", exc_info=True)
                for turn_id in due:
                    self._end(turn_id)

    async def _look(self, turn_ids: Collection[str]) -> None:
        """Read what is new of these turns, and let their readers have it."""
        seen = {id: self._followed[id].seen for id in turn_ids if id in self._followed}
        if not seen:
            return
        try:
            standing, new = await self._database.read(_new, seen)
        except BaseException:
            for id in seen:
                self._end(id)
            raise
        for id, n, event in new:
            followed = self._followed.get(id)
            # Two looks may cross: what one has brought the other leaves out.
            if followed is not None and n > followed.seen:
                followed.live.post(EventFrame.stored(n, event))
                followed.seen = n
        for id in seen:
            followed = self._followed.get(id)
            if followed is None:
                continue
            stands = standing.get(id)
            if stands is None or stands.status != "running":
                if stands is not None and stands.status == "waiting":
                    # A turn that waits says so to whoever reads now.
                    done = Done(turn_id=id, status="waiting", iterations=stands.iterations)
                    followed.live.post(EventFrame.of(None, done))
                self._end(id)
            followed.whole.set()

    def _end(self, turn_id: str) -> None:
        followed = self._followed.pop(turn_id, None)
        if followed is not None:
            followed.live.close()
            followed.whole.set()


def _new(
    db: Connection, seen: dict[str, int]
) -> tuple[dict[str, TurnProgress], list[tuple[str, int, JSONObject]]]:
    # How it stands first: whoever reads that a turn is over then finds its last event.
    return turns.standing(db, list(seen)), events.since(db, seen)

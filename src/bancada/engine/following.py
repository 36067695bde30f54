"""A turn's events from the record: whole when it is over, as they are stored while it runs elsewhere.

Elsewhere is another process, or this one in the moment before it takes the turn up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sqlalchemy import Connection

from bancada.domain.events import Done
from bancada.domain.json import JSONObject
from bancada.engine.live import EventFrame, EventReader, Live
from bancada.store import events, turns
from bancada.store.database import Database
from bancada.store.turns import TurnRow

LOOK_SECONDS = 0.25
"""How often a turn that runs elsewhere is looked at."""


async def from_record(
    database: Database, turn_id: str, after: int, *, until: Callable[[], bool]
) -> EventReader:
    """A place in the turn as the record has it; `until`: this process wants to stop."""
    row, stored = await database.read(_stored, turn_id, -1)
    live = Live(turn_id, stored, 0)
    place = EventReader(live, after)
    if not _over(live, row):
        place.kept_up = asyncio.create_task(_keep_up(database, live, stored, until))
    return place


def _over(live: Live, row: TurnRow | None) -> bool:
    """Whether nothing more will come; a turn that waits says so to whoever reads now."""
    if row is not None and row.status == "running":
        return False
    if row is not None and row.status == "waiting":
        done = Done(turn_id=row.id, status="waiting", iterations=row.iterations)
        live.post(EventFrame.of(None, done))
    live.close()
    return True


async def _keep_up(
    database: Database,
    live: Live,
    stored: list[tuple[int, JSONObject]],
    until: Callable[[], bool],
) -> None:
    seen = stored[-1][0] if stored else -1
    try:
        while not until():
            await asyncio.sleep(LOOK_SECONDS)
            row, new = await database.read(_stored, live.turn_id, seen)
            for n, event in new:
                live.post(EventFrame.stored(n, event))
                seen = n
            if _over(live, row):
                return
    finally:
        live.close()


def _stored(
    db: Connection, turn_id: str, after: int
) -> tuple[TurnRow | None, list[tuple[int, JSONObject]]]:
    return turns.find(db, turn_id), events.of_turn(db, turn_id, after=after)

"""How long things are kept: conversations that nobody has used for so many days go, with their
files, and so do containers of the gateway's clients, these at the latest when they have expired.

What it did stays in the audit, and what it cost in usage.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.gate.administration import Via, note
from bancada.store import conversations, datasets, files, gateway_containers, schedules
from bancada.store.blobs.keeping import Blobs, dropped
from bancada.store.conversations import UnusedConversation
from bancada.store.database import Database
from bancada.store.gateway_containers import ContainerRow

DAY = 86_400.0
WAITING_SECONDS = 3600.0
"""How long an attachment may be kept before its question is asked: the page sends both together."""


@dataclass(frozen=True)
class Retention:
    """Finds and removes what is kept no longer; without days, everything is kept."""

    database: Database
    blobs: Blobs
    days: float | None = None

    async def due(self, days: float) -> list[UnusedConversation]:
        """What would go now; nothing is changed."""
        return await self.database.read(conversations.unused_since, time.time() - days * DAY)

    async def remove(self, days: float, *, via: Via) -> list[UnusedConversation]:
        """Remove what is due; returns what went. Each is written down where it goes."""
        gone = []
        for one in await self.due(days):
            refs = await self.database.run(self._remove, one, days, via)
            if refs is not None:
                gone.append(one)
                # After the rows: whoever has read a row finds its file, as does a backup being made.
                await self.blobs.erase(refs)
        return gone

    def _remove(
        self, db: Connection, one: UnusedConversation, days: float, via: Via
    ) -> list[str] | None:
        """Its rows, and which files go with them; none: somebody has taken it up since."""
        if not conversations.unused_since(db, time.time() - days * DAY, one.id):
            return None
        refs = [row.ref for row in datasets.remove(db, one.id)] + files.remove(db, one.id)
        gone = dropped(db, refs)
        conversations.remove(db, one.id)
        note(
            db,
            None,
            "data_changed",
            "conversation",
            id=one.id,
            organisation_id=one.organisation_id,
            via=via,
            removed_after_days=days,
        )
        return gone

    async def remove_waiting(self) -> None:
        """Remove what was sent for questions that were never asked."""
        await self.blobs.erase(await self.database.run(_unasked, time.time() - WAITING_SECONDS))

    async def remove_containers(self) -> None:
        """Remove clients' containers that are over: their journals hold code, and what it was told."""
        for row in await self.database.read(self._over):
            await self.blobs.erase(await self.database.run(self._remove_container, row))

    def _over(self, db: Connection) -> list[ContainerRow]:
        now = time.time()
        since = None if self.days is None else now - self.days * DAY
        return gateway_containers.over(db, now, since)

    def _remove_container(self, db: Connection, row: ContainerRow) -> list[str]:
        if not any(each.id == row.id for each in self._over(db)):
            return []  # a request has taken it up since
        gone = dropped(db, files.remove(db, row.id))
        gateway_containers.remove(db, row.id)
        note(
            db,
            None,
            "data_changed",
            "container",
            id=row.id,
            organisation_id=row.organisation_id,
            via="start",
        )
        return gone

    async def chore(self) -> None:
        """What the server does by itself: what crashes left goes, what nobody can use any more, and what
        is due, where a limit is set."""
        await self.remove_waiting()
        await self.blobs.sweep()
        await self.remove_containers()
        if self.days is not None:
            await self.remove(self.days, via="start")
            before = time.time() - self.days * DAY
            await self.database.run(schedules.forget_old, before)


def _unasked(db: Connection, before: float) -> list[str]:
    return dropped(db, files.remove_waiting(db, before))

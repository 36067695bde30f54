"""How long conversations are kept: what nobody has used for so many days goes, with its files.

What it did stays in the audit, and what it cost in usage.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.gate.administration import Via, note
from bancada.store import conversations, datasets, files
from bancada.store.blobs.keeping import Blobs, dropped
from bancada.store.conversations import Unused
from bancada.store.database import Database

DAY = 86_400.0


@dataclass(frozen=True)
class Retention:
    """Finds and removes what is kept no longer; without days, everything is kept."""

    database: Database
    blobs: Blobs
    days: float | None = None

    async def due(self, days: float) -> list[Unused]:
        """What would go now; nothing is changed."""
        return await self.database.read(conversations.unused_since, time.time() - days * DAY)

    async def remove(self, days: float, *, via: Via) -> list[Unused]:
        """Remove what is due; returns what went. Each is written down where it goes."""
        gone = []
        for one in await self.due(days):
            refs = await self.database.run(self._remove, one, days, via)
            if refs is not None:
                gone.append(one)
                # After the rows: whoever has read a row finds its file, as does a backup being made.
                await self.blobs.erase(refs)
        return gone

    def _remove(self, db: Connection, one: Unused, days: float, via: Via) -> list[str] | None:
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

    async def chore(self) -> None:
        """What the server does by itself: what crashes left goes, and what is due, where a limit is set."""
        await self.blobs.sweep()
        if self.days is not None:
            await self.remove(self.days, via="start")

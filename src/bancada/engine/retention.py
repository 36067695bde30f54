"""How long conversations are kept: what nobody has used for so many days goes, with its files.

What it did stays in the audit, and what it cost in usage.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from bancada.gate.administration import Via, note
from bancada.store import conversations, datasets, files
from bancada.store.conversations import Unused
from bancada.store.database import Database

DAY = 86_400.0


@dataclass(frozen=True)
class Retention:
    """Finds and removes what is kept no longer; without days, everything is kept."""

    database: Database
    datasets: Path
    files: Path
    days: float | None = None

    async def due(self, days: float) -> list[Unused]:
        """What would go now; nothing is changed."""
        return await self.database.read(conversations.unused_since, time.time() - days * DAY)

    async def remove(self, days: float, *, via: Via) -> list[Unused]:
        """Remove what is due; returns what went. Each is written down where it goes."""
        gone = []
        for one in await self.due(days):
            paths = await self.database.run(self._remove, one, days, via)
            if paths is not None:
                gone.append(one)
                # After the rows: whoever has read a row finds its file, as does a backup being made.
                for path in paths:
                    await asyncio.to_thread(path.unlink, missing_ok=True)
        return gone

    def _remove(self, db: Connection, one: Unused, days: float, via: Via) -> list[Path] | None:
        """Its rows, and where its files are; none: somebody has taken it up since."""
        if not conversations.unused_since(db, time.time() - days * DAY, one.id):
            return None
        paths = [self.datasets / row.path for row in datasets.remove(db, one.id)]
        paths += [self.files / path for path in files.remove(db, one.id)]
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
        return paths

    async def chore(self) -> None:
        """What the server does by itself, where a limit is set."""
        if self.days is not None:
            await self.remove(self.days, via="start")

"""The processes that share one Postgres: who is alive, as all of them see it.

Each holds an advisory lock in a session of its own for as long as it lives, and says every second
that it does. One that is killed loses its session, and with it the lock, at once; of a machine that
is lost the session may stand for hours, so silence counts too. The database's clock is everybody's.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any

from sqlalchemy import Connection, delete, select

from bancada.store.postgres import LOST, PostgresDatabase
from bancada.store.tables import processes

log = logging.getLogger("bancada.store")

LOCKS = 0x62616E64
"""The first half of the advisory locks of processes; the second is the process's own."""
BEAT_SECONDS = 1.0
SILENT_SECONDS = 15.0
"""Who has said nothing for so long is taken for gone, whatever its session says."""
SETTLED_SECONDS = 2.5
"""How long one's own session has to stand before a lock that is missing means anything: after a
loss of the database everybody has to come back first."""
AGAIN_SECONDS = 0.25
PATIENCE_SECONDS = 5.0

_NOW = "extract(epoch FROM clock_timestamp())"
_BEAT = (
    f"INSERT INTO processes (name, lock, heartbeat_at) VALUES ($1, $2, {_NOW}) "  # noqa: S608
    "ON CONFLICT (name) DO UPDATE SET lock = excluded.lock, heartbeat_at = excluded.heartbeat_at"
)
_GONE = f"""
SELECT name FROM processes WHERE name <> $1 AND (
  heartbeat_at < {_NOW} - {SILENT_SECONDS}
  OR NOT EXISTS (
    SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid::bigint = {LOCKS} AND objid::bigint = processes.lock
  )
)
"""  # noqa: S608


class Presence:
    """This process among the others."""

    def __init__(
        self,
        database: PostgresDatabase,
        name: str,
        found_gone: Callable[[list[str]], Awaitable[None]],
    ) -> None:
        self._database = database
        self._name = name
        self._found_gone = found_gone
        self._task: asyncio.Task[None] | None = None
        self._looking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Be seen from now on; once is enough."""
        if self._task is None:
            self._task = self._database.beside(self._stay(), "presence")

    async def end(self) -> None:
        tasks = {task for task in (self._task, self._looking) if task is not None}
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self._task = None

    async def _stay(self) -> None:
        while True:
            connection: Any = None
            try:
                connection = await self._database.session()
                await self._hold(connection)
            except LOST:
                log.warning("the session that says we are alive was lost; it is made anew")
            finally:
                if connection is not None:
                    connection.terminate()
            await asyncio.sleep(AGAIN_SECONDS)

    async def _hold(self, connection: Any) -> None:
        # Another number with every session: the one before may not have ended yet, and holds its lock.
        lock, since = secrets.randbelow(2**31), time.monotonic()
        await connection.execute("SELECT pg_advisory_lock($1, $2)", LOCKS, lock)
        while True:
            await connection.execute(_BEAT, self._name, lock, timeout=PATIENCE_SECONDS)
            if time.monotonic() - since > SETTLED_SECONDS:
                rows = await connection.fetch(_GONE, self._name, timeout=PATIENCE_SECONDS)
                # Beside the beat: whoever looks after many turns is alive meanwhile.
                if rows and (self._looking is None or self._looking.done()):
                    gone = [row["name"] for row in rows]
                    self._looking = asyncio.create_task(self._look_after(gone))
            await asyncio.sleep(BEAT_SECONDS)

    async def _look_after(self, gone: list[str]) -> None:
        try:
            await self._found_gone(gone)
        except Exception:
            log.exception("the work of %s could not be taken over; it is tried again", gone)


def everybody(db: Connection) -> set[str]:
    """Every process on the list, those that nobody has looked after yet included."""
    return set(db.execute(select(processes.c.name)).scalars())


def strike(db: Connection, names: list[str]) -> None:
    """They are gone, and nothing of theirs is left to do."""
    db.execute(delete(processes).where(processes.c.name.in_(names)))

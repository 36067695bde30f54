"""The processes that share a database, as one of them sees them: whose turns are whose.

A turn is one process's at a time. What a process leaves, by going, by dying or by losing the
database, is taken up by whoever notices first; the others find that it was.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Collection, Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from sqlalchemy import Connection

from bancada.domain.errors import DatabaseAway
from bancada.store import processes, turns
from bancada.store.database import Database, PostgresDatabase
from bancada.store.endings import TAKEN, TURNS
from bancada.store.processes import Presence
from bancada.store.turns import TurnRow

if TYPE_CHECKING:
    from bancada.engine.runner import Runner

log = logging.getLogger("bancada.engine")


class Queue(Protocol):
    """Where turns wait for a process, if it is not simply the one that was asked."""

    def put(self, db: Connection, row: TurnRow, *, cut: bool = False, ended: bool = False) -> None:
        """Let somebody take the turn up, once this is committed; `cut`, `ended`: see `go_on`."""

    async def recover(self, gone: list[str]) -> None:
        """Let others have what these processes took from the queue."""

    async def under_way(self) -> set[str]:
        """Turns that wait in the queue, or that somebody has taken from it."""

    async def close(self) -> None: ...


class Peers:
    """This process among the others. On SQLite there are none."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self._database: Database = runner.database
        self._presence = (
            Presence(self._database, runner.owner, self.take_over)
            if isinstance(self._database, PostgresDatabase)
            else None
        )
        self._tasks: set[asyncio.Task[None]] = set()
        self._broken: set[str] = set()
        """Turns of ours that the database was lost under."""

    def be_seen(self) -> None:
        """Whoever works on something is on the list of those who are alive."""
        if self._presence is not None:
            self._presence.begin()

    def join(self) -> None:
        """Be one of those who serve: hear what the others do, and take over what they leave."""
        self.be_seen()
        if self._presence is not None:
            self._database.listen(TURNS, self._heard)

    # ------------------------------------------------------------------ what the others say

    def _heard(self, said: str | None) -> None:
        runner = self._runner
        told = said.split(",") if said is not None else [TAKEN + id for id in runner.stretches]
        for one in told:
            turn_id = one.removeprefix(TAKEN)
            runner.follower.heard(turn_id)
            if one != turn_id:
                self.soon(self._changed_hands(turn_id))
        if said is None:
            runner.follower.heard(None)

    async def _changed_hands(self, turn_id: str) -> None:
        """Somebody else has the turn, or nobody: cut what runs of it here, or take it up."""
        row = await self._database.look(turns.find, turn_id)
        if row is None:
            return
        stretch = self._runner.stretches.get(turn_id)
        if stretch is not None and (row.owner, row.epoch) != stretch.tenure:
            stretch.task.cancel()
        if row.owner is None and row.status == "running" and self._runner.queue is None:
            await self._take_up([row])

    # ------------------------------------------------------------------ what they leave

    async def take_over(self, gone: list[str]) -> None:
        """These processes are gone: what they left is taken up, here or by another that noticed."""
        taken = await self.recover(alone=False, gone=gone)
        log.info("%s: gone; %d turns are taken up", ", ".join(gone), taken)
        await self._database.run(processes.strike, gone)

    async def recover(self, *, alone: bool, gone: Collection[str] = ()) -> int:
        """Take up running turns nobody is at work on; all of them when we hold the lock."""
        if alone:
            running = await self._database.read(turns.unfinished)
            return await self._take_up([row for row in running if row.owner != self._runner.owner])
        return await self._take_up(await self._database.read(turns.strays, gone), list(gone))

    async def _take_up(self, found: list[TurnRow], gone: list[str] | None = None) -> int:
        runner, queue = self._runner, self._runner.queue
        if queue is not None:
            # Looked at after the turns: what is taken from the queue in between has an owner then.
            await queue.recover(gone or [])
            known = await queue.under_way() if found else set()
            found = [row for row in found if row.id not in known]
        # Every process finds the same at once: each begins elsewhere, so that they share the work.
        random.shuffle(found)
        taken = 0
        for row in found:
            if runner.draining:
                break
            if queue is not None:
                taken += await self._database.run(put_back, row, queue)
            elif await self._database.run(turns.claim, row, owner=runner.owner):
                taken += 1
                await runner.cut(row.id)
                await runner.go_on(row.id, cut=True)
        return taken

    # ------------------------------------------------------------------ what we leave

    def broke(self, turn_id: str) -> None:
        """The database was lost under this turn of ours."""
        self._broken.add(turn_id)

    async def mend(self) -> None:
        """Take up what the database was lost under, now that it is back."""
        for turn_id in list(self._broken):
            await self._runner.go_on(turn_id, cut=True)
            self._broken.discard(turn_id)

    async def leave(self) -> None:
        """Let the others have what is not finished, at once."""
        if self._presence is None:
            return
        try:
            for row in await self._database.read(turns.of_owner, self._runner.owner):
                if self._runner.queue is not None:
                    await self._database.run(put_back, row, self._runner.queue)
                else:
                    await self._database.run(turns.claim, row, owner=None)
        except DatabaseAway:
            log.warning("the database is away; the others will notice that we are gone")
        await self._presence.end()

    def soon(self, work: Coroutine[Any, Any, None]) -> None:
        """Do it in a task of its own."""
        task = asyncio.create_task(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def put_back(db: Connection, row: TurnRow, queue: Queue) -> bool:
    """Let the queue have a turn that somebody left: true for exactly one."""
    if not turns.claim(db, row, owner=None):
        return False
    queue.put(db, row, cut=True)
    return True


async def _logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except Exception:
        log.exception("a turn could not be taken up; it is looked for again")

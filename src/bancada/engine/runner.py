"""Keeps turns going in this process, and lets any number of readers follow them.

A turn does not live in a request: a task runs it, readers come and go. What a task cannot
finish (a wait, a stop of the process, a crash) is in the record, and `go_on` takes it up.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.domain.errors import BancadaError
from bancada.domain.events import Again, Done, Error, ErrorCode, TurnBegan
from bancada.domain.turns import UNFINISHED
from bancada.engine.calls import close_open_calls
from bancada.engine.live import Frame, Live
from bancada.engine.loop import Drained, end, run_turn
from bancada.engine.record import CRASH_GAP, Record
from bancada.engine.scribe import Scribe
from bancada.engine.sentences import sentence
from bancada.engine.turn import Turn
from bancada.model.model import ModelFailed
from bancada.store import events, turns
from bancada.store.database import Database
from bancada.store.turns import TurnRow

log = logging.getLogger("bancada.engine")

BEAT_SECONDS = 5.0
STALE_SECONDS = 20.0
"""A turn whose owner was not heard of for so long is anybody's to take up."""
DRAIN_SECONDS = 10.0

STOPPED = "Stopped by the person."


def process_name() -> str:
    """Who is at work, for the `owner` column: unique to this start of this process."""
    return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"


@dataclass
class Stretch:
    """One turn under way here: from where it was taken up to where it ends or waits."""

    turn_id: str
    live: Live
    task: asyncio.Task[None] | None = None
    turn: Turn | None = None
    stopping: bool = False
    decisions: dict[str, asyncio.Event] = field(default_factory=dict)
    held: bool = False


@dataclass
class Runner:
    """Runs turns as tasks of this process."""

    database: Database
    build: Callable[[Record], Awaitable[Turn]] = field(init=False)
    """Makes a `Turn` of its record: agent, tools, model, files. Set by the workbench."""
    owner: str = field(default_factory=process_name)

    def __post_init__(self) -> None:
        self.scribe = Scribe(self.database)
        self._stretches: dict[str, Stretch] = {}
        self._background: set[asyncio.Task[None]] = set()
        self._draining = False

    # ------------------------------------------------------------------ taking a turn up

    async def go_on(self, turn_id: str, *, cut: bool = False) -> None:
        """Run the turn from its record. `cut`: a crash may have interrupted a reply."""
        earlier = self._stretches.get(turn_id)
        if earlier is not None and earlier.task is not None:
            await asyncio.wait({earlier.task})
        row, stored, highest = await self.database.read(_stored, turn_id)
        floor = highest + (CRASH_GAP if cut else 1)
        stretch = Stretch(turn_id, Live(turn_id, stored, floor))
        self._stretches[turn_id] = stretch
        stretch.task = asyncio.create_task(self._run(stretch, row, cut=cut), name=f"turn {turn_id}")

    async def _run(self, stretch: Stretch, row: TurnRow, *, cut: bool) -> None:
        record = Record(row, self.scribe, stretch.live)
        try:
            turn = stretch.turn = await self.build(record)
            turn.hold = lambda ids: self._hold(stretch, ids)
            turn.decided = lambda id, seconds: self._decided(stretch, id, seconds)
            turn.draining = lambda: self._draining
            await self._begin(turn, cut=cut)
            await self._to_an_end(stretch, turn)
        except asyncio.CancelledError:
            log.info("turn %s goes on at the next start", row.id)
        except Exception:
            log.exception("turn %s failed", row.id)
            await self._fail_without_turn(record, row)
        finally:
            stretch.live.close()
            if self._stretches.get(row.id) is stretch:
                del self._stretches[row.id]

    async def _begin(self, turn: Turn, *, cut: bool) -> None:
        if not turn.loaded.emitted:
            agent = turn.loaded.agent.name
            await turn.record.emit(TurnBegan(turn_id=turn.id, agent=agent, model=turn.frame.model))
        elif cut and _was_replying(turn):
            language = turn.loaded.person.language
            await turn.record.emit(Again(reason=sentence("interrupted", language)))

    async def _to_an_end(self, stretch: Stretch, turn: Turn) -> None:
        """Run, and turn whatever ends the turn early into words a person can act on."""
        try:
            await run_turn(turn)
        except asyncio.CancelledError:
            if not stretch.stopping:
                raise
            await self._stop_here(turn)
        except Drained:
            log.info("turn %s goes on at the next start", turn.id)
        except ModelFailed as failure:
            log.warning("turn %s: %s", turn.id, failure)
            await self._fail(turn, failure.code, failure.retryable, failure.detail)
        except BancadaError as failure:
            code: ErrorCode = getattr(failure, "code", "internal")
            await self._fail(turn, code, retryable=False)
        except Exception:
            log.exception("turn %s failed", turn.id)
            await self._fail(turn, "internal", retryable=True)

    # ------------------------------------------------------------------ ends

    async def _fail(
        self, turn: Turn, code: ErrorCode, retryable: bool, detail: str | None = None
    ) -> None:
        language = turn.loaded.person.language
        content = sentence(code, language) + (f" ({detail})" if detail else "")
        await turn.reload()
        await close_open_calls(turn, "Not run: the turn failed.")
        await turn.record.emit(Error(content=content, code=code, retryable=retryable))
        await end(turn, "failed")

    async def _fail_without_turn(self, record: Record, row: TurnRow) -> None:
        """The turn could not even be built: its readers must not wait for ever."""
        content = sentence("internal", "en")
        await record.emit(Error(content=content, code="internal", retryable=True))
        done = Done(turn_id=row.id, status="failed", iterations=row.iterations)
        await record.settle("failed", row.iterations, done)

    async def _stop_here(self, turn: Turn) -> None:
        """The person stopped it: keep what was said, answer every open call."""
        said = turn.said
        await turn.reload()
        await close_open_calls(turn, STOPPED)
        if said:
            block = {"type": "text", "text": said}
            metadata = {"stop_reason": "stopped", "partial": True}
            await turn.record.append("assistant", "reply", [block], metadata=metadata)
        await end(turn, "stopped")

    async def close_waiting(self, turn_id: str, reason: str) -> None:
        """End a turn that waits for a person, because the person went on or stopped it."""
        stretch = self._stretches.get(turn_id)
        if stretch is not None and stretch.held:
            await self.stop(turn_id)
            return
        row, stored, highest = await self.database.read(_stored, turn_id)
        live = Live(turn_id, stored, highest + 1)
        turn = await self.build(Record(row, self.scribe, live))
        await close_open_calls(turn, reason)
        await end(turn, "stopped")

    async def stop(self, turn_id: str) -> bool:
        """Stop a running turn here; false when it does not run in this process."""
        stretch = self._stretches.get(turn_id)
        if stretch is None or stretch.task is None:
            return False
        stretch.stopping = True
        stretch.task.cancel()
        await asyncio.wait({stretch.task})
        return True

    async def stop_elsewhere(self, turn_id: str) -> None:
        """Stop a turn that no task of this process runs: close it from its record."""
        row, stored, highest = await self.database.read(_stored, turn_id)
        if row.status not in UNFINISHED:
            return
        live = Live(turn_id, stored, highest + CRASH_GAP)
        turn = await self.build(Record(row, self.scribe, live))
        await self._stop_here(turn)

    # ------------------------------------------------------------------ waiting inside code

    async def _hold(self, stretch: Stretch, confirmation_ids: list[str]) -> None:
        turn = stretch.turn
        assert turn is not None
        stretch.held = True
        for id in confirmation_ids:
            stretch.decisions.setdefault(id, asyncio.Event())
        if not await turn.record.wait_for(confirmation_ids, turn.iterations):
            for id in confirmation_ids:
                stretch.decisions[id].set()
            stretch.held = False
            return
        turn.record.tell(Done(turn_id=turn.id, status="waiting", iterations=turn.iterations))
        stretch.live.close()

    async def _decided(self, stretch: Stretch, confirmation_id: str, seconds: float) -> bool:
        event = stretch.decisions.setdefault(confirmation_id, asyncio.Event())
        try:
            async with asyncio.timeout(seconds):
                await event.wait()
        except TimeoutError:
            if event.is_set():
                return True
            stretch.held = False
            return False
        return True

    async def decided(self, turn_id: str, confirmation_id: str) -> None:
        """A confirmation of this turn was decided, and the turn is `running` again."""
        stretch = self._stretches.get(turn_id)
        if stretch is not None and stretch.held and stretch.turn is not None:
            stretch.held = False
            stretch.live = stretch.turn.record.live = stretch.live.reopened()
            stretch.decisions.setdefault(confirmation_id, asyncio.Event()).set()
            return
        if stretch is None or stretch.live.closed:
            await self.go_on(turn_id)

    # ------------------------------------------------------------------ readers

    async def follow(self, turn_id: str, after: int = -1) -> AsyncIterator[list[Frame]]:
        """The turn's events numbered above `after`: from memory while it runs, else the record."""
        stretch = self._stretches.get(turn_id)
        if stretch is not None and not stretch.live.closed:
            async for frames in stretch.live.follow(after):
                yield frames
            return
        row, stored, _ = await self.database.read(_stored, turn_id)
        live = Live(turn_id, stored, 0)
        if row.status == "waiting":
            done = Done(turn_id=turn_id, status="waiting", iterations=row.iterations)
            live.post(Frame.of(None, done))
        live.close()
        async for frames in live.follow(after):
            yield frames

    def runs(self, turn_id: str) -> bool:
        stretch = self._stretches.get(turn_id)
        return stretch is not None and not stretch.live.closed

    @property
    def running(self) -> int:
        return len(self._stretches)

    # ------------------------------------------------------------------ the process

    async def recover(self, *, alone: bool) -> int:
        """Take up running turns nobody is at work on; all of them when we hold the lock."""
        stale = None if alone else time.time() - STALE_SECONDS
        found = await self.database.run(_claim_orphans, self.owner, stale)
        for turn_id in found:
            if turn_id not in self._stretches:
                await self.go_on(turn_id, cut=True)
        return len(found)

    async def beat(self) -> None:
        """Say that this process is alive."""
        if self._stretches:
            await self.database.run(turns.beat, self.owner)

    async def close(self) -> None:
        """Let running turns reach a recorded point; they go on at the next start."""
        self._draining = True
        tasks = [s.task for s in self._stretches.values() if s.task is not None]
        if tasks:
            replying = [s for s in self._stretches.values() if s.turn and s.turn.replying]
            for stretch in replying:
                if stretch.task is not None:
                    stretch.task.cancel()
            _, late = await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            if late:
                await asyncio.wait(late)
        await self.scribe.close()


def _stored(
    db: Connection, turn_id: str
) -> tuple[TurnRow, list[tuple[int, dict[str, object]]], int]:
    row = turns.find(db, turn_id)
    assert row is not None, f"turn {turn_id} is gone"
    return row, events.of_turn(db, turn_id), events.highest(db, turn_id)


def _claim_orphans(db: Connection, owner: str, stale_before: float | None) -> list[str]:
    return [
        row.id
        for row in turns.orphans(db, stale_before=stale_before)
        if row.owner != owner and turns.claim(db, row.id, owner=owner, from_owner=row.owner)
    ]


def _was_replying(turn: Turn) -> bool:
    """Whether the crash may have cut a reply: the model had to speak next."""
    return not turn.open_blocks()

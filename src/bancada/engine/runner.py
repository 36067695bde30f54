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
from weakref import WeakValueDictionary

from sqlalchemy import Connection

from bancada.domain.errors import BancadaError, Conflict
from bancada.domain.events import Done, Error, ErrorCode
from bancada.domain.turns import UNFINISHED, TurnStatus
from bancada.domain.wording import Wording
from bancada.engine.calls import close_open_calls
from bancada.engine.following import from_record
from bancada.engine.live import EventFrame, EventReader, Live
from bancada.engine.loop import Drained, end, model_speaks_next, run_turn
from bancada.engine.record import CRASH_GAP, Record
from bancada.engine.reply import start_over
from bancada.engine.scribe import Scribe
from bancada.engine.sentences import failure_in_words
from bancada.engine.state import Phase, TurnState
from bancada.engine.turn import Turn
from bancada.model.model import ModelFailed
from bancada.store import confirmations, events, people, turns
from bancada.store.database import Database
from bancada.store.turns import TurnRow
from bancada.telemetry import span

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
    state: TurnState
    task: asyncio.Task[None] = field(init=False)
    turn: Turn | None = None

    @property
    def ends(self) -> bool:
        """Whether nothing more of the turn will be done here."""
        return self.live.closed or self.state.ends

    @property
    def is_stopped(self) -> bool:
        return self.state.phase is Phase.STOPPING


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
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._taken_up: set[asyncio.Task[None]] = set()
        self._draining = False

    # ------------------------------------------------------------------ taking a turn up

    def start(self, row: TurnRow, live: Live, *, cut: bool = False) -> None:
        """Run a turn in a task of its own, from its record."""
        state = TurnState(Phase.DRAINING if self._draining else Phase.WORKING)
        stretch = self._stretches[row.id] = Stretch(row.id, live, state)
        stretch.task = asyncio.create_task(self._run(stretch, row, cut=cut), name=f"turn {row.id}")

    async def go_on(self, turn_id: str, *, cut: bool = False, ended: bool = False) -> None:
        """Run the turn from its record. `cut`: a crash may have interrupted a reply, or readers
        saw one that is not kept; `ended`: they saw an end that was taken back."""
        async with self._door(turn_id):
            # Once the process stops nobody would wait for a new task: the next start takes it up.
            if self._draining or not await self._is_free(turn_id):
                return
            await self.scribe.flush()
            row, stored, highest = await self.database.read(_stored, turn_id)
            if row.status == "running":
                floor = highest + (CRASH_GAP if cut or ended else 1)
                self.start(row, Live(turn_id, stored, floor), cut=cut)

    def _door(self, turn_id: str) -> asyncio.Lock:
        """Whoever wants to take a turn up, or to close it, passes here one at a time.

        Two deciders, a retry and a start that finds orphans may all want the same turn at once: the
        first makes its task, the others then find it. A stop waits likewise for what is being made.
        """
        return self._doors.setdefault(turn_id, asyncio.Lock())

    async def _is_free(self, turn_id: str) -> bool:
        """Whether nobody here is at work on the turn; a stretch that is about to end may end."""
        while (stretch := self._stretches.get(turn_id)) is not None:
            if not stretch.ends:
                return False
            await asyncio.wait({stretch.task})
        return True

    async def _run(self, stretch: Stretch, row: TurnRow, *, cut: bool) -> None:
        record = Record(row, self.scribe, stretch.live)
        status: TurnStatus | None = None
        with span(
            "turn", turn_id=row.id, conversation_id=row.conversation_id, model=row.model
        ) as measured:
            try:
                status = await self._to_an_end(stretch, record, cut=cut)
                if stretch.is_stopped and stretch.turn is not None:
                    # The stop came as the turn ended by itself: what is in the record first stands.
                    await self._stop_here(stretch.turn, stretch.state.reason)
            except asyncio.CancelledError:
                if stretch.is_stopped:
                    turn = stretch.turn or await self.build(record)
                    await self._stop_here(turn, stretch.state.reason)
                else:
                    log.info("turn %s goes on at the next start", row.id)
            except Exception:
                log.exception("turn %s failed", row.id)
                await self._fail_without_turn(record, row)
            finally:
                stretch.live.close()
                if self._stretches.get(row.id) is stretch:
                    del self._stretches[row.id]
            if stretch.turn is not None:
                agent = stretch.turn.loaded.agent
                measured.set(agent=agent.name, agent_id=str(agent.id))
            measured.set(status=status or ("stopped" if stretch.is_stopped else "broken off"))
            if status == "running" and not self._draining:
                again = asyncio.create_task(self.go_on(row.id))
                self._taken_up.add(again)
                again.add_done_callback(self._taken_up.discard)

    async def _to_an_end(self, stretch: Stretch, record: Record, *, cut: bool) -> TurnStatus | None:
        """Run, and turn whatever ends the turn early into words a person can act on."""
        turn = stretch.turn = await self.build(record)
        turn.hold = lambda ids: self._hold(stretch, turn, ids)
        turn.state = stretch.state
        try:
            await self._begin(turn, cut=cut)
            return await run_turn(turn)
        except Drained:
            log.info("turn %s goes on at the next start", turn.id)
        except ModelFailed as failure:
            log.warning("turn %s: %s", turn.id, failure)
            told = failure_in_words(failure, turn.loaded.person.language)
            return await self._fail(turn, failure.code, failure.retryable, told)
        except BancadaError as failure:
            code: ErrorCode = getattr(failure, "code", "internal")
            told = Wording(getattr(failure, "told", code)).told(turn.loaded.person.language)
            return await self._fail(turn, code, getattr(failure, "retryable", False), told)
        except Exception:
            log.exception("turn %s failed", turn.id)
            return await self._fail(turn, "internal", retryable=True)
        return None

    async def _begin(self, turn: Turn, *, cut: bool) -> None:
        if cut and (turn.last_reply is None or model_speaks_next(turn, turn.last_reply)):
            # The crash may have cut a reply short, and more may have been shown than was stored.
            await start_over(turn)

    # ------------------------------------------------------------------ ends

    async def _fail(
        self,
        turn: Turn,
        code: ErrorCode,
        retryable: bool,
        told: str | None = None,
    ) -> TurnStatus:
        content = told or Wording(code).told(turn.loaded.person.language)
        await turn.reload()
        await close_open_calls(turn, "Not run: the turn failed.")
        await turn.record.emit(Error(content=content, code=code, retryable=retryable))
        return await end(turn, "failed")

    async def _fail_without_turn(self, record: Record, row: TurnRow) -> None:
        """The turn could not even be built: its readers must not wait for ever."""
        asker = await self.database.read(people.person_now, row.user_id)
        content = Wording("internal").told("pt" if asker is None else asker.person.language)
        await record.emit(Error(content=content, code="internal", retryable=True))
        done = Done(turn_id=row.id, status="failed", iterations=row.iterations)
        await record.settle("failed", row.iterations, done)

    async def _stop_here(self, turn: Turn, reason: str) -> None:
        """The person stopped it: keep what was said, answer every open call."""
        said = turn.said
        if await turn.record.status() not in UNFINISHED:
            return
        await turn.reload()
        await close_open_calls(turn, reason)
        if said.strip():
            block = {"type": "text", "text": said}
            metadata = {"stop_reason": "stopped", "partial": True}
            if turn.sees_outside:
                metadata["outside"] = True
            await turn.record.append("assistant", "reply", [block], metadata=metadata)
        await end(turn, "stopped")

    async def close_waiting(self, turn_id: str, reason: str) -> None:
        """End a turn that waits for a person, because the person went on or stopped it.

        Raises:
            Conflict: a decision came first, and the turn runs again.
        """
        async with self._door(turn_id):
            if not await self.database.run(_call_off, turn_id, self.owner, reason):
                raise Conflict("turn_running_stop")
            stretch = self._stretches.get(turn_id)
            if stretch is not None and stretch.state.phase in (Phase.HELD, Phase.LET_GO):
                await self.stop(turn_id, reason)
            elif stretch is not None:
                await asyncio.wait({stretch.task})
            await self._close_from_record(turn_id, reason, gap=1)

    async def stop(self, turn_id: str, reason: str = STOPPED) -> bool:
        """Stop a running turn here; false when it does not run in this process."""
        stretch = self._stretches.get(turn_id)
        if stretch is None:
            return False
        if stretch.state.stop(reason):
            stretch.task.cancel()
        await asyncio.wait({stretch.task})
        return True

    async def stop_elsewhere(self, turn_id: str) -> None:
        """Stop a turn that no task of this process runs: close it from its record."""
        async with self._door(turn_id):
            if not await self.stop(turn_id):
                await self._close_from_record(turn_id, STOPPED, gap=CRASH_GAP)

    async def _close_from_record(self, turn_id: str, reason: str, *, gap: int) -> None:
        row, stored, highest = await self.database.read(_stored, turn_id)
        live = Live(turn_id, stored, highest + gap)
        await self._stop_here(await self.build(Record(row, self.scribe, live)), reason)

    # ------------------------------------------------------------------ waiting inside code

    async def _hold(self, stretch: Stretch, turn: Turn, confirmation_ids: list[str]) -> bool:
        """Let the turn wait while its container is kept; false when a decision was made already."""
        # Before the record says that the turn waits, so that whoever decides right after finds it so.
        stretch.state.move(Phase.HELD)
        decided = await turn.record.wait_for(confirmation_ids, turn.iterations)
        for id in decided:
            stretch.state.decision(id).set()
        if decided:
            stretch.state.move(Phase.WORKING)
        elif stretch.state.phase is not Phase.WORKING:
            turn.record.tell(Done(turn_id=turn.id, status="waiting", iterations=turn.iterations))
            stretch.live.close()
        return not decided

    async def decided(self, turn_id: str, confirmation_id: str, *, resumed: bool) -> None:
        """A confirmation of this turn was decided. `resumed`: that moved the turn to `running`."""
        stretch = self._stretches.get(turn_id)
        if stretch is not None:
            stretch.state.decision(confirmation_id).set()
            held = stretch.state.phase is Phase.HELD
            if resumed and held and stretch.turn is not None:
                stretch.state.move(Phase.WORKING)
                if stretch.live.closed:
                    stretch.live = stretch.turn.record.live = stretch.live.reopened()
                return
        if resumed:
            await self.go_on(turn_id)

    # ------------------------------------------------------------------ readers

    async def follow(self, turn_id: str, after: int = -1) -> AsyncIterator[list[EventFrame]]:
        """The turn's events numbered above `after`: from memory while it runs, else the record."""
        place = await self.place(turn_id, after)
        try:
            while not place.over:
                if frames := place.take():
                    yield frames
                else:
                    await place.more()
        finally:
            place.leave()

    async def place(self, turn_id: str, after: int = -1) -> EventReader:
        """Where a reader stands who has seen everything up to `after`."""
        stretch = self._stretches.get(turn_id)
        if stretch is not None and not stretch.live.closed:
            return EventReader(stretch.live, after)
        return await from_record(self.database, turn_id, after, until=lambda: self._draining)

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
        stretches = list(self._stretches.values())
        tasks = [stretch.task for stretch in stretches]
        if tasks:
            for stretch in stretches:
                if stretch.turn is not None:
                    stretch.turn.gate.draining = True
                # Neither reaches a next step soon: a reply may be long, a person longer.
                waits = stretch.state.phase in (Phase.REPLYING, Phase.HELD)
                if stretch.state.move(Phase.DRAINING) and waits:
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


def _call_off(db: Connection, turn_id: str, owner: str, reason: str) -> bool:
    """Take a waiting turn to close it: nobody's decision counts any more. False: it does not wait.

    Whoever asked has decided by going on, or by stopping.
    """
    turns.lock(db, turn_id)
    if not turns.resume(db, turn_id, owner=owner, from_status="waiting"):
        return False
    for asked in confirmations.of_turn(db, turn_id):
        confirmations.decide(
            db, asked.id, status="rejected", by=asked.user_id, at=time.time(), reason=reason
        )
    return True

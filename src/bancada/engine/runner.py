"""Keeps turns going in this process, and lets any number of readers follow them.

A turn does not live in a request: a task runs it, readers come and go. What a task cannot
finish (a wait, a stop of the process, a crash) is in the record, and `go_on` takes it up. Several
processes may share a Postgres: each turn is one's at a time, everything written for it checks whose,
and what a process leaves is taken up by the others.
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

from bancada.domain.errors import BancadaError, Conflict, DatabaseAway
from bancada.domain.events import Done, Error, ErrorCode
from bancada.domain.turns import UNFINISHED, TurnStatus
from bancada.domain.wording import Wording
from bancada.engine.calls import close_open_calls
from bancada.engine.following import Follower
from bancada.engine.live import EventFrame, EventReader, Live
from bancada.engine.loop import Drained, end, model_speaks_next, run_turn
from bancada.engine.peers import Peers, Queue
from bancada.engine.record import CRASH_GAP, Record
from bancada.engine.reply import start_over
from bancada.engine.scribe import Scribe
from bancada.engine.sentences import failure_in_words
from bancada.engine.state import Phase, TurnState
from bancada.engine.turn import Turn
from bancada.model.model import ModelFailed
from bancada.store import confirmations, events, people, turns
from bancada.store.database import Database
from bancada.store.turns import NotOurs, TurnRow
from bancada.telemetry import span

log = logging.getLogger("bancada.engine")

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
    tenure: tuple[str | None, int]
    """Whose the turn was when this began."""
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
    queue: Queue | None = None
    """Where turns wait for a process; none: whoever is asked runs them."""

    def __post_init__(self) -> None:
        self.scribe = Scribe(self.database)
        self.stretches: dict[str, Stretch] = {}
        self._doors: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.draining = False
        self.follower = Follower(self.database)
        self.peers = Peers(self)

    # ------------------------------------------------------------------ taking a turn up

    def start(self, row: TurnRow, live: Live, *, cut: bool = False) -> None:
        """Run a turn in a task of its own, from its record; one that waits in the queue runs by itself."""
        self.peers.be_seen()
        if row.owner is None:
            return
        state = TurnState(Phase.DRAINING if self.draining else Phase.WORKING)
        stretch = self.stretches[row.id] = Stretch(row.id, live, state, (row.owner, row.epoch))
        stretch.task = asyncio.create_task(self._run(stretch, row, cut=cut), name=f"turn {row.id}")

    async def go_on(self, turn_id: str, *, cut: bool = False, ended: bool = False) -> None:
        """Run the turn from its record. `cut`: a crash may have interrupted a reply, or readers
        saw one that is not kept; `ended`: they saw an end that was taken back."""
        async with self._door(turn_id):
            # Once the process stops nobody would wait for a new task: the next start takes it up.
            if self.draining or not await self._is_free(turn_id):
                return
            if self.queue is not None:
                await self.database.run(self._put_back, turn_id, cut=cut, ended=ended)
                return
            await self.scribe.flush()
            await self._take(turn_id, cut=cut, ended=ended)

    async def _take(self, turn_id: str, *, cut: bool, ended: bool) -> None:
        """Begin a stretch of a turn that is ours."""
        row, stored, highest = await self.database.read(_stored, turn_id)
        if row.status == "running" and row.owner == self.owner:
            floor = highest + (CRASH_GAP if cut or ended else 1)
            self.start(row, Live(turn_id, stored, floor), cut=cut)

    # ------------------------------------------------------------------ the queue

    @property
    def first_owner(self) -> str | None:
        """Whose a turn is that begins here."""
        return None if self.queue is not None else self.owner

    def put(self, db: Connection, row: TurnRow) -> None:
        """Let whoever is next have a turn that begins, once this is committed."""
        if self.queue is not None:
            self.queue.put(db, row)

    def resume(
        self,
        db: Connection,
        turn_id: str,
        *,
        from_status: TurnStatus,
        cut: bool = False,
        ended: bool = False,
    ) -> bool:
        """Move a turn back to running, here or wherever the queue takes it: true for one caller."""
        stretch = self.stretches.get(turn_id)
        held = stretch is not None and stretch.state.phase is Phase.HELD
        owner = self.owner if held else self.first_owner
        if not turns.resume(db, turn_id, owner=owner, from_status=from_status):
            return False
        if owner is None and self.queue is not None:
            self.queue.put(db, _found(db, turn_id), cut=cut, ended=ended)
        return True

    def _put_back(self, db: Connection, turn_id: str, *, cut: bool, ended: bool) -> None:
        """What we had and have no task for is the queue's again."""
        row = _found(db, turn_id)
        if row.owner == self.owner and turns.claim(db, row, owner=None) and self.queue is not None:
            self.queue.put(db, row, cut=cut, ended=ended)

    async def work(self, turn_id: str, *, cut: bool, ended: bool) -> None:
        """One stretch of a turn that came from the queue, to its end."""
        async with self._door(turn_id):
            # Somebody else may have had it since, and what is left of it here does not know.
            await self.cut(turn_id)
            before = await self.database.run(self._claim, turn_id, cut=cut, ended=ended)
            if before is None:
                return
            await self._take(turn_id, cut=cut or before.owner is not None, ended=ended)
            stretch = self.stretches.get(turn_id)
        if stretch is not None:
            await asyncio.wait({stretch.task})

    def _claim(self, db: Connection, turn_id: str, *, cut: bool, ended: bool) -> TurnRow | None:
        """The turn as it was before it was ours; none: there is nothing to do for it here."""
        row = turns.find(db, turn_id)
        if row is None or row.status != "running":
            return None
        if self.draining and self.queue is not None:
            if turns.claim(db, row, owner=None):
                self.queue.put(db, row, cut=cut, ended=ended)
            return None
        return row if turns.claim(db, row, owner=self.owner) else None

    def _door(self, turn_id: str) -> asyncio.Lock:
        """Whoever wants to take a turn up, or to close it, passes here one at a time.

        Two deciders, a retry and a start that finds orphans may all want the same turn at once: the
        first makes its task, the others then find it. A stop waits likewise for what is being made.
        """
        return self._doors.setdefault(turn_id, asyncio.Lock())

    async def _is_free(self, turn_id: str) -> bool:
        """Whether nobody here is at work on the turn; a stretch that is about to end may end."""
        while (stretch := self.stretches.get(turn_id)) is not None:
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
            except NotOurs:
                log.info("turn %s goes on in another process", row.id)
            except DatabaseAway:
                log.warning("turn %s was cut: the database is away", row.id)
                self.peers.broke(row.id)
            except Exception:
                log.exception("turn %s failed", row.id)
                await self._give_up(record, row)
            finally:
                stretch.live.close()
                if self.stretches.get(row.id) is stretch:
                    del self.stretches[row.id]
            if stretch.turn is not None:
                agent = stretch.turn.loaded.agent
                measured.set(agent=agent.name, agent_id=str(agent.id))
            measured.set(status=status or ("stopped" if stretch.is_stopped else "broken off"))
            if status == "running" and not self.draining:
                self.peers.soon(self.go_on(row.id))

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
        except (NotOurs, DatabaseAway):
            # Nothing can be written here: whoever has the turn, or will have, goes on from the record.
            raise
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

    async def _give_up(self, record: Record, row: TurnRow) -> None:
        try:
            await self._fail_without_turn(record, row)
        except NotOurs:
            log.info("turn %s goes on in another process", row.id)
        except DatabaseAway:
            self.peers.broke(row.id)

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
            stretch = self.stretches.get(turn_id)
            if stretch is not None and stretch.state.phase in (Phase.HELD, Phase.LET_GO):
                await self.stop(turn_id, reason)
            elif stretch is not None:
                await asyncio.wait({stretch.task})
            await self._close_from_record(turn_id, reason, gap=1)

    async def stop(self, turn_id: str, reason: str = STOPPED) -> bool:
        """Stop a running turn here; false when it does not run in this process."""
        stretch = self.stretches.get(turn_id)
        if stretch is None:
            return False
        if stretch.state.stop(reason):
            stretch.task.cancel()
        await asyncio.wait({stretch.task})
        return True

    async def stop_elsewhere(self, turn_id: str) -> None:
        """Stop a turn that no task of this process runs: close it from its record."""
        async with self._door(turn_id):
            if await self.stop(turn_id):
                return
            # Ours from now on: whoever runs it is cut off, and hears of it.
            if await self.database.run(_take, turn_id, self.owner):
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
        stretch = self.stretches.get(turn_id)
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
        stretch = self.stretches.get(turn_id)
        if stretch is not None and not stretch.live.closed:
            return EventReader(stretch.live, after)
        return await self.follower.place(turn_id, after)

    @property
    def running(self) -> int:
        return len(self.stretches)

    # ------------------------------------------------------------------ the process

    async def cut(self, turn_id: str) -> None:
        """The turn was ours before, and somebody else's since: what runs of it here is of no use."""
        stretch = self.stretches.get(turn_id)
        if stretch is not None:
            stretch.task.cancel()
            await asyncio.wait({stretch.task})

    async def close(self) -> None:
        """Let running turns reach a recorded point; they go on at the next start."""
        self.draining = True
        self.follower.close()
        stretches = list(self.stretches.values())
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
        try:
            await self.scribe.close()
        except DatabaseAway:
            log.warning("the database is away; turns go on from what it has")
        await self.peers.leave()
        if self.queue is not None:
            await self.queue.close()


def _stored(
    db: Connection, turn_id: str
) -> tuple[TurnRow, list[tuple[int, dict[str, object]]], int]:
    return _found(db, turn_id), events.of_turn(db, turn_id), events.highest(db, turn_id)


def _found(db: Connection, turn_id: str) -> TurnRow:
    row = turns.find(db, turn_id)
    assert row is not None, f"turn {turn_id} is gone"
    return row


def _take(db: Connection, turn_id: str, owner: str) -> bool:
    """Have a running turn, whoever has it now."""
    turns.lock(db, turn_id)
    row = turns.find(db, turn_id)
    return row is not None and turns.claim(db, row, owner=owner)


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

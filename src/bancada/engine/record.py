"""The record of one turn: load what was done, append a message, emit an event.

All that the engine is given of the store. A process may die between any two lines; what
matters is written before anybody hears of it, and a turn goes on from what is written.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.events import Event, Text, Thinking, as_json
from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block, Role
from bancada.domain.people import Person
from bancada.domain.turns import TurnStatus
from bancada.engine.live import EventFrame, Live
from bancada.engine.scribe import Scribe, Write
from bancada.engine.variants import agent_of
from bancada.engine.window import whole_turns, window
from bancada.policy.budgets import window_start
from bancada.store import (
    confirmations,
    conversations,
    events,
    journals,
    messages,
    people,
    replies,
    reservations,
    turns,
)
from bancada.store.confirmations import Confirmation
from bancada.store.conversations import Conversation
from bancada.store.journals import BegunCell
from bancada.store.messages import Kind, StoredMessage
from bancada.store.replies import ReplyRow, Spending
from bancada.store.turns import Tenure, TurnRow

CRASH_GAP = 100_000
"""How far numbers jump when a turn is taken up again: above any that can have been sent."""


SPENDING_SECONDS = 1.0
"""How old a sum may be that decides whether the next reply may be paid for."""

T = TypeVar("T")

NewMessage: TypeAlias = tuple[Role, Kind, list[Block], JSONObject]
"""Role, kind, content and metadata of a message that is about to be written."""


@dataclass(frozen=True, kw_only=True)
class LoadedTurn:
    """A turn as the record has it: enough to know what comes next."""

    turn: TurnRow
    conversation: Conversation
    agent: Agent
    person: Person
    history: list[StoredMessage]
    """What came before this turn, as far as the agent looks back."""
    seen_from: str | None = None
    """Where that begins, if something came before: the turn of a question, or an upload's message."""
    own: list[StoredMessage]
    """The messages of this turn."""
    confirmations: list[Confirmation]
    emitted: list[JSONObject]
    """The turn's stored events."""

    @property
    def messages(self) -> list[StoredMessage]:
        return [*self.history, *self.own]


def load(db: Connection, turn_id: str) -> LoadedTurn:
    turn = turns.find(db, turn_id)
    assert turn is not None, f"turn {turn_id} is gone"
    conversation = conversations.find(db, turn.conversation_id)
    assert conversation is not None
    agent = agent_of(db, conversation)
    history, is_cut = _history(db, turn, agent.max_history)
    return LoadedTurn(
        turn=turn,
        conversation=conversation,
        agent=agent,
        person=people.person(db, turn.user_id),
        history=history,
        seen_from=_begins(history, turn) if is_cut else None,
        own=messages.of_turn(db, turn_id),
        confirmations=confirmations.of_turn(db, turn_id),
        emitted=[event for _, event in events.of_turn(db, turn_id)],
    )


def reload(db: Connection, loaded: LoadedTurn) -> LoadedTurn:
    """What this turn did since; what came before it does not change."""
    turn_id = loaded.turn.id
    return replace(
        loaded,
        own=messages.of_turn(db, turn_id),
        confirmations=confirmations.of_turn(db, turn_id),
    )


def _begins(history: list[StoredMessage], turn: TurnRow) -> str:
    if not history:
        return turn.id
    return history[0].turn_id or history[0].id


def _history(db: Connection, turn: TurnRow, max_history: int) -> tuple[list[StoredMessage], bool]:
    """What the window reaches of all before this turn, and whether that is less than all: a long
    conversation is not read whole."""
    outline = messages.outline(db, turn.conversation_id)
    asked = next((each.position for each in outline if each.turn_id == turn.id), None)
    before = [each for each in outline if asked is None or each.position <= asked]
    places = {each.position for each in window(before, max_history) if each.turn_id != turn.id}
    is_cut = len(places) < sum(each.turn_id != turn.id for each in before)
    if not places:
        return [], is_cut
    found = messages.since(db, turn.conversation_id, min(places))
    return whole_turns([message for message in found if message.position in places]), is_cut


class Record:
    """One turn's record. Text goes out at once, everything else once it is stored."""

    def __init__(self, turn: TurnRow, scribe: Scribe, live: Live) -> None:
        self.turn = turn
        self.live = live
        self.tenure = Tenure(turn.id, turn.owner, turn.epoch)
        self._scribe = scribe
        self._torn: BaseException | None = None
        """Why text that was sent could not be stored: the record has a hole where it stood."""
        self._pieces: list[tuple[int, str, str]] = []
        self._spent: tuple[Spending | None, float] = (None, 0.0)

    async def load(self, beside: Callable[[Connection, LoadedTurn], T]) -> tuple[LoadedTurn, T]:
        """The turn as it is stored, and what else is to be read in the same look."""

        def read(db: Connection) -> tuple[LoadedTurn, T]:
            loaded = load(db, self.turn.id)
            self.look_at_spending(db)
            return loaded, beside(db, loaded)

        return await self._scribe.database.read(read)

    async def reload(self, loaded: LoadedTurn) -> LoadedTurn:
        return await self._scribe.database.read(reload, loaded)

    def _write(self, write: Callable[[Connection], T], *, now: bool = True) -> asyncio.Future[T]:
        """Everything that this process writes for the turn, for as long as the turn is its own."""
        if self._torn is not None:
            refused: asyncio.Future[T] = asyncio.get_running_loop().create_future()
            refused.set_exception(self._torn)
            return refused
        return self._scribe.write(self._ours(write), now=now)

    def _ours(self, write: Callable[[Connection], T]) -> Callable[[Connection], T]:
        def checked(db: Connection) -> T:
            turns.check(db, self.tenure)
            return write(db)

        return checked

    def append(
        self,
        role: Role,
        kind: Kind,
        content: list[Block],
        *,
        metadata: JSONObject | None = None,
        usage: ReplyRow | None = None,
        reserved: str | None = None,
    ) -> asyncio.Future[StoredMessage]:
        """Add a message; with what it cost, when it is a reply, in place of what was set aside."""

        def write(db: Connection) -> StoredMessage:
            if usage is not None:
                self._count(db, usage, reserved)
            return self._append(db, role, kind, content, metadata)

        return self._write(write)

    def count(self, usage: ReplyRow, reserved: str | None) -> asyncio.Future[None]:
        """Write what a reply cost of which nothing else is kept."""
        return self._write(lambda db: self._count(db, usage, reserved))

    def _count(self, db: Connection, usage: ReplyRow, reserved: str | None) -> None:
        replies.add(db, usage)
        if reserved is not None:
            reservations.settle(db, reserved)
        self.look_at_spending(db)

    def _append(
        self,
        db: Connection,
        role: Role,
        kind: Kind,
        content: list[Block],
        metadata: JSONObject | None,
    ) -> StoredMessage:
        return messages.append(
            db,
            self.turn.conversation_id,
            role=role,
            kind=kind,
            content=content,
            turn_id=self.turn.id,
            metadata=metadata,
        )

    def say(self, event: Text | Thinking) -> None:
        """Send a piece now; it is stored behind."""
        n = self.live.number()
        if not self._pieces:
            self._scribe.write_behind(self._taken_pieces, self._tear)
        self._pieces.append((n, event.type, event.content))
        data = dumps({"type": event.type, "content": event.content})
        self.live.post(EventFrame(n, event.type, data))

    async def emit(self, event: Event) -> None:
        """Store the event, then send it."""
        # Whoever waits may be cancelled; the event is stored and sent all the same.
        await asyncio.shield(self._emit(event, now=True))

    def emit_soon(self, event: Event) -> None:
        """Store and send the event in its turn; nobody waits for it."""
        self._emit(event, now=False)

    def _emit(self, event: Event, *, now: bool) -> asyncio.Future[None]:
        if isinstance(event, Text | Thinking):
            self.say(event)
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            done.set_result(None)
            return done
        shape = as_json(event)
        n, turn_id = self.live.number(), self.turn.id
        frame = EventFrame.of(n, event, ready=False)
        self.live.post(frame)
        stored = self._write(lambda db: events.add(db, turn_id, n, shape), now=now)
        stored.add_done_callback(lambda done: self._sent(frame, done))
        return stored

    def _sent(self, frame: EventFrame, done: asyncio.Future[None]) -> None:
        if done.cancelled() or done.exception() is not None:
            self.live.drop(frame)
        frame.ready = True
        self.live.deliver()

    def tell(self, event: Event) -> None:
        """Send an event to those who follow now; it is not part of the record."""
        self.live.post(EventFrame.of(None, event))

    async def status(self) -> TurnStatus:
        """Where the turn stands, everything asked for until now included."""
        await self._scribe.flush()
        row = await self._scribe.database.look(turns.find, self.turn.id)
        assert row is not None, f"turn {self.turn.id} is gone"
        return row.status

    async def settle(self, status: TurnStatus, iterations: int, last: Event | None = None) -> None:
        """Write where the turn stands, together with its last event if it ends here."""
        turn_id = self.turn.id
        settled = self._write(lambda db: turns.settle(db, turn_id, status, iterations))
        # Both asked for before either is waited for: one transaction has them.
        told = [] if last is None else [self._emit(last, now=True)]
        await asyncio.gather(*(asyncio.shield(stored) for stored in (settled, *told)))

    async def wait_for(self, confirmation_ids: list[str], iterations: int) -> list[str]:
        """Let the turn wait for these decisions; returns those made already, then it does not."""
        turn_id = self.turn.id
        return await self._write(lambda db: _wait_for(db, turn_id, confirmation_ids, iterations))

    async def append_all(self, new: list[NewMessage]) -> list[StoredMessage]:
        """Add several messages, all or none."""

        def write(db: Connection) -> list[StoredMessage]:
            return [self._append(db, *message) for message in new]

        return await self._write(write)

    async def name_of(self, person_id: int | None) -> str:
        """How a person is called in events; nobody, when nobody did it."""
        if person_id is None:
            return ""
        return (await self._scribe.database.read(people.person, person_id)).name

    async def reject(self, confirmation_ids: list[str], reason: str) -> None:
        """Decide against what still waits: nobody will be asked any more."""
        if confirmation_ids:
            await self._write(lambda db: _reject(db, confirmation_ids, reason))

    async def spending(self) -> Spending:
        """What was spent this month, at most a moment ago."""
        spent, at = self._spent
        if spent is None or time.monotonic() - at > SPENDING_SECONDS:
            spent = await self._scribe.database.read(self.look_at_spending)
        return spent

    def look_at_spending(self, db: Connection) -> Spending:
        """What was spent this month, as this transaction sees it."""
        since = window_start("month", time.time())
        spent = replies.spending(db, self.turn.user_id, self.turn.organisation_id, since)
        self._spent = (spent, time.monotonic())
        return spent

    # ------------------------------------------------------------------ code

    async def journal(
        self, code_id: str, *, owner_id: str | None = None
    ) -> list[tuple[str, JSONObject]]:
        """The journal of a cell; of an earlier turn's when `owner_id` says so."""
        whose = owner_id or self.turn.id
        return await self._scribe.database.read(journals.of_code, whose, code_id)

    async def cells(self) -> list[BegunCell]:
        """Every cell this conversation has run, in order."""
        return await self._scribe.database.read(journals.cells, self.turn.conversation_id)

    def note(
        self, code_id: str, kind: str, body: JSONObject, *, now: bool = True
    ) -> asyncio.Future[int]:
        """Add an entry to the code's journal, in order; `now`, or with what is written next."""
        turn_id = self.turn.id
        return self._write(lambda db: journals.append(db, turn_id, code_id, kind, body), now=now)

    # ------------------------------------------------------------------ text

    def _taken_pieces(self) -> Write:
        """The pieces said until now, as one write; later ones start a new one."""
        pieces, self._pieces = self._pieces, []
        turn_id = self.turn.id
        return self._ours(lambda db: _write_pieces(db, turn_id, pieces))

    def _tear(self, error: BaseException) -> None:
        self._torn = error


def _wait_for(
    db: Connection, turn_id: str, confirmation_ids: list[str], iterations: int
) -> list[str]:
    # A person may decide between the asking and this: the lock lets either of us go first. If they
    # did, the turn does not wait; if we did, they find it waiting and set it going.
    turns.lock(db, turn_id)
    found = [confirmations.find(db, id) for id in confirmation_ids]
    decided = [each.id for each in found if each is not None and each.status != "pending"]
    turns.settle(db, turn_id, "running" if decided else "waiting", iterations)
    return decided


def _reject(db: Connection, confirmation_ids: list[str], reason: str) -> None:
    for id in confirmation_ids:
        confirmations.decide(db, id, status="rejected", by=None, at=time.time(), reason=reason)


def _write_pieces(db: Connection, turn_id: str, pieces: list[tuple[int, str, str]]) -> None:
    run: list[tuple[int, str, str]] = []
    for piece in pieces:
        if run and (piece[1] != run[-1][1] or piece[0] != run[-1][0] + 1):
            _write_run(db, turn_id, run)
            run = []
        run.append(piece)
    if run:
        _write_run(db, turn_id, run)


def _write_run(db: Connection, turn_id: str, run: list[tuple[int, str, str]]) -> None:
    n, type, _ = run[0]
    events.add_run(db, turn_id, n, type, [text for _, _, text in run])

"""What a person can do with a call that waits: see it, decide it, or let its time run out."""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import asdict, dataclass, field
from typing import Literal

from sqlalchemy import Connection

from bancada.domain.calls import Caller, Outcome, ToolCall
from bancada.domain.errors import Forbidden, NotFound
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Person
from bancada.engine.runner import Runner
from bancada.gate import approvers, deciding, ledger
from bancada.gate.deciding import PersonsDecision
from bancada.gate.gate import Gate, must_be_confirmed
from bancada.gate.scope import CallScope
from bancada.store import agents, confirmations, processes, turns
from bancada.store.confirmations import Confirmation
from bancada.store.database import Database
from bancada.store.turns import STALE_SECONDS

log = logging.getLogger("bancada.engine")

REMIND_SECONDS = 24 * 3600.0
UNHEARD_SECONDS = 600.0


@dataclass
class Confirmations:
    """Decisions about waiting calls; a turn that waited for one goes on."""

    database: Database
    runner: Runner
    gate: Gate
    _following: set[asyncio.Task[Confirmation]] = field(default_factory=set)
    """What follows from decisions that nobody waits for: the loop itself holds tasks weakly."""

    async def queue(self, person: Person) -> list[Confirmation]:
        """What this person may decide now."""
        return await self.database.read(approvers.queue, person, time.time())

    async def history(
        self, person: Person, *, before: float | None, limit: int
    ) -> list[Confirmation]:
        """What this person asked for or decided, the newest decision first."""
        return await self.database.read(
            confirmations.decided_about, person.id, before=before, limit=limit
        )

    async def find(self, person: Person, id: str) -> Confirmation:
        """One confirmation, if it is theirs to see: the asker's, or an approver's."""
        return await self.database.read(_seen, person, id)

    async def decide(
        self,
        person: Person,
        id: str,
        decision: Literal["approve", "reject"],
        *,
        input: JSON = None,
        reason: str | None = None,
        remember: Literal["conversation"] | None = None,
        again: bool = False,
        wait: bool = True,
    ) -> Confirmation:
        """Approve or reject a waiting call; exactly one decision counts, and it goes on by itself.

        `again`: the same may have been said before by a process that is gone; then what follows
        from it follows now, and nothing is decided twice. `wait`: for a call outside a turn to end;
        without, it is as decided, on record.
        """
        said = PersonsDecision(
            approve=decision == "approve", input=input, reason=reason, remember=remember
        )
        if again:
            found = await self.find(person, id)
            if deciding.has_said(found, person, said):
                return await asyncio.shield(self._follow_up(found, resumed=False))
        return await asyncio.shield(self._decide(person, id, said, wait=wait))

    async def _decide(
        self, person: Person, id: str, decision: PersonsDecision, *, wait: bool
    ) -> Confirmation:
        """What was decided has to follow, even if whoever decided goes away."""
        self.runner.peers.be_seen()
        try:
            written = await self.database.run(self._write_decision, person, id, decision)
        except Forbidden:
            await self.database.run(self._hand_on, id)
            raise
        following = asyncio.create_task(self._follow_all(written))
        if wait:
            return await following
        self._following.add(following)
        following.add_done_callback(self._followed)
        return written[0][0]

    def _followed(self, following: asyncio.Task[Confirmation]) -> None:
        self._following.discard(following)
        if not following.cancelled() and (error := following.exception()) is not None:
            log.error("what was decided could not be followed up", exc_info=error)

    async def _follow_all(self, written: list[tuple[Confirmation, bool]]) -> Confirmation:
        """The call that was decided, and those beside it that the word covers; returns the first."""
        followed = [await self._follow_up(decided, resumed=resumed) for decided, resumed in written]
        return followed[0]

    async def _follow_up(self, decided: Confirmation, *, resumed: bool) -> Confirmation:
        if decided.turn_id is not None:
            await self.runner.decided(decided.turn_id, decided.id, resumed=resumed)
        elif decided.status == "approved" and decided.result is None:
            await self._run_outside_a_turn(decided)
            decided = await self.database.read(_stored, decided.id)
        return decided

    async def take_up(self) -> None:
        """What was approved outside a turn and never came to an end: the process died before."""
        for decided in await self.database.read(self._left):
            if await self.database.run(
                confirmations.take, decided.id, by=self.runner.owner, from_whom=decided.taken_by
            ):
                await self._run_outside_a_turn(decided)

    def _left(self, db: Connection) -> list[Confirmation]:
        found = confirmations.unfinished(db)
        if db.dialect.name == "sqlite":
            return [one for one in found if one.taken_by != self.runner.owner]
        alive = processes.everybody(db)
        # A process from before says nowhere what it is at; no call takes as long as this.
        now = time.time()
        return [
            one
            for one in found
            if one.taken_by not in alive
            and (one.decided_at or 0.0)
            < now - (UNHEARD_SECONDS if one.taken_by is None else STALE_SECONDS)
        ]

    def _write_decision(
        self, db: Connection, person: Person, id: str, decision: PersonsDecision
    ) -> list[tuple[Confirmation, bool]]:
        """What is decided now, and whether the turn it belongs to is running again: the call that
        was asked about, and those beside it that the word covers as well."""
        context = self.gate.context()
        found = deciding.decide(db, context, person, id, decision)
        if found.turn_id is None:
            confirmations.take(db, id, by=self.runner.owner, from_whom=None)
            return [(_stored(db, id), False)]
        decided = [_stored(db, id)]
        if decision.approve and decision.remember is not None:
            decided += deciding.cover(db, context, decided[0])
        return [(one, self._set_going(db, found.turn_id)) for one in decided]

    def _hand_on(self, db: Connection, id: str) -> None:
        deciding.hand_on(db, self.gate.context(), id)

    def _set_going(self, db: Connection, turn_id: str) -> bool:
        """Whether the turn ran again: one that is not waiting yet finds out by itself."""
        # A turn that is about to wait holds this lock while it looks at what is decided. The
        # confirmation is always written before it is taken, or two who decide could hold each
        # what the other needs.
        turns.lock(db, turn_id)
        return self.runner.resume(db, turn_id, from_status="waiting")

    async def _run_outside_a_turn(self, decided: Confirmation) -> None:
        """An approved call without a turn runs now, within the agent it was asked for in; its
        result is kept with the confirmation."""
        call = ToolCall(
            id=decided.call_id,
            name=decided.tool,
            input=decided.input,
            caller=Caller.of(decided.caller),
        )
        within = decided.agent_id
        scope = CallScope(
            person_id=decided.user_id,
            organisation_id=decided.organisation_id,
            conversation_id=decided.conversation_id,
            agent=None if within is None else await self.database.read(agents.any_agent, within),
            confirmation_id=decided.id,
            kept_as=f"confirmation:{decided.id}",
        )
        outcome = await self.gate.call(call, scope)
        if not isinstance(outcome, Outcome):
            outcome = must_be_confirmed(call, outcome)
        result: JSONObject = {
            "result": outcome.shown,
            "is_error": outcome.is_error,
            "duration_ms": outcome.duration_ms,
            "audit_id": outcome.audit_id,
        }
        if outcome.attachments:
            result["attachments"] = [asdict(one) for one in outcome.attachments]
        await self.database.run(confirmations.keep_result, decided.id, result)

    async def remind(self) -> int:
        """Whoever has not decided for a day is reminded, and each day after; how many calls wait."""
        return await self.database.run(confirmations.remind, now=time.time(), every=REMIND_SECONDS)

    async def expire_overdue(self) -> int:
        """Confirmations nobody answered in time: their calls end, their turns go on."""
        overdue = await self.database.read(confirmations.overdue, time.time())
        for found in overdue:
            resumed = await self.database.run(self._expire, found)
            if found.turn_id is not None:
                await self.runner.decided(found.turn_id, found.id, resumed=resumed)
        return len(overdue)

    def _expire(self, db: Connection, found: Confirmation) -> bool:
        if not confirmations.decide(db, found.id, status="expired", by=None, at=time.time()):
            return False
        if found.turn_id is None:
            ledger.expire(db, found, at=time.time())
            return False
        return self._set_going(db, found.turn_id)


def _stored(db: Connection, id: str) -> Confirmation:
    found = confirmations.find(db, id)
    if found is None:
        raise NotFound("no_confirmation")
    return found


def _seen(db: Connection, person: Person, id: str) -> Confirmation:
    found = _stored(db, id)
    if found.user_id != person.id and approvers.authority(db, person, found, time.time()) is None:
        raise NotFound("no_confirmation")
    return found

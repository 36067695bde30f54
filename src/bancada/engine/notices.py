"""Notices where people are: what they chose, and the outbox carried to them.

A notice says little: what kind it is, the tool's name, the agent's, and a link. What it is about is
read in the app, by whoever is signed in there; nothing is decided by a link alone.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.custom.courier import Courier, DeliveryOutcome, Letter
from bancada.domain.errors import Conflict, NotFound
from bancada.domain.notices import Channel, NoticeKind
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.gate.administration import note
from bancada.gate.approvers import authority
from bancada.store import agents, confirmations, conversations, login, notices, people, turns
from bancada.store.database import Database
from bancada.store.login import Limit
from bancada.store.notices import DueNotice, NoticeAddress
from bancada.store.vault import Vault, notice_secret

MOST_ADDRESSES = 10
TESTS, TEST_SECONDS = 10, 3600.0
"""How often somebody may try their addresses: we do not help to fill a stranger's room."""


@dataclass(frozen=True)
class NoticeDesk:
    """Keeps people's addresses, and delivers what is due."""

    database: Database
    vault: Vault
    courier: Courier
    address: str
    """Where people reach the app."""
    owner: str
    """Who claims what is sent."""

    async def of(self, person: Person) -> list[NoticeAddress]:
        return await self.database.read(notices.addresses_of, person.id)

    async def add(
        self, person: Person, channel: Channel, address: str, kinds: Sequence[NoticeKind]
    ) -> NoticeAddress:
        """Raises `Invalid` where nothing could be sent there."""
        await self.database.run(self._count_test, person)
        shown = await self.courier.check(channel, address)
        id = f"na_{secrets.token_hex(10)}"
        new = NoticeAddress(
            id=id,
            user_id=person.id,
            channel=channel,
            sealed=self.vault.seal(address, person.organisation_id, notice_secret(id)),
            shown=shown,
            kinds=list(kinds),
            created_at=time.time(),
        )
        await self.database.run(_add, person, new)
        return new

    async def change(self, person: Person, id: str, kinds: Sequence[NoticeKind]) -> NoticeAddress:
        return await self.database.run(_choose, person, id, kinds)

    async def remove(self, person: Person, id: str) -> None:
        await self.database.run(_remove, person, id)

    async def test(self, person: Person, id: str) -> NoticeAddress:
        """Send something there now; the address says how it went, and lives again where it did."""
        found = await self.database.read(_theirs, person, id)
        await self.database.run(self._count_test, person)
        words = Wording("notice_test"), Wording("notice_test_words")
        letter = self._letter(found, person, *words, "settings")
        (carried,) = await self.courier.carry([letter])
        await self.database.run(_tried, id, carried)
        return await self.database.read(_theirs, person, id)

    def _count_test(self, db: Connection, person: Person) -> None:
        if login.reserve(db, Limit(f"notices:{person.id}", TESTS, TEST_SECONDS)) > 0:
            raise Conflict("notice_tests_spent", n=TESTS)

    # ------------------------------------------------------------------ the outbox

    async def deliver(self, *, delay: float) -> int:
        """Carry what is due; how many were carried or ended."""
        now = time.time()
        due = await self.database.run(notices.claim, self.owner, now=now, delay=delay)
        letters = [(one, await self.database.read(self._prepared, one)) for one in due]
        for one in (one for one, letter in letters if letter is None):
            await self.database.run(notices.end, one.id, self.owner, "dropped")
        sending = [(one, letter) for one, letter in letters if letter is not None]
        carried = await self.courier.carry([letter for _, letter in sending])
        for (one, _), result in zip(sending, carried, strict=True):
            await self.database.run(_ended, one, self.owner, result)
        return len(due)

    def _prepared(self, db: Connection, due: DueNotice) -> Letter | None:
        """What is said, as things are now; none: there is nothing to say any more."""
        person_now = people.person_now(db, due.user_id)
        found = notices.address(db, due.user_id, due.address_id)
        if person_now is None or found is None or not person_now.person.is_active:
            return None
        said = _said(db, due, person_now.person)
        return None if said is None else self._letter(found, person_now.person, *said)

    def _letter(
        self, found: NoticeAddress, person: Person, title: Wording, words: Wording, path: str
    ) -> Letter:
        told = f"{words.told(person.language)}\n\n{self.address}/#/{path}"
        address = self.vault.open(found.sealed, person.organisation_id, notice_secret(found.id))
        return Letter(found.channel, address, title.told(person.language), told)


def _said(db: Connection, due: DueNotice, person: Person) -> tuple[Wording, Wording, str] | None:
    match due.kind:
        case "approval" | "decision":
            return _of_confirmation(db, due, person)
        case "turn":
            return _of_turn(db, due, person)
        case "alarm":
            says = due.says or {}
            told = says.get("title", "")
            title = Wording.of(told) if isinstance(told, dict) else Wording("as_said", text=told)
            return title, Wording("notice_alarm"), str(says.get("path", ""))


def _of_confirmation(
    db: Connection, due: DueNotice, person: Person
) -> tuple[Wording, Wording, str] | None:
    found = confirmations.find(db, due.subject)
    if found is None:
        return None
    now, path = time.time(), f"confirmations/{found.id}"
    agent = _agent(db, found.agent_id)
    if due.kind == "approval":
        # Whoever asked and has a page open sees it there; others may not be looking.
        asks_themselves = found.user_id == person.id and notices.is_here(db, person.id, now)
        if found.status != "pending" or asks_themselves:
            return None
        if authority(db, person, found, now) is None:
            return None
        return Wording("notice_approval", tool=found.tool), _words("waits", agent), path
    if notices.is_here(db, person.id, now):
        return None
    title = Wording(f"notice_{found.status}", tool=found.tool)
    return title, _words("decided", agent), path


def _of_turn(db: Connection, due: DueNotice, person: Person) -> tuple[Wording, Wording, str] | None:
    turn = turns.find(db, due.subject)
    if turn is None or turn.status not in ("done", "failed"):
        return None
    conversation = conversations.find(db, turn.conversation_id)
    if conversation is None or not conversation.is_listed:
        return None
    if notices.is_here(db, person.id, time.time()):
        return None
    agent = _agent(db, turn.agent_id)
    return Wording(f"notice_turn_{turn.status}"), _words("turn", agent), f"c/{turn.conversation_id}"


def _agent(db: Connection, agent_id: int | None) -> str | None:
    return None if agent_id is None else agents.name_of(db, agent_id)


def _words(what: str, agent: str | None) -> Wording:
    if agent is None:
        return Wording(f"notice_{what}_words")
    return Wording("notice_with_agent", words=Wording(f"notice_{what}_words"), agent=agent)


# ---------------------------------------------------------------------------- in one transaction


def _theirs(db: Connection, person: Person, id: str) -> NoticeAddress:
    found = notices.address(db, person.id, id)
    if found is None:
        raise NotFound("no_notice_address")
    return found


def _add(db: Connection, person: Person, new: NoticeAddress) -> None:
    people.hold(db, person.id)
    if len(notices.addresses_of(db, person.id)) >= MOST_ADDRESSES:
        raise Conflict("notice_addresses_most", n=MOST_ADDRESSES)
    notices.add_address(db, new)
    note(
        db,
        person,
        "notice_address_added",
        person.email,
        id=person.id,
        after={"channel": new.channel, "shown": new.shown, "kinds": new.kinds},
    )


def _choose(db: Connection, person: Person, id: str, kinds: Sequence[NoticeKind]) -> NoticeAddress:
    found = _theirs(db, person, id)
    notices.choose(db, id, kinds)
    note(
        db,
        person,
        "notice_address_changed",
        person.email,
        id=person.id,
        before={"shown": found.shown, "kinds": found.kinds},
        after={"shown": found.shown, "kinds": list(kinds)},
    )
    return _theirs(db, person, id)


def _remove(db: Connection, person: Person, id: str) -> None:
    found = _theirs(db, person, id)
    notices.remove_address(db, id)
    before = {"channel": found.channel, "shown": found.shown}
    note(db, person, "notice_address_removed", person.email, id=person.id, before=before)


def _tried(db: Connection, id: str, carried: DeliveryOutcome) -> None:
    if carried.ok:
        notices.reached(db, id)
    else:
        notices.missed(db, id, carried.problem, dead=carried.final)


def _ended(db: Connection, due: DueNotice, owner: str, carried: DeliveryOutcome) -> None:
    """What became of an attempt: said to its owner at the address, and to the next attempt."""
    last = carried.final or due.attempts >= notices.MOST_ATTEMPTS
    if carried.ok:
        notices.reached(db, due.address_id)
        notices.end(db, due.id, owner, "sent")
        return
    notices.missed(db, due.address_id, carried.problem, dead=last)
    if last:
        notices.end(db, due.id, owner, "failed")
    else:
        notices.later(db, due.id, owner, due.attempts)

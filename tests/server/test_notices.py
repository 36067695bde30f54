"""Notices where people are: written with what they tell of, sent once, and to nowhere they must not go."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from bancada.custom.courier import Courier, DeliveryOutcome, Letter
from bancada.domain.errors import Invalid
from bancada.domain.notices import Channel
from bancada.settings import NoticeSettings
from bancada.store import notices as stored
from bancada.store.database import Database
from bancada.store.people import local_person
from bancada.store.tables import notice_addresses, notices
from tests.custom.servers import ok, redirect, serving
from tests.server.site import Reader, Site, served
from tests.server.test_news import asks_an_admin, hearing

TOKEN = "3ccdd113474722377935511fc85d3dd4"


@dataclass(frozen=True)
class Pocket(Courier):
    """Keeps what it is to carry; `answer` is what it says became of it."""

    letters: list[Letter] = field(default_factory=list)
    answer: list[DeliveryOutcome] = field(default_factory=lambda: [DeliveryOutcome(True)])

    async def check(self, channel: Channel, address: str) -> str:
        return "shown"

    async def carry(self, letters: Sequence[Letter]) -> list[DeliveryOutcome]:
        self.letters.extend(letters)
        return [self.answer[-1] for _ in letters]

    @property
    def told(self) -> list[str]:
        return [f"{letter.title}\n{letter.body}" for letter in self.letters]


@dataclass
class Told:
    """The demo, with people who are told, and what they are."""

    site: Site
    pocket: Pocket
    admin: Reader
    rui: Reader

    async def delivered(self) -> int:
        return await self.site.bench.notices.deliver(delay=0)


@pytest.fixture
async def told(site: Site) -> Told:
    pocket = Pocket(NoticeSettings())
    site.bench.notices = replace(site.bench.notices, courier=pocket, address="https://b.example")
    return Told(site, pocket, await site.signs_in("admin"), await site.signs_in("rui"))


async def tells(reader: Reader, **more: Any) -> dict[str, Any]:
    """Let somebody be told in a chat room."""
    body = {"channel": "chat", "address": f"mmosts://chat.example/{TOKEN}", **more}
    added = await reader.post("/me/notices", body)
    assert added.status_code == 201, added.text
    return dict(added.json())


async def rows(site: Site) -> list[Any]:
    return await site.bench.database.read(lambda db: list(db.execute(select(notices))))


async def test_who_may_decide_is_told_and_the_link_opens_the_card(told: Told) -> None:
    site, pocket, admin, rui = told.site, told.pocket, told.admin, told.rui
    await tells(admin)
    id = await asks_an_admin(site, rui)
    # It may be decided before anybody need be told.
    assert await site.bench.notices.deliver(delay=60) == 0
    assert await told.delivered() == 1
    (words,) = pocket.told
    assert "createTask" in words
    assert f"https://b.example/#/confirmations/{id}" in words
    # What it would do is read in the app, not in a chat room.
    assert "Rever" not in words
    assert await told.delivered() == 0
    # The link shows nothing to whoever is not signed in, and decides nothing.
    assert (await site.client().get(f"/confirmations/{id}")).status_code == 401
    assert (await admin.get(f"/confirmations/{id}")).json()["status"] == "pending"


async def test_what_was_decided_before_anybody_was_told_is_not_told(told: Told) -> None:
    site, pocket, admin, rui = told.site, told.pocket, told.admin, told.rui
    await tells(admin)
    id = await asks_an_admin(site, rui)
    await admin.post(f"/confirmations/{id}", {"decision": "reject"})
    await told.delivered()
    assert pocket.told == []
    assert [row.outcome for row in await rows(site)] == ["dropped"]


async def test_a_rule_names_who_is_told(told: Told) -> None:
    site, admin, rui = told.site, told.admin, told.rui
    new = {"email": "bea@demo.com", "name": "Bea", "role": "admin", "password": "bea-secret"}
    await admin.post("/admin/users", new)
    bea = await site.signs_in("bea@demo.com", "bea-secret")
    await tells(admin)
    await tells(bea)
    rule = {"approver_role": "admin", "tell": ["bea@demo.com"]}
    changed = await admin.patch("/admin/tools/createTask", {"confirmation": rule})
    assert changed.status_code == 200, changed.text
    await rui.post("/tools/createTask/run", {"input": {"title": "Rever"}})
    (row,) = await rows(site)
    assert row.user_id == (await bea.get("/me")).json()["id"]

    strange = {"approver_role": "admin", "tell": ["ninguem@demo.com"]}
    refused = await admin.patch("/admin/tools/createTask", {"confirmation": strange})
    assert refused.status_code == 422
    assert "ninguem@demo.com" in refused.json()["detail"]


async def test_who_asked_is_told_of_the_decision_in_their_language(told: Told) -> None:
    site, pocket, admin, rui = told.site, told.pocket, told.admin, told.rui
    await rui.patch("/me", {"language": "pt"})
    await tells(rui)
    id = await asks_an_admin(site, rui)
    await admin.post(f"/confirmations/{id}", {"decision": "reject"})
    await told.delivered()
    (words,) = pocket.told
    assert "createTask foi recusada" in words


async def test_a_turn_that_ended_is_told_to_who_is_away_and_to_nobody_else(told: Told) -> None:
    site, pocket, rui = told.site, told.pocket, told.rui
    await tells(rui)
    await rui.begins()
    async with hearing(rui) as frames:
        await frames.next()
        await rui.asks("quantos defeitos há?")
        here = site.app.state.readers.people
        await site.bench.database.run(stored.are_here, here, time.time() + 60)
        await told.delivered()
    assert pocket.told == []
    await rui.asks("e por turno?")
    # The page is shut for a while.
    await site.bench.database.run(stored.are_here, [2], time.time() - 1)
    await told.delivered()
    (words,) = pocket.told
    assert f"/#/c/{rui.conversation}" in words
    assert "turno" not in words


async def test_only_what_was_chosen_is_told(told: Told) -> None:
    site, rui = told.site, told.rui
    made = await tells(rui, kinds=["approval"])
    await rui.begins()
    await rui.asks("quantos defeitos há?")
    assert await rows(site) == []
    await rui.patch(f"/me/notices/{made['id']}", {"kinds": ["turn"]})
    await rui.asks("e por turno?")
    assert len(await rows(site)) == 1


async def test_a_dead_channel_is_tried_so_often_and_shown_to_its_owner(told: Told) -> None:
    site, pocket, admin, rui = told.site, told.pocket, told.admin, told.rui
    pocket.answer.append(DeliveryOutcome(False, problem="error=500"))
    await tells(admin)
    await asks_an_admin(site, rui)
    for _ in range(stored.MOST_ATTEMPTS + 2):
        await told.delivered()
        await site.bench.database.run(
            lambda db: db.execute(update(notices).values(due_at=time.time()))
        )
    assert len(pocket.letters) == stored.MOST_ATTEMPTS
    (address,) = (await admin.get("/me/notices")).json()["addresses"]
    assert address["dead"] is True
    assert "500" in address["problem"]
    # Nothing more is written for it, until its owner has tried it.
    await rui.post("/tools/createTask/run", {"input": {"title": "Outra"}})
    assert len(await rows(site)) == 1


async def test_trying_an_address_brings_it_back_to_life(told: Told) -> None:
    site, pocket, rui = told.site, told.pocket, told.rui
    made = await tells(rui)
    await site.bench.database.run(stored.missed, made["id"], "gone", dead=True)
    tried = (await rui.post(f"/me/notices/{made['id']}/test")).json()
    assert (tried["problem"], tried["dead"]) == (None, False)
    assert len(pocket.letters) == 1


async def test_an_address_is_sealed_and_not_shown_again(told: Told) -> None:
    site, rui = told.site, told.rui
    made = await tells(rui)
    assert TOKEN not in json.dumps(made)
    assert TOKEN not in (await rui.get("/me/notices")).text
    files = [path for path in site.bench.settings.data.rglob("*") if path.is_file()]
    assert not any(TOKEN.encode() in path.read_bytes() for path in files)
    sealed = await site.bench.database.read(
        lambda db: db.execute(select(notice_addresses.c.sealed)).scalar_one()
    )
    assert sealed.startswith("sealed:")


async def test_another_persons_address_is_not_there(told: Told) -> None:
    site, pocket, rui = told.site, told.pocket, told.rui
    ana = await site.signs_in("ana")
    id = (await tells(rui))["id"]
    for answer in (
        await ana.patch(f"/me/notices/{id}", {"kinds": []}),
        await ana.delete(f"/me/notices/{id}"),
        await ana.post(f"/me/notices/{id}/test"),
    ):
        assert answer.status_code == 404
    assert pocket.letters == []


# ---------------------------------------------------------------------------- where nothing may go


ELSEWHERE = (
    "json://127.0.0.1/hook", "jsons://example.com", "xml://10.0.0.1", "form://localhost",
    "apprise://localhost/token", "syslog://", "dbus://", "windows://", "file:///etc/passwd",
    "mailto://user:pass@gmail.com", "https://127.0.0.1/", "slack", "slack:// x",
    "http://hooks.slack.com/services/T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ",
    "ntfys://ntfy.sh/topic",  # a service, but not one of the operator's
)  # fmt: skip
INSIDE = (
    f"mmost://127.0.0.1/{TOKEN}", f"mmost://localhost:5432/{TOKEN}",
    f"mmost://169.254.169.254/{TOKEN}", f"mmost://2130706433/{TOKEN}", f"mmost://0x7f.1/{TOKEN}",
    f"mmost://[::1]/{TOKEN}", f"mmost://[::ffff:127.0.0.1]/{TOKEN}",
)  # fmt: skip
OPTIONS = (
    "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ/?template=/etc/passwd",
    f"mmost://example.com/{TOKEN}?verify=no",
    f"mmost://example.com/{TOKEN}?+X-Forwarded-For=1",
)


async def test_only_services_that_the_operator_names_are_spoken_to() -> None:
    courier = Courier(NoticeSettings(schemes=("slack", "mmost")))
    for address in ELSEWHERE:
        with pytest.raises(Invalid):
            await courier.check("chat", address)


async def test_nothing_inside_the_network_is_asked_and_no_file_is_read() -> None:
    async with serving(lambda heard: ok(b"ok")) as inside:
        own = f"mmost://127.0.0.1:{inside.port}/{TOKEN}"
        addresses = (own, *INSIDE, *OPTIONS)
        courier = Courier(NoticeSettings(schemes=("slack", "mmost")))
        carried = await courier.carry([Letter("chat", one, "t", "b") for one in addresses])
        assert inside.heard == []
    for address, became in zip(addresses, carried, strict=True):
        assert became.final, (address, became)
        why = ("not public", "cannot be used", "not an address", "could not be", "cannot be read")
        assert any(words in became.problem for words in why), (address, became)
    with pytest.raises(Invalid, match="not public"):
        await courier.check("chat", own)


async def test_a_redirect_into_the_network_is_not_followed() -> None:
    async with serving(lambda heard: ok(b"ok")) as inside:
        location = f"http://127.0.0.1:{inside.port}/hooks/x"
        async with serving(lambda heard: redirect(location, 307)) as outside:
            # Even where both could be reached: whoever answers does not choose where we go.
            places = [f"127.0.0.1:{port}" for port in (inside.port, outside.port)]
            courier = Courier(NoticeSettings(schemes=("mmost",)), places)
            letter = Letter("chat", f"mmost://127.0.0.1:{outside.port}/{TOKEN}", "t", "b")
            (carried,) = await courier.carry([letter])
            assert not carried.ok
            assert len(outside.heard) == 1
            assert inside.heard == []


async def test_hosts_are_those_the_operator_names() -> None:
    async with serving(lambda heard: ok(b"ok")) as room:
        letter = Letter("chat", f"mmost://127.0.0.1:{room.port}/{TOKEN}", "t", "b")
        elsewhere = NoticeSettings(schemes=("mmost",), hosts=("chat.example.com",))
        (carried,) = await Courier(elsewhere, [f"127.0.0.1:{room.port}"]).carry([letter])
        assert carried.final
        assert room.heard == []
        # A host that the operator names may be inside.
        here = NoticeSettings(schemes=("mmost",), hosts=("127.0.0.1",))
        (carried,) = await Courier(here).carry([letter])
        assert carried.ok
        assert len(room.heard) == 1


# ---------------------------------------------------------------------------- e-mail


@dataclass
class MailServer:
    """Takes any e-mail."""

    port: int = 0
    mails: list[str] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        say = lambda line: writer.write(f"{line}\r\n".encode())  # noqa: E731
        say("220 here")
        while line := (await reader.readline()).decode().strip():
            match line[:4].upper():
                case "DATA":
                    say("354 go on")
                    mail = (await reader.readuntil(b"\r\n.\r\n")).decode()
                    self.mails.append(mail)
                    say("250 ok")
                case "QUIT":
                    say("221 bye")
                    break
                case _:
                    say("250 ok")
        writer.close()


async def test_e_mail_goes_through_the_operators_server(folder: Path) -> None:
    server = MailServer()
    listening = await asyncio.start_server(server.talk, "127.0.0.1", 0)
    async with listening:
        port = listening.sockets[0].getsockname()[1]
        smtp = {
            "host": "localhost",
            "port": port,
            "security": "none",
            "sender": "bancada@example.com",
        }
        allowed = NoticeSettings.model_validate(
            {"smtp": smtp, "email_domains": ["demo.com"], "delay_seconds": 3600}
        )
        async with served(folder, notices=allowed) as site:
            admin, rui = await site.signs_in("admin"), await site.signs_in("rui")
            other = {"channel": "email", "address": "rui@elsewhere.com"}
            assert (await admin.post("/me/notices", other)).status_code == 422
            mine = {"channel": "email", "address": "admin@demo.com"}
            assert (await admin.post("/me/notices", mine)).status_code == 201
            await asks_an_admin(site, rui)
            await site.bench.notices.deliver(delay=0)
    (mail,) = server.mails
    assert "admin@demo.com" in mail
    assert "bancada@example.com" in mail
    assert "createTask" in mail


# ---------------------------------------------------------------------------- several processes


async def test_of_several_that_deliver_one_takes_a_notice(database: Database) -> None:
    def prepare(db: Any) -> int:
        person = local_person(db)
        new = stored.NoticeAddress(
            id="na_1",
            user_id=person.id,
            channel="chat",
            sealed="",
            shown="",
            kinds=["alarm"],
            created_at=time.time(),
        )
        stored.add_address(db, new)
        says = {"title": "Defeitos a mais", "path": "dashboards/d1"}
        return sum(stored.notify(db, person.id, "alarm", f"s{n}", says=says) for n in range(30))

    assert await database.run(prepare) == 30
    now = time.time()

    def take(owner: str) -> Callable[[], Awaitable[list[Any]]]:
        return lambda: database.run(stored.claim, owner, now=now, delay=0)

    found = await asyncio.gather(*(take(f"p{n}")() for n in range(4)))
    taken = [one.id for some in found for one in some]
    assert len(taken) == len(set(taken)) == 30
    # Whoever was killed with it in hand does not keep it.
    assert await take("p9")() == []
    later = now + stored.CLAIM_SECONDS + 1
    again = await database.run(stored.claim, "p9", now=later, delay=0)
    assert len(again) == 20
    assert {one.attempts for one in again} == {2}
    # Who was only slow has no say any more.
    first = again[0]
    await database.run(stored.end, first.id, "p0", "sent")
    row = await database.read(
        lambda db: db.execute(select(notices).where(notices.c.id == first.id)).one()
    )
    assert row.ended_at is None

"""Things of rui's, made when a test needs them, and a second organisation beside the first."""

from __future__ import annotations

import time
from dataclasses import dataclass
from itertools import count
from typing import Any

from bancada.sandbox import OutputFile
from bancada.server.auth import issue_token
from bancada.store import gateway_containers, keys, notices, people, sessions
from bancada.store.gateway_containers import ContainerRow
from bancada.store.notices import NoticeAddress
from bancada.store.vault import notice_secret
from tests.server.site import Reader, Site

_numbers = count(1)
LEAVING = "sai@demo.com"
STUDY = {"tool": "top_defeitos", "input": {"n": 3}}
ROOM = "slack://T1JJ3T3L2/A1BRTD4JD/TIiajkdnlazkcOXrIdevi7FQ"


@dataclass
class World:
    """A site with its people signed in. `eva` administrates the second organisation."""

    site: Site
    admin: Reader
    rui: Reader
    ana: Reader
    eva: Reader
    second: int

    @staticmethod
    async def of(site: Site) -> World:
        admin = await site.signs_in("admin")
        made = await admin.post("/admin/organisations", {"name": "Segunda"})
        assert made.status_code == 201, made.text
        second = made.json()["id"]
        # People may make tools of their own here: there is a route for it.
        await admin.patch("/admin/organisation", {"settings": {"custom_tools": "users"}})
        eva = {
            "email": "eva@segunda.pt",
            "name": "Eva",
            "role": "admin",
            "password": "eva-secret",
            "organisation_id": second,
        }
        added = await admin.post("/admin/users", eva)
        assert added.status_code == 201, added.text
        return World(
            site,
            admin,
            await site.signs_in("rui"),
            await site.signs_in("ana"),
            await site.signs_in("eva@segunda.pt", "eva-secret"),
            second,
        )

    # ------------------------------------------------------------------ rui's

    async def notice_address(self) -> str:
        return await notice_address(self.site)

    async def conversation(self) -> str:
        """A conversation in which nothing was said."""
        return await self.rui.begins("Qualidade")

    async def answered(self) -> dict[str, Any]:
        """A conversation with one answer in it."""
        await self.conversation()
        await self.rui.asks("quantos defeitos há?")
        whole = await self.rui.get(f"/conversations/{self.rui.conversation}")
        found: dict[str, Any] = whole.json()
        return found

    async def stopped(self) -> str:
        """A conversation whose only turn was stopped while it waited."""
        await self.confirmation()
        await self.rui.post(f"/conversations/{self.rui.conversation}/stop")
        return self.rui.conversation

    async def confirmation(self) -> str:
        """A call of rui's that waits for rui."""
        await self.rui.begins("Assistente")
        events = await self.rui.asks('cria uma tarefa "Rever a cabine 2"')
        waits = [event for event in events if event.type == "confirmation"]
        assert waits, [event.data for event in events]
        return str(waits[0].data["id"])

    async def dashboard(self) -> str:
        item = {"type": "kpi", "data": {"widget": "kpi", "titulo": "Defeitos", "valor": 3}}
        made = await self.rui.post("/dashboards", {"titulo": "Turnos", "items": [item]})
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    async def shown(self) -> str:
        """The event of a chart."""
        await self.rui.begins("Qualidade")
        events = await self.rui.asks("Mostra os 5 defeitos mais frequentes num gráfico")
        return next(event.id for event in events if event.type == "chart")

    async def study(self) -> str:
        made = await self.rui.post("/studies", {"name": f"Estudo {next(_numbers)}", **STUDY})
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    async def schedule(self) -> str:
        does = {"kind": "question", "agent": "Qualidade", "content": "quantos defeitos há?"}
        body = {"title": "Manhã", "does": does, "cron": "0 8 * * *", "time_zone": "Europe/Lisbon"}
        made = await self.rui.post("/schedules", body)
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    async def share(self) -> str:
        shared = await self.rui.post(f"/dashboards/{await self.dashboard()}/share")
        return str(shared.json()["url"]).rsplit("/", 1)[1]

    async def shared_conversation(self) -> str:
        await self.conversation_link()
        return self.rui.conversation

    async def conversation_link(self) -> str:
        """The last part of a link by which colleagues read an answered conversation."""
        await self.answered()
        shared = await self.rui.post(f"/conversations/{self.rui.conversation}/share")
        assert shared.status_code == 201, shared.text
        return str(shared.json()["url"]).rsplit("/", 1)[1]

    async def shared_dashboard(self) -> str:
        dashboard = await self.dashboard()
        assert (await self.rui.post(f"/dashboards/{dashboard}/share")).status_code == 201
        return dashboard

    async def file(self, conversation_id: str | None = None) -> str:
        kept = await self.site.bench.files.keep(
            OutputFile(name="nota.txt", content="olá".encode(), media_type="text/plain"),
            organisation_id=1,
            user_id=2,
            conversation_id=conversation_id,
        )
        return str(kept["id"])

    async def clients_file(self) -> str:
        return await self.file(await clients_container(self.site))

    async def link(self) -> str:
        return await self.site.bench.database.run(
            keys.add_link, "password", user_id=2, seconds=60.0
        )

    async def cookie(self) -> str:
        """A refresh cookie of rui's, as `cookie name=value`."""
        body = {"email": "rui@demo.com", "password": "rui123", "cookie": True}
        answer = await self.site.client().post("/auth/login", json=body)
        (name, value), *_ = answer.cookies.items()
        return f"cookie {name}={value}"

    async def session(self) -> str:
        """A session of rui's beside the one he uses."""
        return await self._session("rui@demo.com", "rui123")

    async def _session(self, email: str, password: str) -> str:
        other = await self.site.signs_in(email, password)
        found = [one for one in (await other.get("/me/sessions")).json() if one["current"]]
        return str(found[0]["id"])

    # ------------------------------------------------------------------ the organisation's

    async def user(self) -> int:
        return int((await self.their_session()).split()[0])

    async def leaving(self) -> int:
        """Somebody who is about to be erased."""
        made = await self.admin.post("/admin/users", {"email": LEAVING})
        if made.status_code == 201:
            return int(made.json()["id"])
        everybody = (await self.admin.get("/admin/users")).json()
        return int(next(one["id"] for one in everybody if one["email"] == LEAVING))

    async def their_session(self) -> str:
        """`id session` of somebody new who is signed in."""
        body = {"email": f"p{next(_numbers)}@demo.com", "password": "long enough"}
        made = await self.admin.post("/admin/users", body)
        assert made.status_code == 201, made.text
        return f"{made.json()['id']} {await self._session(body['email'], body['password'])}"

    async def agent(self) -> int:
        made = await self.admin.post("/admin/agents", {"name": f"Agente {next(_numbers)}"})
        assert made.status_code == 201, made.text
        return int(made.json()["id"])

    async def key(self) -> int:
        made = await self.admin.post("/admin/keys", {"user": 2, "name": "n"})
        assert made.status_code == 201, made.text
        return int(made.json()["id"])

    async def empty_organisation(self) -> int:
        made = await self.admin.post("/admin/organisations", {"name": f"Org {next(_numbers)}"})
        assert made.status_code == 201, made.text
        return int(made.json()["id"])

    async def custom_tool(self) -> str:
        return await self._tool(self.admin, "/admin/tools")

    async def own_tool(self) -> str:
        return await self._tool(self.rui, "/me/tools")

    async def _tool(self, maker: Reader, path: str) -> str:
        name = f"soma_{next(_numbers)}"
        body = {
            "name": name,
            "kind": "python",
            "description": "Soma.",
            "definition": {"code": "result = 1 + 1"},
        }
        made = await maker.post(path, body)
        assert made.status_code == 201, made.text
        return name

    async def connection(self) -> str:
        body = {"name": f"server_{next(_numbers)}", "url": "https://127.0.0.1:9/mcp"}
        made = await self.admin.post("/admin/connections", body)
        assert made.status_code == 201, made.text
        return str(made.json()["id"])

    async def experiment(self) -> int:
        body = {
            "name": "Código",
            "agent": await self.agent(),
            "variants": [
                {"name": "a", "changes": {}},
                {"name": "b", "changes": {"code": "local"}},
            ],
        }
        made = await self.admin.post("/admin/experiments", body)
        assert made.status_code == 201, made.text
        return int(made.json()["id"])

    async def container(self) -> str:
        sandbox = await self.site.bench.jail.sandbox()
        return (await sandbox.open(())).id

    # ------------------------------------------------------------------ tokens

    async def expired_token(self, person_id: int = 2) -> str:
        """A token of a session that still counts, whose own time has passed."""
        database = self.site.bench.database
        person = await database.read(people.person, person_id)
        begun: dict[str, Any] = {"how": "password", "user_agent": "", "address": "127.0.0.1"}
        row = await database.run(sessions.begin, person_id, seconds=60.0, refreshed=False, **begun)
        secret = self.site.app.state.secret
        return issue_token(person, row.session_id, secret, time.time() - 5)


async def clients_container(site: Site) -> str:
    """A container of a gateway's client of rui's."""
    now = time.time()
    row = ContainerRow(
        id=f"container_{next(_numbers)}",
        organisation_id=1,
        user_id=2,
        key_id=None,
        functions="",
        created_at=now,
        expires_at=now + 60,
        held_by=None,
        held_until=now,
    )
    await site.bench.database.run(gateway_containers.add, row)
    return row.id


async def notice_address(site: Site) -> str:
    """Where rui is told; nobody is asked whether it is there."""

    def add(db: Any) -> str:
        id = f"na_{next(_numbers)}"
        new = NoticeAddress(
            id=id,
            user_id=2,
            channel="chat",
            sealed=site.bench.vault.seal(ROOM, 1, notice_secret(id)),
            shown="slack://",
            kinds=[],
            created_at=time.time(),
        )
        notices.add_address(db, new)
        return id

    return await site.bench.database.run(add)

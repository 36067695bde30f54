"""The same server on Postgres: two processes of it share the work, and a reader may come to either."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from bancada.testing import Hold, ScriptedModel, calls, says
from tests.server.site import Event, Reader, served

LONG = "Uma resposta com várias palavras."


def told(events: list[Event]) -> list[tuple[str | None, object]]:
    return [(event.id, event.data) for event in events]


async def test_a_turn_of_one_process_is_followed_exactly_through_another(
    tmp_path: Path, postgres_url: str
) -> None:
    gate = Hold()
    model = ScriptedModel([calls("contar_defeitos"), says(LONG)], gate=gate)
    shared: dict[str, Any] = {
        "database_url": postgres_url,
        "jwt_secret": "the same secret in both processes",
        "secret_key": ["one key for both, of at least thirty-two bytes"],
    }
    async with (
        served(tmp_path / "a", model=model, **shared) as one,
        served(tmp_path / "b", **shared) as other,
    ):
        rui = await one.signs_in("rui")
        await rui.begins()
        token = rui.client.headers["authorization"].removeprefix("Bearer ")
        elsewhere = other.with_token(token, "rui")
        elsewhere.conversation = rui.conversation
        asked = asyncio.create_task(rui.asks("quantos?"))
        await gate.arrived()
        followed = asyncio.create_task(elsewhere.follows())
        gate.let(3)
        await gate.arrived()
        gate.open()
        whole = await asked
        assert whole[-1].data["status"] == "done"
        assert told(await followed) == told(whole)
        assert told(await elsewhere.follows(whole[3].id)) == told(whole[4:])
        busy = await elsewhere.post(f"/conversations/{rui.conversation}/stop")
        assert busy.status_code == 409


async def test_odd_text_and_large_numbers_do_not_upset_postgres(
    tmp_path: Path, postgres_url: str
) -> None:
    async with served(tmp_path, database_url=postgres_url) as site:
        admin: Reader = await site.signs_in("admin")
        named = await admin.post("/admin/users", {"email": "n\x00l@demo.com", "name": "a\x00b"})
        assert named.status_code == 201, named.text
        assert "\x00" not in named.json()["name"]
        for id in (2**31 - 1, 2**31, 2**63, 2**64):
            answer = await admin.get(f"/admin/users/{id}")
            assert answer.status_code == (404 if id < 2**31 else 422)
        assert (await admin.get("/admin/audit", params={"before": 2**31})).status_code == 422
        assert (await admin.get("/conversations/a%00b")).status_code == 404
        await admin.begins()
        events = await admin.asks("um \x00 dois \U0001f600")
        assert events[-1].data["status"] == "done"
        found = await admin.get("/conversations", params={"q": "\x00%_\\"})
        assert found.status_code == 200
        for path in ("users", "agents", "tools", "audit", "usage", "experiments", "keys"):
            assert (await admin.get(f"/admin/{path}")).status_code == 200, path
        verdict = (await admin.get("/admin/audit/verify")).json()
        assert verdict["ok"] is True

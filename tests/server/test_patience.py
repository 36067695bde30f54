"""Requests that are begun and never ended are ended; what is shared and measured has its limits."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import uvicorn

from bancada.server import middleware, protocol
from bancada.server.protocol import Impatient
from bancada.store import people
from tests.server.site import Site, served


async def app(scope: object, receive: object, send: object) -> None:
    raise AssertionError("no whole request arrives")


@pytest.mark.parametrize("sent", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "])
async def test_a_head_that_never_ends_closes_its_connection(
    monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)
    config = uvicorn.Config(app, port=0, http=Impatient, lifespan="off", log_config=None)  # type: ignore[arg-type]
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(sent)
    assert await asyncio.wait_for(reader.read(), 5) == b""
    writer.close()
    server.should_exit = True
    await running


async def test_a_body_that_does_not_come_is_answered_and_ended(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "PIECE_SECONDS", 0.3)
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(
        b"POST /auth/login HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        b'content-length: 100\r\n\r\n{"email"'
    )
    head = await asyncio.wait_for(reader.readuntil(b"\r\n"), 5)
    assert b" 408 " in head
    writer.close()


async def test_only_over_tls_is_a_browser_told_to_stay_there(site: Site) -> None:
    client = site.client()
    assert "strict-transport-security" not in (await client.get("/health")).headers
    over_tls = await client.get("/health", headers={"x-forwarded-proto": "https"})
    assert over_tls.headers["strict-transport-security"] == "max-age=31536000"


async def test_metrics_want_their_key_where_there_is_one(folder: Path) -> None:
    async with served(folder, metrics_key="m" * 40) as site:
        client = site.client()
        assert (await client.get("/metrics")).status_code == 401
        wrong = {"authorization": f"Bearer {'n' * 40}"}
        assert (await client.get("/metrics", headers=wrong)).status_code == 401
        right = {"authorization": f"Bearer {'m' * 40}"}
        assert "bancada_" in (await client.get("/metrics", headers=right)).text


async def test_without_a_key_metrics_are_for_this_machine(site: Site) -> None:
    client = site.client()
    assert (await client.get("/metrics")).status_code == 200
    from_elsewhere = {"x-forwarded-for": "203.0.113.9"}
    assert (await client.get("/metrics", headers=from_elsewhere)).status_code == 401


async def test_links_are_listed_for_administrators_and_end_with_their_owners_account(
    site: Site,
) -> None:
    rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
    kpi = {"type": "kpi", "data": {"widget": "kpi", "titulo": "Total", "valor": 3}}
    made = (await rui.post("/dashboards", {"titulo": "Turno", "items": [kpi]})).json()
    url = (await rui.post(f"/dashboards/{made['id']}/share")).json()["url"]
    other = (await rui.post(f"/dashboards/{made['id']}/share")).json()["url"]

    listed = (await admin.get("/admin/shares")).json()
    assert [(one["titulo"], one["email"]) for one in listed] == [("Turno", "rui@demo.com")] * 2
    assert url.removeprefix("/d/") not in str(listed)
    assert (await rui.get("/admin/shares")).status_code == 403

    owner = await site.bench.database.read(people.person_by_email, "rui@demo.com")
    assert owner is not None
    assert (await site.client().get(url)).status_code == 200
    await admin.patch(f"/admin/users/{owner.id}", {"is_active": False})
    assert (await site.client().get(url)).status_code == 404
    assert (await admin.get("/admin/shares")).json() == []

    await admin.patch(f"/admin/users/{owner.id}", {"is_active": True})
    assert (await site.client().get(other)).status_code == 404
    rui = await site.signs_in("rui")
    third = (await rui.post(f"/dashboards/{made['id']}/share")).json()["url"]
    assert (await admin.delete(f"/admin/shares/{made['id']}")).status_code == 204
    assert (await site.client().get(third)).status_code == 404
    assert (await admin.delete(f"/admin/shares/{made['id']}")).status_code == 404

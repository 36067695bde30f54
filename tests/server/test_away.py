"""Postgres goes away and comes back: whoever asks is told so, and what was under way goes on."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from sqlalchemy import make_url

from bancada.testing import Hold, ScriptedModel, calls, says
from tests.server.cluster import asks_until_done
from tests.server.site import Event, served, text_shown

LONG = "Uma resposta com várias palavras."


@dataclass
class Wire:
    """The way to Postgres, which can be cut."""

    socket: str
    url: str = ""
    cut: bool = False
    _pumps: set[asyncio.Task[None]] = field(default_factory=set)

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.cut:
            writer.transport.abort()
            return
        theirs, ours = await asyncio.open_unix_connection(self.socket)
        self._pumps |= {
            asyncio.create_task(self._pump(reader, ours, writer)),
            asyncio.create_task(self._pump(theirs, writer, ours)),
        }

    async def _pump(
        self, reader: asyncio.StreamReader, to: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        try:
            with contextlib.suppress(OSError):
                while data := await reader.read(65536):
                    to.write(data)
        finally:
            for writer in (to, back):
                writer.transport.abort()

    def goes(self) -> None:
        self.cut = True
        for pump in self._pumps:
            pump.cancel()
        self._pumps.clear()

    def comes_back(self) -> None:
        self.cut = False


@asynccontextmanager
async def wire_to(database_url: str) -> AsyncIterator[Wire]:
    where = make_url(database_url)
    wire = Wire(f"{where.query['host']}/.s.PGSQL.{where.port or 5432}")
    listening = await asyncio.start_server(wire._connection, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    through = where.set(host="127.0.0.1", port=port, query={})
    wire.url = through.render_as_string(hide_password=False)
    try:
        yield wire
    finally:
        wire.goes()
        listening.close()


async def survives(folder: Path, database_url: str, seconds: float) -> None:
    gate = Hold()
    lines = [calls("contar_defeitos"), says(LONG), says(LONG), says("Outra.")]
    async with (
        wire_to(database_url) as wire,
        served(
            folder,
            model=ScriptedModel(lines, gate=gate),
            database_url=wire.url,
            use_packs=["tables", "quality"],
        ) as site,
    ):
        rui = await site.signs_in("rui")
        await rui.begins()
        told: list[Event] = []
        asking = asyncio.create_task(asks_until_done(rui, "quantos?", told, "one-key"))
        await gate.arrived()
        gate.let(1)
        await gate.arrived()
        wire.goes()
        gate.let(1)
        away = await rui.get("/conversations", headers={"Accept-Language": "pt"})
        assert away.status_code == 503, away.text
        assert away.headers["retry-after"] == "2"
        assert "base de dados não responde" in away.json()["detail"]
        assert (await rui.get("/ready")).status_code == 503
        assert (await rui.get("/health")).status_code == 200
        await asyncio.sleep(seconds)
        wire.comes_back()
        gate.open()
        async with asyncio.timeout(30):
            await asking
        assert told[-1].data["status"] == "done"
        assert text_shown(told) == LONG
        assert (await rui.get("/ready")).status_code == 200
        assert (await rui.asks("e agora?"))[-1].data["status"] == "done"
        admin = await site.signs_in("admin")
        assert (await admin.get("/admin/audit/verify")).json()["ok"] is True


async def test_postgres_gone_for_a_moment_is_told_and_got_over(
    tmp_path: Path, postgres_url: str
) -> None:
    await survives(tmp_path, postgres_url, 1)


@pytest.mark.long
async def test_postgres_gone_for_half_a_minute_is_got_over_without_a_restart(
    tmp_path: Path, postgres_url: str
) -> None:
    await survives(tmp_path, postgres_url, 30)

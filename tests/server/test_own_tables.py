"""The defect log in a database of the organisation: chosen, read anew, bounded, and never somebody else's."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bancada.engine import owntables
from tests.postgres import Postgres
from tests.server.site import Reader, Site, served

MADE = "CREATE TABLE registo (n INTEGER, quando TIMESTAMP, cod TEXT, lote TEXT, segredo TEXT)"
ROW = "INSERT INTO registo VALUES ({0}, '2026-01-0{0} 08:00:00', '{1}', '007', 'x')"
CHOSEN = {
    "database": "erp",
    "table": "registo",
    "columns": {"id": "n", "data": "quando", "tipo_defeito": "cod", "lote": "lote"},
}


@dataclass
class Elsewhere:
    """The organisation's own database, changed by its owners."""

    url: str
    execute: Callable[[str], Awaitable[None]]

    async def begins(self) -> None:
        await self.execute(MADE)
        for n, kind in enumerate(("risco", "risco", "bolha"), start=1):
            await self.execute(ROW.format(n, kind))


def sqlite_at(path: Path) -> Elsewhere:
    async def execute(sql: str) -> None:
        with closing(sqlite3.connect(path)) as db, db:
            db.execute(sql)

    return Elsewhere(f"sqlite:///{path}", execute)


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Elsewhere:
    if request.param == "sqlite":
        return sqlite_at(tmp_path / "erp.db")
    server: Postgres = request.getfixturevalue("postgres")
    return Elsewhere(server.url, server.execute)


@pytest.fixture
async def erp(place: Elsewhere) -> AsyncIterator[Elsewhere]:
    await place.begins()
    yield place
    await place.execute("DROP TABLE IF EXISTS registo")


@pytest.fixture
async def lite(tmp_path: Path) -> Elsewhere:
    there = sqlite_at(tmp_path / "erp.db")
    await there.begins()
    return there


@asynccontextmanager
async def factory(folder: Path, there: Elsewhere, **settings: Any) -> AsyncIterator[Site]:
    named = {"erp": {"url": there.url, "organisation": 1}}
    async with served(folder, databases=named, **settings) as site:
        yield site


def later(site: Site, seconds: float) -> None:
    """The next question comes so much later."""
    before = site.bench.own_tables.clock
    site.bench.own_tables.clock = lambda: before() + seconds


async def chooses(admin: Reader, **given: Any) -> Any:
    answer = await admin.patch("/admin/organisation", {"settings": {"tables": {"defeitos": given}}})
    assert answer.status_code in (200, 422), answer.text
    return None if answer.status_code == 200 else answer.json()["detail"]


async def runs(reader: Reader, tool: str, **input: Any) -> Any:
    answer = await reader.post(f"/tools/{tool}/run", {"input": input})
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]


async def test_the_log_is_the_organisations_own_table_and_is_read_anew(
    tmp_path: Path, erp: Elsewhere
) -> None:
    async with factory(tmp_path, erp) as site:
        admin, rui = await site.signs_in("admin"), await site.signs_in("rui")
        demo = await runs(rui, "contar_defeitos")
        assert demo["total"] == 200

        assert await chooses(admin, **CHOSEN) is None
        first = await runs(rui, "contar_defeitos", data_fim="2026-01-02")
        again = await runs(rui, "contar_defeitos")
        await erp.execute(ROW.format(4, "bolha"))
        later(site, owntables.FRESH_SECONDS + 1)
        grown = await runs(rui, "contar_defeitos")
        asked = await runs(rui, "consultar_dados", sql="SELECT * FROM defeitos ORDER BY id")
        chart = await runs(rui, "pareto_defeitos")

        assert (first["total"], again["por_tipo"]) == (2, {"risco": 2, "bolha": 1})
        assert first["versao_dados"] == again["versao_dados"] != demo["versao_dados"]
        assert grown["por_tipo"] == {"bolha": 2, "risco": 2}
        assert grown["versao_dados"] == chart["versao_dados"] != again["versao_dados"]
        # Only what was chosen is read, and as the database has it: a lot is no number.
        assert asked["columns"] == ["id", "data", "tipo_defeito", "lote"]
        assert asked["rows"][3][2:] == ["bolha", "007"]

        assert (await admin.patch(
            "/admin/organisation", {"settings": {"tables": {"defeitos": None}}}
        )).status_code == 200  # fmt: skip
        assert (await runs(rui, "contar_defeitos"))["total"] == 200
        # No copy stays of what is not their log any more.
        assert not list((tmp_path / "data" / "packs" / "quality").glob("organisation-*"))


async def test_what_cannot_be_read_is_said_to_who_can_mend_it_and_never_counted(
    tmp_path: Path, erp: Elsewhere
) -> None:
    async with factory(tmp_path, erp) as site:
        admin, ana = await site.signs_in("admin"), await site.signs_in("ana")
        for wrong, word in (
            ({**CHOSEN, "database": "crm"}, "não indicou a base de dados crm"),
            ({**CHOSEN, "table": "registos"}, "não tem a tabela registos"),
            ({**CHOSEN, "columns": {"tipo_defeito": "tipo"}}, "não tem a coluna tipo."),
            ({**CHOSEN, "columns": {}}, "não tem a coluna tipo_defeito"),
        ):
            said = await chooses(admin, **wrong)
            assert word in said, said
        assert (await runs(ana, "contar_defeitos"))["total"] == 200, "nothing was chosen"

        assert await chooses(admin, **CHOSEN) is None
        assert (await runs(ana, "contar_defeitos"))["total"] == 3
        await erp.execute("ALTER TABLE registo RENAME COLUMN cod TO codigo")
        later(site, owntables.FRESH_SECONDS + 1)
        plain, mending = await runs(ana, "contar_defeitos"), await runs(admin, "contar_defeitos")
        assert "Avise um administrador" in plain
        assert "não tem a coluna cod" in mending
        assert "codigo" in mending
        assert "não tem a coluna cod" in await runs(
            admin, "consultar_dados", sql="SELECT count(*) FROM defeitos"
        )


async def test_a_database_that_is_away_is_not_asked_at_every_call(
    tmp_path: Path, lite: Elsewhere
) -> None:
    async with factory(tmp_path, lite) as site:
        admin, ana = await site.signs_in("admin"), await site.signs_in("ana")
        assert await chooses(admin, **CHOSEN) is None
        asked = 0
        whole = site.bench.databases.select

        async def select(*args: Any, **how: Any) -> Any:
            nonlocal asked
            asked += 1
            return await whole(*args, **how)

        site.bench.databases.select = select  # type: ignore[method-assign]
        (tmp_path / "erp.db").rename(tmp_path / "gone.db")
        later(site, owntables.FRESH_SECONDS + 1)
        assert "Avise um administrador" in await runs(ana, "contar_defeitos")
        tries = asked
        said = await runs(admin, "top_defeitos")
        assert "não é possível perguntar à base de dados erp" in said
        assert str(tmp_path) not in said
        assert asked == tries
        (tmp_path / "gone.db").rename(tmp_path / "erp.db")
        later(site, owntables.FRESH_SECONDS + 1)
        assert (await runs(ana, "contar_defeitos"))["total"] == 3


async def test_of_a_table_that_is_too_long_the_newest_rows_count_and_it_is_said(
    tmp_path: Path, lite: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owntables, "MOST_ROWS", 2)
    async with factory(tmp_path, lite) as site:
        admin = await site.signs_in("admin")
        undated = {**CHOSEN, "columns": {"tipo_defeito": "cod"}}
        assert "mais de 2 linhas" in await chooses(admin, **undated)
        assert await chooses(admin, **CHOSEN) is None
        cut = await runs(admin, "contar_defeitos")
        assert cut["por_tipo"] == {"bolha": 1, "risco": 1}
        assert "só contam as 2 mais recentes, desde 2026-01-02" in cut["aviso"]


async def test_another_organisation_can_neither_choose_nor_read_it(
    tmp_path: Path, lite: Elsewhere
) -> None:
    async with factory(tmp_path, lite) as site:
        admin = await site.signs_in("admin")
        assert await chooses(admin, **CHOSEN) is None
        second = (await admin.post("/admin/organisations", {"name": "Segunda"})).json()["id"]
        eva = {
            "email": "eva@segunda.example",
            "name": "Eva",
            "role": "admin",
            "organisation_id": second,
            "password": "correct horse battery",
        }
        assert (await admin.post("/admin/users", eva)).status_code == 201
        other = await site.signs_in("eva@segunda.example", "correct horse battery")
        assert "erp" in await chooses(other, **CHOSEN)
        wide = {"settings": {"tables": {"defeitos": CHOSEN}}}
        assert (await admin.patch(f"/admin/organisations/{second}", wide)).status_code == 422
        shapes = await site.bench.tables.shapes(None, second)
        assert shapes == ()


async def test_moments_are_days_of_the_databases_own_clock(
    tmp_path: Path, postgres: Postgres
) -> None:
    there = Elsewhere(postgres.url, postgres.execute)
    await there.execute(
        "CREATE TABLE registo (quando TIMESTAMPTZ, tipo_defeito TEXT);"
        "INSERT INTO registo VALUES ('2026-07-01 23:30+00', 'risco');"
        "CREATE ROLE lisboa LOGIN SUPERUSER; ALTER ROLE lisboa SET TimeZone = 'Europe/Lisbon'"
    )
    url = postgres.url.replace(f"//{postgres.url.split('//')[1].split('@')[0]}@", "//lisboa@")
    try:
        async with factory(tmp_path, Elsewhere(url, there.execute)) as site:
            admin = await site.signs_in("admin")
            columns = {"data": "quando", "tipo_defeito": "tipo_defeito"}
            chosen = {"database": "erp", "table": "registo", "columns": columns}
            assert await chooses(admin, **chosen) is None
            assert (await runs(admin, "contar_defeitos", data_inicio="2026-07-02"))["total"] == 1
    finally:
        await there.execute("DROP TABLE registo; DROP ROLE lisboa")

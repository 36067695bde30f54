"""What every room's tests share: the two databases, fresh for each test.

A test that takes `database` (or `database_url`) runs twice, on SQLite and on Postgres. The
Postgres is our own: one server for all workers of a run, one new database for each test.
"""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bancada.sandbox import process
from bancada.store.database import Database, open_database
from bancada.store.upgrade import upgrade
from tests import zygotes
from tests.house import House, open_house
from tests.postgres import Postgres, shared_postgres

SANDBOX = Path(__file__).parent / "sandbox"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: while Playwright is open, its worker can run no other event loop."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> None:
    """Zygotes are warm, but where their start is what is tested."""
    if SANDBOX in item.path.parents:
        process.launch = zygotes.cold
    else:
        zygotes.come_from()


@pytest.fixture(scope="session")
def postgres(testrun_uid: str) -> Iterator[Postgres]:
    """The run's Postgres server; the last worker to leave stops it."""
    with shared_postgres(testrun_uid) as server:
        yield server


@pytest.fixture(scope="session")
def migrated_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file with every migration applied: tests start from a copy."""
    return tmp_path_factory.mktemp("sqlite") / "migrated.db"


@pytest.fixture
async def sqlite_url(tmp_path: Path, migrated_sqlite: Path) -> str:
    """A fresh SQLite database, migrated."""
    if not migrated_sqlite.exists():
        database = open_database(f"sqlite:///{migrated_sqlite}")
        await upgrade(database)
        await database.close()
    path = tmp_path / "bancada.db"
    shutil.copy(migrated_sqlite, path)
    return f"sqlite:///{path}"


@pytest.fixture
async def postgres_url(postgres: Postgres) -> AsyncIterator[str]:
    """A fresh Postgres database, migrated."""
    async with postgres.fresh_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """A fresh, migrated database: the test runs on each kind."""
    name = "sqlite_url" if request.param == "sqlite" else "postgres_url"
    url: str = request.getfixturevalue(name)
    return url


@pytest.fixture
async def empty_postgres_url(postgres: Postgres) -> AsyncIterator[str]:
    """A Postgres database with nothing in it."""
    async with postgres.empty_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that nobody has used yet: the test runs on each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/new.db"
    url: str = request.getfixturevalue("empty_postgres_url")
    return url


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    """A fresh, migrated database, open: the test runs on each kind."""
    opened = open_database(database_url)
    yield opened
    await opened.close()


@pytest.fixture
async def house(database: Database) -> House:
    """An organisation with its three people, an agent and a gate: see `tests/house.py`."""
    return await open_house(database)

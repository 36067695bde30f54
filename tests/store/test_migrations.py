"""Migrations make exactly the tables that the code knows, on both kinds of database."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from bancada.domain.errors import SettingsError
from bancada.store import people, words
from bancada.store.database import Database, open_database
from bancada.store.tables import metadata
from bancada.store.upgrade import HEAD, MIGRATIONS, revision, revision_at, upgrade


def scripts() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    return ScriptDirectory.from_config(config)


def differences(db: Connection) -> list[Any]:
    options = {
        "compare_type": True,
        "compare_server_default": True,
        # How each database finds words is its own.
        "include_name": lambda name, *_: not str(name).startswith(words.INDEX),
    }
    return compare_metadata(MigrationContext.configure(db, opts=options), metadata)


async def test_the_migrations_make_the_tables_that_the_code_knows(database: Database) -> None:
    assert await database.run(differences) == []


async def test_the_code_knows_which_migration_is_the_newest(database: Database) -> None:
    assert scripts().get_heads() == [HEAD]
    assert await revision(database) == HEAD


def test_the_migrations_are_one_line_without_branches() -> None:
    walked = [script.revision for script in scripts().walk_revisions()]

    assert walked == sorted(walked, reverse=True)
    assert len(walked) == len(list((MIGRATIONS / "versions").glob("[0-9]*.py")))


async def test_a_database_that_is_up_to_date_stays_as_it_is(database: Database) -> None:
    await database.run(people.add_organisation, "A")

    await upgrade(database)

    assert len(await database.read(people.all_organisations)) == 1


async def test_a_new_database_has_no_revision_until_it_is_upgraded(empty_url: str) -> None:
    database = open_database(empty_url)

    assert await revision(database) is None
    await upgrade(database)
    assert await revision(database) == HEAD

    await database.close()


async def test_several_that_start_at_once_migrate_once(empty_url: str) -> None:
    databases = [open_database(empty_url) for _ in range(4)]

    await asyncio.gather(*(upgrade(database) for database in databases))

    tables = await databases[0].run(lambda db: set(inspect(db).get_table_names()))
    ours = {name for name in tables if not name.startswith(words.INDEX)}
    assert ours == {*metadata.tables, "alembic_version"}
    for database in databases:
        await database.close()


@pytest.mark.parametrize("ask", [revision_at, lambda url: upgrade(open_database(url))])
async def test_a_database_that_cannot_be_used_is_told_in_one_sentence(
    tmp_path: Path, ask: Callable[[str], Awaitable[object]]
) -> None:
    (tmp_path / "other.db").write_text("this is no database, whatever its name says it is")
    for url in (f"sqlite:///{tmp_path}/other.db", "postgresql://me:hidden@127.0.0.1:1/bancada"):
        with pytest.raises(SettingsError, match=r"cannot be used: .+") as told:
            await ask(url)
        assert "hidden" not in str(told.value)


async def test_a_new_database_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/bancada.db")
    await upgrade(database)
    await database.run(people.add_organisation, "Norte", {})
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    await database.close()
    assert "bancada.db-wal" in modes
    assert set(modes.values()) == {0o600}

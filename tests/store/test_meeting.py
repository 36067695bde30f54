"""What two people do in the same moment on Postgres ends as if one had come after the other."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from bancada.domain.errors import Forbidden, NotFound
from bancada.domain.studies import ChartLimits
from bancada.engine.accounts import change_account
from bancada.store import (
    agents,
    connections,
    control_limits,
    dashboards,
    keys,
    people,
    stand_ins,
    tool_settings,
)
from bancada.store.connections import ServerConnection
from bancada.store.database import PostgresDatabase
from bancada.store.tables import connection_credentials, one_time_links
from bancada.store.vault import Vault, seal_all
from tests.house import House, open_house
from tests.meeting import meet


@pytest.fixture
async def home(postgres_url: str) -> AsyncIterator[House]:
    """A house on Postgres."""
    database = PostgresDatabase(postgres_url)
    yield await open_house(database)
    await database.close()


def postgres(home: House) -> PostgresDatabase:
    assert isinstance(home.database, PostgresDatabase)
    return home.database


async def test_two_who_set_a_persons_agents_at_once_do_not_add_them_up(home: House) -> None:
    database = postgres(home)
    one, two = (await home.agent("Um")).id, (await home.agent("Dois")).id
    assert one is not None
    assert two is not None
    await database.run(agents.set_grants, home.ana.id, [])

    def grant(agent_id: int) -> Any:
        return lambda: database.run(
            lambda db: change_account(db, home.ana, {}, by=home.eva, grants=[agent_id])
        )

    await meet(database, "user_agents", grant(one), grant(two))

    assert await database.read(agents.grants_of, home.ana.id) == [two]


async def test_two_links_made_at_once_leave_the_later_one(home: House) -> None:
    database = postgres(home)

    def link() -> Any:
        return database.run(keys.add_link, "password", user_id=home.ana.id, seconds=60.0)

    first, second = await meet(database, "one_time_links", link, link)

    alive = [token for token in (first, second) if await database.read(keys.link, str(token))]
    assert alive == [second]
    unused = select(func.count()).where(one_time_links.c.used_at.is_(None))
    assert await database.read(lambda db: db.execute(unused).scalar()) == 1


async def test_two_stand_ins_named_at_once_are_not_both_one(home: House) -> None:
    database = postgres(home)

    def named(who: int) -> Any:
        now = time.time()
        more = {"stand_in_id": who, "until": now + 60, "now": now}
        house = {"organisation_id": home.organisation_id, "person_id": home.ana.id}
        return lambda: database.run(lambda db: stand_ins.name(db, **house, **more))

    await meet(database, "stand_ins", named(home.rui.id), named(home.eva.id))

    for_whom = [
        await database.read(stand_ins.for_whom, one.id, time.time()) for one in (home.rui, home.eva)
    ]
    assert for_whom == [[], [home.ana.id]]


async def test_a_word_on_a_tool_is_not_lost_while_another_takes_back_the_last(home: House) -> None:
    database, house = postgres(home), home.organisation_id
    at = (house, "role", "operador", "look")
    await database.run(lambda db: tool_settings.change_setting(db, *at, cache_seconds=5))

    await meet(
        database,
        "ai_tool_config",
        lambda: database.run(lambda db: tool_settings.change_setting(db, *at, cache_seconds=None)),
        lambda: database.run(lambda db: tool_settings.change_setting(db, *at, is_enabled=False)),
    )

    row = await database.read(tool_settings.setting, *at)
    assert row is not None
    assert row.is_enabled is False


async def test_limits_that_another_sets_meanwhile_are_not_replaced_by_whoever_set_them_before(
    home: House,
) -> None:
    database = postgres(home)

    def freeze(db: Connection, person: Any, centre: float) -> Any:
        limits = ChartLimits(chart="xmr", parameters={"centre": centre}, origin={})
        return control_limits.freeze(db, person, "cabine", limits, replace=True)

    await database.run(freeze, home.rui, 1.0)

    _, refused = await meet(
        database,
        "control_limits",
        lambda: database.run(freeze, home.eva, 2.0),
        lambda: database.run(freeze, home.rui, 3.0),
    )

    kept = await database.read(control_limits.named, home.organisation_id, "cabine")
    assert kept.parameters == {"centre": 2.0}
    assert isinstance(refused, Forbidden)


async def test_a_link_to_a_board_that_is_being_removed_is_not_found(home: House) -> None:
    database = postgres(home)
    board = await database.run(
        lambda db: dashboards.add(
            db,
            organisation_id=home.organisation_id,
            user_id=home.ana.id,
            conversation_id=None,
            titulo="T",
        )
    )

    def share(db: Connection) -> str:
        dashboards.owned(db, board.id, home.ana.id)
        return dashboards.share(db, board.id, home.ana.id)

    _, shared = await meet(
        database,
        "dashboards",
        lambda: database.run(dashboards.remove, board.id),
        lambda: database.run(share),
    )

    assert isinstance(shared, NotFound)


async def test_settings_that_are_sealed_anew_keep_what_is_set_meanwhile(home: House) -> None:
    database, house = postgres(home), home.organisation_id
    plain = {"secrets": {"erp": "old"}}
    await database.run(lambda db: people.change_organisation(db, house, settings=plain))
    vault = Vault(lambda: ["a" * 40])

    def set_another(db: Connection) -> None:
        row = people.hold_organisation(db, house)
        changed = {**row.settings, "language": "pt"}
        people.change_organisation(db, house, settings=changed)

    await meet(
        database,
        "organisations",
        lambda: database.run(set_another),
        lambda: database.run(seal_all, vault),
    )

    kept = (await database.read(people.organisation, house)).settings
    assert kept["language"] == "pt"
    assert kept["secrets"]["erp"] != "old"


async def a_connection(home: House) -> ServerConnection:
    new = ServerConnection(
        id="", organisation_id=home.organisation_id, name="erp", origin="panel", url="https://e.pt/"
    )
    return await home.database.run(connections.add, new)


async def test_two_sign_ins_to_a_server_at_once_leave_one(home: House) -> None:
    database, there = postgres(home), await a_connection(home)

    def keep(sealed: str) -> Any:
        return lambda: database.run(connections.keep_credential, there.id, None, sealed)

    await meet(database, "connection_credentials", keep("one"), keep("two"))

    rows = select(connection_credentials.c.sealed)
    assert await database.read(lambda db: list(db.execute(rows).scalars())) == ["two"]


async def test_a_token_renewed_by_a_call_does_not_undo_a_sign_out(home: House) -> None:
    database, there = postgres(home), await a_connection(home)
    await database.run(connections.keep_credential, there.id, None, "old")

    await meet(
        database,
        "connection_credentials",
        lambda: database.run(connections.forget_credentials, there.id),
        lambda: database.run(connections.keep_credential, there.id, None, "renewed", new=False),
    )

    assert await database.read(connections.credential, there.id, None) is None

"""Keys and one-time links: shown once, kept as hashes, good until they are not."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import select

from bancada.domain.errors import NotFound
from bancada.engine.keyring import find_key
from bancada.store import keys
from bancada.store.keys import KeyTerms
from bancada.store.tables import api_keys, one_time_links
from tests.house import House


async def test_a_key_is_its_persons_until_it_is_revoked(house: House) -> None:
    run = house.database.run
    id, key = await run(keys.add_key, house.ana.id, KeyTerms("script"))

    found = await run(keys.holder, key)
    assert found is not None
    assert (found.key_id, found.id) == (id, house.ana.id)
    assert await run(keys.holder, key + "x") is None

    await run(keys.revoke_key, id)
    assert await run(keys.holder, key) is None
    assert await run(keys.holder_of, id) is None


async def test_the_key_itself_is_not_kept(house: House) -> None:
    _, key = await house.database.run(keys.add_key, house.ana.id, KeyTerms("script"))
    token = await house.database.run(keys.add_link, "password", user_id=None, seconds=60)

    rows = await house.database.read(
        lambda db: [tuple(r) for t in (api_keys, one_time_links) for r in db.execute(select(t))]
    )

    assert key not in str(rows)
    assert token not in str(rows)


async def test_a_key_of_another_organisation_is_not_there(house: House) -> None:
    id, _ = await house.database.run(keys.add_key, house.ana.id, KeyTerms("script"))

    with pytest.raises(NotFound):
        await house.database.run(find_key, house.organisation_id + 1, id)
    assert (await house.database.run(find_key, house.organisation_id, id)).name == "script"


async def test_a_key_counts_until_its_end(house: House) -> None:
    run, now = house.database.run, time.time()
    new = KeyTerms("script", scopes=("chat", "tools"), expires_at=now + 60)
    id, key = await run(keys.add_key, house.ana.id, new)
    found = await run(keys.holder, key)
    assert found is not None
    assert found.scopes == ["chat", "tools"]

    await run(keys.end_key, id, now + 90)
    assert (await run(find_key, house.organisation_id, id)).expires_at == now + 60
    await run(keys.end_key, id, now - 1)
    assert await run(keys.holder, key) is None


async def test_a_newer_link_ends_the_older_of_the_same_person_only(house: House) -> None:
    run = house.database.run
    theirs = await run(keys.add_link, "password", user_id=house.rui.id, seconds=60)
    first = await run(keys.add_link, "password", user_id=house.ana.id, seconds=60)
    second = await run(keys.add_link, "password", user_id=house.ana.id, seconds=60)

    assert await run(keys.link, first) is None
    assert not await run(keys.use_link, first)
    assert await run(keys.link, second) is not None
    assert await run(keys.link, theirs) is not None


async def test_a_link_works_once_even_when_many_use_it_at_once(house: House) -> None:
    run = house.database.run
    token = await run(keys.add_link, "password", user_id=house.ana.id, seconds=60)
    found = await run(keys.link, token)
    assert found is not None
    assert found.user_id == house.ana.id

    used = await asyncio.gather(*(run(keys.use_link, token) for _ in range(8)))

    assert sum(used) == 1
    assert await run(keys.link, token) is None


async def test_a_link_that_expired_does_not_work(house: House) -> None:
    token = await house.database.run(keys.add_link, "password", user_id=None, seconds=-1)

    assert await house.database.run(keys.link, token) is None
    assert not await house.database.run(keys.use_link, token)

"""Keys and one-time links: shown once, kept as hashes, good until they are not."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import select

from bancada.domain.errors import NotFound
from bancada.store import keys
from bancada.store.tables import api_keys, one_time_links
from tests.house import House


async def test_a_key_is_its_persons_until_it_is_revoked(house: House) -> None:
    run = house.database.run
    id, key = await run(keys.add_key, house.ana.id, "script")

    found = await run(keys.find_key, key)
    assert found is not None
    assert (found.id, found.user_id) == (id, house.ana.id)
    assert await run(keys.find_key, key + "x") is None

    await run(keys.revoke_key, id, house.organisation_id)
    assert await run(keys.find_key, key) is None


async def test_the_key_itself_is_not_kept(house: House) -> None:
    _, key = await house.database.run(keys.add_key, house.ana.id, "script")
    token = await house.database.run(keys.add_link, "password", user_id=None, seconds=60)

    rows = await house.database.read(
        lambda db: [tuple(r) for t in (api_keys, one_time_links) for r in db.execute(select(t))]
    )

    assert key not in str(rows)
    assert token not in str(rows)


async def test_a_key_of_another_organisation_cannot_be_revoked(house: House) -> None:
    id, key = await house.database.run(keys.add_key, house.ana.id, "script")

    with pytest.raises(NotFound):
        await house.database.run(keys.revoke_key, id, house.organisation_id + 1)
    assert await house.database.run(keys.find_key, key) is not None


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

"""Keys of requests: taken once, known again, given up with their process, forgotten after a day."""

from __future__ import annotations

import asyncio
import time

import pytest
from sqlalchemy import Connection, update

from bancada.domain.errors import Conflict, Invalid
from bancada.store import idempotency
from bancada.store.database import Database
from bancada.store.idempotency import Claim, Keyed
from bancada.store.tables import idempotency_keys
from tests.house import House

SECONDS = 20.0


async def claimed(
    database: Database, keyed: Keyed, owner: str = "one", *, alone: bool = False
) -> Claim:
    stale = None if alone else time.time() - SECONDS
    return await database.run(idempotency.claim, keyed, owner=owner, stale_before=stale)


def of(house: House, key: str = "k", request: str = "r") -> Keyed:
    return Keyed(user_id=house.ana.id, key=key, request=request)


async def aged(database: Database, **columns: float) -> None:
    def change(db: Connection) -> None:
        db.execute(update(idempotency_keys).values(**columns))

    await database.run(change)


async def test_of_many_that_come_at_once_one_has_the_key(house: House) -> None:
    owners = [f"process {n}" for n in range(8)]
    found = await asyncio.gather(
        *(claimed(house.database, of(house), owner) for owner in owners), return_exceptions=True
    )
    assert sum(isinstance(one, Claim) for one in found) == 1
    assert sum(isinstance(one, Conflict) for one in found) == 7


async def test_an_answer_is_what_every_later_request_finds(house: House) -> None:
    first = await claimed(house.database, of(house))
    assert (first.again, first.answer) == (False, None)
    await house.database.run(idempotency.keep, of(house), {"done": 1})
    later = await claimed(house.database, of(house), "two")
    assert (later.subject, later.again, later.answer) == (first.subject, True, {"done": 1})


async def test_the_key_with_another_request_is_a_mistake(house: House) -> None:
    await claimed(house.database, of(house))
    with pytest.raises(Invalid):
        await claimed(house.database, of(house, request="other"))


async def test_a_dead_processs_key_is_taken_up_with_what_it_was_to_make(house: House) -> None:
    first = await claimed(house.database, of(house))
    with pytest.raises(Conflict) as told:
        await claimed(house.database, of(house), "two")
    assert told.value.headers["Retry-After"]
    alone = await claimed(house.database, of(house), "two", alone=True)
    await house.database.run(idempotency.beat, "two")
    await aged(house.database, heartbeat_at=time.time() - 2 * SECONDS)
    stale = await claimed(house.database, of(house), "three")
    assert {one.subject for one in (first, alone, stale)} == {first.subject}
    assert (alone.again, stale.again) == (True, True)


async def test_a_refused_requests_key_is_free_again(house: House) -> None:
    first = await claimed(house.database, of(house))
    await house.database.run(idempotency.release, of(house))
    second = await claimed(house.database, of(house, request="mended"), "two")
    assert not second.again
    assert second.subject != first.subject


async def test_after_a_day_a_key_is_new_and_is_cleaned_away(house: House) -> None:
    await claimed(house.database, of(house))
    await house.database.run(idempotency.keep, of(house), {"done": 1})
    await aged(house.database, created_at=time.time() - idempotency.KEPT_SECONDS - 1)
    assert not (await claimed(house.database, of(house, request="tomorrow"))).again
    await claimed(house.database, of(house, key="other"))
    await aged(house.database, created_at=time.time() - idempotency.KEPT_SECONDS - 1)
    assert await house.database.run(idempotency.forget_old) == 2

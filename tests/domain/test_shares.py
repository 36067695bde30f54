"""Places are shared out: nobody takes all of them, and who waits is served fairly."""

from __future__ import annotations

import asyncio

import pytest

from bancada.domain.shares import Holder, Shares, ShareSpent

ANA, RUI = Holder(1, 1), Holder(1, 2)
EVA = Holder(2, 3)


async def test_one_person_and_one_organisation_cannot_take_all_places() -> None:
    shares = Shares(4, per_organisation=3, per_person=2)
    for holder in (ANA, ANA, RUI):
        await shares.take(holder, seconds=1)
    with pytest.raises(ShareSpent) as person:
        await shares.take(ANA, seconds=0)
    with pytest.raises(ShareSpent) as organisation:
        await shares.take(RUI, seconds=0)
    assert (person.value.whose, organisation.value.whose) == ("person", "organisation")
    await shares.take(EVA, seconds=0.1)
    with pytest.raises(ShareSpent) as everybody:
        await shares.take(Holder(3, 4), seconds=0)
    assert everybody.value.whose == "all"


async def test_who_waits_is_served_in_the_order_of_need_then_of_arrival() -> None:
    shares = Shares(2, per_organisation=2, per_person=2)
    await shares.take(ANA, seconds=1)
    await shares.take(ANA, seconds=1)
    served: list[str] = []

    async def wait(name: str, holder: Holder) -> None:
        await shares.take(holder, seconds=5)
        served.append(name)

    waits = [
        asyncio.create_task(wait(*one)) for one in (("rui", RUI), ("eva", EVA), ("eva 2", EVA))
    ]
    await asyncio.sleep(0)
    for _ in range(2):
        shares.give_back(ANA)
        await asyncio.sleep(0.01)
    assert served == ["eva", "rui"]
    shares.give_back(RUI)
    await asyncio.gather(*waits)
    assert served[-1] == "eva 2"


async def test_a_place_is_not_lost_when_its_taker_gives_up() -> None:
    shares = Shares(1, per_organisation=1, per_person=1)
    async with shares.place(ANA, seconds=1):
        waiting = asyncio.create_task(shares.take(EVA, seconds=5))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        late = asyncio.create_task(shares.take(EVA, seconds=5))
        await asyncio.sleep(0)
    # Served and cancelled in the same moment.
    late.cancel()
    with pytest.raises(asyncio.CancelledError):
        await late
    await shares.take(RUI, seconds=0.1)

"""Containers are shared out: nobody takes all places, and what rests gives its own up."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bancada.domain.shares import Holder, Shares
from bancada.sandbox import Sandbox, TooManyContainers, jail, start_sandbox

RUI, ANA, LIA = Holder(1, 1), Holder(1, 2), Holder(1, 3)
EVA = Holder(2, 4)


@pytest.fixture
async def small(tmp_path: Path) -> AsyncIterator[Sandbox]:
    shares = Shares(3, per_organisation=2, per_person=1)
    sandbox = await start_sandbox(tmp_path, open_seconds=0.6, shares=shares)
    yield sandbox
    await sandbox.close()


async def test_neither_a_person_nor_an_organisation_takes_all_places(small: Sandbox) -> None:
    await small.open(holder=RUI)
    with pytest.raises(TooManyContainers, match="as one person may"):
        await small.open(holder=RUI)
    await small.open(holder=ANA)
    with pytest.raises(TooManyContainers, match="organisation already uses"):
        await small.open(holder=LIA)
    theirs = await small.open(holder=EVA)
    assert (await theirs.run("print(1)")).stdout == "1\n"


async def test_a_place_comes_back_when_its_container_ends(small: Sandbox) -> None:
    for _ in range(3):
        container = await small.open(holder=RUI)
        await container.end()
    assert await small.open(holder=RUI)


async def test_a_container_that_rests_gives_its_place_up_and_a_busy_one_does_not(
    small: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jail, "REST_SECONDS", 0.0)
    resting = await small.open(holder=RUI)
    await resting.run("x = 1")
    second = await small.open(holder=RUI)
    assert not resting.alive
    assert second.alive
    busy = asyncio.create_task(second.run("import time\ntime.sleep(3)\nprint('done')"))
    await asyncio.sleep(0.3)
    with pytest.raises(TooManyContainers):
        await small.open(holder=RUI)
    assert (await busy).stdout == "done\n"


async def test_what_holds_nothing_goes_first_and_variables_are_left_alone(
    small: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jail, "SPARE_SECONDS", 0.0)
    kept = await small.open(holder=RUI)
    await kept.run("x = 1")
    spare = await small.open(holder=ANA, spare=True)
    await spare.run("pass")
    await small.open(holder=LIA)
    assert (kept.alive, spare.alive) == (True, False)
    with pytest.raises(TooManyContainers):
        await small.open(holder=RUI)
    assert (await kept.run("print(x)")).stdout == "1\n"

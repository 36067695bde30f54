"""Killed at every moment at which something is left behind, everything goes on and nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.server.kills import journeys
from tests.server.kills.world import Journey, killed_at_each, world
from tests.server.process import run_bancada

EVERY = [
    journeys.turn,
    journeys.program,
    journeys.upload,
    journeys.dashboard,
    journeys.schedule,
    journeys.own_call,
    journeys.task,
    journeys.errand,
    journeys.gateway,
]
FIRST, EVERY_SO_MANY, MOST = 6, 11, 1000


@pytest.fixture(params=["sqlite", "postgresql"])
def env(request: pytest.FixtureRequest) -> dict[str, str]:
    """Where the installation keeps its rows. Not async: the server of Postgres starts in a loop of its own."""
    if request.param == "sqlite":
        return {}
    return {"BANCADA_DATABASE_URL": request.getfixturevalue("empty_postgres_url")}


async def test_a_turn_survives_a_kill_at_moments_over_its_whole_length(folder: Path) -> None:
    async with world(folder) as known:
        moments = range(FIRST, MOST, EVERY_SO_MANY)
        assert await killed_at_each(known, journeys.turn, moments) > FIRST + EVERY_SO_MANY


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("journey", EVERY)
async def test_each_journey_survives_a_kill_at_each_of_its_moments(
    tmp_path: Path, journey: Journey, env: dict[str, str]
) -> None:
    async with world(tmp_path, **env) as known:
        assert await killed_at_each(known, journey, range(1, MOST)) > 10
    status, said = await run_bancada("audit", "verify", "--data", str(tmp_path / "data"), env=env)
    assert status == 0, said

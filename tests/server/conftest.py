"""A served demo for each test, copied from one that was made once."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bancada.engine.workbench import open_workbench
from bancada.model.model import Model
from tests.server.site import Reader, Site, served, settings_for


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the demo in it: making one takes seconds, copying it does not."""
    folder = tmp_path_factory.mktemp("demo")

    async def make() -> None:
        bench = await open_workbench(settings_for(folder))
        await bench.close()

    asyncio.run(make())
    return folder / "data"


@pytest.fixture
def folder(tmp_path: Path, made_once: Path) -> Path:
    """A folder to serve from; the demo's people, agents and data are there."""
    shutil.copytree(made_once, tmp_path / "data")
    return tmp_path


@pytest.fixture
def model() -> Model | None:
    """What answers in the demo; none: the offline model."""
    return None


@pytest.fixture
async def site(folder: Path, model: Model | None) -> AsyncIterator[Site]:
    """The demo on a socket."""
    async with served(folder, model=model) as opened:
        yield opened


@pytest.fixture
async def rui(site: Site) -> Reader:
    """Rui, about to ask the agent for analysis, in English."""
    reader = await site.signs_in("rui")
    await reader.patch("/me", {"language": "en"})
    await reader.begins("Análise")
    return reader

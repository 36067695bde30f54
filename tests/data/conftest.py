"""One sandbox for the room's tests; starting one is the dear part."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bancada.data.datasets import Uploads
from bancada.data.evaluator import Evaluator
from bancada.data.query import DatasetQuery, QueryLimits
from bancada.sandbox import Sandbox
from tests.data.desk import Desk, Room, Shelf, given
from tests.jails import sandbox as sandbox


@pytest_asyncio.fixture(loop_scope="session")
async def desk(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Desk]:
    yield _desk(sandbox, tmp_path, QueryLimits(seconds=10))
    for container in sandbox.containers():
        await sandbox.end(container.id)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def besieged(
    sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Desk]:
    """A desk with a data set of ours, one of another conversation's, and a short clock."""
    desk = _desk(sandbox, tmp_path_factory.mktemp("desk"), QueryLimits(seconds=2))
    await desk.upload("ours", "defeitos.csv", "id,tipo\n1,lixo\n2,gordura\n3,lixo\n")
    await desk.upload("theirs", "segredos.csv", "nome,salario\nRui,1000\n")
    yield desk
    for container in sandbox.containers():
        await sandbox.end(container.id)


def _desk(sandbox: Sandbox, folder: Path, limits: QueryLimits) -> Desk:
    uploads = Uploads(folder / "uploads", Shelf(folder / "datasets"), given(sandbox))
    return Desk(uploads, DatasetQuery(uploads, Evaluator(given(sandbox)), limits=limits), folder)


@pytest.fixture
def room(sandbox: Sandbox, tmp_path: Path) -> Iterator[Room]:
    yield Room(tmp_path, sandbox)
    assert sandbox.containers() == [], "no container outlives its file"
    assert [path.name for path in sandbox.folder.iterdir() if path.is_dir()] == ["copies"]

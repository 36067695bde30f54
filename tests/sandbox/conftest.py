"""One sandbox of each tier for the whole run: starting one loads pandas, which is the dear part."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bancada.sandbox import Container, NoSandbox, Sandbox, start_sandbox


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=["ns", "ll"])
async def sandbox(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Sandbox]:
    try:
        started = await start_sandbox(
            tmp_path_factory.mktemp("run"), tier=request.param, open_seconds=60
        )
    except NoSandbox as error:
        pytest.skip(str(error))
    yield started
    await started.close()


@pytest_asyncio.fixture(loop_scope="session")
async def container(sandbox: Sandbox) -> AsyncIterator[Container]:
    opened = await sandbox.open()
    yield opened
    await opened.end()

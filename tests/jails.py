"""One sandbox for a whole run: starting one is the dear part."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bancada.sandbox import NoSandbox, Sandbox, start_sandbox


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def sandbox(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sandbox]:
    try:
        started = await start_sandbox(tmp_path_factory.mktemp("run"), open_seconds=60)
    except NoSandbox as error:
        pytest.skip(str(error))
    yield started
    await started.close()

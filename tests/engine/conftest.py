"""Benches for the engine's tests: each in a folder of its own, on SQLite unless told otherwise."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bancada.sandbox import Sandbox
from bancada.tools.tool import Tool
from tests.engine.harness import Harness, working
from tests.jails import sandbox as sandbox

Open = Callable[..., Awaitable[Harness]]


@pytest.fixture
async def open_agent(tmp_path: Path, sqlite_url: str) -> AsyncIterator[Open]:
    """Opens an agent with the given tools and settings; closed at the end of the test."""
    async with AsyncExitStack() as stack:

        async def opened(*tools: Tool, **how: Any) -> Harness:
            return await stack.enter_async_context(working(tmp_path, *tools, **how))

        yield opened


@pytest.fixture
async def open_anywhere(tmp_path: Path, database_url: str) -> AsyncIterator[Open]:
    """The same, on each kind of database."""
    async with AsyncExitStack() as stack:

        async def opened(*tools: Tool, **how: Any) -> Harness:
            return await stack.enter_async_context(
                working(tmp_path, *tools, database_url=database_url, **how)
            )

        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def open_coder(tmp_path: Path, sqlite_url: str, sandbox: Sandbox) -> AsyncIterator[Open]:
    """Opens an agent that may write code; for tests in the session's own loop."""
    async with AsyncExitStack() as stack:

        async def opened(*tools: Tool, **how: Any) -> Harness:
            given = {"code": "local", "sandbox": sandbox, **how}
            return await stack.enter_async_context(working(tmp_path, *tools, **given))

        yield opened


@pytest_asyncio.fixture(loop_scope="session")
async def open_coder_anywhere(
    tmp_path: Path, database_url: str, sandbox: Sandbox
) -> AsyncIterator[Open]:
    """The same, on each kind of database."""
    async with AsyncExitStack() as stack:

        async def opened(*tools: Tool, **how: Any) -> Harness:
            given = {"code": "local", "sandbox": sandbox, "database_url": database_url, **how}
            return await stack.enter_async_context(working(tmp_path, *tools, **given))

        yield opened


@pytest.fixture
def fresh_folder(tmp_path: Path, migrated_sqlite: Path, sqlite_url: str) -> Callable[[str], Path]:
    """Further data folders, each with a migrated database."""

    def make(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        shutil.copy(migrated_sqlite, folder / "bancada.db")
        return folder

    return make

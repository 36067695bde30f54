"""A booth for each test: on SQLite, unless the test asks for each database."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.house import House
from tests.mcp.connections.booth import Booth


@pytest.fixture
async def booth(house: House) -> AsyncIterator[Booth]:
    opened = Booth(house)
    yield opened
    await opened.close()

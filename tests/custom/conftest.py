from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bancada.store.database import open_database
from tests.custom.workshop import Workshop
from tests.house import House, open_house


@pytest.fixture
def workshop(house: House) -> Workshop:
    """A house where tools can be defined, on each database."""
    return Workshop(house)


@pytest.fixture
async def sqlite_house(sqlite_url: str) -> AsyncIterator[House]:
    """A house for tests in which the kind of database plays no part."""
    database = open_database(sqlite_url)
    yield await open_house(database)
    await database.close()

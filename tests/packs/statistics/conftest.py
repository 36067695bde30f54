from __future__ import annotations

import pytest

from tests.packs.statistics.bench import Bench


@pytest.fixture
def bench() -> Bench:
    """The pack, with an empty database, for somebody who reads Portuguese."""
    return Bench()

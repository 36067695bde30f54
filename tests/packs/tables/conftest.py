from __future__ import annotations

from pathlib import Path

import pytest

from tests.packs.quality.bench import Bench, Services


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """The pack as `--demo` starts it."""
    return Bench(Services(folder=tmp_path))

from __future__ import annotations

from pathlib import Path

import pytest

from tests.packs.workspace.bench import Bench


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """The pack as `--demo` starts it."""
    return Bench(tmp_path)

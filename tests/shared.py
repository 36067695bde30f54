"""What is beside the tests: benchmarks, and conformance material where it is there."""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared"

needs_shared = pytest.mark.skipif(
    not SHARED.is_dir(), reason="the conformance material (../shared) is not here"
)

RECORDINGS_FOLDER = SHARED / "recordings"
RECORDINGS = sorted(
    path
    for path in RECORDINGS_FOLDER.rglob("*.*")
    if path.parent != RECORDINGS_FOLDER and path.suffix in (".yaml", ".json", ".txt")
)
BENCH = Path(__file__).resolve().parents[1] / "bench"


@cache
def shared_tool(name: str) -> ModuleType:
    """Load one of the tools beside the recordings, by its path."""
    return loaded(f"shared_{name}", SHARED / "tools" / f"{name}.py")


def bench(name: str) -> ModuleType:
    """One of the repository's own benchmarks."""
    return loaded(f"bench_{name}", BENCH / f"{name}.py")


def loaded(name: str, path: Path) -> ModuleType:
    """A module by its path."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module

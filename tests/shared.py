"""Where conformance material lives, when it is beside the repository."""

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


@cache
def shared_tool(name: str) -> ModuleType:
    """Load one of the tools beside the recordings, by its path."""
    path = SHARED / "tools" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"shared_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module

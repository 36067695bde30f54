"""A wall to read files behind, for as long as something is measured."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bancada.data.process import OpenSandbox
from bancada.sandbox import Sandbox, start_sandbox


@asynccontextmanager
async def walled() -> AsyncIterator[OpenSandbox]:
    """A sandbox of this machine's best tier, warm."""
    with tempfile.TemporaryDirectory() as folder:
        sandbox = await start_sandbox(Path(folder))

        async def same() -> Sandbox:
            return sandbox

        try:
            yield same
        finally:
            await sandbox.close()

"""The page's types are the server's: they are made from its OpenAPI, and kept in step with it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

WEB = Path(__file__).parents[3] / "web"


@pytest.mark.skipif(
    shutil.which("node") is None or not (WEB / "node_modules" / "openapi-typescript").is_dir(),
    reason="Node and the page's own packages are not here: run `make web`",
)
def test_the_types_of_the_page_are_what_the_server_says() -> None:
    run = subprocess.run(
        ["node", "scripts/api.mjs", "--check"], cwd=WEB, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr

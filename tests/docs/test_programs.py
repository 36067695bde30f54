"""The programs in `examples/` run as they stand, against a server with the demo's data."""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from tests.server.site import served

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SAYS = {
    "ask": "lixo",
    "approve": "Decided: approved",
    "gateway": "(offline answered)",
    "mcp_tools": '"total":62',
    "own_pack": "Rui, once he approved: Line 3 is stopped.",
}


async def test_every_example_runs_and_says_what_it_is_there_for(tmp_path: Path) -> None:
    programs = {path.stem for path in EXAMPLES.glob("*.py")} - {"house"}
    assert programs == set(SAYS)
    async with served(tmp_path, demo=True) as site:
        said = await asyncio.gather(*(_run(name, site.address) for name in SAYS))
    for name, (code, words) in zip(SAYS, said, strict=True):
        assert code == 0, (name, words)
        assert SAYS[name] in words, (name, words)


async def _run(name: str, url: str) -> tuple[int | None, str]:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, str(EXAMPLES / f"{name}.py")),
        env={**os.environ, "BANCADA_URL": url},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    words, _ = await program.communicate()
    return program.returncode, words.decode()

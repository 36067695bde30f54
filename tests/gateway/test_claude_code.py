"""Claude Code's command line, as it is published, edits a file through the gateway."""

from __future__ import annotations

import asyncio
import json
import os
from asyncio.subprocess import PIPE, STDOUT
from pathlib import Path
from typing import Any

import pytest

from tests.gateway.counter import counter
from tests.gateway.vendor import calls, says

PACKAGE = "@anthropic-ai/claude-code@2.1.325"
PROGRAMS = Path(__file__).parents[1] / "node" / "node_modules" / ".bin"


async def run(*command: str, cwd: Path, **env: str) -> str:
    path = f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"
    given = {**os.environ, "PATH": path, "HOME": str(cwd), **env}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=cwd, env=given, stdin=asyncio.subprocess.DEVNULL, stdout=PIPE, stderr=STDOUT
    )
    said, _ = await process.communicate()
    assert process.returncode == 0, said.decode()
    return said.decode()


def programmer(file: Path) -> Any:
    """A model that reads the file, changes a word of it, and says so."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        results = str(request["messages"]).count("'tool_result'")
        if not request.get("tools"):
            return says("Um ficheiro.")
        if results == 0:
            return says(calls("Read", "toolu_1", file_path=str(file)))
        if results == 1:
            change = {"old_string": "bom", "new_string": "mau"}
            return says(calls("Edit", "toolu_2", file_path=str(file), **change))
        return says("Mudei uma palavra.")

    return answer


@pytest.mark.long
@pytest.mark.timeout(900)
async def test_claude_code_edits_a_file(folder: Path, tmp_path: Path) -> None:
    """Fetched for this test alone: it is 350 MB, and nothing else here needs it."""
    home = tmp_path / "home"
    home.mkdir()
    file = home / "tempo.txt"
    file.write_text("O tempo está bom.\n")
    npmrc = {"npm_config_userconfig": str(Path("~/.npmrc").expanduser())}
    await run("npm", "install", "--no-audit", "--no-fund", PACKAGE, cwd=home, **npmrc)

    async with counter(folder, programmer(file)) as at:
        _, key = await at.key(scopes=("gateway",))
        said = await run(
            *("node_modules/.bin/claude", "-p", "Diz que o tempo está mau.", "--output-format"),
            *("json", "--model", "claude-sonnet-5-5", "--permission-mode", "acceptEdits"),
            cwd=home,
            ANTHROPIC_BASE_URL=at.site.address,
            ANTHROPIC_API_KEY=key,
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        )

        assert json.loads(said)["result"] == "Mudei uma palavra."
        assert file.read_text() == "O tempo está mau.\n"

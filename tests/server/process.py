"""`bancada serve` as its users have it: a process of its own, to be asked, stopped and killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.forks import BANCADA, Forked, forked
from tests.server.site import PASSWORDS, TLS, Reader

TOOLS = '''
"""A pack whose tools leave a line for each run, and wait for a file where they are told to."""

import asyncio
from pathlib import Path

from bancada import Agent, Pack, tool


def build(services):
    folder = Path(services.folder)

    async def note(name):
        with (folder / "runs").open("a") as runs:
            runs.write(name + "\\n")

    @tool
    async def pronta() -> str:
        """Ready at once."""
        await note("pronta")
        return "pronta"

    @tool
    async def ler() -> str:
        """Read something that takes its time."""
        await note("ler")
        while not (folder / "go").exists():
            await asyncio.sleep(0.02)
        return "lido"

    @tool(effect="write")
    async def escrever() -> str:
        """Change something that takes its time."""
        await note("escrever")
        while not (folder / "go").exists():
            await asyncio.sleep(0.02)
        return "escrito"

    tools = [pronta, ler, escrever]
    agent = Agent(
        name="Provas",
        description="",
        system_prompt="",
        tools=tuple(each.name for each in tools),
    )
    return Pack(name="provas", tools=tools, agents=[agent])
'''


def install_pack(folder: Path, build: str = "provas:build") -> Path:
    """A folder for PYTHONPATH in which the pack is found as an installed one is."""
    place = folder / "site"
    info = place / "provas-1.0.dist-info"
    info.mkdir(parents=True, exist_ok=True)
    (place / "provas.py").write_text(TOOLS)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: provas\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[bancada.packs]\nprovas = {build}\n")
    return place


@dataclass
class Served:
    """A running `bancada serve`."""

    process: Forked | asyncio.subprocess.Process
    address: str
    said: list[str] = field(default_factory=list)
    _clients: list[httpx.AsyncClient] = field(default_factory=list)

    async def signs_in(self, person: str) -> Reader:
        client = httpx.AsyncClient(base_url=self.address, timeout=60, verify=TLS)
        self._clients.append(client)
        body = {"email": f"{person}@demo.com", "password": PASSWORDS[person]}
        answer = await client.post("/auth/login", json=body)
        assert answer.status_code == 200, answer.text
        client.headers["Authorization"] = f"Bearer {answer.json()['token']}"
        return Reader(client, person)

    def again(self, reader: Reader) -> Reader:
        """The same person with the same token and conversation, at this process's address."""
        client = httpx.AsyncClient(
            base_url=self.address, timeout=60, headers=reader.client.headers, verify=TLS
        )
        self._clients.append(client)
        return Reader(client, reader.person, reader.conversation)

    async def kill(self) -> None:
        """As the power cut would."""
        self.process.send_signal(signal.SIGKILL)
        await self.process.wait()

    async def terminate(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(40):
            return await self.process.wait()


async def run_bancada(*arguments: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Run a command to its end: its exit status, and all it said."""
    process = await forked(
        BANCADA, *arguments, env=environment(env), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    async with asyncio.timeout(60):
        said = await process.said()
    return await process.wait(), said.decode()


def command(*arguments: str) -> list[str]:
    """The command in an interpreter of its own, where the start is part of what is tested."""
    return [sys.executable, "-c", "from bancada.cli import main; main()", *arguments]


def environment(given: dict[str, str] | None) -> dict[str, str]:
    """Nothing of this machine's settings, and everything that was given."""
    kept = ("PATH", "HOME", "TMPDIR", "LANG")
    inherited = {name: os.environ[name] for name in kept if name in os.environ}
    return {
        **inherited,
        "BANCADA_PASSWORD_COST": "1",
        "BANCADA_RETRY_SECONDS": "0",
        **(given or {}),
    }


@asynccontextmanager
async def serving(
    folder: Path,
    *arguments: str,
    env: dict[str, str] | None = None,
    demo: bool = True,
    fresh: bool = False,
) -> AsyncIterator[Served]:
    """Serve `folder/data` in a process (a fresh interpreter, or a fork that starts quickly).

    It is killed at the end if it still runs.
    """
    asked = ["serve", "--data", str(folder / "data"), "--port", "0", *arguments]
    asked += ["--demo"] if demo else []
    process: Forked | asyncio.subprocess.Process
    with (folder / "serve.log").open("ab") as log:
        how: dict[str, Any] = {"env": environment(env), "cwd": folder, "stderr": log}
        if fresh:
            process = await asyncio.create_subprocess_exec(
                *command(*asked), stdout=subprocess.PIPE, **how
            )
        else:
            process = await forked(BANCADA, *asked, stdout=subprocess.PIPE, **how)
    assert process.stdout is not None
    served = Served(process, "")
    try:
        async with asyncio.timeout(90):
            while not served.address:
                line = (await process.stdout.readline()).decode()
                assert line, (folder / "serve.log").read_text()[-3000:]
                served.said.append(line.strip())
                if line.startswith("Bancada is at "):
                    served.address = line.removeprefix("Bancada is at ").strip()
        listening = asyncio.create_task(_listen(process.stdout, served.said))
        yield served
        listening.cancel()
    finally:
        for client in served._clients:
            await client.aclose()
        if process.returncode is None:
            await served.kill()


async def _listen(stdout: asyncio.StreamReader, said: list[str]) -> None:
    async for line in stdout:
        said.append(line.decode().strip())

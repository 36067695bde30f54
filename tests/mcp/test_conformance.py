"""The official conformance suite against a real `bancada serve`, every call through the gate."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import socket
from pathlib import Path
from typing import Any

import pytest

from tests.server.process import environment, run_bancada, serving

NODE = Path(__file__).resolve().parents[1] / "node"
SUITE = NODE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
PACK = Path(__file__).with_name("conformance_pack.py")

SAMPLING = "sampling is not offered: nothing but a turn's own replies calls a model"
ROOTS = "roots are not offered: nothing of ours reads a client's folders"
LOGGING = "logging is not offered: the log is the operator's"
NOT_OFFERED: dict[str, dict[str, str]] = {
    "2025-11-25": {
        "logging-set-level": LOGGING,
        "tools-call-with-logging": LOGGING,
        "tools-call-sampling": SAMPLING,
    },
    "2026-07-28": {
        "sep-2575-server-rejects-undeclared-capability": SAMPLING,
        "sep-2575-missing-capability-http-400": SAMPLING,
        "sep-2322-sampling-incomplete": SAMPLING,
        "sep-2322-list-roots-incomplete": ROOTS,
        "sep-2322-multiple-inputs-incomplete": f"{SAMPLING}; {ROOTS}",
        "sep-2322-respect-client-capabilities": SAMPLING,
    },
}
"""Checks that may fail, each with the reason; every other must pass."""


def installed(folder: Path) -> Path:
    """A folder for PYTHONPATH in which the suite's fixtures are an installed pack."""
    place = folder / "site"
    info = place / "conformance_pack-1.0.dist-info"
    info.mkdir(parents=True)
    shutil.copy(PACK, place)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: conformance_pack\nVersion: 1.0\n")
    points = "[bancada.packs]\nconformance = conformance_pack:build\n"
    (info / "entry_points.txt").write_text(points)
    return place


def free_port() -> int:
    """The suite's tool that changes a list calls the server it runs in."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


async def node(*arguments: str, key: str = "", **given: str) -> str:
    process = await asyncio.create_subprocess_exec(
        str(NODE / "node_modules/.bin/node"),
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=environment({"BANCADA_KEY": key, **given}),
        cwd=NODE,
    )
    said, _ = await process.communicate()
    return said.decode()


async def marked(revision: str) -> set[str]:
    """The server scenarios that the suite marks with this revision; for the newest its tasks too."""
    listed = (await node(str(SUITE), "list")).partition("Client scenarios")[0]
    found = dict(re.findall(r"^  - (\S+) \[(.*)\]$", listed, re.MULTILINE))
    tasks = {name for name in found if name.startswith("tasks-") and revision > "2026"}
    return {name for name, versions in found.items() if revision in versions} | tasks


async def checks(address: str, key: str, revision: str, folder: Path) -> dict[str, list[Any]]:
    """Every check of a revision, by scenario."""
    which = (
        ("--requirements", revision)
        if revision > "2026"
        else ("--suite", "all", "--spec-version", revision)
    )
    said = await node(
        *("--import", "./key.mjs", str(SUITE), "server", "--url", f"{address}/mcp"),
        *(*which, "-o", str(folder)),
        key=key,
    )
    results = sorted(folder.rglob("checks.json"))
    assert results, said
    named = {
        re.sub(r"^server-|-\d{4}-\d\d-\d\dT.*$", "", path.parent.name): path for path in results
    }
    return {name: json.loads(path.read_text()) for name, path in named.items()}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("revision", list(NOT_OFFERED))
async def test_every_check_passes_but_those_of_what_is_not_offered(
    tmp_path: Path, revision: str
) -> None:
    data = ("--data", str(tmp_path / "data"), "--demo")
    env = {"PYTHONPATH": str(installed(tmp_path)), "BANCADA_PACKS": "conformance"}
    who = ("--user", "admin@demo.com")
    _, every = await run_bancada("keys", "add", *who, *data, env=env)
    _, key = await run_bancada("keys", "add", *who, "--scope", "mcp", *data, env=env)
    port = str(free_port())
    env |= {"CONFORMANCE_KEY": every.strip(), "CONFORMANCE_URL": f"http://127.0.0.1:{port}"}

    async with serving(tmp_path, "--port", port, env=env) as server:
        found = await checks(server.address, key.strip(), revision, tmp_path / "results")

    failed = {
        check["id"]: check.get("errorMessage")
        for scenario in found.values()
        for check in scenario
        if check["status"] == "FAILURE"
    }
    assert failed.keys() == NOT_OFFERED[revision].keys(), failed
    assert await marked(revision) <= found.keys()
    warned = {one["id"] for each in found.values() for one in each if one["status"] == "WARNING"}
    assert warned == set()

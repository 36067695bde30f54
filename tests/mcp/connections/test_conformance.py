"""The official conformance suite against our client: every scenario it marks for the two versions we
speak, at each of them. Extensions of the protocol that we do not offer are none of them."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bancada.store.database import open_database
from tests.house import House, open_house
from tests.mcp.connections.booth import Booth
from tests.mcp.connections.conformance_client import talk

NODE = Path(__file__).parents[2] / "node" / "node_modules"
SUITE = NODE / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
OLD, NEW = "2025-11-25", "2026-07-28"
BOTH = (
    "tools_call",
    "json-schema-2020-12-preservation",
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/basic-cimd",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/pre-registration",
)
ONLY_OLD = ("initialize", "elicitation-sep1034-client-defaults", "sse-retry")
ONLY_NEW = (
    "request-metadata",
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
    "auth/authorization-server-migration",
    "auth/iss-supported",
    "auth/iss-not-advertised",
    "auth/iss-supported-missing",
    "auth/iss-wrong-issuer",
    "auth/iss-unexpected",
    "auth/iss-normalized",
    "auth/metadata-issuer-mismatch",
    "sep-2322-client-request-state",
    "http-standard-headers",
    "http-custom-headers",
    "http-invalid-tool-headers",
    "json-schema-ref-no-deref",
)
RUNS = [
    *((name, NEW) for name in (*BOTH, *ONLY_NEW)),
    *((name, OLD) for name in (*ONLY_OLD, *BOTH)),
]


def is_said_twice(scenario: str, version: str) -> bool:
    """Signing in does not depend on the version: once in every run is enough."""
    return version == OLD and scenario.startswith("auth/")


@pytest.fixture
async def house(sqlite_url: str) -> AsyncIterator[House]:
    """On one database: what is asked here is said on the wire."""
    database = open_database(sqlite_url)
    yield await open_house(database)
    await database.close()


@pytest.mark.parametrize(
    ("scenario", "version"),
    [pytest.param(*one, marks=[pytest.mark.long] if is_said_twice(*one) else []) for one in RUNS],
)
async def test_our_client_passes(booth: Booth, tmp_path: Path, scenario: str, version: str) -> None:
    said: list[str] = []

    async def relayed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        order = json.loads(await reader.readline())
        log: list[str] = []
        status = 1
        try:
            well = await talk(
                booth,
                order["url"],
                order["scenario"],
                order["context"],
                lambda *words: log.append(" ".join(map(str, words))),
            )
            await booth.close()
            status = 0 if well else 1
        except Exception as error:
            log.append(repr(error))
        said.extend(log)
        writer.write(json.dumps({"log": "\n".join(log), "status": status}).encode())
        await writer.drain()
        writer.close()

    place = str(tmp_path / "s")
    async with await asyncio.start_unix_server(relayed, place):
        relay = Path(__file__).with_name("relay.py")
        command = f"{sys.executable} -S -E {relay} {place}"
        suite = await asyncio.create_subprocess_exec(
            *(str(NODE / ".bin" / "node"), str(SUITE), "client", "--command", command),
            *("--scenario", scenario, "--spec-version", version, "-o", str(tmp_path / "out")),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        told, _ = await suite.communicate()
    failed = [line for line in told.decode().splitlines() if "FAILURE" in line or "WARN" in line]
    assert suite.returncode == 0, "\n".join([*said, *failed, told.decode()[-1500:]])


async def test_no_scenario_of_our_versions_is_left_out() -> None:
    listing = await asyncio.create_subprocess_exec(
        *(str(NODE / ".bin" / "node"), str(SUITE), "list"), stdout=asyncio.subprocess.PIPE
    )
    told, _ = await listing.communicate()
    clients = told.decode().partition("Client scenarios")[2].partition("Authorization server")[0]
    marked = re.findall(r"- (\S+) \[(.*?)\]", clients)

    wanted = {
        (name, version) for name, marks in marked for version in (OLD, NEW) if version in marks
    }

    assert wanted == set(RUNS)

"""Our client against the SDK's own servers, over HTTP and over pipes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import (
    AudioContent,
    EmbeddedResource,
    ImageContent,
    ResourceLink,
    TextResourceContents,
    ToolAnnotations,
)

from tests.custom.servers import serving
from tests.house import House
from tests.mcp.connections.booth import Booth, body, served

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
TESTS = Path(__file__).parent
PROGRAM = str(Path(__file__).with_name("program.py"))


def example() -> MCPServer:
    server = MCPServer("example", version="3.1", instructions="Add things.")

    @server.tool(annotations=ToolAnnotations(read_only_hint=True))
    def add(a: int, b: int) -> int:
        """Add two numbers."""
        return a + b

    @server.tool()
    def show() -> list[object]:
        """Show one of everything."""
        text = TextResourceContents(uri="memo://1", mime_type="text/plain", text="a memo")
        return [
            "words",
            ImageContent(type="image", data=PNG, mime_type="image/png"),
            AudioContent(type="audio", data="AAAA", mime_type="audio/wav"),
            ResourceLink(type="resource_link", name="report", uri="https://example.com/r"),
            EmbeddedResource(type="resource", resource=text),
        ]

    @server.tool()
    def fail() -> str:
        """Fail."""
        raise ToolError("no such customer")

    return server


@pytest.mark.parametrize("how", [{}, {"stateless_http": True, "json_response": True}])
async def test_a_tool_of_a_server_is_called_over_http(
    booth: Booth, house: House, how: dict[str, bool]
) -> None:
    async with served(example(), **how) as url:
        crm = await booth.connect(url)
        assert (crm.status, crm.server["name"]) == ("ok", "example")
        await booth.enable(crm, "add")

        outcome = await house.result("add", {"a": 2, "b": 40})

        assert body(outcome) == {"result": 42}
        assert outcome.outside
        await booth.close()


async def test_a_tool_of_a_program_is_called_over_its_pipes(booth: Booth, house: House) -> None:
    local = await booth.start(PROGRAM)
    assert local.status == "ok", local.detail
    await booth.enable(local, "count")

    first, second = await house.result("count"), await house.result("count")

    assert (body(first), body(second)) == ({"result": 1}, {"result": 2}), "one process, kept"


@pytest.mark.skipif(sys.platform != "linux", reason="the wall is made of Linux namespaces")
async def test_a_program_behind_the_wall_has_no_network_and_sees_no_files(
    booth: Booth, house: House, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("ours")
    async with serving(lambda heard: b"") as ours:
        around = {"path": str(tmp_path / "secret"), "port": ours.port}
        free = await booth.start(PROGRAM)
        await booth.enable(free, "look_around")
        seen = body(await house.result("look_around", around))
        assert seen == {"file": "ours", "network": True, "alone": False}, "all that we may, it may"

        walled = await booth.start(PROGRAM, name="walled", walls=True, folders=(TESTS,))
        assert walled.status == "ok", walled.detail
        await booth.enable(walled, "look_around")
        seen = body(await house.result("walled_look_around", around))

        assert seen == {"file": None, "network": False, "alone": True}


async def test_a_new_tool_is_there_and_switched_off(booth: Booth, house: House) -> None:
    async with served(example()) as url:
        crm = await booth.connect(url)

        outcome = await house.result("add", {"a": 1, "b": 1}, by=house.eva)
        assert outcome.code == "disabled"
        rows = await booth.rows(crm)
        assert {row.state for row in rows.values()} == {"new"}
        # A server's own word makes what is proposed milder for a reader only; nothing is enabled by it.
        assert (rows["add"].effect, rows["add"].confirm) == ("read", "never")
        assert (rows["show"].effect, rows["show"].confirm) == ("write", "always")
        await booth.close()


async def test_every_kind_of_content_arrives(booth: Booth, house: House) -> None:
    async with served(example()) as url:
        crm = await booth.connect(url)
        await booth.enable(crm, "show")

        outcome = await house.result("show")

        assert isinstance(outcome.content, list)
        kinds = [block["type"] for block in outcome.content]
        texts = " ".join(block.get("text", "") for block in outcome.content)
        assert "image" in kinds
        assert "words" in texts
        assert "a memo" in texts
        assert "audio/wav" in texts, "a model is told of what it cannot read"
        assert "https://example.com/r" in texts
        await booth.close()


async def test_a_tool_that_fails_is_an_error_in_its_own_words(booth: Booth, house: House) -> None:
    async with served(example()) as url:
        crm = await booth.connect(url)
        await booth.enable(crm, "fail")

        outcome = await house.result("fail")

        assert outcome.is_error
        assert "no such customer" in str(outcome.content)
        assert (await booth.state(crm)).status == "ok", "a tool that fails is no dead server"
        await booth.close()


async def test_what_is_enabled_in_one_process_is_enabled_in_another(
    booth: Booth, house: House
) -> None:
    other = Booth(House(house.database, house.organisation_id, house.ana, house.rui, house.eva))
    async with served(example()) as url:
        crm = await booth.connect(url)
        assert (await other.house.result("add", {"a": 1, "b": 1})).code == "disabled"

        await booth.enable(crm, "add")
        assert body(await other.house.result("add", {"a": 1, "b": 1})) == {"result": 2}

        await booth.desk.disable(house.eva, crm.id, "add")
        assert (await other.house.result("add", {"a": 1, "b": 1})).code == "disabled"
        await booth.close()
        await other.close()


async def test_level_confirmation_and_callers_are_the_administrators(
    booth: Booth, house: House
) -> None:
    async with served(example()) as url:
        crm = await booth.connect(url)
        await booth.enable(
            crm, "add", permission_level="responsavel", effect="write", confirm="always"
        )

        assert (await house.result("add", {"a": 1, "b": 1})).code == "forbidden"
        await house.waits("add", {"a": 1, "b": 1}, by=house.rui)
        await booth.close()

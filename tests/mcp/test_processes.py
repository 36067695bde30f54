"""Real processes: over standard input, through the inspector, and across a restart."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, types

from bancada import tool
from bancada.mcp.serving import tasks
from bancada.store.database import Database
from bancada.store.tables import mcp_tasks
from tests.mcp.speaking import FORMS, TASKS, Speaker, text_of
from tests.mcp.test_conformance import NODE, node
from tests.server.process import command, environment, serving
from tests.server.site import Site
from tests.shared import bench


def stdio(folder: Path, person: str) -> StdioServerParameters:
    """`bancada mcp` on the demo in this folder."""
    data = ("--data", str(folder / "data"), "--demo")
    program, *arguments = command("mcp", *data, "--user", f"{person}@demo.com")
    return StdioServerParameters(
        command=program, args=arguments, env=environment(None), cwd=str(folder)
    )


async def test_the_sdks_client_lists_and_calls_over_standard_input(folder: Path) -> None:
    async with Client(stdio(folder, "ana")) as client:
        names = {one.name for one in (await client.list_tools()).tools}
        result = await client.call_tool("gerar_kpi", {"titulo": "Defeitos", "valor": 8})
        spoken = client.protocol_version

    assert spoken == "2026-07-28"
    assert "gerar_kpi" in names
    assert "sendAnnouncement" not in names
    assert not result.is_error


async def test_an_older_client_is_asked_for_the_word_over_standard_input(folder: Path) -> None:
    asked: list[str] = []

    async def yes(_: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action="accept", content={"decision": "approve"})

    async with Client(stdio(folder, "admin"), mode="legacy", elicitation_callback=yes) as client:
        result = await client.call_tool("sendAnnouncement", {"title": "Aviso", "message": "Olá"})

    assert len(asked) == 1, result
    assert not result.is_error, result


async def test_the_inspectors_command_line_lists_and_calls(folder: Path) -> None:
    data = ("--data", str(folder / "data"), "--demo", "--user", "ana@demo.com")
    # The inspector takes what begins with a dash for its own: a file names the command.
    program = folder / "bancada"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nfrom bancada.cli import main\n"
        f"sys.argv[1:] = {['mcp', *data]!r}\nmain()\n"
    )
    program.chmod(0o700)
    inspector = NODE / "node_modules/@modelcontextprotocol/inspector/clients/cli/build/index.js"

    async def inspected(*arguments: str) -> dict[str, Any]:
        patient = ("--connect-timeout", "60000")
        said = await node(str(inspector), str(program), *patient, *arguments, HOME=str(folder))
        return dict(json.loads(said[said.index("{") : said.rindex("}") + 1]))

    listed = await inspected("--method", "tools/list")
    called = await inspected(
        *("--method", "tools/call", "--tool-name", "gerar_kpi"),
        *("--tool-arg", "titulo=Defeitos", "--tool-arg", "valor=8"),
    )

    assert "gerar_kpi" in {one["name"] for one in listed["tools"]}
    assert called.get("isError") is not True
    assert called["content"][0]["type"] == "text"


async def test_an_answer_after_a_restart_goes_on(folder: Path) -> None:
    announcement = {"title": "Aviso", "message": "Olá"}
    async with serving(folder) as first:
        admin = await first.signs_in("admin")
        asked = await Speaker(admin.client, FORMS).calls("sendAnnouncement", announcement)
        assert asked["resultType"] == "input_required", asked
        await first.kill()
    async with serving(folder) as second:
        again = Speaker(second.again(admin).client, FORMS)

        done = await again.calls(
            "sendAnnouncement",
            announcement,
            inputResponses={
                "confirmation": {"action": "accept", "content": {"decision": "approve"}}
            },
            requestState=asked["requestState"],
        )

    assert done["resultType"] == "complete"
    assert done["isError"] is False, text_of(done)


async def _lose(database: Database, id: str) -> None:
    """As if the process that had it were gone for a while."""
    gone = {"owner": "gone", "beat_at": time.time() - 2 * tasks.LOST_SECONDS, "status": "working"}

    def write(db: Any) -> None:
        db.execute(mcp_tasks.update().where(mcp_tasks.c.id == id).values(**gone, result=None))

    await database.run(write)


async def test_a_task_whose_call_had_ended_when_its_process_went_is_not_run_again(
    site: Site,
) -> None:
    ran: list[str] = []

    @tool(background="may")
    async def look() -> str:
        """Look."""
        ran.append("look")
        return "seen"

    @tool(background="may", effect="write", own_shelf=True)
    async def change() -> str:
        """Change."""
        ran.append("change")
        return "changed"

    await site.has_tools(look, change)
    rui = Speaker((await site.signs_in("rui")).client, TASKS)
    ends = {}
    for name in ("look", "change"):
        made = await rui.calls(name)
        await _until_done(rui, made["taskId"])
        await _lose(site.bench.database, made["taskId"])
        ends[name] = await _until_done(rui, made["taskId"])

    assert ran == ["look", "change"]
    assert text_of(ends["look"]["result"]) == "seen"
    assert text_of(ends["change"]["result"]) == "changed"


async def _until_done(speaker: Speaker, id: str) -> dict[str, Any]:
    for _ in range(400):
        now = await speaker.asks("tasks/get", {"taskId": id})
        if now["status"] in ("completed", "failed"):
            return now
        await asyncio.sleep(0.05)
    raise AssertionError("it did not end")


async def test_both_sides_of_the_benchmark_answer() -> None:
    bare, ours = await bench("mcp").measure(calls=2, rounds=1)

    assert bare > 0
    assert ours > 0

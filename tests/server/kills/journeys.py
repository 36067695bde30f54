"""The journeys: what people and programs do here, each from its beginning to its end."""

from __future__ import annotations

import asyncio
from typing import Any

import anthropic
import httpx2
from anthropic import AsyncAnthropic

from tests.mcp.speaking import TASKS, body_of, request_for, text_of
from tests.server.kills.installation import Person, Told
from tests.server.kills.world import UNKNOWN, World
from tests.server.upstream import Script, Stream, saying

ANSWER = ("Está ", "tudo ", "feito.")


def calling(*calls: tuple[str, str, dict[str, Any]], first: str = "") -> Script:
    """Ask for these calls (name, id, input) side by side."""

    async def script(stream: Stream) -> None:
        if first:
            await stream.text(first)
        for name, id, input in calls:
            await stream.tool(name, input, id)
        await stream.end("tool_use")

    return script


PROGRAM = """
said = []
async def attempt(call):
    try:
        said.append(await call)
    except Exception as error:
        said.append('unknown' if 'may or may not' in str(error) else str(error))
await attempt(ler(n='{0} 1'))
await attempt(escrever(n='{0} 2'))
await attempt(pagar(n='{0} 3'))
await attempt(ler(n='{0} 4'))
print(said)
open('saida.txt', 'w').write(str(said))
"""

ADDING = """
total = 0
for region in ['N', 'S']:
    total += int(await query({'region': region}))
print(total)
"""

CSV = b"linha,valor\nA,1\nB,2\n"
YES = {"confirmation": {"action": "accept", "content": {"decision": "approve"}}}


async def turn(world: World, mark: str) -> None:
    """A question; a read and a write side by side, a read, an answer."""
    ids = [f"toolu_{mark}_{n}" for n in (1, 2, 3)]
    world.plans[mark] = (
        calling(
            ("ler", ids[0], {"n": f"{mark} 1"}),
            ("escrever", ids[1], {"n": f"{mark} 2"}),
            first="Vejo primeiro. ",
        ),
        calling(("ler", ids[2], {"n": f"{mark} 3"})),
        saying(*ANSWER),
    )
    rui = await world.installation.person("rui")
    conversation = await rui.begins("Provas")
    told = await rui.asks(conversation, mark)
    assert told.status == "done", told.events[-2:]
    assert told.text == "Vejo primeiro. " + "".join(ANSWER)
    await world.check_stream(told)
    used = uses(told)
    assert list(used) == ids or list(used) == [ids[1], ids[0], ids[2]]
    world.check_read("ler", f"{mark} 1", *used[ids[0]])
    world.check_write("escrever", f"{mark} 2", *used[ids[1]])
    world.check_read("ler", f"{mark} 3", *used[ids[2]])
    the_model_was_told(world, mark, used)


async def program(world: World, mark: str) -> None:
    """Code that reads, writes, and waits in its middle for a person to approve a payment."""
    world.plans[mark] = (
        calling(("code_execution", f"toolu_{mark}", {"code": PROGRAM.format(mark)})),
        saying(*ANSWER),
    )
    rui = await world.installation.person("rui")
    told = await rui.asks(await rui.begins("Programas"), mark)
    while told.status == "waiting":
        waits = (await rui.send("GET", "/confirmations")).json()
        (one,) = [each for each in waits if each["input"] == {"n": f"{mark} 3"}]
        await approved(rui, one["id"])
        told.events.pop()  # that it waits; a reader who joins later is not told
        await rui.follows(told)
    assert told.status == "done", told.events[-2:]
    assert told.text == "".join(ANSWER)
    await world.check_stream(told)
    by_input = {
        e["input"]["n"]: (e["result"], e["is_error"])
        for e in told.of("tool_use")
        if "n" in e["input"]
    }
    world.check_read("ler", f"{mark} 1", *by_input[f"{mark} 1"])
    world.check_write("escrever", f"{mark} 2", *by_input[f"{mark} 2"])
    world.check_write("pagar", f"{mark} 3", *by_input[f"{mark} 3"])
    world.check_read("ler", f"{mark} 4", *by_input[f"{mark} 4"])
    (code,) = told.of("code")
    assert code["return_code"] == 0, code
    read = ["unknown" if is_error else result for result, is_error in by_input.values()]
    assert code["stdout"] == f"{read}\n"
    (file,) = code["files"]
    assert (await rui.send("GET", file["url"])).text == str(read)


async def approved(person: Person, id: str) -> dict[str, Any]:
    answer = await person.send(
        "POST", f"/confirmations/{id}", key=f"yes {id}", json={"decision": "approve"}
    )
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def upload(world: World, mark: str) -> None:
    """A file becomes a table of its conversation, once."""
    rui = await world.installation.person("rui")
    conversation = await rui.begins("Programas")
    sent = await rui.send(
        "POST",
        f"/conversations/{conversation}/upload",
        key=mark,
        files={"file": ("peças.csv", CSV)},
    )
    assert sent.status_code == 201, sent.text
    whole = (await rui.send("GET", f"/conversations/{conversation}")).json()
    assert [one["id"] for one in whole["datasets"]] == [sent.json()["dataset"]["id"]]
    told = [one for one in whole["messages"] if one["id"] == sent.json()["message_id"]]
    assert len(whole["messages"]) == len(told) == 1
    assert sent.json()["dataset"]["rows"] == 2


async def dashboard(world: World, mark: str) -> None:
    """The model keeps one and draws a figure; the person pins it and brings it up to date."""
    kept, drawn = f"toolu_{mark}_1", f"toolu_{mark}_2"
    world.plans[mark] = (
        calling(("gerar_dashboard", kept, {"titulo": mark, "html": "<p>Olá</p>"})),
        calling(("mostrar", drawn, {"n": mark})),
        saying(*ANSWER),
    )
    rui = await world.installation.person("rui")
    told = await rui.asks(await rui.begins("Provas"), mark)
    assert told.status == "done", told.events[-2:]
    await world.check_stream(told)
    mine = [one for one in await gallery(rui) if one["titulo"] == mark]
    result, is_error = uses(told)[kept]
    assert len(mine) <= 1
    assert UNKNOWN in result if is_error else mine
    (event,) = [event.id for event in told.events if event.type == "kpi"]
    pinned = {"titulo": f"{mark} pinned", "items": [{"event": event}]}
    id = await pin(rui, pinned)
    before = (await rui.send("GET", f"/dashboards/{id}")).json()["items"]
    after = (await rui.send("POST", f"/dashboards/{id}/refresh")).json()["items"]
    assert [one["data"]["titulo"] for one in after] == [mark]
    assert after[0]["data"]["valor"] > before[0]["data"]["valor"]
    assert after[0]["error"] is None


async def gallery(person: Person) -> list[dict[str, Any]]:
    return list((await person.send("GET", "/dashboards")).json())


async def pin(person: Person, body: dict[str, Any]) -> str:
    """Pinning has no key: whoever hears nothing looks whether it is there."""
    while True:
        found = [one["id"] for one in await gallery(person) if one["titulo"] == body["titulo"]]
        if found:
            assert len(found) == 1
            return str(found[0])
        await person.try_once("POST", "/dashboards", json=body)


async def schedule(world: World, mark: str) -> None:
    """A board is refreshed and a question asked by schedules; what is found proposes a payment."""
    rui = await world.installation.person("rui")
    figure = {"type": "kpi", "data": {"widget": "kpi", "titulo": mark, "valor": 0}}
    drawn = {**figure, "tool": "mostrar", "input": {"n": mark}}
    board = await pin(rui, {"titulo": f"{mark} board", "items": [drawn]})
    (item,) = (await rui.send("GET", f"/dashboards/{board}")).json()["items"]
    watched = await scheduled(
        rui,
        {
            "title": f"{mark} board",
            "does": {"kind": "dashboard", "dashboard_id": board},
            "alarms": [{"kind": "threshold", "item": item["id"], "op": ">", "value": 0}],
            "proposal": {"tool": "pagar", "input": {"n": mark}},
        },
    )
    assert watched["status"] == "alarm", watched
    (now,) = (await rui.send("GET", f"/dashboards/{board}")).json()["items"]
    assert (now["error"], now["data"]["valor"]) == (None, world.ran("mostrar", mark)[0])
    assert world.ran("mostrar", mark)[0] <= 2
    waiting = (await rui.send("GET", "/confirmations")).json()
    assert [one["id"] for one in waiting if one["input"] == {"n": mark}] == [
        watched["confirmation_id"]
    ]
    assert world.ran("pagar", mark) == (0, 0), "it ran unasked"
    world.plans[mark] = (calling(("escrever", f"toolu_{mark}", {"n": mark})), saying(*ANSWER))
    asks = {"kind": "question", "agent": "Provas", "content": mark}
    asked = await scheduled(rui, {"title": f"{mark} question", "does": asks})
    assert asked["status"] == "done", asked
    whole = (await rui.send("GET", f"/conversations/{asked['conversation_id']}")).json()
    said = [one["content"][0].get("text") for one in whole["messages"] if one["content"]]
    assert said.count(mark) == 1
    assert world.ran("escrever", mark)[0] <= 1
    # There are only so many to a person, and there are more moments than that.
    for each in (await rui.send("GET", "/schedules")).json():
        await unscheduled(rui, each["id"])


async def unscheduled(person: Person, id: str) -> None:
    """Delete it; whoever hears nothing looks whether it is gone."""
    while id in [one["id"] for one in (await person.send("GET", "/schedules")).json()]:
        await person.try_once("DELETE", f"/schedules/{id}")


async def scheduled(person: Person, wanted: dict[str, Any]) -> dict[str, Any]:
    """Make the schedule and run it now, once; whoever hears nothing looks whether it is there."""
    body = {**wanted, "cron": "0 0 1 1 *", "time_zone": "Europe/Lisbon"}
    while True:
        mine = (await person.send("GET", "/schedules")).json()
        found = [one["id"] for one in mine if one["title"] == wanted["title"]]
        if found:
            break
        await person.try_once("POST", "/schedules", json=body)
    (id,) = found
    while not (runs := (await person.send("GET", f"/schedules/{id}/runs")).json()):
        await person.try_once("POST", f"/schedules/{id}/run")
    while runs[0]["status"] == "running":
        await asyncio.sleep(0.05)
        runs = (await person.send("GET", f"/schedules/{id}/runs")).json()
    assert len(runs) == 1
    return dict(runs[0])


async def own_call(world: World, mark: str) -> None:
    """Calls outside a turn: a write, and one that waits for its person."""
    rui = await world.installation.person("rui")
    ran = await rui.send(
        "POST", "/tools/escrever/run", key=f"{mark} run", json={"input": {"n": f"{mark} 1"}}
    )
    assert ran.status_code == 200, ran.text
    world.check_write("escrever", f"{mark} 1", ran.json()["result"], ran.json()["is_error"])
    waits = await rui.send(
        "POST", "/tools/pagar/run", key=f"{mark} pay", json={"input": {"n": f"{mark} 2"}}
    )
    id = waits.json()["confirmation_id"]
    await approved(rui, id)
    while (result := (await rui.send("GET", f"/confirmations/{id}")).json()["result"]) is None:
        await asyncio.sleep(0.05)
    world.check_write("pagar", f"{mark} 2", result["result"], result["is_error"])
    lines = await audit(world, "pagar", f"{mark} 2")
    outcome = "unknown" if result["is_error"] else "ok"
    assert [(line["decision"], line["outcome"]) for line in lines] == [("approved", outcome)]


async def audit(world: World, tool: str, n: str) -> list[dict[str, Any]]:
    """The lines of this call."""
    admin = await world.installation.person("admin")
    asked = {"tool": tool, "category": "call", "limit": 20}
    found = (await admin.send("GET", "/admin/audit", params=asked)).json()["entries"]
    return [line for line in found if line["arguments"] == {"n": n}]


async def task(world: World, mark: str) -> None:
    """A client of /mcp makes a call that its person must confirm, and comes back for the result."""
    rui = await world.installation.person("rui")
    made = await speaks(rui, "tools/call", {"name": "pagar", "arguments": {"n": mark}})
    which = {"taskId": made["taskId"]}
    while (now := await speaks(rui, "tasks/get", which))["status"] != "completed":
        assert now["status"] in ("working", "input_required"), now
        if now["status"] == "input_required":
            await speaks(rui, "tasks/update", {**which, "inputResponses": YES})
            now = await speaks(rui, "tasks/get", which)
            assert now["status"] != "input_required", "it was acknowledged and is forgotten"
        await asyncio.sleep(0.05)
    result = now["result"]
    world.check_write("pagar", mark, text_of(result), result.get("isError", False))
    # Of a call whose first answer was lost another one was made; nobody has approved that.
    decided = [line["decision"] for line in await audit(world, "pagar", mark)]
    assert sorted(decided) in (["approved"], ["approved", "asked"])


async def errand(world: World, mark: str) -> None:
    """A client of /mcp has calls made that it comes back for: one reads, one writes."""
    rui = await world.installation.person("rui")
    for name, check in (("procurar", world.check_read), ("gravar", world.check_write)):
        made = await speaks(rui, "tools/call", {"name": name, "arguments": {"n": mark}})
        which = {"taskId": made["taskId"]}
        while (now := await speaks(rui, "tasks/get", which))["status"] == "working":
            await asyncio.sleep(0.05)
        if now["status"] == "failed":
            check(name, mark, now["error"]["message"], True)
        else:
            check(name, mark, text_of(now["result"]), False)


async def speaks(person: Person, method: str, params: dict[str, Any]) -> dict[str, Any]:
    body, headers = request_for(method, params, TASKS)
    said = body_of(await person.send("POST", "/mcp", json=body, headers=headers))
    assert "error" not in said, said
    return dict(said["result"])


async def gateway(world: World, mark: str) -> None:
    """Code behind /v1 awaits the client's tools; each answer of the client counts once."""
    world.plans[mark] = (
        calling(("code_execution", f"toolu_{mark}", {"code": ADDING})),
        saying(*ANSWER),
    )
    schema = {"type": "object", "properties": {"region": {"type": "string"}}}
    new = "code_execution_20260120"
    query = {"name": "query", "description": "Sales.", "input_schema": schema}
    body: dict[str, Any] = {
        "model": "claude-sonnet-5-5",
        "max_tokens": 500,
        "tools": [{"type": new, "name": "code_execution"}, {**query, "allowed_callers": [new]}],
        "messages": [{"role": "user", "content": mark}],
    }
    asked: list[str] = []
    said = await insist(world, body)
    while said.stop_reason == "tool_use":
        results = []
        for block in said.content:
            if block.type == "tool_use":
                asked.append(block.input["region"])
                amount = {"N": "10", "S": "20"}[block.input["region"]]
                results.append({"type": "tool_result", "tool_use_id": block.id, "content": amount})
        blocks = [block.model_dump(exclude_none=True) for block in said.content]
        messages = [
            *body["messages"],
            {"role": "assistant", "content": blocks},
            {"role": "user", "content": results},
        ]
        body = {**body, "messages": messages, "container": said.container.id}
        said = await insist(world, body)
    assert asked == ["N", "S"]
    assert said.stop_reason == "end_turn"
    (ended,) = [block for block in said.content if block.type == "code_execution_tool_result"]
    assert ended.content.stdout == "30\n"
    assert said.content[-1].text == "".join(ANSWER)


async def insist(world: World, body: dict[str, Any]) -> Any:
    """The vendor's SDK, unmodified; what was cut is asked again as it was."""
    key = (await world.installation.person("rui")).token
    while True:
        address = await world.installation.address_now()
        async with AsyncAnthropic(auth_token=key, base_url=address, max_retries=0) as client:
            try:
                async with client.messages.stream(**body) as stream:
                    return await stream.get_final_message()
            except anthropic.APIStatusError as error:
                if error.status_code != 409:
                    raise
                await asyncio.sleep(0.2)
            except (anthropic.APIConnectionError, httpx2.TransportError):
                await asyncio.sleep(0.02)


def uses(told: Told) -> dict[str, tuple[str, bool]]:
    """What each call came to, as the person read it."""
    return {event["id"]: (event["result"], event["is_error"]) for event in told.of("tool_use")}


def the_model_was_told(world: World, mark: str, used: dict[str, tuple[str, bool]]) -> None:
    """The last request has the same outcomes."""
    told = {
        block["tool_use_id"]: block
        for message in world.asked(mark)[-1]["messages"]
        if message["role"] == "user"
        for block in message["content"]
        if block["type"] == "tool_result"
    }
    assert list(told)
    for id, (result, is_error) in used.items():
        assert told[id].get("is_error", False) is is_error
        said = told[id]["content"]
        text = said if isinstance(said, str) else said[0]["text"]
        assert (UNKNOWN in text) if is_error else (text == result)

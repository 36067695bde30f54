"""The journeys: what people and programs do here, each from its beginning to its end."""

from __future__ import annotations

from typing import Any

from tests.server.kills.installation import Told
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

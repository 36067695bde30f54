"""The seeds' own HTTP: what their pages print, played against the server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bancada.testing import ScriptedModel, calls, says
from tests.server.site import Reader, served

SEED_TYPES = {"text", "tool_use", "chart", "table", "kpi", "dashboard", "error", "done"}


async def told(rui: Reader, conversation: str, content: str) -> list[dict[str, Any]]:
    answer = await rui.post(f"/conversas/{conversation}/mensagens", {"content": content})
    assert answer.headers["content-type"].startswith("text/event-stream")
    frames = [frame for frame in answer.text.split("\n\n") if frame]
    assert all(frame.startswith("data: ") for frame in frames)
    return [json.loads(frame.removeprefix("data: ")) for frame in frames]


async def test_the_stream_that_the_guide_prints(folder: Path) -> None:
    pie = {"tipo": "pie", "titulo": "Defeitos", "labels": ["lixo"], "valores": [62]}
    replies = [calls("gerar_grafico", **pie).saying("O defeito mais frequente é lixo."), says("")]
    async with served(folder, model=ScriptedModel(replies)) as site:
        rui = await site.signs_in("rui")
        begun = await rui.post("/conversas", {"agente": "Qualidade"})

        events = await told(rui, begun.json()["id"], "mostra num gráfico")

    assert {event["type"] for event in events} <= SEED_TYPES
    told_of = [event for event in events if event["type"] != "text"]
    assert [event["type"] for event in told_of] == ["tool_use", "chart", "done"]
    use, chart, done = told_of
    assert (use["name"], use["result"]["widget"]) == ("gerar_grafico", "chart")
    assert (chart["data"]["widget"], chart["data"]["tipo"]) == ("chart", "pie")
    assert done == {"type": "done"}


async def test_a_shared_link_that_never_was_is_not_found(folder: Path) -> None:
    async with served(folder) as site:
        for token in ("x", "not-a-token", "y" * 90):
            assert (await site.client().get(f"/d/{token}")).status_code == 404

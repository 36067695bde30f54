"""The seeds' own HTTP: what their pages print, played against the server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from bancada.model.model import ModelFailed
from bancada.testing import ScriptedModel, calls, fails, says
from tests.server.site import Reader, served

SEED_TYPES = {"text", "tool_use", "chart", "table", "kpi", "dashboard", "error", "done"}


async def told(rui: Reader, conversation: str, content: str) -> list[dict[str, Any]]:
    answer = await rui.post(f"/conversas/{conversation}/mensagens", {"content": content})
    assert answer.headers["content-type"].startswith("text/event-stream")
    frames = [frame for frame in answer.text.split("\n\n") if frame]
    assert [frame for frame in frames if not frame.startswith("data: ")] == []
    return [json.loads(frame.removeprefix("data: ")) for frame in frames]


async def test_the_stream_that_the_guide_prints(folder: Path) -> None:
    pie = {"tipo": "pie", "titulo": "Defeitos", "labels": ["lixo"], "valores": [62]}
    replies = [
        calls("gerar_grafico", **pie).saying("O defeito mais frequente é lixo."),
        says("É lixo."),
    ]
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


async def test_a_call_that_waits_for_a_person_is_told_in_the_seeds_own_types(folder: Path) -> None:
    replies = [calls("createTask", title="Limpar a rack 12"), says("Feito.")]
    async with served(folder, model=ScriptedModel(replies)) as site:
        rui = await site.signs_in("rui")
        begun = await rui.post("/conversas", {"agente": "Assistente"})

        events = await told(rui, begun.json()["id"], "cria a tarefa")

    assert [event["type"] for event in events] == ["text", "done"]
    assert "createTask" in events[0]["content"]
    assert "/#/confirmations" in events[0]["content"]


async def test_a_conversation_with_no_agent_in_particular_is_422(folder: Path) -> None:
    async with served(folder) as site:
        ana = await site.signs_in("ana")
        for body in ({}, {"agente": None}):
            refused = await ana.post("/conversas", body)
            assert refused.status_code == 422
            assert "indique o agente" in refused.json()["detail"]
        assert (await ana.post("/conversas", {"agente": "Análise"})).status_code == 403
        assert (await ana.post("/conversas", {"agente": "nenhum"})).status_code == 404
        assert (await ana.post("/conversas", {"agente_id": 1})).status_code == 201


async def test_a_shared_link_that_never_was_is_not_found(folder: Path) -> None:
    async with served(folder) as site:
        for token in ("x", "not-a-token", "y" * 90):
            assert (await site.client().get(f"/d/{token}")).status_code == 404


async def test_the_assistants_proxy_leaves_the_loop_to_its_caller(folder: Path) -> None:
    model = ScriptedModel([calls("searchDocuments", query="Q4"), says("Three documents.")])
    async with served(folder, model=model) as site:
        rui = await site.signs_in("rui")
        old = [{"role": "user", "content": f"q{n}"} for n in range(8)]
        asked = await rui.post(
            "/anthropic-proxy",
            {"mode": "tool_enabled_chat", "messages": old, "message": "Documents of Q4?"},
        )
        reply = asked.json()
        (use,) = reply["content"]
        result = {"toolUseId": use["id"], "result": {"total": 3}}
        answered = await rui.post(
            "/anthropic-proxy",
            {
                "mode": "tool_continuation",
                "messages": [*old, {"role": "assistant", "content": reply["content"]}],
                "tool_results": [result],
                "message": "Be brief.",
            },
        )

    assert (reply["stop_reason"], use["name"]) == ("tool_use", "searchDocuments")
    assert answered.json()["content"][0]["text"] == "Three documents."
    results_first = model.requests[-1].messages[-1]["content"]
    assert [block["type"] for block in results_first] == ["tool_result", "text"]
    assert results_first[0]["tool_use_id"] == use["id"]


async def test_what_the_proxy_asks_is_counted_and_paid_for(folder: Path) -> None:
    model = ScriptedModel([says("One."), says("Two.")])
    async with served(folder, model=model) as site:
        rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
        body = {"mode": "generate_response", "message": "Hello?"}
        assert (await rui.post("/anthropic-proxy", body)).status_code == 200
        (row,) = (await admin.get("/admin/usage", params={"by": "user"})).json()["rows"]
        await admin.patch("/admin/users/2", {"monthly_budget_usd": 0})
        refused = await rui.post("/anthropic-proxy", body)

    assert (row["label"], row["replies"]) == ("Rui", 1)
    assert row["output_tokens"] > 0
    assert refused.status_code == 429
    assert "orçamento" in refused.json()["detail"]
    assert len(model.requests) == 1


async def test_a_spent_budget_is_429_before_a_stream_begins(folder: Path) -> None:
    async with served(folder, model=ScriptedModel([])) as site:
        rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
        begun = await rui.post("/conversas", {"agente": "Qualidade"})
        path = f"/conversas/{begun.json()['id']}/mensagens"
        await admin.patch("/admin/users/2", {"monthly_budget_usd": 0})
        refused = await rui.post(path, {"content": "quantos?"})
        await rui.patch(f"/conversations/{begun.json()['id']}", {"mode": "keyword"})
        free = await rui.post(path, {"content": "quantos defeitos há por tipo?"})

    assert refused.status_code == 429
    assert "orçamento" in refused.json()["detail"]
    assert free.status_code == 200


async def test_the_proxy_answers_without_tools_over_calls_that_were_made(folder: Path) -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "getSystemStatus", "input": {}}
    messages = [{"role": "user", "content": "How?"}, {"role": "assistant", "content": [use]}]
    model = ScriptedModel([says("Well."), says("Hello.")])
    async with served(folder, model=model) as site:
        rui = await site.signs_in("rui")
        body = {"mode": "generate_response", "messages": messages}
        result = {"tool_use_id": "toolu_1", "content": "{}"}
        await rui.post("/anthropic-proxy", {**body, "tool_results": [result]})
        await rui.post("/anthropic-proxy", {"mode": "generate_response", "message": "Hi"})

    over_calls, plain = model.requests
    assert over_calls.tool_choice == {"type": "none"}
    assert "getSystemStatus" in [tool["name"] for tool in over_calls.tools]
    assert (plain.tool_choice, plain.tools) == (None, [])


async def test_the_proxy_sends_no_results_where_text_from_outside_may_not_go(folder: Path) -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "getSystemStatus", "input": {}}
    messages = [{"role": "user", "content": "How?"}, {"role": "assistant", "content": [use]}]
    model = ScriptedModel([says("Hello.")])
    async with served(folder, model=model) as site:
        provider = site.bench.models.providers.routes(None)[0].provider
        object.__setattr__(provider, "outside_data", False)
        rui = await site.signs_in("rui")
        body = {"mode": "generate_response", "messages": messages}
        result = {"tool_use_id": "toolu_1", "content": "{}"}
        kept = await rui.post("/anthropic-proxy", {**body, "tool_results": [result]})
        plain = await rui.post("/anthropic-proxy", {"mode": "generate_response", "message": "Hi"})

    assert (kept.status_code, plain.status_code) == (503, 200)
    assert "não pode ir para" in kept.json()["detail"]
    assert len(model.requests) == 1


async def test_messages_that_the_provider_does_not_take_are_the_callers_to_mend(
    folder: Path,
) -> None:
    refused = ModelFailed("internal", "400: unexpected tool_use_id", retryable=False, status=400)
    async with served(folder, model=ScriptedModel([fails(refused)])) as site:
        rui = await site.signs_in("rui")
        answer = await rui.post("/anthropic-proxy", {"mode": "generate_response", "message": "?"})

    assert answer.status_code == 422
    assert answer.json()["detail"] == (
        "O modelo não aceitou as mensagens (400: unexpected tool_use_id)."
    )


async def test_a_provider_that_breaks_is_told_by_the_proxy_as_by_a_turn(folder: Path) -> None:
    broke = ModelFailed("internal", "500: oops", retryable=True, status=500)
    async with served(folder, model=ScriptedModel([fails(broke)])) as site:
        rui = await site.signs_in("rui")
        answer = await rui.post("/anthropic-proxy", {"mode": "generate_response", "message": "?"})

    assert answer.status_code == 503
    assert answer.json()["detail"].startswith("O modelo não respondeu")


async def test_the_proxy_begins_no_conversation_with_results_of_what_was_cut(folder: Path) -> None:
    use = {"type": "tool_use", "id": "toolu_1", "name": "getSystemStatus", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "{}"}
    messages = [
        {"role": "user", "content": "How is it?"},
        {"role": "assistant", "content": [use]},
        {"role": "user", "content": [result]},
        *({"role": role, "content": "…"} for role in ["assistant", "user"] * 4),
        {"role": "assistant", "content": "Well."},
    ]
    model = ScriptedModel([says("Still well.")])
    async with served(folder, model=model) as site:
        rui = await site.signs_in("rui")
        body = {"mode": "generate_response", "messages": messages, "message": "And now?"}
        assert (await rui.post("/anthropic-proxy", body)).status_code == 200
        nothing = await rui.post("/anthropic-proxy", {"mode": "tool_enabled_chat"})
        assert nothing.status_code == 422

    assert "toolu_1" not in str(model.requests[-1].messages)
    assert model.requests[-1].messages[0]["role"] == "user"


async def test_no_agent_of_the_demo_names_a_tool_that_the_person_is_not_offered(
    folder: Path,
) -> None:
    model = ScriptedModel([says("Sim.")] * 12)
    async with served(folder, model=model) as site:
        names = set(site.bench.registry.packs()) | {"code_execution"}
        for who in ("admin", "rui", "ana"):
            reader = await site.signs_in(who)
            for agent in (await reader.get("/agents")).json():
                await reader.begins(agent["id"])
                await reader.asks("Olá?")
        rui = await site.signs_in("rui")
        await rui.post("/anthropic-proxy", {"mode": "generate_response", "message": "Olá?"})

    assert len(model.requests) == 10
    for request in model.requests:
        offered = {tool["name"] for tool in request.tools}
        named = set(re.findall(r"[\w-]+", request.system[0]["text"])) & names
        assert named <= offered, (request.model, named - offered)

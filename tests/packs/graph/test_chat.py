"""`POST /chat`, served: the number in the answer is the one that networkx counts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bancada.model.model import Model
from bancada.store import conversations
from bancada.testing import ModelFailed, ScriptedModel, calls, fails, says
from tests.packs.graph.oracle import Oracle
from tests.server.site import Site, served

QUESTION = "How many assets in Biofilter 11?"


@pytest.fixture
async def offline(tmp_path: Path) -> AsyncIterator[Site]:
    async with served(tmp_path) as site:
        yield site


@pytest.mark.parametrize("question", [QUESTION, "Quantos ativos há no Biofiltro 11?"])
async def test_assets_in_biofilter_11_offline(offline: Site, oracle: Oracle, question: str) -> None:
    rui = await offline.signs_in("rui")
    answer = await rui.post("/chat", {"query": question})

    assert answer.status_code == 200
    expected = len(oracle.inside("BF-11", "Asset"))
    [call] = answer.json()["tool_calls"]
    assert call["name"] == "count_related_by_name"
    assert call["input"]["label"] == "Asset"
    assert (call["result"]["count"], call["is_error"]) == (expected, False)
    assert f" {expected} " in answer.json()["response"]
    assert "(BF-11)" in answer.json()["response"]


async def test_assets_in_biofilter_11_with_a_scripted_model(tmp_path: Path, oracle: Oracle) -> None:
    expected = len(oracle.inside("BF-11", "Asset"))
    model = ScriptedModel(
        [
            calls("find_node", name="biofiltro 11").saying("Let me look."),
            calls("count_related", node_id="BF-11", label="Asset"),
            says(f"There are {expected} assets in Biofilter 11 (BF-11)."),
        ]
    )
    async with served(tmp_path, model=model) as site:
        rui = await site.signs_in("rui")
        answer = (await rui.post("/chat", {"query": QUESTION})).json()

    assert [call["name"] for call in answer["tool_calls"]] == ["find_node", "count_related"]
    assert answer["tool_calls"][1]["result"]["count"] == expected
    assert answer["response"] == f"There are {expected} assets in Biofilter 11 (BF-11)."
    assert len(model.requests[0].tools) == 15


async def test_after_five_rounds_one_last_answer_is_asked_for(tmp_path: Path) -> None:
    model = ScriptedModel(
        [*(calls("count_nodes", name=f"pump {n}") for n in range(5)), says("That is all I know.")]
    )
    async with served(tmp_path, model=model) as site:
        rui = await site.signs_in("rui")
        answer = (await rui.post("/chat", {"query": QUESTION})).json()

    assert len(answer["tool_calls"]) == 5
    assert answer["response"] == "That is all I know."
    assert (model.requests[-1].tool_choice or {}).get("type") == "none"
    assert len(model.requests) == 6


async def test_a_refused_call_is_shown_as_one(tmp_path: Path) -> None:
    model = ScriptedModel(
        [calls("run_query", query="MATCH (n) DETACH DELETE n"), says("I may not.")]
    )
    async with served(tmp_path, model=model) as site:
        rui = await site.signs_in("rui")
        answer = (await rui.post("/chat", {"query": "Delete everything"})).json()

    [call] = answer["tool_calls"]
    assert call["is_error"] is True
    assert "DETACH is not allowed" in str(call["result"])


async def test_the_neighbourhood_is_drawn_for_the_person(offline: Site) -> None:
    rui = await offline.signs_in("rui")
    await rui.begins("Ativos")
    events = await rui.asks("A que está ligado o Biofilter 11?")
    [graph] = [event.data for event in events if event.type == "graph"]
    assert graph["data"]["titulo"] == "Biofilter 11"
    assert {"source", "target", "type"} == graph["data"]["edges"][0].keys()


def failing() -> Model:
    return ScriptedModel([fails(ModelFailed("overloaded", "Overloaded.", retryable=False))] * 9)


async def test_errors_are_problem_details(tmp_path: Path) -> None:
    async with served(tmp_path, model=failing()) as site:
        rui = await site.signs_in("rui")
        ana = await site.signs_in("ana")
        nobody = site.client()
        answers = [
            (401, await nobody.post("/chat", json={"query": QUESTION})),
            (403, await ana.post("/chat", {"query": QUESTION})),
            (422, await rui.post("/chat", {"question": QUESTION})),
            (503, await rui.post("/chat", {"query": QUESTION})),
        ]
    for status, answer in answers:
        assert answer.status_code == status, answer.text
        assert answer.headers["content-type"].startswith("application/problem+json")
        assert answer.json()["detail"]


async def test_each_question_has_a_conversation_of_its_own_that_no_list_shows(
    offline: Site,
) -> None:
    rui = await offline.signs_in("rui")
    answers = [await rui.post("/chat", {"query": QUESTION}) for _ in range(2)]

    assert {frozenset(answer.json()) for answer in answers} == {
        frozenset({"response", "tool_calls"})
    }
    assert (await rui.get("/conversations")).json() == []
    assert (await rui.get("/conversations", params={"q": "Biofilter"})).json() == []
    assert len(await offline.bench.database.read(conversations.ids_of_person, 2)) == 2


async def test_a_refused_question_leaves_no_conversation(tmp_path: Path) -> None:
    async with served(tmp_path, model=ScriptedModel([])) as site:
        rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
        blank = await rui.post("/chat", {"query": "  "})
        await admin.patch("/admin/users/2", {"monthly_budget_usd": 0})
        unpaid = await rui.post("/chat", {"query": QUESTION})

        assert (blank.status_code, unpaid.status_code) == (422, 429)
        assert "orçamento" in unpaid.json()["detail"]
        assert await site.bench.database.read(conversations.ids_of_person, 2) == []


async def test_an_answer_that_waits_for_a_person_says_so_and_goes_on_when_it_is_decided(
    tmp_path: Path,
) -> None:
    model = ScriptedModel(
        [calls("count_nodes", name="pump").saying("I count."), says("There are many.")]
    )
    async with served(tmp_path, model=model) as site:
        rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
        await admin.patch("/admin/tools/count_nodes", {"requires_confirmation": True})

        answer = (await rui.post("/chat", {"query": QUESTION})).json()

        [waiting] = answer["waiting"]
        id = waiting["confirmation_id"]
        assert (waiting["name"], answer["tool_calls"]) == ("count_nodes", [])
        assert id in answer["response"]
        decided = await rui.post(f"/confirmations/{id}", {"decision": "approve"})
        assert decided.status_code == 200
        rui.conversation = answer["conversation_id"]
        events = await rui.follows()
        assert events[-1].data["status"] == "done"
        assert "There are many." in "".join(e.data.get("content", "") for e in events)

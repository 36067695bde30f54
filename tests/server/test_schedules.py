"""Schedules over HTTP: a board that watches a chart, new rows, an alarm, a proposal, a yes."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bancada.sandbox import probe
from bancada.testing import ScriptedModel, calls, says
from tests.server.site import Reader, Site

pytestmark = pytest.mark.skipif(
    not any(report.available for report in probe()), reason="queries need a sandbox"
)

STEADY = [10.0, 10.2, 9.9, 10.1, 9.8, 10.0, 10.1, 9.9, 10.2, 9.8, 10.0, 10.1]
CHART = {"tipo": "i-mr", "tabela": "medidas", "coluna": "espessura"}
WHEN = {"cron": "0 7 * * *", "time_zone": "Europe/Lisbon"}


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel([])


async def uploads(rui: Reader, values: list[float], **form: Any) -> dict[str, Any]:
    rows = "".join(f"{n},{value}\n" for n, value in enumerate(values, start=1))
    file = {"file": ("medidas.csv", f"peca,espessura\n{rows}".encode(), "text/csv")}
    sent = await rui.client.post(f"/conversations/{rui.conversation}/upload", files=file, data=form)
    assert sent.status_code == 201, sent.text
    return dict(sent.json())


async def shown(rui: Reader, model: ScriptedModel, tool: str, **input: Any) -> list[str]:
    """Have the model call a tool; the events that show something, approved where it asks."""
    model.add(calls(tool, **input), says("Pronto."))
    events = await rui.asks("mostra")
    for waits in [one for one in events if one.type == "confirmation"]:
        yes = await rui.post(f"/confirmations/{waits.data['id']}", {"decision": "approve"})
        assert yes.status_code == 200, yes.text
        events = await rui.follows()
    return [event.id for event in events if event.type in ("chart", "table")]


async def ran(site: Site, rui: Reader, schedule: str) -> dict[str, Any]:
    """Run it now, to its end."""
    before = len((await rui.get(f"/schedules/{schedule}/runs")).json())
    begun = await rui.post(f"/schedules/{schedule}/run")
    assert begun.status_code == 202, begun.text
    while True:
        await site.bench.clockwork.tick()
        await site.bench.clockwork.settled()
        runs = (await rui.get(f"/schedules/{schedule}/runs")).json()
        if runs[0]["status"] != "running":
            assert len(runs) == before + 1
            return dict(runs[0])
        await asyncio.sleep(0.01)


async def test_new_rows_that_break_a_rule_propose_a_call_that_waits_for_a_yes(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    assert (await uploads(rui, STEADY))["dataset"]["table"] == "medidas"
    await shown(rui, model, "congelar_limites", nome="base", **CHART)
    chart, *_ = await shown(rui, model, "carta_controlo", limites="base", **CHART)
    board = (await rui.post("/dashboards", {"items": [{"event": chart}]})).json()["id"]
    made = await rui.post(
        "/schedules",
        {
            "title": "Espessura",
            "does": {"kind": "dashboard", "dashboard_id": board},
            "alarms": [{"kind": "rule", "rules": [1]}],
            "proposal": {"tool": "createTask", "input": {"title": "Ver a linha"}},
            **WHEN,
        },
    )
    assert made.status_code == 201, made.text
    schedule = made.json()["id"]
    quiet = await ran(site, rui, schedule)
    assert (quiet["status"], quiet["says"], quiet["found"]) == ("done", [], [])
    replaced = await uploads(rui, [*STEADY, 14.0], replace="true")
    assert replaced["dataset"]["table"] == "medidas"
    assert "had 12 rows; this has 13" in replaced["summary"]
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert [one["id"] for one in whole["datasets"]] == [replaced["dataset"]["id"]]
    alarm = await ran(site, rui, schedule)
    assert alarm["status"] == "alarm", alarm
    assert any("rule 1 broken" in one["says"] for one in alarm["found"])
    # Nothing was done before somebody said so.
    path = f"/confirmations/{alarm['confirmation_id']}"
    assert (await rui.get(path)).json()["status"] == "pending"
    again = await ran(site, rui, schedule)
    assert (again["status"], again["confirmation_id"]) == ("alarm", None)
    yes = await rui.post(path, {"decision": "approve"})
    assert yes.status_code == 200, yes.text
    result = (await rui.get(path)).json()["result"]
    assert (result["is_error"], "Ver a linha" in str(result["result"])) == (False, True)


async def test_a_question_is_asked_in_a_conversation_of_its_own_each_time(
    site: Site, rui: Reader, model: ScriptedModel
) -> None:
    does = {"kind": "question", "agent": "Qualidade", "content": "Quantos?"}
    made = await rui.post("/schedules", {"title": "Manhã", "does": does, **WHEN})
    found = []
    for _ in range(2):
        model.add(says("Duzentos."))
        run = await ran(site, rui, made.json()["id"])
        assert run["status"] == "done", run
        found.append(run["conversation_id"])
    assert len(set(found)) == 2
    whole = (await rui.get(f"/conversations/{found[0]}")).json()
    assert whole["title"] == "Manhã"
    usage = whole["usage"]["replies"]
    assert usage == 1


async def test_a_question_to_an_agent_that_was_taken_away_is_not_asked(
    site: Site, rui: Reader
) -> None:
    does = {"kind": "question", "agent": "Qualidade", "content": "Quantos?"}
    made = (await rui.post("/schedules", {"title": "Manhã", "does": does, **WHEN})).json()
    admin = await site.signs_in("admin")
    took = await admin.patch("/admin/users/2", {"agents": ["Análise"]})
    assert took.status_code == 200, took.text
    run = await ran(site, rui, made["id"])
    assert run["status"] == "failed"
    assert run["conversation_id"] is None
    assert "agent" in run["says"][0]


@pytest.mark.parametrize("narrow", [{"scopes": ["chat"]}, {"agent": "Qualidade"}])
async def test_a_narrow_key_makes_nothing_that_outlives_its_limits(
    site: Site, rui: Reader, narrow: dict[str, Any]
) -> None:
    key = (await rui.post("/me/keys", {"name": "k", **narrow})).json()["key"]
    does = {"kind": "question", "agent": "Qualidade", "content": "Quantos?"}
    refused = await site.with_token(key).post("/schedules", {"title": "x", "does": does, **WHEN})
    assert refused.status_code == 403, refused.text

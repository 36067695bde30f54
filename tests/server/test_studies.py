"""Studies by name over HTTP: saved from a chat, made again with the rights of whoever asks."""

from __future__ import annotations

from tests.server.site import Reader, Site
from tests.server.world import STUDY


async def _saved(reader: Reader, **more: object) -> str:
    made = await reader.post("/studies", {"name": "Mais frequentes", **STUDY, **more})
    assert made.status_code == 201, made.text
    return str(made.json()["id"])


async def test_a_study_is_saved_from_what_a_chat_showed_and_made_again(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Qualidade")
    events = await rui.asks("Mostra os 5 defeitos mais frequentes num gráfico")
    shown = next(event for event in events if event.type == "chart")
    made = await rui.post("/studies", {"name": "Os cinco", "event": shown.id})
    assert made.status_code == 201, made.text
    ran = (await rui.post(f"/studies/{made.json()['id']}/run")).json()
    assert ran["error"] is None
    assert ran["widgets"][0]["data"] == shown.data["data"]
    again = await rui.post("/studies", {"name": "Os cinco", "event": shown.id})
    assert again.status_code == 409
    lines = (await (await site.signs_in("admin")).get("/admin/audit")).json()["entries"]
    told = [line.get("caller", {}) for line in lines]
    assert {"type": "direct", "via": "study"} in told, told


async def test_a_shared_study_runs_with_the_rights_of_whoever_runs_it(site: Site) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    id = await _saved(rui, tool="getTaskList", input={})
    assert (await ana.post(f"/studies/{id}/run")).status_code == 404
    assert (await rui.patch(f"/studies/{id}", {"shared": True})).json()["shared"] is True
    assert [one["owner"] for one in (await ana.get("/studies")).json()] == ["Rui"]
    assert (await rui.post(f"/studies/{id}/run")).json()["error"] is None
    # She may see it; the tool behind it is not hers.
    ran = (await ana.post(f"/studies/{id}/run")).json()
    assert ran["value"] is None
    assert "getTaskList" in ran["error"]
    assert (await ana.delete(f"/studies/{id}")).status_code == 404


async def test_only_a_call_that_reads_and_fits_is_kept(site: Site) -> None:
    rui = await site.signs_in("rui")
    for wrong in (
        {"tool": "createTask", "input": {"title": "x"}},
        {"tool": "top_defeitos", "input": {"n": "many"}},
        {"tool": "nothing", "input": {}},
    ):
        refused = await rui.post("/studies", {"name": "Estudo", **wrong})
        assert refused.status_code == 422, refused.text
    foreign = await rui.post("/studies", {"name": "E", **STUDY, "conversation_id": "elsewhere"})
    assert foreign.status_code == 404

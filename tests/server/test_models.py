"""The page of models: who answers, who stands in, what each server honours."""

from __future__ import annotations

from pathlib import Path

from tests.model.test_probing import Server, serving
from tests.server.site import served
from tests.server.world import World

SECRET = "s3cret-of-the-provider"


async def test_an_administrator_asks_a_server_what_it_honours(folder: Path) -> None:
    server = Server({"none"})
    async with serving(server) as upstream:
        address = str(upstream._client.base_url)
        local = {"base_url": address, "api_key": SECRET, "models": ["small"], "max_context": 8000}
        given = {"providers": {"local": local}, "fallback": ["keyword"]}
        async with served(folder, **given) as site:
            world = await World.of(site)
            before = (await world.admin.get("/admin/models")).json()
            assert before["providers"][0]["probes"] == []
            assert before["fallback"] == ["keyword"]
            asked = await world.admin.post("/admin/models/local/probe")
            assert asked.status_code == 200, asked.text
            finds = {one["feature"]: one["finds"] for one in asked.json()["honours"]}
            assert finds["tool_choice_none"] == "ignored"
            assert finds["tools"] == "yes"
            after = await world.admin.get("/admin/models")
            assert after.json()["providers"][0]["probes"][0] == asked.json()
            assert SECRET not in after.text
            audit = await world.admin.get("/admin/audit?category=settings")
            assert "local/small" in audit.text
            for other in (world.rui, world.eva):
                assert (await other.get("/admin/models")).status_code == 403
                assert (await other.post("/admin/models/local/probe")).status_code == 403
            missing = await world.admin.post("/admin/models/elsewhere/probe")
            assert missing.status_code == 404
        async with served(folder, **given) as again:
            await again.bench.database.read(again.bench.models.refresh)
            providers = again.bench.models.providers
            (route,) = providers.routes("small")
            assert not providers.honours(route).does("tool_choice_none"), "it is kept"


async def test_a_server_that_is_not_there_is_said_to_be(folder: Path) -> None:
    local = {"base_url": "http://127.0.0.1:9", "models": ["small"]}
    async with served(folder, providers={"local": local}) as site:
        admin = await site.signs_in("admin")
        answer = await admin.post("/admin/models/local/probe")

    assert answer.status_code == 503
    assert "local" in answer.json()["detail"]

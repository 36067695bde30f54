"""What an agent suggests, it can answer: starters and examples, asked of the whole engine."""

from __future__ import annotations

import pytest

from bancada.model.offline import OfflineModel
from tests.engine.harness import working


@pytest.mark.parametrize("language", ["pt", "en"])
async def test_every_suggestion_of_every_agent_can_be_answered_by_it(
    tmp_path_factory: pytest.TempPathFactory, language: str
) -> None:
    async with working(tmp_path_factory.mktemp("all"), settings={"demo": True}) as house:
        bench = house.bench
        person = await bench.local_person()
        tables = await bench.tables.shapes(None, person.organisation_id)
        offline = bench.models.offline
        assert isinstance(offline, OfflineModel)
        asked = 0
        for pack in bench.packs:
            for agent in pack.agents:
                tools = [*agent.tools, "code_execution"]
                hello = "olá, ajuda" if language == "pt" else "hello, help"
                suggested = list(await bench.starters(agent, person)) if language == "pt" else []
                suggested += offline.suggested(
                    hello, tools, tables=tables, organisation_id=person.organisation_id
                )
                for question in suggested:
                    said = {"role": "user", "content": question}
                    found = offline.understood(
                        [said], tools, tables, organisation_id=person.organisation_id
                    )
                    assert found is not None, (agent.name, question)
                    assert found.confidence > 0.5, (agent.name, question)
                    assert found.steps, (agent.name, question)
                    asked += 1
        assert asked > 20

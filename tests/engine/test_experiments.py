"""A conversation that takes part in an experiment has its variant of the agent, from first to last."""

from __future__ import annotations

from pathlib import Path

from bancada.engine.variants import agent_of, begin_conversation
from bancada.engine.workbench import open_workbench
from bancada.policy.experiments import as_shapes, read_variants
from bancada.settings import load_settings
from bancada.store import agents, experiments, people
from bancada.testing import ScriptedModel, says


async def test_a_conversation_keeps_the_variant_it_began_with(tmp_path: Path) -> None:
    model = ScriptedModel([says("Olá.")])
    settings = load_settings(data=tmp_path, demo=True, environment={}, password_cost=1)
    bench = await open_workbench(settings, model=model)
    try:
        rui = await bench.database.read(people.person_by_email, "rui@demo.com")
        assert rui is not None
        usable = await bench.database.read(agents.agents_for, rui.id)
        quality = next(agent for agent in usable if agent.name == "Qualidade")
        assert quality.id is not None
        running = await bench.database.run(
            experiments.add,
            organisation_id=rui.organisation_id,
            agent_id=quality.id,
            name="fewer tools",
            variants=[
                {"name": "short", "weight": 1, "changes": {"tools": ["contar_defeitos"]}},
                {"name": "none", "weight": 1, "changes": {"tools_off": True}},
            ],
        )
        row = await bench.database.run(begin_conversation, rui, quality.id)
        assert row.experiment_id == running.id
        expected = {"short": ("contar_defeitos",), "none": ()}[row.variant or ""]

        turn = await bench.conversations.ask(rui, row.id, "Olá")
        async for _ in bench.runner.follow(turn):
            pass

        assert tuple(tool["name"] for tool in model.requests[0].tools) == expected
        await bench.database.run(experiments.end, running.id, rui.organisation_id)
        assert (await bench.database.read(agent_of, row)).tools == expected
        later = await bench.database.run(begin_conversation, rui, quality.id)
        assert later.experiment_id is None
    finally:
        await bench.close()


async def test_keyword_mode_and_a_model_can_be_compared(tmp_path: Path) -> None:
    model = ScriptedModel([says("Olá.")] * 20)
    settings = load_settings(data=tmp_path, demo=True, environment={}, password_cost=1)
    bench = await open_workbench(settings, model=model)
    try:
        rui = await bench.database.read(people.person_by_email, "rui@demo.com")
        assert rui is not None
        usable = await bench.database.read(agents.agents_for, rui.id)
        quality = next(agent for agent in usable if agent.name == "Qualidade")
        assert quality.id is not None
        shapes = [
            {"name": "model", "changes": {}},
            {"name": "words", "changes": {"mode": "keyword"}},
        ]
        await bench.database.run(
            experiments.add,
            organisation_id=rui.organisation_id,
            agent_id=quality.id,
            name="with or without a model",
            variants=as_shapes(read_variants(shapes)),
        )
        answered: dict[str | None, int] = {}
        while set(answered) != {"model", "words"}:
            row = await bench.database.run(begin_conversation, rui, quality.id)
            before = len(model.requests)
            turn = await bench.conversations.ask(rui, row.id, "quantos defeitos há?")
            async for _ in bench.runner.follow(turn):
                pass
            answered[row.variant] = len(model.requests) - before
        assert answered == {"model": 1, "words": 0}
    finally:
        await bench.close()

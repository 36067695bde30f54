"""Experiments in the database: one at a time an agent, and outcomes counted a conversation each."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from bancada.domain.errors import Conflict, NotFound
from bancada.policy.experiments import (
    Sums,
    as_shapes,
    compare,
    outcomes,
    read_variants,
)
from bancada.store import conversations, experiments, feedback, messages, replies
from bancada.store.experiments import Experiment
from bancada.store.replies import ReplyRow
from bancada.store.tables import confirmations, turns
from tests.house import House

VARIANTS = read_variants(
    [{"name": "a", "changes": {}}, {"name": "b", "changes": {"code": "local"}}]
)


async def start(house: House, name: str = "First") -> Experiment:
    agent = await house.agent(f"Agent of {name}")
    return await house.database.run(
        experiments.add,
        organisation_id=house.organisation_id,
        agent_id=agent.id or 0,
        name=name,
        variants=as_shapes(VARIANTS),
    )


def talk(
    db: Connection,
    house: House,
    experiment: Experiment,
    variant: str,
    *,
    said: list[tuple[str, float]],
    costs: list[float | None] = (),  # type: ignore[assignment]
    thumbs: list[int] = (),  # type: ignore[assignment]
    waited: bool = False,
) -> None:
    """One conversation: its turns as `(status, seconds)`, what replies cost, and thumbs."""
    made = conversations.add(
        db,
        organisation_id=house.organisation_id,
        user_id=house.ana.id,
        agent_id=experiment.agent_id,
        experiment_id=experiment.id,
        variant=variant,
    )
    for n, (status, seconds) in enumerate(said):
        db.execute(
            insert(turns).values(
                id=f"{made.id}-{n}",
                conversation_id=made.id,
                organisation_id=house.organisation_id,
                user_id=house.ana.id,
                agent_id=experiment.agent_id,
                status=status,
                model="m",
                settings={},
                iterations=1,
                started_at=1000.0,
                ended_at=None if status == "running" else 1000.0 + seconds,
            )
        )
    if waited:
        values: dict[str, Any] = dict.fromkeys(("call_id", "tool", "input_hash", "reason"), "x")
        db.execute(
            insert(confirmations).values(
                id=f"k-{made.id}",
                organisation_id=house.organisation_id,
                user_id=house.ana.id,
                turn_id=f"{made.id}-0",
                input={},
                caller={},
                status="approved",
                created_at=0.0,
                expires_at=0.0,
                audit_ref=1,
                **values,
            )
        )
    for cost in costs:
        replies.add(
            db,
            ReplyRow(
                organisation_id=house.organisation_id,
                user_id=house.ana.id,
                agent_id=experiment.agent_id,
                conversation_id=made.id,
                turn_id=f"{made.id}-0",
                model="m",
                input_tokens=1,
                output_tokens=1,
                cache_read_tokens=0,
                cache_write_tokens=0,
                cost_usd=cost,
                is_estimated=False,
                stop_reason="end_turn",
                duration_ms=1.0,
            ),
        )
    for thumb in thumbs:
        message = messages.append(db, made.id, role="assistant", kind="reply", content=[])
        feedback.rate(db, message.id, house.ana.id, feedback.Thumb(thumb))


async def measured(house: House, experiment: Experiment) -> dict[tuple[str, str], Sums]:
    found = await house.database.read(experiments.measured, experiment.id)
    return {(one.variant, one.measure): Sums(one.n, one.total, one.squares) for one in found}


async def test_every_measure_counts_each_conversation_once(house: House) -> None:
    experiment = await start(house)

    def write(db: Connection) -> None:
        talk(
            db, house, experiment, "a",
            said=[("done", 2.0), ("failed", 4.0)], costs=[0.1, 0.3, None], thumbs=[1, 1, -1, 1],
        )  # fmt: skip
        talk(db, house, experiment, "a", said=[("done", 5.0)], costs=[0.5], thumbs=[-1])
        talk(db, house, experiment, "b", said=[("stopped", 1.0), ("running", 0.0)])
        talk(db, house, experiment, "b", said=[("done", 900.0)], waited=True)
        talk(db, house, experiment, "b", said=[])

    await house.database.run(write)
    found = await measured(house, experiment)
    assert found["a", "turns"] == Sums(2, 3.0, 5.0)
    assert found["a", "errors"] == Sums(2, 0.5, 0.25)
    assert found["a", "latency_s"] == Sums(2, 8.0, 34.0)
    assert found["a", "cost_usd"].total == pytest.approx(0.2 + 0.5)
    assert found["a", "thumbs_up"] == Sums(2, 0.75, 0.5625)
    # The second waited for a person: its time is not the agent's. The third was never used.
    assert found["b", "turns"] == Sums(2, 2.0, 2.0)
    assert found["b", "latency_s"] == Sums(1, 1.0, 1.0)
    assert ("b", "cost_usd") not in found
    taking_part = await house.database.read(experiments.taking_part, experiment.id)
    assert taking_part == {"a": 2, "b": 2}


async def test_the_whole_way_from_rows_to_a_verdict(house: House) -> None:
    experiment = await start(house)

    def write(db: Connection) -> None:
        for n in range(40):
            talk(db, house, experiment, "a", said=[("done", 10.0 + n % 3)], costs=[0.5])
            talk(db, house, experiment, "b", said=[("done", 5.0 + n % 3)], costs=[0.5])

    await house.database.run(write)
    counted = await house.database.read(experiments.measured, experiment.id)
    result = outcomes(
        read_variants(experiment.variants),
        await house.database.read(experiments.taking_part, experiment.id),
        [(one.variant, one.measure, Sums(one.n, one.total, one.squares)) for one in counted],
    )
    verdicts = {one.measure: one.verdict for one in compare(result)}
    assert verdicts == {
        "latency_s": "better",
        "cost_usd": "no_difference",
        "turns": "no_difference",
        "errors": "no_difference",
        "thumbs_up": "not_enough_data",
    }


async def test_an_agent_takes_part_in_one_experiment_at_a_time(house: House) -> None:
    agent = await house.agent("Ajudante")

    async def another(name: str) -> Experiment:
        return await house.database.run(
            experiments.add,
            organisation_id=house.organisation_id,
            agent_id=agent.id or 0,
            name=name,
            variants=as_shapes(VARIANTS),
        )

    tried = await asyncio.gather(*(another(f"n{n}") for n in range(8)), return_exceptions=True)
    won = [one for one in tried if isinstance(one, Experiment)]
    assert len(won) == 1
    assert all(isinstance(one, Conflict) for one in tried if one is not won[0])
    running = await house.database.read(experiments.running, agent.id or 0)
    assert running == won[0]
    ended = await house.database.run(experiments.end, won[0].id, house.organisation_id)
    assert not ended.is_running
    assert ended.ended_at is not None
    assert await house.database.read(experiments.running, agent.id or 0) is None
    assert (await another("next")).is_running


async def test_an_experiment_belongs_to_its_organisation(house: House) -> None:
    experiment = await start(house)
    for query in (experiments.find, experiments.end, experiments.remove):
        with pytest.raises(NotFound):
            await house.database.run(query, experiment.id, 999)
    with pytest.raises(NotFound):
        await house.database.run(
            experiments.add,
            organisation_id=999,
            agent_id=experiment.agent_id,
            name="x",
            variants=[],
        )
    assert await house.database.read(experiments.of_organisation, 999) == []
    renamed = await house.database.run(
        experiments.rename, experiment.id, house.organisation_id, "Second"
    )
    assert renamed.name == "Second"
    await house.database.run(experiments.remove, experiment.id, house.organisation_id)
    assert await house.database.read(experiments.of_organisation, house.organisation_id) == []

"""Experiments: variants of an agent side by side, and what may honestly be said of them."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.shapes import Shape, example
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.policy.experiments import (
    Comparison,
    Estimate,
    Sums,
    Variant,
    Variants,
    as_shapes,
    compare,
    estimate,
    outcomes,
    read_variants,
)
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import Number, RowId
from bancada.server.problems import documented
from bancada.server.routes.admin.agents import check_tools
from bancada.server.shapes import AgentRef, Moment, Name, Out
from bancada.store import agents, experiments
from bancada.store.experiments import Experiment

router = APIRouter(tags=["administration"])


class ExperimentOut(Out):
    id: int
    name: str
    agent: AgentRef
    variants: list[Variant]
    """The first is what the others are compared with."""
    is_running: bool
    created_at: Moment
    ended_at: Moment | None


class VariantResult(BaseModel):
    variant: str
    conversations: int
    measures: dict[str, Estimate]
    """For each measure its mean and the interval it lies in, nineteen times of twenty."""


class ExperimentResult(ExperimentOut):
    results: list[VariantResult]
    comparisons: list[Comparison]
    """Every variant against the first; `not_enough_data` until there is enough."""


class NewExperiment(Shape):
    model_config = example(
        name="With or without code",
        agent="Qualidade",
        variants=[
            {"name": "as it is", "changes": {}},
            {"name": "code", "changes": {"code": "local"}},
        ],
    )

    name: Name
    agent: Number | Name
    """The agent's id or name."""
    variants: Variants


class ExperimentChange(Shape):
    name: Name | None = None
    is_running: bool | None = None
    """False ends it: new conversations take no part any more. It cannot be begun again."""


@router.get("/admin/experiments", response_model_exclude_unset=True, responses=documented(401, 403))
async def all_experiments(admin: Administrator, bench: Bench) -> list[ExperimentOut]:
    """The organisation's experiments, the newest first."""
    return await bench.database.read(_all, admin)


def _all(db: Connection, admin: Person) -> list[ExperimentOut]:
    return [_shown(db, found) for found in experiments.of_organisation(db, admin.organisation_id)]


@router.post(
    "/admin/experiments",
    status_code=201,
    response_model_exclude_unset=True,
    responses=documented(401, 403, 404, 409, 422),
)
async def start(body: NewExperiment, admin: Administrator, bench: Bench) -> ExperimentOut:
    """Start an experiment: conversations begun from now on get one of its variants."""
    return await bench.database.run(_start, bench, admin, body)


def _start(db: Connection, bench: Workbench, admin: Person, body: NewExperiment) -> ExperimentOut:
    ours = agents.agents_of(db, admin.organisation_id)
    agent = next((agent for agent in ours if body.agent in (agent.id, agent.name)), None)
    if agent is None or agent.id is None:
        raise NotFound("no_agent")
    for variant in body.variants:
        check_tools(db, bench, admin, variant.changes.tools or [])
    made = experiments.add(
        db,
        organisation_id=admin.organisation_id,
        agent_id=agent.id,
        name=body.name,
        variants=as_shapes(body.variants),
    )
    note(db, admin, "experiment_started", made.name, id=made.id, after=_facts(db, made))
    return _shown(db, made)


@router.get(
    "/admin/experiments/{id}",
    response_model_exclude_unset=True,
    responses=documented(401, 403, 404, 422),
)
async def one(id: RowId, admin: Administrator, bench: Bench) -> ExperimentResult:
    """An experiment with its outcome so far."""
    return await bench.database.read(_one, admin, id)


def _one(db: Connection, admin: Person, id: int) -> ExperimentResult:
    found = experiments.find(db, id, admin.organisation_id)
    counted = outcomes(
        read_variants(found.variants),
        experiments.taking_part(db, id),
        (
            (each.variant, each.measure, Sums(each.n, each.total, each.squares))
            for each in experiments.measured(db, id)
        ),
    )
    return ExperimentResult(
        **dict(_shown(db, found)),
        results=[
            VariantResult(
                variant=outcome.variant,
                conversations=outcome.conversations,
                measures={name: estimate(sums) for name, sums in outcome.measures.items()},
            )
            for outcome in counted
        ],
        comparisons=compare(counted),
    )


@router.patch(
    "/admin/experiments/{id}",
    response_model_exclude_unset=True,
    responses=documented(401, 403, 404, 409, 422),
)
async def change(
    id: RowId, body: ExperimentChange, admin: Administrator, bench: Bench
) -> ExperimentOut:
    """Rename an experiment, or end it."""
    return await bench.database.run(_change, admin, id, body)


def _change(db: Connection, admin: Person, id: int, body: ExperimentChange) -> ExperimentOut:
    found = experiments.find(db, id, admin.organisation_id)
    before = _facts(db, found)
    if body.name is not None:
        found = experiments.rename(db, id, admin.organisation_id, body.name)
    if body.is_running and not found.is_running:
        raise Conflict("experiment_ended")
    if body.is_running is False:
        found = experiments.end(db, id, admin.organisation_id)
    now = _facts(db, found)
    note(db, admin, "experiment_changed", found.name, id=id, before=before, after=now)
    return _shown(db, found)


@router.delete("/admin/experiments/{id}", status_code=204, responses=documented(401, 403, 404, 422))
async def remove(id: RowId, admin: Administrator, bench: Bench) -> None:
    """Forget an experiment; its conversations go on with the agent as it is."""
    await bench.database.run(_remove, admin, id)


def _remove(db: Connection, admin: Person, id: int) -> None:
    found = experiments.find(db, id, admin.organisation_id)
    note(db, admin, "experiment_removed", found.name, id=id, before=_facts(db, found))
    experiments.remove(db, id, admin.organisation_id)


def _facts(db: Connection, found: Experiment) -> JSONObject:
    return {
        "name": found.name,
        "agent": agents.name_of(db, found.agent_id),
        "variants": found.variants,
        "is_running": found.is_running,
    }


def _shown(db: Connection, found: Experiment) -> ExperimentOut:
    return ExperimentOut.of(
        found,
        agent=AgentRef(id=found.agent_id, name=agents.name_of(db, found.agent_id)),
        variants=read_variants(found.variants),
    )

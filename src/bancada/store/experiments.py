"""Experiments as rows, and what became of the conversations that took part."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, exists, func, insert, select, update

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.json import JSONObject
from bancada.store.tables import (
    agents,
    confirmations,
    conversations,
    experiments,
    feedback,
    messages,
    replies,
    turns,
)


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One experiment on one agent. `variants` are as `policy.experiments` reads them."""

    id: int
    organisation_id: int
    agent_id: int
    name: str
    variants: list[JSONObject]
    is_running: bool
    created_at: float
    ended_at: float | None


def _from(row: Row[Any]) -> Experiment:
    return Experiment(**{**row._mapping, "is_running": bool(row.is_running)})


def of_organisation(db: Connection, organisation_id: int) -> list[Experiment]:
    """Every experiment, newest first."""
    query = (
        select(experiments)
        .where(experiments.c.organisation_id == organisation_id)
        .order_by(experiments.c.id.desc())
    )
    return [_from(row) for row in db.execute(query)]


def find(db: Connection, experiment_id: int, organisation_id: int) -> Experiment:
    query = select(experiments).where(
        experiments.c.id == experiment_id, experiments.c.organisation_id == organisation_id
    )
    row = db.execute(query).first()
    if row is None:
        raise NotFound("no_experiment")
    return _from(row)


def running(db: Connection, agent_id: int) -> Experiment | None:
    """The experiment that new conversations with this agent take part in."""
    query = select(experiments).where(experiments.c.agent_id == agent_id, experiments.c.is_running)
    row = db.execute(query).first()
    return None if row is None else _from(row)


def add(
    db: Connection, *, organisation_id: int, agent_id: int, name: str, variants: list[JSONObject]
) -> Experiment:
    """Start an experiment; an agent takes part in one at a time."""
    owner = select(agents.c.id).where(
        agents.c.id == agent_id, agents.c.organisation_id == organisation_id, agents.c.is_active
    )
    # The agent's row is held, so that of two started at once one sees the other.
    if db.execute(owner.with_for_update()).first() is None:
        raise NotFound("no_agent")
    if running(db, agent_id) is not None:
        raise Conflict("agent_in_experiment")
    key = db.execute(
        insert(experiments).values(
            organisation_id=organisation_id,
            agent_id=agent_id,
            name=name,
            variants=variants,
            is_running=True,
            created_at=time.time(),
        )
    ).inserted_primary_key
    assert key is not None
    return find(db, key[0], organisation_id)


def rename(db: Connection, experiment_id: int, organisation_id: int, name: str) -> Experiment:
    find(db, experiment_id, organisation_id)
    db.execute(update(experiments).where(experiments.c.id == experiment_id).values(name=name))
    return find(db, experiment_id, organisation_id)


def end(db: Connection, experiment_id: int, organisation_id: int) -> Experiment:
    """New conversations take no part any more; those that did keep their variant."""
    found = find(db, experiment_id, organisation_id)
    if found.is_running:
        db.execute(
            update(experiments)
            .where(experiments.c.id == experiment_id)
            .values(is_running=False, ended_at=time.time())
        )
    return find(db, experiment_id, organisation_id)


def remove(db: Connection, experiment_id: int, organisation_id: int) -> None:
    """Forget the experiment; its conversations stay, as they were."""
    find(db, experiment_id, organisation_id)
    db.execute(experiments.delete().where(experiments.c.id == experiment_id))


# ---------------------------------------------------------------------------- outcomes


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A measure over one variant's conversations: how many have it, its sum, its sum of squares."""

    variant: str
    measure: str
    n: int
    total: float
    squares: float


def taking_part(db: Connection, experiment_id: int) -> dict[str, int]:
    """Conversations with at least one turn, by variant."""
    asked = select(turns.c.id).where(turns.c.conversation_id == conversations.c.id)
    query = (
        select(conversations.c.variant, func.count())
        .where(conversations.c.experiment_id == experiment_id, exists(asked))
        .group_by(conversations.c.variant)
    )
    return {str(variant): int(count) for variant, count in db.execute(query)}


def measured(db: Connection, experiment_id: int) -> list[Measured]:
    """Every measure of every variant, each conversation counting once."""
    found: list[Measured] = []
    for measure, values in _measures(experiment_id).items():
        each = values.subquery()
        query = select(
            each.c.variant,
            func.count(each.c.value),
            func.coalesce(func.sum(each.c.value), 0.0),
            func.coalesce(func.sum(each.c.value * each.c.value), 0.0),
        ).group_by(each.c.variant)
        for variant, n, total, squares in db.execute(query):
            found.append(
                Measured(
                    variant=str(variant),
                    measure=measure,
                    n=int(n),
                    total=float(total),
                    squares=float(squares),
                )
            )
    return found


def _measures(experiment_id: int) -> dict[str, Select[Any]]:
    """For each measure a query of `(variant, value)`, one row a conversation."""
    part = conversations.c.experiment_id == experiment_id
    over = turns.c.status.in_(("done", "failed", "stopped"))
    in_turns = (
        select(conversations.c.variant)
        .join(turns, turns.c.conversation_id == conversations.c.id)
        .where(part, over)
        .group_by(conversations.c.id, conversations.c.variant)
    )
    waited = exists(select(confirmations.c.id).where(confirmations.c.turn_id == turns.c.id))
    spent = (
        select(replies.c.conversation_id, func.sum(replies.c.cost_usd).label("cost"))
        .group_by(replies.c.conversation_id)
        .subquery()
    )
    asked = (
        select(turns.c.conversation_id, func.count().label("n"))
        .where(over)
        .group_by(turns.c.conversation_id)
        .subquery()
    )
    return {
        "turns": in_turns.add_columns((func.count() * 1.0).label("value")),
        "errors": in_turns.add_columns(
            func.avg(case((turns.c.status == "failed", 1.0), else_=0.0)).label("value")
        ),
        # The time a person took to decide is not the agent's.
        "latency_s": in_turns.where(and_(turns.c.ended_at.is_not(None), ~waited)).add_columns(
            func.avg(turns.c.ended_at - turns.c.started_at).label("value")
        ),
        "cost_usd": select(conversations.c.variant, (spent.c.cost / asked.c.n).label("value"))
        .join(spent, spent.c.conversation_id == conversations.c.id)
        .join(asked, asked.c.conversation_id == conversations.c.id)
        .where(part, spent.c.cost.is_not(None)),
        "thumbs_up": select(
            conversations.c.variant,
            func.avg(case((feedback.c.value > 0, 1.0), else_=0.0)).label("value"),
        )
        .join(messages, messages.c.conversation_id == conversations.c.id)
        .join(feedback, feedback.c.message_id == messages.c.id)
        .where(part)
        .group_by(conversations.c.id, conversations.c.variant),
    }

"""Agents, and which people may use them."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, insert, select, update

from bancada.domain.agents import Agent
from bancada.domain.errors import Conflict, NotFound
from bancada.store.hot import Hot
from bancada.store.tables import agents, user_agents


def agent_from(row: Row[Any]) -> Agent:
    kept = {name: getattr(row, name) for name in Agent.model_fields}
    for name in ("tools", "starters"):
        kept[name] = tuple(kept[name])
    # What was kept was checked when it came: an agent of before a limit is one all the same.
    return Agent.model_construct(**kept | {"last_answer": bool(row.last_answer)})


_FIND = Hot(select(agents).where(agents.c.id == bindparam("id")), ["id"], decode=True)
_MAY_USE = Hot(
    select(user_agents.c.agent_id)
    .join(agents, agents.c.id == user_agents.c.agent_id)
    .where(
        user_agents.c.user_id == bindparam("person"),
        user_agents.c.agent_id == bindparam("agent"),
        agents.c.is_active,
    ),
    ["person", "agent"],
)
_FOR_PERSON = Hot(
    select(agents)
    .join(user_agents, user_agents.c.agent_id == agents.c.id)
    .where(user_agents.c.user_id == bindparam("person"), agents.c.is_active)
    .order_by(agents.c.id),
    ["person"],
    decode=True,
)


def agent(db: Connection, agent_id: int, organisation_id: int) -> Agent:
    row = _FIND(db, agent_id).first()
    if row is None or row.organisation_id != organisation_id or not row.is_active:
        raise NotFound("no_agent")
    return agent_from(row)


def any_agent(db: Connection, agent_id: int) -> Agent:
    """The agent even when it is retired: an unfinished turn still needs it."""
    return agent_from(_FIND(db, agent_id).one())


def agents_of(db: Connection, organisation_id: int) -> list[Agent]:
    """The organisation's agents, oldest first."""
    query = (
        select(agents)
        .where(agents.c.organisation_id == organisation_id, agents.c.is_active)
        .order_by(agents.c.id)
    )
    return [agent_from(row) for row in db.execute(query)]


def agents_for(db: Connection, person_id: int) -> list[Agent]:
    """The agents this person may use, oldest first."""
    return [agent_from(row) for row in _FOR_PERSON(db, person_id).all()]


def may_use(db: Connection, person_id: int, agent_id: int) -> bool:
    return _MAY_USE(db, person_id, agent_id).first() is not None


def add_agent(db: Connection, organisation_id: int, new: Agent) -> Agent:
    taken = select(agents.c.id).where(
        agents.c.organisation_id == organisation_id, agents.c.name == new.name
    )
    if db.execute(taken).first():
        raise Conflict("agent_exists", name=new.name)
    values = _columns(new.model_dump(exclude={"id"}))
    values.update(organisation_id=organisation_id, is_active=True, created_at=time.time())
    key = db.execute(insert(agents).values(**values)).inserted_primary_key
    assert key is not None
    return agent(db, key[0], organisation_id)


def change_agent(db: Connection, /, agent_id: int, organisation_id: int, **changes: Any) -> Agent:
    current = agent(db, agent_id, organisation_id)
    if changes.get("name", current.name) != current.name:
        taken = select(agents.c.id).where(
            agents.c.organisation_id == organisation_id, agents.c.name == changes["name"]
        )
        if db.execute(taken).first():
            raise Conflict("agent_exists", name=changes["name"])
    if changes:
        db.execute(update(agents).where(agents.c.id == agent_id).values(**_columns(changes)))
    return agent(db, agent_id, organisation_id)


def retire_agent(db: Connection, agent_id: int, organisation_id: int) -> None:
    """Nobody may use it any more; conversations that did still know its name."""
    current = agent(db, agent_id, organisation_id)
    db.execute(delete(user_agents).where(user_agents.c.agent_id == agent_id))
    renamed = f"{current.name} #{agent_id}"
    db.execute(update(agents).where(agents.c.id == agent_id).values(is_active=False, name=renamed))


def name_of(db: Connection, agent_id: int) -> str:
    found = db.execute(select(agents.c.name).where(agents.c.id == agent_id)).scalar()
    return str(found or "")


def grant(db: Connection, person_id: int, agent_id: int) -> None:
    """Let the person use the agent; saying it twice is once."""
    held = select(user_agents.c.user_id).where(
        user_agents.c.user_id == person_id, user_agents.c.agent_id == agent_id
    )
    if db.execute(held).first() is None:
        db.execute(insert(user_agents).values(user_id=person_id, agent_id=agent_id))


def grants_of(db: Connection, person_id: int) -> list[int]:
    query = select(user_agents.c.agent_id).where(user_agents.c.user_id == person_id)
    return sorted(row.agent_id for row in db.execute(query))


def set_grants(db: Connection, person_id: int, agent_ids: list[int]) -> None:
    """Exactly these agents from now on."""
    db.execute(delete(user_agents).where(user_agents.c.user_id == person_id))
    for agent_id in sorted(set(agent_ids)):
        db.execute(insert(user_agents).values(user_id=person_id, agent_id=agent_id))


def _columns(values: dict[str, Any]) -> dict[str, Any]:
    return {name: list(v) if isinstance(v, tuple) else v for name, v in values.items()}

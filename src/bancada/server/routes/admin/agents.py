"""Agents: a prompt, tools and limits, changed without deploying anything."""

from __future__ import annotations

from collections.abc import Sequence

from fastapi import APIRouter
from sqlalchemy import Connection

from bancada.domain.agents import EVERY_TOOL, Agent, AgentFields
from bancada.domain.errors import Invalid
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.shapes import example, partial
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import RowId
from bancada.server.problems import documented
from bancada.server.routes.admin.tools import refresh
from bancada.store import agents

router = APIRouter(tags=["administration"])


class AdminAgent(AgentFields):
    """An agent as an administrator sees it."""

    id: int


class NewAgent(AgentFields):
    model_config = example(
        name="Turnos",
        description="Compares shifts",
        system_prompt="És um assistente de qualidade.",
        tools=["contar_defeitos"],
    )


@partial
class AgentChange(NewAgent):
    """What is absent stays; null takes `model` and `effort` back to the default."""


@router.get("/admin/agents", responses=documented(401, 403))
async def all_agents(admin: Administrator, bench: Bench) -> list[AdminAgent]:
    """The organisation's agents, oldest first."""
    found = await bench.database.read(agents.agents_of, admin.organisation_id)
    return [shown(agent) for agent in found]


@router.post("/admin/agents", status_code=201, responses=documented(401, 403, 409, 422))
async def add(body: NewAgent, admin: Administrator, bench: Bench) -> AdminAgent:
    """Make an agent. You may use it at once; others when you let them."""
    await bench.database.read(check_tools, bench, admin, body.tools)
    new = Agent(**body.model_dump() | {"tools": _once(body.tools)})
    return shown(await bench.database.run(_add, admin, new))


def _add(db: Connection, admin: Person, new: Agent) -> Agent:
    added = agents.add_agent(db, admin.organisation_id, new)
    assert added.id is not None
    agents.grant(db, admin.id, added.id)
    note(db, admin, "agent_added", added.name, id=added.id, after=_facts(added))
    return added


@router.get("/admin/agents/{id}", responses=documented(401, 403, 404, 422))
async def one(id: RowId, admin: Administrator, bench: Bench) -> AdminAgent:
    """One agent."""
    return shown(await bench.database.read(agents.agent, id, admin.organisation_id))


@router.patch("/admin/agents/{id}", responses=documented(401, 403, 404, 409, 422))
async def change(id: RowId, body: AgentChange, admin: Administrator, bench: Bench) -> AdminAgent:
    """Change an agent; turns that begin from now on follow it."""
    changes: JSONObject = {
        name: value
        for name, value in body.model_dump(exclude_unset=True).items()
        if value is not None or name in ("model", "effort")
    }
    if "tools" in changes:
        await bench.database.read(check_tools, bench, admin, body.tools)
        changes["tools"] = _once(body.tools)
    changed = await bench.database.run(_change, admin, id, changes)
    return shown(changed)


def _change(db: Connection, admin: Person, id: int, changes: JSONObject) -> Agent:
    before = agents.agent(db, id, admin.organisation_id)
    changed = agents.change_agent(db, id, admin.organisation_id, **changes)
    old, now = _facts(before), _facts(changed)
    note(db, admin, "agent_changed", before.name, id=id, before=old, after=now)
    return changed


@router.delete("/admin/agents/{id}", status_code=204, responses=documented(401, 403, 404, 422))
async def retire(id: RowId, admin: Administrator, bench: Bench) -> None:
    """Retire an agent; conversations that used it can still be read."""
    await bench.database.run(_retire, admin, id)


def _retire(db: Connection, admin: Person, id: int) -> None:
    before = agents.agent(db, id, admin.organisation_id)
    agents.retire_agent(db, id, admin.organisation_id)
    note(db, admin, "agent_retired", before.name, id=id, before=_facts(before))


def _facts(agent: Agent) -> JSONObject:
    return shown(agent).model_dump(exclude={"id"})


def shown(agent: Agent) -> AdminAgent:
    return AdminAgent.model_construct(**vars(agent))


def _once(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def check_tools(db: Connection, bench: Workbench, admin: Person, names: Sequence[str]) -> None:
    refresh(db, bench, admin)
    asked = [name for name in names if name != EVERY_TOOL]
    groups = {tool.group for tool in bench.registry.for_person(admin)}
    unknown = [
        name for name in asked if name not in groups and bench.registry.find(name, admin) is None
    ]
    if unknown:
        raise Invalid("tools_unknown", names=", ".join(unknown[:5]))

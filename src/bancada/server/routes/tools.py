"""One's own calls: the tools a person may use, run by a program of theirs through the gate."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, StringConstraints
from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.calls import Caller, Outcome, ToolCall, Waiting
from bancada.domain.errors import Forbidden
from bancada.domain.shapes import AnyJSON, Shape, example
from bancada.engine.workbench import Workbench
from bancada.gate.gate import must_be_confirmed
from bancada.gate.listing import ReachedTool, calling_agent, described, within_reach
from bancada.gate.scope import CallScope
from bancada.server.auth import Admission, Bench, CurrentAccess
from bancada.server.once import IdempotencyKey, once
from bancada.server.parameters import ToolName
from bancada.server.problems import documented
from bancada.server.shapes import AgentRef, Name, Out
from bancada.store import agents, confirmations
from bancada.store.idempotency import Claim

router = APIRouter(tags=["tools"])


class ToolOut(Out):
    """A tool the person may call, as a model is told of it."""

    name: str
    description: str
    category: str
    effect: Literal["read", "write"]
    input_schema: dict[str, Any]
    own: bool
    """You defined it, and only you see it."""
    agent: AgentRef | None
    """Within which of your agents it runs unless you name another; null: your own tools."""


class OwnCall(Shape):
    model_config = example(input={})

    input: AnyJSON = Field(default_factory=dict)
    agent: Name | None = None
    """The agent whose rules hold; default: the first of yours that has the tool."""
    session_id: Annotated[str, StringConstraints(max_length=200)] | None = None
    """Your program's own name for what this call belongs to; it stands in the audit."""


class ToolRun(BaseModel):
    """How one call ended. A refusal is a result, as it is for the model."""

    result: Any
    is_error: bool
    duration_ms: float
    audit_id: int | None
    code: str | None
    """Why it is an error."""
    cached: bool
    confirmation_id: str | None
    """The call waits for this confirmation; approving it runs the call."""

    @staticmethod
    def of(call: ToolCall, ended: Outcome | Waiting) -> ToolRun:
        waits = None if isinstance(ended, Outcome) else ended.confirmation_id
        outcome = ended if isinstance(ended, Outcome) else must_be_confirmed(call, ended)
        return ToolRun(
            result=outcome.shown,
            is_error=outcome.is_error,
            duration_ms=round(outcome.duration_ms, 3),
            audit_id=outcome.audit_id,
            code=outcome.code,
            cached=outcome.cached,
            confirmation_id=waits,
        )


@router.get("/tools", responses=documented(401))
async def my_tools(access: CurrentAccess, bench: Bench) -> list[ToolOut]:
    """The tools you may run yourself: those of your agents, and your own."""
    reached = await bench.database.read(_reached, bench, access)
    return [_shown(one) for one in reached if "direct" in one.rules.allowed_callers]


@router.post("/tools/{name}/run", responses=documented(401, 403, 409, 422))
async def run(
    name: ToolName,
    body: OwnCall,
    access: CurrentAccess,
    bench: Bench,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> ToolRun:
    """Run a tool through the gate, as yourself. A refusal is a result, as it is for the model."""
    person = access.person
    agent = await bench.database.read(_agent, bench, access, name, body.agent)
    access.check_agent(None if agent is None else agent.id)
    scope = CallScope(person_id=person.id, organisation_id=person.organisation_id, agent=agent)

    async def made(claim: Claim) -> ToolRun:
        call = ToolCall(
            id=call_id(claim),
            name=name,
            input=body.input,
            caller=Caller(via="api", session=body.session_id),
        )
        return ToolRun.of(call, await made_once(bench, call, scope, claim))

    return await once(request, idempotency_key, body.model_dump(), made, ToolRun)


def call_id(claim: Claim) -> str:
    return f"call_{claim.subject[:20]}"


async def made_once(
    bench: Workbench, call: ToolCall, scope: CallScope, claim: Claim
) -> Outcome | Waiting:
    """The call through the gate; one that was made before the process died is known again."""
    asked = None
    if claim.again:
        asked = await bench.database.read(confirmations.outside_turns, call.id)
    if asked is None:
        return await bench.gate.call(call, replace(scope, kept_as=claim.calls))
    return Waiting(
        confirmation_id=asked.id,
        reason=asked.reason,
        expires_at=asked.expires_at,
        audit_id=asked.audit_ref,
    )


def _reached(db: Connection, bench: Workbench, access: Admission) -> list[ReachedTool]:
    gate = bench.gate
    return within_reach(db, bench.registry, gate.rulebook, access.person, only=access.agent_id)


def _agent(
    db: Connection, bench: Workbench, access: Admission, name: str, wanted: str | None
) -> Agent | None:
    """Within which agent the call is made. With none of theirs, the gate has a sentence for it."""
    person = access.person
    if wanted is not None:
        mine = agents.agents_for(db, person.id)
        found = next((agent for agent in mine if agent.name == wanted), None)
        if found is None:
            raise Forbidden("agent_not_yours", name=wanted)
        return found
    rulebook = bench.gate.rulebook
    return calling_agent(db, bench.registry, rulebook, person, name, only=access.agent_id)


def _shown(one: ReachedTool) -> ToolOut:
    ref = None
    if one.agent is not None and one.agent.id is not None:
        ref = AgentRef(id=one.agent.id, name=one.agent.name)
    return ToolOut.of(one.tool, description=described(one.tool), agent=ref)

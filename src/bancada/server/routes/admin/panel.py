"""The test panel: one call through the gate, as yourself or as one of your people."""

from __future__ import annotations

from fastapi import APIRouter, Request
from pydantic import Field
from sqlalchemy import Connection

from bancada.domain.calls import CODE_CALLER, DIRECT, Caller, Outcome, ToolCall
from bancada.domain.people import Person
from bancada.domain.shapes import AnyJSON, Email, Shape, example
from bancada.gate.scope import CallScope
from bancada.policy.permissions import allows_caller
from bancada.server.auth import Administrator, Bench
from bancada.server.once import IdempotencyKey, once
from bancada.server.parameters import Number, ToolName
from bancada.server.problems import documented
from bancada.server.routes.admin.users import somebody
from bancada.server.routes.tools import ToolRun, call_id, made_once
from bancada.store.idempotency import Claim
from bancada.tools.result import as_read

router = APIRouter(tags=["administration"])


class PanelCall(Shape):
    model_config = example(input={}, user="rui@demo.com")

    input: AnyJSON = Field(default_factory=dict)
    user: Number | Email | None = None
    """As whom: an id or an address of your organisation; default: yourself."""


@router.post("/admin/tools/{name}/run", responses=documented(401, 403, 404, 409, 422))
async def run(
    name: ToolName,
    body: PanelCall,
    admin: Administrator,
    bench: Bench,
    request: Request,
    idempotency_key: IdempotencyKey = None,
) -> ToolRun:
    """Run a tool through the gate. A refusal is a result, as it is for the model."""
    person = admin
    if body.user is not None:
        person = await bench.database.read(_as_whom, admin, body.user)
    scope = CallScope(person_id=person.id, organisation_id=person.organisation_id)
    caller = Caller(
        type=await _as_what(bench, name, scope),
        via="panel",
        by=None if person.id == admin.id else admin.email,
    )

    async def made(claim: Claim) -> ToolRun:
        call = ToolCall(id=call_id(claim), name=name, input=body.input, caller=caller)
        ended = await made_once(bench, call, scope, claim)
        if isinstance(ended, Outcome):
            ended = as_read(ended, bench.gate.limits.result_chars)
        return ToolRun.of(call, ended)

    return await once(request, idempotency_key, body.model_dump(), made, ToolRun)


async def _as_what(bench: Bench, name: str, scope: CallScope) -> str:
    """A tool that only code may call is called as code would call it."""
    for tool, rules in await bench.gate.visible(scope):
        if tool.name == name and not allows_caller(rules.allowed_callers, DIRECT):
            return CODE_CALLER
    return DIRECT.type


def _as_whom(db: Connection, admin: Person, user: int | str) -> Person:
    return somebody(db, admin, user)

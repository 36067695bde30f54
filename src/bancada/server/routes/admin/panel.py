"""The test panel: one call through the gate, as yourself or as one of your people."""

from __future__ import annotations

import secrets

from fastapi import APIRouter
from pydantic import ConfigDict, Field
from sqlalchemy import Connection

from bancada.domain.calls import Caller, ToolCall
from bancada.domain.people import Person
from bancada.gate.situation import Situation
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import AnyJSON, Number, ToolName
from bancada.server.problems import documented
from bancada.server.routes.admin.users import somebody
from bancada.server.routes.tools import ToolRun
from bancada.server.shapes import Body, Email

router = APIRouter(tags=["administration"])


class PanelCall(Body):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"input": {}, "user": "rui@demo.com"}]},
    )

    input: AnyJSON = Field(default_factory=dict)
    user: Number | Email | None = None
    """As whom: an id or an address of your organisation; default: yourself."""


@router.post("/admin/tools/{name}/run", responses=documented(401, 403, 404, 422))
async def run(name: ToolName, body: PanelCall, admin: Administrator, bench: Bench) -> ToolRun:
    """Run a tool through the gate. A refusal is a result, as it is for the model."""
    person = admin
    if body.user is not None:
        person = await bench.database.read(_as_whom, admin, body.user)
    call = ToolCall(
        id=f"call_{secrets.token_hex(10)}",
        name=name,
        input=body.input,
        caller=Caller(via="panel", by=None if person.id == admin.id else admin.email),
    )
    situation = Situation(person_id=person.id, organisation_id=person.organisation_id)
    return ToolRun.of(call, await bench.gate.call(call, situation))


def _as_whom(db: Connection, admin: Person, user: int | str) -> Person:
    return somebody(db, admin, user)

"""Tools made of rows: defined, tried, changed and retired without deploying anything."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel
from sqlalchemy import Connection

from bancada.custom.definitions import Callers, ToolShape, as_shape
from bancada.domain.errors import Conflict, NotFound
from bancada.domain.people import Person, RoleName
from bancada.server.auth import Administrator, Bench, CurrentPerson
from bancada.server.parameters import ToolName
from bancada.server.problems import documented
from bancada.server.routes.admin.tools import known_tool
from bancada.server.routes.admin.toolshapes import AdminTool, Kind, Owner, Redefined
from bancada.server.shapes import Moment, Out
from bancada.store import custom_tools
from bancada.store.custom_tools import CustomTool

router = APIRouter(tags=["administration"])


class ToolRedefined(Redefined):
    """What is absent stays as it is."""

    permission_level: RoleName | None = None
    requires_confirmation: bool | None = None
    allowed_callers: Callers | None = None


class CustomToolOut(Out):
    """One version of a custom tool."""

    name: str
    version: int
    is_current: bool
    kind: Kind
    description: str
    category: str
    effect: str
    permission_level: RoleName
    requires_confirmation: bool
    allowed_callers: list[str]
    parameters: list[dict[str, Any]]
    definition: dict[str, Any]
    owner_id: int | None
    """Whose own it is; null: the whole organisation's."""
    created_by: int
    created_at: Moment

    @staticmethod
    def version_of(row: CustomTool) -> CustomToolOut:
        return CustomToolOut.of(row, **as_shape(row))


class Checked(BaseModel):
    """A definition that could be kept."""

    input_schema: dict[str, Any]


@router.post("/admin/tools", status_code=201, responses=documented(401, 403, 409, 422))
async def define(body: ToolShape, admin: Administrator, bench: Bench) -> AdminTool:
    """Define a tool for the organisation: an HTTP request, a query, a program or a chain of tools."""
    made = await bench.custom.create(admin, body)
    return await bench.database.read(known_tool, bench, admin, made.name)


@router.post("/admin/tools/check", responses=documented(401, 403, 409, 422))
async def check(body: ToolShape, admin: Administrator, bench: Bench) -> Checked:
    """Try a definition without keeping it; what is wrong with it is said."""
    return Checked(input_schema=await bench.custom.check(admin, body))


@router.get("/admin/tools/{name}/versions", responses=documented(401, 403, 404, 422))
async def versions(
    name: ToolName, admin: Administrator, bench: Bench, owner: Owner = None
) -> list[CustomToolOut]:
    """Every version of a custom tool, the newest first: old conversations recorded old ones."""
    every = await bench.custom.versions(admin, name, owner=owner)
    return [CustomToolOut.version_of(row) for row in every]


@router.delete(
    "/admin/tools/{name}", status_code=204, responses=documented(401, 403, 404, 409, 422)
)
async def retire(name: ToolName, admin: Administrator, bench: Bench, owner: Owner = None) -> None:
    """Take a custom tool out of use; what it did stays in the record."""
    if name in bench.registry:
        raise Conflict("pack_tool_stays")
    await bench.custom.retire(admin, name, owner=owner)


# ---------------------------------------------------------------------------- a person's own


@router.post(
    "/me/tools", status_code=201, tags=["account"], responses=documented(401, 403, 409, 422)
)
async def define_own(body: ToolShape, person: CurrentPerson, bench: Bench) -> CustomToolOut:
    """Define a tool that only you see, where your organisation allows it."""
    return CustomToolOut.version_of(await bench.custom.create(person, body, own=True))


@router.post("/me/tools/check", tags=["account"], responses=documented(401, 403, 409, 422))
async def check_own(body: ToolShape, person: CurrentPerson, bench: Bench) -> Checked:
    """Try a definition of your own without keeping it; what is wrong with it is said."""
    return Checked(input_schema=await bench.custom.check(person, body, own=True))


@router.get("/me/tools/{name}", tags=["account"], responses=documented(401, 404, 422))
async def own_tool(name: ToolName, person: CurrentPerson, bench: Bench) -> CustomToolOut:
    """A tool of your own, as you wrote it."""
    return CustomToolOut.version_of(await bench.database.read(_must_own, person, name))


@router.patch("/me/tools/{name}", tags=["account"], responses=documented(401, 403, 404, 409, 422))
async def change_own(
    name: ToolName, body: ToolRedefined, person: CurrentPerson, bench: Bench
) -> CustomToolOut:
    """Change a tool of your own: a new version of it is kept."""
    await bench.database.read(_must_own, person, name)
    return CustomToolOut.version_of(
        await bench.custom.change(person, name, body.model_dump(exclude_none=True), owner=person.id)
    )


@router.delete(
    "/me/tools/{name}",
    status_code=204,
    tags=["account"],
    responses=documented(401, 403, 404, 422),
)
async def retire_own(name: ToolName, person: CurrentPerson, bench: Bench) -> None:
    """Take a tool of your own out of use."""
    await bench.database.read(_must_own, person, name)
    await bench.custom.retire(person, name, owner=person.id)


def _must_own(db: Connection, person: Person, name: str) -> CustomTool:
    found = custom_tools.find(db, person.organisation_id, name, person.id)
    if found is None:
        raise NotFound("no_tool_for_you", name=name)
    return found

"""Tools made of rows: defined, tried, changed and retired without deploying anything."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from sqlalchemy import Connection

from bancada.custom.definitions import as_shape
from bancada.domain.errors import Conflict, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person, RoleName
from bancada.server.auth import Administrator, Bench, CurrentPerson
from bancada.server.parameters import JSONMap, ToolName
from bancada.server.problems import documented
from bancada.server.routes.admin.tools import known_tool
from bancada.server.routes.admin.toolshapes import (
    AdminTool,
    CallerName,
    Category,
    Description,
    Kind,
    Owner,
    Parameters,
)
from bancada.server.shapes import Body, isoformat
from bancada.store import custom_tools
from bancada.store.custom_tools import CustomTool

router = APIRouter(tags=["administration"])

EXAMPLE: JSONObject = {
    "name": "soma",
    "kind": "python",
    "description": "Adds two numbers.",
    "parameters": [{"name": "a", "type": "number"}, {"name": "b", "type": "number"}],
    "definition": {"code": "result = input['a'] + input['b']"},
}


class NewTool(Body):
    """A tool's definition; what belongs in `definition` depends on the kind."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [EXAMPLE]})

    name: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    kind: Kind
    description: Description
    definition: JSONMap
    parameters: Parameters = Field(default_factory=list)
    """Each `{name, type, description, is_required, default_value, constraints}`."""
    category: Category | None = None
    effect: Literal["read", "write"] | None = None
    permission_level: RoleName | None = None
    requires_confirmation: bool | None = None
    allowed_callers: Annotated[list[CallerName], Field(max_length=8)] | None = None

    def shape(self) -> JSONObject:
        return self.model_dump(exclude_none=True)


class ToolRedefined(Body):
    """What is absent stays as it is."""

    kind: Kind | None = None
    description: Description | None = None
    definition: JSONMap | None = None
    parameters: Parameters | None = None
    category: Category | None = None
    effect: Literal["read", "write"] | None = None
    permission_level: RoleName | None = None
    requires_confirmation: bool | None = None
    allowed_callers: Annotated[list[CallerName], Field(max_length=8)] | None = None

    def shape(self) -> JSONObject:
        return self.model_dump(exclude_none=True)


class CustomToolOut(BaseModel):
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
    created_at: str

    @staticmethod
    def of(row: CustomTool) -> CustomToolOut:
        return CustomToolOut(
            **as_shape(row),
            version=row.version,
            is_current=row.is_current,
            owner_id=row.owner_id,
            created_by=row.created_by,
            created_at=isoformat(row.created_at),
        )


class Checked(BaseModel):
    """A definition that could be kept."""

    input_schema: dict[str, Any]


@router.post("/admin/tools", status_code=201, responses=documented(401, 403, 409, 422))
async def define(body: NewTool, admin: Administrator, bench: Bench) -> AdminTool:
    """Define a tool for the organisation: an HTTP request, a query, a program or a chain of tools."""
    made = await bench.custom.create(admin, body.shape())
    return await bench.database.read(known_tool, bench, admin, made.name)


@router.post("/admin/tools/check", responses=documented(401, 403, 409, 422))
async def check(body: NewTool, admin: Administrator, bench: Bench) -> Checked:
    """Try a definition without keeping it; what is wrong with it is said."""
    return Checked(input_schema=await bench.custom.check(admin, body.shape()))


@router.get("/admin/tools/{name}/versions", responses=documented(401, 403, 404, 422))
async def versions(
    name: ToolName, admin: Administrator, bench: Bench, owner: Owner = None
) -> list[CustomToolOut]:
    """Every version of a custom tool, the newest first: old conversations recorded old ones."""
    every = await bench.custom.versions(admin, name, owner=owner)
    return [CustomToolOut.of(row) for row in every]


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
async def define_own(body: NewTool, person: CurrentPerson, bench: Bench) -> CustomToolOut:
    """Define a tool that only you see, where your organisation allows it."""
    return CustomToolOut.of(await bench.custom.create(person, body.shape(), own=True))


@router.post("/me/tools/check", tags=["account"], responses=documented(401, 403, 409, 422))
async def check_own(body: NewTool, person: CurrentPerson, bench: Bench) -> Checked:
    """Try a definition of your own without keeping it; what is wrong with it is said."""
    return Checked(input_schema=await bench.custom.check(person, body.shape(), own=True))


@router.get("/me/tools/{name}", tags=["account"], responses=documented(401, 404, 422))
async def own_tool(name: ToolName, person: CurrentPerson, bench: Bench) -> CustomToolOut:
    """A tool of your own, as you wrote it."""
    return CustomToolOut.of(await bench.database.read(_must_own, person, name))


@router.patch("/me/tools/{name}", tags=["account"], responses=documented(401, 403, 404, 409, 422))
async def change_own(
    name: ToolName, body: ToolRedefined, person: CurrentPerson, bench: Bench
) -> CustomToolOut:
    """Change a tool of your own: a new version of it is kept."""
    await bench.database.read(_must_own, person, name)
    return CustomToolOut.of(await bench.custom.change(person, name, body.shape(), owner=person.id))


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

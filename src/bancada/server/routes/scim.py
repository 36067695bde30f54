"""SCIM 2.0: an organisation's directory makes, changes and disables its people.

Let in by a key of an administrator's that has the scope `scim`, and bound to that
administrator's organisation: no other one's people or groups exist here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from fastapi import Request, Response
from scim2_models import (
    Context,
    ListResponse,
    NotFoundException,
    Resource,
    ResourceType,
    Schema,
)
from scim2_models.path.expressions import Comparison
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.engine import directory as desk
from bancada.engine.workbench import Workbench
from bancada.server.auth import Bench, account_changed
from bancada.server.scim.resources import CONFIG, SERVICE, DirectoryUser, entry_of, user_shown
from bancada.server.scim.speech import (
    Directory,
    Id,
    Keeper,
    Said,
    ScimResponse,
    asked,
    base_of,
    number,
    one,
    page_of,
    patch_of,
    read,
    run,
    wanted_of,
)
from bancada.settings import Settings
from bancada.store import directory, people

directory_routes = Directory()
router = directory_routes.router

T = TypeVar("T", bound=Resource[Any])

# ---------------------------------------------------------------------------- what it can do


@directory_routes.at("/ServiceProviderConfig", "GET")
async def service(keeper: Keeper, request: Request) -> Response:
    """What this service can do."""
    return one(CONFIG, request)


@directory_routes.at("/ResourceTypes", "GET")
async def resource_types(keeper: Keeper) -> Response:
    """The kinds of resources: users and groups."""
    return _discovered(ResourceType, SERVICE.resource_types)


@directory_routes.at("/ResourceTypes/{id}", "GET")
async def resource_type(id: Id, keeper: Keeper, request: Request) -> Response:
    """One kind of resource."""
    return one(_named(SERVICE.resource_types, id), request)


@directory_routes.at("/Schemas", "GET")
async def schemas(keeper: Keeper) -> Response:
    """The attributes that are used."""
    return _discovered(Schema, SERVICE.schemas)


@directory_routes.at("/Schemas/{id}", "GET")
async def schema(id: Id, keeper: Keeper, request: Request) -> Response:
    """One schema."""
    return one(_named(SERVICE.schemas, id), request)


def _named(those: Sequence[T], id: str) -> T:
    for each in those:
        if str(each.id) == id:
            return each
    raise NotFoundException(detail=f"There is no {id[:100]}.")


def _discovered(kind: type[T], those: Sequence[T]) -> Response:
    listed = ListResponse[kind](  # type: ignore[valid-type]
        total_results=len(those),
        items_per_page=len(those),
        start_index=1,
        resources=list(those),
    )
    return ScimResponse(listed.model_dump_json(scim_ctx=Context.RESOURCE_QUERY_RESPONSE))


# ---------------------------------------------------------------------------- users


@directory_routes.at("/Users", "GET")
async def users(keeper: Keeper, request: Request, bench: Bench) -> Response:
    """The organisation's people; `filter`, `sortBy`, `startIndex` and `count` choose."""
    return await _search(request, bench, keeper, asked(request))


@directory_routes.at("/Users/.search", "POST")
async def search_users(body: Said, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """The same, asked in a body."""
    return await _search(request, bench, keeper, body)


async def _search(
    request: Request, bench: Workbench, keeper: Person, said: dict[str, Any]
) -> Response:
    wanted = wanted_of(DirectoryUser, said)
    where = (bench.settings, keeper, wanted.filter, base_of(request))
    found = await bench.database.read(users_found, *where)
    return page_of(DirectoryUser, found, wanted)


@directory_routes.at("/Users", "POST", 201)
async def add_user(body: Said, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """Make an account."""
    said = read(DirectoryUser, body, Context.RESOURCE_CREATION_REQUEST)
    said.active = said.active is not False
    entry = entry_of(said)
    id = await run(bench, desk.add_entry, keeper, entry)
    made = await bench.database.read(_user, bench.settings, keeper, str(id), base_of(request))
    return one(made, request, Context.RESOURCE_CREATION_RESPONSE, 201)


@directory_routes.at("/Users/{id}", "GET")
async def user(id: Id, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """One person."""
    return one(
        await bench.database.read(_user, bench.settings, keeper, id, base_of(request)), request
    )


@directory_routes.at("/Users/{id}", "PUT")
async def replace_user(
    id: Id, body: Said, keeper: Keeper, request: Request, bench: Bench
) -> Response:
    """Make somebody what the directory says."""
    said = read(DirectoryUser, body, Context.RESOURCE_REPLACEMENT_REQUEST)

    def replaced(now: DirectoryUser) -> DirectoryUser:
        # Left out, it stays: nobody is let in again by what was not said.
        said.active = now.active if said.active is None else said.active
        return said

    return await _change_user(request, bench, keeper, id, replaced)


@directory_routes.at("/Users/{id}", "PATCH")
async def patch_user(
    id: Id, body: Said, keeper: Keeper, request: Request, bench: Bench
) -> Response:
    """Change some of it; `active: false` ends every session at once."""
    return await _change_user(request, bench, keeper, id, patch_of(DirectoryUser, body))


async def _change_user(
    request: Request,
    bench: Workbench,
    keeper: Person,
    id: str,
    changed: Callable[[DirectoryUser], DirectoryUser],
) -> Response:
    shown = await run(bench, _put, bench.settings, keeper, id, changed, base_of(request))
    account_changed(request, int(shown.id or 0))
    return one(shown, request, Context.RESOURCE_REPLACEMENT_RESPONSE)


def _put(
    db: Connection,
    settings: Settings,
    keeper: Person,
    id: str,
    changed: Callable[[DirectoryUser], DirectoryUser],
    base: str,
) -> DirectoryUser:
    now = _user(db, settings, keeper, id, base)
    person = people.person(db, int(now.id or 0))
    desk.change_entry(db, keeper, person, entry_of(changed(now)))
    return _user(db, settings, keeper, id, base)


@directory_routes.at("/Users/{id}", "DELETE", 204)
async def remove_user(id: Id, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """Take somebody away: disabled at once, their keys and password ended, the record kept."""
    person_id = await run(bench, _remove, bench.settings, keeper, id)
    account_changed(request, person_id)
    return Response(status_code=204)


def _remove(db: Connection, settings: Settings, keeper: Person, id: str) -> int:
    row = user_row(db, settings, keeper, id)
    person = people.person(db, row.id)
    desk.take_away(db, keeper, person, row.user_name or row.email)
    return person.id


def user_row(db: Connection, settings: Settings, keeper: Person, id: str) -> Any:
    found = directory.user(db, keeper.organisation_id, number(id))
    if found is None or settings.is_break_glass(found.email):
        raise NotFoundException(detail="There is no such user.")
    return found


def _user(db: Connection, settings: Settings, keeper: Person, id: str, base: str) -> DirectoryUser:
    row = user_row(db, settings, keeper, id)
    return user_shown(row, directory.groups_of(db, row.id), base)


def users_found(
    db: Connection, settings: Settings, keeper: Person, wanted: Any, base: str
) -> list[DirectoryUser]:
    """Everybody, or, where the filter names one value, whoever has it."""
    organisation_id = keeper.organisation_id
    match _equals(wanted):
        case "username", str(value):
            rows = directory.named(db, organisation_id, value)
        case "externalid", str(value):
            rows = directory.by_external_id(db, organisation_id, value)
        case _:
            rows = directory.everyone(db, organisation_id)
    inside = directory.memberships(db, [row.id for row in rows])
    return [
        user_shown(row, inside[row.id], base)
        for row in rows
        if not settings.is_break_glass(row.email)
    ]


def _equals(wanted: Any) -> tuple[str, Any] | None:
    """The attribute and value of a filter that is nothing but one comparison."""
    if wanted is None or not isinstance(wanted.ast, Comparison) or str(wanted.ast.op) != "eq":
        return None
    return str(wanted.ast.attr_path).lower(), wanted.ast.value

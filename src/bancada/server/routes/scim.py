"""SCIM 2.0: an organisation's directory makes, changes and disables its people.

Let in by a key of an administrator's that has the scope `scim`, and bound to that
administrator's organisation: no other one's people or groups exist here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from fastapi import Response
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

from bancada.engine import directory as desk
from bancada.engine.directory import DirectoryEntry
from bancada.server.scim.resources import CONFIG, SERVICE, DirectoryUser, entry_of, user_shown
from bancada.server.scim.speech import (
    Call,
    Directory,
    DirectoryCall,
    Id,
    Said,
    ScimResponse,
    asked,
    number,
    page_of,
    patch_of,
    read,
    wanted_of,
)
from bancada.store import directory, people

directory_routes = Directory()
router = directory_routes.router

T = TypeVar("T", bound=Resource[Any])

# ---------------------------------------------------------------------------- what it can do


@directory_routes.at("/ServiceProviderConfig", "GET")
async def service(call: Call) -> Response:
    """What this service can do."""
    return call.one(CONFIG)


@directory_routes.at("/ResourceTypes", "GET")
async def resource_types(call: Call) -> Response:
    """The kinds of resources: users and groups."""
    return _discovered(ResourceType, SERVICE.resource_types)


@directory_routes.at("/ResourceTypes/{id}", "GET")
async def resource_type(id: Id, call: Call) -> Response:
    """One kind of resource."""
    return call.one(_named(SERVICE.resource_types, id))


@directory_routes.at("/Schemas", "GET")
async def schemas(call: Call) -> Response:
    """The attributes that are used."""
    return _discovered(Schema, SERVICE.schemas)


@directory_routes.at("/Schemas/{id}", "GET")
async def schema(id: Id, call: Call) -> Response:
    """One schema."""
    return call.one(_named(SERVICE.schemas, id))


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
async def users(call: Call) -> Response:
    """The organisation's people; `filter`, `sortBy`, `startIndex` and `count` choose."""
    return await _search(call, asked(call.request))


@directory_routes.at("/Users/.search", "POST")
async def search_users(body: Said, call: Call) -> Response:
    """The same, asked in a body."""
    return await _search(call, body)


async def _search(call: DirectoryCall, said: dict[str, Any]) -> Response:
    wanted = wanted_of(DirectoryUser, said)
    return page_of(DirectoryUser, await call.read(users_found, wanted.filter), wanted)


@directory_routes.at("/Users", "POST", 201)
async def add_user(body: Said, call: Call) -> Response:
    """Make an account."""
    said = read(DirectoryUser, body, Context.RESOURCE_CREATION_REQUEST)
    said.active = said.active is not False
    id = await call.run(_add, entry_of(said))
    made = await call.read(_user, str(id))
    return call.one(made, Context.RESOURCE_CREATION_RESPONSE, 201)


def _add(db: Connection, call: DirectoryCall, entry: DirectoryEntry) -> int:
    return desk.add_entry(db, call.keeper, entry)


@directory_routes.at("/Users/{id}", "GET")
async def user(id: Id, call: Call) -> Response:
    """One person."""
    return call.one(await call.read(_user, id))


@directory_routes.at("/Users/{id}", "PUT")
async def replace_user(id: Id, body: Said, call: Call) -> Response:
    """Make somebody what the directory says."""
    said = read(DirectoryUser, body, Context.RESOURCE_REPLACEMENT_REQUEST)

    def replaced(now: DirectoryUser) -> DirectoryUser:
        # Left out, it stays: nobody is let in again by what was not said.
        said.active = now.active if said.active is None else said.active
        return said

    return await _change_user(call, id, replaced)


@directory_routes.at("/Users/{id}", "PATCH")
async def patch_user(id: Id, body: Said, call: Call) -> Response:
    """Change some of it; `active: false` ends every session at once."""
    return await _change_user(call, id, patch_of(DirectoryUser, body))


async def _change_user(
    call: DirectoryCall, id: str, changed: Callable[[DirectoryUser], DirectoryUser]
) -> Response:
    shown = await call.run(_put, id, changed)
    call.changed([int(shown.id or 0)])
    return call.one(shown, Context.RESOURCE_REPLACEMENT_RESPONSE)


def _put(
    db: Connection, call: DirectoryCall, id: str, changed: Callable[[DirectoryUser], DirectoryUser]
) -> DirectoryUser:
    now = _user(db, call, id)
    person = people.person(db, int(now.id or 0))
    desk.change_entry(db, call.keeper, person, entry_of(changed(now)))
    return _user(db, call, id)


@directory_routes.at("/Users/{id}", "DELETE", 204)
async def remove_user(id: Id, call: Call) -> Response:
    """Take somebody away: disabled at once, their keys and password ended, the record kept."""
    call.changed([await call.run(_remove, id)])
    return Response(status_code=204)


def _remove(db: Connection, call: DirectoryCall, id: str) -> int:
    row = user_row(db, call, id)
    person = people.person(db, row.id)
    desk.take_away(db, call.keeper, person, row.user_name or row.email)
    return person.id


def user_row(db: Connection, call: DirectoryCall, id: str) -> Any:
    found = directory.user(db, call.organisation_id, number(id))
    if found is None or call.settings.is_break_glass(found.email):
        raise NotFoundException(detail="There is no such user.")
    return found


def _user(db: Connection, call: DirectoryCall, id: str) -> DirectoryUser:
    row = user_row(db, call, id)
    return user_shown(row, directory.groups_of(db, row.id), call.base)


def users_found(db: Connection, call: DirectoryCall, wanted: Any) -> list[DirectoryUser]:
    """Everybody, or, where the filter names one value, whoever has it."""
    match _equals(wanted):
        case "username", str(value):
            rows = directory.named(db, call.organisation_id, value)
        case "externalid", str(value):
            rows = directory.by_external_id(db, call.organisation_id, value)
        case _:
            rows = directory.everyone(db, call.organisation_id)
    inside = directory.memberships(db, [row.id for row in rows])
    return [
        user_shown(row, inside[row.id], call.base)
        for row in rows
        if not call.settings.is_break_glass(row.email)
    ]


def _equals(wanted: Any) -> tuple[str, Any] | None:
    """The attribute and value of a filter that is nothing but one comparison."""
    if wanted is None or not isinstance(wanted.ast, Comparison) or str(wanted.ast.op) != "eq":
        return None
    return str(wanted.ast.attr_path).lower(), wanted.ast.value

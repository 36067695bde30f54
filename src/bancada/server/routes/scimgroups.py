"""SCIM 2.0: a directory's groups, which give roles; and users and groups searched together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Response
from scim2_models import Context, InvalidValueException, NotFoundException
from sqlalchemy import Connection

from bancada.engine import directory as desk
from bancada.engine.directory import GroupEntry
from bancada.server.routes.scim import user_row, users_found
from bancada.server.scim.resources import (
    GROUP,
    DirectoryGroup,
    DirectoryUser,
    group_id,
    group_shown,
)
from bancada.server.scim.speech import (
    Call,
    Directory,
    DirectoryCall,
    Id,
    Said,
    asked,
    number,
    page_of,
    patch_of,
    read,
    wanted_of,
)
from bancada.settings import OidcSettings
from bancada.store import directory

directory_routes = Directory()
router = directory_routes.router


@directory_routes.at("/Groups", "GET")
async def groups(call: Call) -> Response:
    """The directory's groups; chosen from as users are."""
    return await _search(call, asked(call.request))


@directory_routes.at("/Groups/.search", "POST")
async def search_groups(body: Said, call: Call) -> Response:
    """The same, asked in a body."""
    return await _search(call, body)


async def _search(call: DirectoryCall, said: dict[str, Any]) -> Response:
    wanted = wanted_of(DirectoryGroup, said)
    return page_of(DirectoryGroup, await call.read(_groups), wanted)


@directory_routes.at("/.search", "POST")
async def search(body: Said, call: Call) -> Response:
    """Users and groups together."""
    both = DirectoryUser | DirectoryGroup
    wanted = wanted_of(both, body)
    found = [*await call.read(users_found, wanted.filter), *await call.read(_groups)]
    return page_of(both, found, wanted)


@directory_routes.at("/Groups", "POST", 201)
async def add_group(body: Said, call: Call) -> Response:
    """Make a group; its members have the role that it gives from now on."""
    said = read(DirectoryGroup, body, Context.RESOURCE_CREATION_REQUEST)
    id, person_ids = await call.run(_add_group, said)
    call.changed(person_ids)
    made = await call.read(_group, group_id(id))
    return call.one(made, Context.RESOURCE_CREATION_RESPONSE, 201)


def _add_group(db: Connection, call: DirectoryCall, said: DirectoryGroup) -> tuple[int, set[int]]:
    return desk.add_group(db, call.keeper, _group_entry(db, call, said), _rules(db, call))


@directory_routes.at("/Groups/{id}", "GET")
async def group(id: Id, call: Call) -> Response:
    """One group."""
    return call.one(await call.read(_group, id))


@directory_routes.at("/Groups/{id}", "PUT")
async def replace_group(id: Id, body: Said, call: Call) -> Response:
    """Make a group what the directory says."""
    said = read(DirectoryGroup, body, Context.RESOURCE_REPLACEMENT_REQUEST)
    return await _change_group(call, id, lambda _: said)


@directory_routes.at("/Groups/{id}", "PATCH")
async def patch_group(id: Id, body: Said, call: Call) -> Response:
    """Change its name or members; whose role becomes another is asked to sign in again."""
    return await _change_group(call, id, patch_of(DirectoryGroup, body))


async def _change_group(
    call: DirectoryCall, id: str, changed: Callable[[DirectoryGroup], DirectoryGroup]
) -> Response:
    call.changed(await call.run(_put, id, changed))
    return call.one(await call.read(_group, id), Context.RESOURCE_REPLACEMENT_RESPONSE)


def _put(
    db: Connection,
    call: DirectoryCall,
    id: str,
    changed: Callable[[DirectoryGroup], DirectoryGroup],
) -> set[int]:
    row = _group_row(db, call, id)
    entry = _group_entry(db, call, changed(_group(db, call, id)))
    return desk.change_group(db, call.keeper, row, entry, _rules(db, call))


@directory_routes.at("/Groups/{id}", "DELETE", 204)
async def remove_group(id: Id, call: Call) -> Response:
    """Remove a group; what it gave its members it gives no more."""
    call.changed(await call.run(_remove, id))
    return Response(status_code=204)


def _remove(db: Connection, call: DirectoryCall, id: str) -> set[int]:
    return desk.remove_group(db, call.keeper, _group_row(db, call, id), _rules(db, call))


def _rules(db: Connection, call: DirectoryCall) -> list[OidcSettings]:
    return desk.rules_of(db, call.settings, call.organisation_id)


def _group_entry(db: Connection, call: DirectoryCall, said: DirectoryGroup) -> GroupEntry:
    named = (said.display_name or "").strip()
    if not named:
        raise InvalidValueException(detail="A group has a displayName.")
    ids = {each.value for each in said.members or () if each.value}
    try:
        members = frozenset(user_row(db, call, id).id for id in ids)
    except NotFoundException:
        raise InvalidValueException(detail="A member is not a user of this directory.") from None
    return GroupEntry(named, said.external_id, members)


def _group_row(db: Connection, call: DirectoryCall, id: str) -> Any:
    ours = id.startswith(GROUP)
    found = directory.group(db, call.organisation_id, number(id[len(GROUP) :]) if ours else 0)
    if found is None:
        raise NotFoundException(detail="There is no such group.")
    return found


def _group(db: Connection, call: DirectoryCall, id: str) -> DirectoryGroup:
    row = _group_row(db, call, id)
    return group_shown(row, directory.members(db, [row.id])[row.id], call.base)


def _groups(db: Connection, call: DirectoryCall) -> list[DirectoryGroup]:
    rows = directory.groups(db, call.organisation_id)
    inside = directory.members(db, [row.id for row in rows])
    return [group_shown(row, inside[row.id], call.base) for row in rows]

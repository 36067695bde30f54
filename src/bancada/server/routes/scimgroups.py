"""SCIM 2.0: a directory's groups, which give roles; and users and groups searched together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import Request, Response
from scim2_models import Context, InvalidValueException, NotFoundException
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.engine import directory as desk
from bancada.engine.directory import GroupEntry
from bancada.engine.workbench import Workbench
from bancada.server.auth import Bench, account_changed
from bancada.server.routes.scim import user_row, users_found
from bancada.server.scim.resources import (
    GROUP,
    DirectoryGroup,
    DirectoryUser,
    group_id,
    group_shown,
)
from bancada.server.scim.speech import (
    Directory,
    Id,
    Keeper,
    Said,
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
from bancada.store import directory

directory_routes = Directory()
router = directory_routes.router


@directory_routes.at("/Groups", "GET")
async def groups(keeper: Keeper, request: Request, bench: Bench) -> Response:
    """The directory's groups; chosen from as users are."""
    return await _search(request, bench, keeper, asked(request))


@directory_routes.at("/Groups/.search", "POST")
async def search_groups(body: Said, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """The same, asked in a body."""
    return await _search(request, bench, keeper, body)


async def _search(
    request: Request, bench: Workbench, keeper: Person, said: dict[str, Any]
) -> Response:
    wanted = wanted_of(DirectoryGroup, said)
    found = await bench.database.read(_groups, keeper, base_of(request))
    return page_of(DirectoryGroup, found, wanted)


@directory_routes.at("/.search", "POST")
async def search(body: Said, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """Users and groups together."""
    both = DirectoryUser | DirectoryGroup
    wanted, base = wanted_of(both, body), base_of(request)
    found: list[Any] = [
        *await bench.database.read(users_found, bench.settings, keeper, wanted.filter, base),
        *await bench.database.read(_groups, keeper, base),
    ]
    return page_of(both, found, wanted)


@directory_routes.at("/Groups", "POST", 201)
async def add_group(body: Said, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """Make a group; its members have the role that it gives from now on."""
    said = read(DirectoryGroup, body, Context.RESOURCE_CREATION_REQUEST)
    id, people_ids = await run(bench, _add_group, bench.settings, keeper, said)
    _changed(request, people_ids)
    made = await bench.database.read(_group, keeper, group_id(id), base_of(request))
    return one(made, request, Context.RESOURCE_CREATION_RESPONSE, 201)


def _add_group(
    db: Connection, settings: Settings, keeper: Person, said: DirectoryGroup
) -> tuple[int, set[int]]:
    rules = desk.rules_of(db, settings, keeper.organisation_id)
    return desk.add_group(db, keeper, _group_entry(db, settings, keeper, said), rules)


@directory_routes.at("/Groups/{id}", "GET")
async def group(id: Id, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """One group."""
    return one(await bench.database.read(_group, keeper, id, base_of(request)), request)


@directory_routes.at("/Groups/{id}", "PUT")
async def replace_group(
    id: Id, body: Said, keeper: Keeper, request: Request, bench: Bench
) -> Response:
    """Make a group what the directory says."""
    said = read(DirectoryGroup, body, Context.RESOURCE_REPLACEMENT_REQUEST)
    return await _change_group(request, bench, keeper, id, lambda _: said)


@directory_routes.at("/Groups/{id}", "PATCH")
async def patch_group(
    id: Id, body: Said, keeper: Keeper, request: Request, bench: Bench
) -> Response:
    """Change its name or members; whose role becomes another is asked to sign in again."""
    return await _change_group(request, bench, keeper, id, patch_of(DirectoryGroup, body))


async def _change_group(
    request: Request,
    bench: Workbench,
    keeper: Person,
    id: str,
    changed: Callable[[DirectoryGroup], DirectoryGroup],
) -> Response:
    base = base_of(request)

    def put(db: Connection) -> set[int]:
        row = _group_row(db, keeper, id)
        said = changed(_group(db, keeper, id, base))
        rules = desk.rules_of(db, bench.settings, keeper.organisation_id)
        entry = _group_entry(db, bench.settings, keeper, said)
        return desk.change_group(db, keeper, row, entry, rules)

    _changed(request, await run(bench, put))
    shown = await bench.database.read(_group, keeper, id, base)
    return one(shown, request, Context.RESOURCE_REPLACEMENT_RESPONSE)


@directory_routes.at("/Groups/{id}", "DELETE", 204)
async def remove_group(id: Id, keeper: Keeper, request: Request, bench: Bench) -> Response:
    """Remove a group; what it gave its members it gives no more."""

    def remove(db: Connection) -> set[int]:
        rules = desk.rules_of(db, bench.settings, keeper.organisation_id)
        return desk.remove_group(db, keeper, _group_row(db, keeper, id), rules)

    _changed(request, await run(bench, remove))
    return Response(status_code=204)


def _group_entry(
    db: Connection, settings: Settings, keeper: Person, said: DirectoryGroup
) -> GroupEntry:
    named = (said.display_name or "").strip()
    if not named:
        raise InvalidValueException(detail="A group has a displayName.")
    ids = {each.value for each in said.members or () if each.value}
    try:
        members = frozenset(user_row(db, settings, keeper, id).id for id in ids)
    except NotFoundException:
        raise InvalidValueException(detail="A member is not a user of this directory.") from None
    return GroupEntry(named, said.external_id, members)


def _group_row(db: Connection, keeper: Person, id: str) -> Any:
    ours = id.startswith(GROUP)
    found = directory.group(db, keeper.organisation_id, number(id[len(GROUP) :]) if ours else 0)
    if found is None:
        raise NotFoundException(detail="There is no such group.")
    return found


def _group(db: Connection, keeper: Person, id: str, base: str) -> DirectoryGroup:
    row = _group_row(db, keeper, id)
    return group_shown(row, directory.members(db, [row.id])[row.id], base)


def _groups(db: Connection, keeper: Person, base: str) -> list[DirectoryGroup]:
    rows = directory.groups(db, keeper.organisation_id)
    inside = directory.members(db, [row.id for row in rows])
    return [group_shown(row, inside[row.id], base) for row in rows]


def _changed(request: Request, person_ids: set[int]) -> None:
    for id in person_ids:
        account_changed(request, id)

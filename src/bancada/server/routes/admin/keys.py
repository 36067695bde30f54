"""API keys of the organisation: made for a person, shown once, renewed, revoked."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.domain.shapes import Email, Shape, example
from bancada.engine.keyring import counts, find_key, revoke_key, rotate_key
from bancada.gate.administration import note
from bancada.server.auth import Administrator, Admission, Bench, CurrentAccess, account_changed
from bancada.server.parameters import Number, RowId
from bancada.server.problems import documented
from bancada.server.routes.admin.users import somebody
from bancada.server.routes.keys import (
    KeyMade,
    KeyName,
    KeyOut,
    KeyRotation,
    MyNewKey,
    add_for,
    check_widening,
    made,
)
from bancada.store import keys, people

router = APIRouter(tags=["administration"])


class NewKey(MyNewKey):
    model_config = example(user="rui@demo.com", name="nightly report")

    user: Number | Email | None = None
    """Whose: an id or an address; default: yours."""


class KeyChange(Shape):
    name: KeyName


@router.get("/admin/keys", responses=documented(401, 403, 422))
async def all_keys(
    admin: Administrator,
    bench: Bench,
    revoked: Annotated[bool, Query(description="Those that no longer count, too.")] = False,
) -> list[KeyOut]:
    """The organisation's keys, oldest first."""
    rows = await bench.database.read(keys.keys_of, admin.organisation_id)
    return [KeyOut.of(row) for row in rows if revoked or counts(row)]


@router.post("/admin/keys", status_code=201, responses=documented(401, 403, 404, 422))
async def add(body: NewKey, admin: Administrator, access: CurrentAccess, bench: Bench) -> KeyMade:
    """Make a key; this answer is the only place where it is shown."""
    return await bench.database.run(_add, access, body)


def _add(db: Connection, access: Admission, body: NewKey) -> KeyMade:
    admin = access.person
    owner = admin if body.user is None else somebody(db, admin, body.user)
    return add_for(db, access, owner, body)


@router.get("/admin/keys/{id}", responses=documented(401, 403, 404, 422))
async def one(id: RowId, admin: Administrator, bench: Bench) -> KeyOut:
    """One key."""
    return KeyOut.of(await bench.database.read(find_key, admin.organisation_id, id))


@router.patch("/admin/keys/{id}", responses=documented(401, 403, 404, 422))
async def rename(id: RowId, body: KeyChange, admin: Administrator, bench: Bench) -> KeyOut:
    """Name a key."""
    return await bench.database.run(_rename, admin, id, body.name)


def _rename(db: Connection, admin: Person, id: int, name: str) -> KeyOut:
    before = find_key(db, admin.organisation_id, id)
    keys.rename_key(db, id, name)
    old, now = {"name": before.name}, {"name": name}
    note(db, admin, "key_changed", before.name, id=id, before=old, after=now)
    return KeyOut.of(find_key(db, admin.organisation_id, id))


@router.post("/admin/keys/{id}/rotate", status_code=201, responses=documented(401, 403, 404, 422))
async def rotate(
    id: RowId, body: KeyRotation, admin: Administrator, access: CurrentAccess, bench: Bench
) -> KeyMade:
    """A new key like this one; this one counts on for so many hours."""
    check_widening(access)
    return await bench.database.run(_rotate, admin, id, body.hours)


def _rotate(db: Connection, admin: Person, id: int, hours: float) -> KeyMade:
    row = find_key(db, admin.organisation_id, id)
    owner = people.person(db, row.user_id)
    return made(db, owner.organisation_id, *rotate_key(db, row, owner, hours, by=admin))


@router.delete("/admin/keys/{id}", status_code=204, responses=documented(401, 403, 404, 422))
async def revoke(id: RowId, admin: Administrator, bench: Bench, request: Request) -> None:
    """Revoke a key; it stops working at once, on open streams too."""
    account_changed(request, await bench.database.run(_revoke, admin, id))


def _revoke(db: Connection, admin: Person, id: int) -> int:
    row = find_key(db, admin.organisation_id, id)
    revoke_key(db, row, admin.organisation_id, by=admin)
    return int(row.user_id)

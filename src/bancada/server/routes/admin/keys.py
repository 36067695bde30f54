"""API keys: made for a person, shown once, revoked."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, StringConstraints
from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.people import Person
from bancada.domain.shapes import Shape
from bancada.gate.administration import note
from bancada.server.auth import Administrator, Bench
from bancada.server.parameters import Number, RowId
from bancada.server.problems import documented
from bancada.server.routes.admin.users import somebody
from bancada.server.shapes import Email, iso, isoformat
from bancada.store import keys

router = APIRouter(tags=["administration"])

KeyName = Annotated[str, StringConstraints(max_length=120)]


class KeyOwner(BaseModel):
    id: int
    email: str
    name: str


class KeyOut(BaseModel):
    """A key without the key: only its first characters are known."""

    id: int
    name: str
    prefix: str
    user: KeyOwner
    created_at: str
    last_used_at: str | None
    revoked_at: str | None

    @staticmethod
    def of(row: Any) -> KeyOut:
        return KeyOut(
            id=row.id,
            name=row.name,
            prefix=row.prefix,
            user=KeyOwner(id=row.user_id, email=row.email, name=row.user_name),
            created_at=isoformat(row.created_at),
            last_used_at=iso(row.last_used_at),
            revoked_at=iso(row.revoked_at),
        )


class KeyMade(KeyOut):
    key: str
    """The key itself; it is never shown again."""


class NewKey(Shape):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"user": "rui@demo.com", "name": "nightly report"}]},
    )

    user: Number | Email | None = None
    """Whose: an id or an address; default: yours."""
    name: KeyName = ""


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
    return [KeyOut.of(row) for row in rows if revoked or row.revoked_at is None]


@router.post("/admin/keys", status_code=201, responses=documented(401, 403, 404, 422))
async def add(body: NewKey, admin: Administrator, bench: Bench) -> KeyMade:
    """Make a key; this answer is the only place where it is shown."""
    return await bench.database.run(_add, admin, body)


def _add(db: Connection, admin: Person, body: NewKey) -> KeyMade:
    owner = admin if body.user is None else somebody(db, admin, body.user)
    id, key = keys.add_key(db, owner.id, body.name, made_by=admin.id)
    after = {"name": body.name, "user": owner.email}
    note(db, admin, "key_added", body.name, id=id, after=after)
    return KeyMade(**_one(db, admin, id).model_dump(), key=key)


@router.get("/admin/keys/{id}", responses=documented(401, 403, 404, 422))
async def one(id: RowId, admin: Administrator, bench: Bench) -> KeyOut:
    """One key."""
    return await bench.database.read(_one, admin, id)


def _one(db: Connection, admin: Person, id: int) -> KeyOut:
    for row in keys.keys_of(db, admin.organisation_id):
        if row.id == id and row.revoked_at is None:
            return KeyOut.of(row)
    raise NotFound("no_key")


@router.patch("/admin/keys/{id}", responses=documented(401, 403, 404, 422))
async def rename(id: RowId, body: KeyChange, admin: Administrator, bench: Bench) -> KeyOut:
    """Name a key."""
    return await bench.database.run(_rename, admin, id, body.name)


def _rename(db: Connection, admin: Person, id: int, name: str) -> KeyOut:
    before = _one(db, admin, id)
    keys.rename_key(db, id, name)
    old, now = {"name": before.name}, {"name": name}
    note(db, admin, "key_changed", before.name, id=id, before=old, after=now)
    return _one(db, admin, id)


@router.delete("/admin/keys/{id}", status_code=204, responses=documented(401, 403, 404, 422))
async def revoke(id: RowId, admin: Administrator, bench: Bench) -> None:
    """Revoke a key; it stops working at once."""
    await bench.database.run(_revoke, admin, id)


def _revoke(db: Connection, admin: Person, id: int) -> None:
    before = _one(db, admin, id)
    keys.revoke_key(db, id, admin.organisation_id)
    said = {"name": before.name, "user": before.user.email}
    note(db, admin, "key_revoked", before.name, id=id, before=said)

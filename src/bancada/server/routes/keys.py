"""API keys: their shapes, and a person's own ones: made, renewed, revoked."""

from __future__ import annotations

from typing import Annotated, Any, Self

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field, StringConstraints
from sqlalchemy import Connection

from bancada.domain.errors import Forbidden
from bancada.domain.people import Person, Scope
from bancada.domain.shapes import Shape, example
from bancada.engine.keyring import (
    OVERLAP_HOURS,
    agent_for,
    counts,
    find_key,
    make_key,
    revoke_key,
    rotate_key,
    until,
)
from bancada.server.auth import Admission, Bench, CurrentAccess, CurrentPerson, account_changed
from bancada.server.parameters import Number, RowId
from bancada.server.problems import documented
from bancada.server.shapes import Moment, Name, Out
from bancada.store import keys

router = APIRouter(tags=["account"])

KeyName = Annotated[str, StringConstraints(max_length=120)]


class KeyOwner(BaseModel):
    id: int
    email: str
    name: str


class KeyOut(Out):
    """A key without the key: only its first characters are known."""

    id: int
    name: str
    prefix: str
    user: KeyOwner
    scopes: list[Scope]
    """What it may be used for; none: whatever its person may do."""
    agent: str | None
    """The one agent it is for."""
    created_at: Moment
    last_used_at: Moment | None
    expires_at: Moment | None
    revoked_at: Moment | None
    requests_per_minute: int | None
    tokens_per_minute: int | None
    monthly_budget_usd: float | None
    """What it may use at the gateway; null: as much as its person may."""
    month_replies: int
    month_cost_usd: float
    """What it has used there since the month began (UTC)."""

    @classmethod
    def of(cls, row: Any, **beside: Any) -> Self:
        owner = KeyOwner(id=row.user_id, email=row.email, name=row.user_name)
        return super().of(row, user=owner, **beside)


class KeyMade(KeyOut):
    key: str
    """The key itself; it is never shown again."""


class MyNewKey(Shape):
    model_config = example(name="nightly report", scopes=["chat"])

    name: KeyName = ""
    scopes: Annotated[list[Scope], Field(max_length=10)] = Field([])
    """None: whatever its person may do."""
    days: Annotated[float, Field(gt=0, le=3650, allow_inf_nan=False)] | None = None
    """After how many days it ends; without, when it is revoked."""
    agent: Number | Name | None = None
    """The one agent it is for, by id or name; without, every agent of its person."""
    requests_per_minute: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    tokens_per_minute: Annotated[int, Field(ge=1, le=1_000_000_000)] | None = None
    monthly_budget_usd: Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)] | None = None
    """What it may use at the gateway; without, as much as its person may."""

    @property
    def limits(self) -> keys.KeyLimits:
        return keys.KeyLimits.of(self)


class KeyRotation(Shape):
    hours: Annotated[float, Field(ge=0, le=720, allow_inf_nan=False)] = OVERLAP_HOURS
    """How long the old key still counts."""


def add_for(db: Connection, access: Admission, owner: Person, body: MyNewKey) -> KeyMade:
    """A key for somebody; one that was made with a key ends with that one at the latest."""
    check_widening(access)
    new = keys.KeyTerms(
        name=body.name,
        scopes=tuple(dict.fromkeys(body.scopes)),
        expires_at=until(body.days, access.key_until),
        agent_id=agent_for(db, owner, body.agent),
        limits=body.limits,
    )
    return made(db, owner.organisation_id, *make_key(db, owner, new, by=access.person))


def check_widening(access: Admission) -> None:
    """Who has a key with an agent, scopes or limits cannot make one that goes beyond them."""
    if access.is_narrow:
        raise Forbidden("key_is_narrow")


def made(db: Connection, organisation_id: int, id: int, key: str) -> KeyMade:
    row = find_key(db, organisation_id, id)
    return KeyMade.of(row, key=key)


@router.get("/me/keys", responses=documented(401))
async def mine(person: CurrentPerson, bench: Bench) -> list[KeyOut]:
    """Your keys that count, oldest first."""
    rows = await bench.database.read(keys.keys_of, person.organisation_id, person.id)
    return [KeyOut.of(row) for row in rows if counts(row)]


@router.post("/me/keys", status_code=201, responses=documented(401, 403, 404, 422))
async def add_mine(body: MyNewKey, access: CurrentAccess, bench: Bench) -> KeyMade:
    """Make a key of your own; this answer is the only place where it is shown."""
    return await bench.database.run(add_for, access, access.person, body)


@router.post("/me/keys/{id}/rotate", status_code=201, responses=documented(401, 403, 404, 422))
async def rotate_mine(id: RowId, body: KeyRotation, access: CurrentAccess, bench: Bench) -> KeyMade:
    """A new key like this one; this one counts on for so many hours."""
    check_widening(access)
    return await bench.database.run(_rotate, access.person, id, body.hours)


def _rotate(db: Connection, person: Person, id: int, hours: float) -> KeyMade:
    row = find_key(db, person.organisation_id, id, user_id=person.id)
    return made(db, person.organisation_id, *rotate_key(db, row, person, hours, by=person))


@router.delete("/me/keys/{id}", status_code=204, responses=documented(401, 404, 422))
async def revoke_mine(id: RowId, person: CurrentPerson, bench: Bench, request: Request) -> None:
    """Revoke a key of your own; it stops working at once, on open streams too."""
    await bench.database.run(_revoke, person, id)
    account_changed(request, person.id)


def _revoke(db: Connection, person: Person, id: int) -> None:
    row = find_key(db, person.organisation_id, id, user_id=person.id)
    revoke_key(db, row, person.organisation_id, by=person)

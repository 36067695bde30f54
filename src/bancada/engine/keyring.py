"""API keys made, renewed and revoked, by whichever door; every step is on record."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import Connection

from bancada.domain.errors import NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.gate.administration import Via, note
from bancada.store import agents, keys
from bancada.store.keys import KeyLimits, KeyTerms

DAY_SECONDS = 86_400.0
OVERLAP_HOURS = 24.0
"""How long a key that was replaced still counts, unless said otherwise."""


def until(days: float | None, latest: float | None = None) -> float | None:
    """When a key made now ends: after so many days, and with the one that made it at the latest."""
    ends = None if days is None else time.time() + days * DAY_SECONDS
    return latest if ends is None else ends if latest is None else min(ends, latest)


def agent_for(db: Connection, owner: Person, named: int | str | None) -> int | None:
    """The id of the one agent a key is for, by id or name: one that its person may use."""
    if named is None:
        return None
    for agent in agents.agents_for(db, owner.id):
        if named in (agent.id, agent.name):
            return agent.id
    raise NotFound("no_agent")


def make_key(
    db: Connection,
    owner: Person,
    new: KeyTerms,
    *,
    by: Person,
    via: Via = "web",
    replaces: int | None = None,
) -> tuple[int, str]:
    """`(id, key)` of a new key of somebody's; the key itself is never seen again."""
    id, key = keys.add_key(db, owner.id, replace(new, made_by=by.id))
    row = find_key(db, owner.organisation_id, id)
    more = {} if replaces is None else {"replaces": replaces}
    where: dict[str, Any] = {"organisation_id": owner.organisation_id, "via": via, **more}
    note(db, by, "key_added", new.name, id=id, after=_facts(row), **where)
    return id, key


def rotate_key(
    db: Connection, row: Any, owner: Person, hours: float, *, by: Person
) -> tuple[int, str]:
    """A new key like this one, for as long as this one was made for; this one counts on for so
    many hours, so that whoever uses it can change over without a gap."""
    lasts = None if row.expires_at is None else time.time() + row.expires_at - row.created_at
    like = {"limits": KeyLimits.of(row), "line_id": row.line_id or row.id}
    new = KeyTerms(row.name, tuple(row.scopes), lasts, row.agent_id, **like)
    made = make_key(db, owner, new, by=by, replaces=row.id)
    keys.end_key(db, row.id, time.time() + hours * 3600)
    after = find_key(db, owner.organisation_id, row.id, counting=False)
    facts: dict[str, Any] = {"before": _facts(row), "after": _facts(after), "of_person": owner.id}
    house = owner.organisation_id
    note(db, by, "key_changed", row.name, id=row.id, organisation_id=house, **facts)
    return made


def revoke_key(
    db: Connection, row: Any, organisation_id: int, *, by: Person, via: Via = "web"
) -> None:
    keys.revoke_key(db, row.id)
    where: dict[str, Any] = {"organisation_id": organisation_id, "via": via}
    where["of_person"] = row.user_id
    note(db, by, "key_revoked", row.name, id=row.id, before=_facts(row), **where)


def find_key(
    db: Connection,
    organisation_id: int,
    id: int,
    *,
    user_id: int | None = None,
    counting: bool = True,
) -> Any:
    """A key of the organisation's, or of one person's; those that no longer count are not there."""
    for row in keys.keys_of(db, organisation_id, user_id):
        if row.id == id and (not counting or counts(row)):
            return row
    raise NotFound("no_key")


def counts(row: Any) -> bool:
    ended = row.expires_at is not None and row.expires_at <= time.time()
    return row.revoked_at is None and not ended


def _facts(row: Any) -> JSONObject:
    """A key as the record keeps it."""
    return {
        "name": row.name,
        "user": row.email,
        "scopes": row.scopes,
        "expires_at": row.expires_at,
        "agent": row.agent,
        **asdict(KeyLimits.of(row)),
    }

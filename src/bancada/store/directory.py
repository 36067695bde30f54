"""What an organisation's directory keeps here: its names for people, and its groups."""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, func, insert, select, update

from bancada.domain.json import JSONObject
from bancada.store.people import LOCAL, PERSON, REMOVED
from bancada.store.tables import directory_groups, directory_members, directory_users, users

# ---------------------------------------------------------------------------- people


def _people(organisation_id: int) -> Select[Any]:
    """The organisation's accounts, as far as its directory has not taken them away."""
    kept = directory_users.c
    return (
        select(
            *PERSON,
            kept.user_name,
            kept.external_id,
            kept.attributes,
            users.c.created_at,
            kept.changed_at,
        )
        .outerjoin(directory_users, kept.user_id == users.c.id)
        .where(
            users.c.organisation_id == organisation_id,
            users.c.email != LOCAL,
            users.c.email.not_like(f"{REMOVED}%"),
            kept.removed_at.is_(None),
        )
        .order_by(users.c.id)
    )


def everyone(db: Connection, organisation_id: int) -> list[Row[Any]]:
    return list(db.execute(_people(organisation_id)))


def user(db: Connection, organisation_id: int, user_id: int) -> Row[Any] | None:
    return db.execute(_people(organisation_id).where(users.c.id == user_id)).first()


def named(db: Connection, organisation_id: int, user_name: str) -> list[Row[Any]]:
    """Whoever goes by this name, whatever its case: the directory's name, else the address."""
    name = func.lower(func.coalesce(directory_users.c.user_name, users.c.email))
    return list(db.execute(_people(organisation_id).where(name == user_name.lower())))


def by_external_id(db: Connection, organisation_id: int, external_id: str) -> list[Row[Any]]:
    query = _people(organisation_id).where(directory_users.c.external_id == external_id)
    return list(db.execute(query))


def keep(
    db: Connection,
    user_id: int,
    *,
    user_name: str,
    external_id: str | None,
    attributes: JSONObject,
) -> None:
    """What the directory says of somebody, beside what every account has."""
    now = time.time()
    values: dict[str, Any] = {
        "user_name": user_name,
        "external_id": external_id,
        "attributes": attributes,
        "changed_at": now,
        "removed_at": None,
    }
    own = directory_users.c.user_id == user_id
    if not db.execute(update(directory_users).where(own).values(**values)).rowcount:
        db.execute(insert(directory_users).values(user_id=user_id, created_at=now, **values))


def is_taken_away(db: Connection, user_id: int) -> bool:
    query = select(directory_users.c.user_id).where(
        directory_users.c.user_id == user_id, directory_users.c.removed_at.is_not(None)
    )
    return db.execute(query).first() is not None


def take_away(db: Connection, user_id: int, *, user_name: str) -> None:
    """For the directory they are gone, and in none of its groups."""
    keep(db, user_id, user_name=user_name, external_id=None, attributes={})
    own = directory_users.c.user_id == user_id
    db.execute(update(directory_users).where(own).values(removed_at=time.time()))
    db.execute(delete(directory_members).where(directory_members.c.user_id == user_id))


# ---------------------------------------------------------------------------- groups


def groups(db: Connection, organisation_id: int) -> list[Row[Any]]:
    query = select(directory_groups).where(directory_groups.c.organisation_id == organisation_id)
    return list(db.execute(query.order_by(directory_groups.c.id)))


def group(db: Connection, organisation_id: int, id: int) -> Row[Any] | None:
    query = select(directory_groups).where(
        directory_groups.c.organisation_id == organisation_id, directory_groups.c.id == id
    )
    return db.execute(query).first()


def add_group(
    db: Connection, organisation_id: int, *, display_name: str, external_id: str | None
) -> int:
    now = time.time()
    values = {
        "organisation_id": organisation_id,
        "display_name": display_name,
        "external_id": external_id,
        "created_at": now,
        "changed_at": now,
    }
    key = db.execute(insert(directory_groups).values(**values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def change_group(db: Connection, id: int, *, display_name: str, external_id: str | None) -> None:
    changed = update(directory_groups).where(directory_groups.c.id == id)
    values = {"display_name": display_name, "external_id": external_id}
    db.execute(changed.values(**values, changed_at=time.time()))


def remove_group(db: Connection, id: int) -> None:
    db.execute(delete(directory_members).where(directory_members.c.group_id == id))
    db.execute(delete(directory_groups).where(directory_groups.c.id == id))


def members(db: Connection, group_ids: Iterable[int]) -> dict[int, list[Any]]:
    """Who is in each of these groups."""
    found: dict[int, list[Any]] = {id: [] for id in group_ids}
    query = (
        select(directory_members.c.group_id, users.c.id, users.c.email, users.c.name)
        .join(users, users.c.id == directory_members.c.user_id)
        .where(directory_members.c.group_id.in_(list(found)))
        .order_by(users.c.id)
    )
    for row in db.execute(query):
        found[row.group_id].append(row)
    return found


def set_members(db: Connection, group_id: int, user_ids: set[int]) -> set[int]:
    """Make these its members; those who came or went."""
    before = {row.id for row in members(db, [group_id])[group_id]}
    gone, come = before - user_ids, user_ids - before
    if gone:
        of = directory_members.c
        db.execute(delete(directory_members).where(of.group_id == group_id, of.user_id.in_(gone)))
    for user_id in sorted(come):
        db.execute(insert(directory_members).values(group_id=group_id, user_id=user_id))
    return gone | come


def memberships(db: Connection, user_ids: Iterable[int]) -> dict[int, list[Any]]:
    """The groups each of these people is in."""
    found: dict[int, list[Any]] = {id: [] for id in user_ids}
    query = (
        select(directory_members.c.user_id, directory_groups)
        .join(directory_groups, directory_groups.c.id == directory_members.c.group_id)
        .where(directory_members.c.user_id.in_(list(found)))
        .order_by(directory_groups.c.id)
    )
    for row in db.execute(query):
        found[row.user_id].append(row)
    return found


def groups_of(db: Connection, user_id: int) -> list[Any]:
    return memberships(db, [user_id])[user_id]

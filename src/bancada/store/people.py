"""Organisations and the people in them."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields
from typing import Any

from sqlalchemy import Connection, Row, bindparam, delete, func, insert, select, update

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person, RoleName
from bancada.store.hot import Hot
from bancada.store.tables import (
    agents,
    organisations,
    users,
)

FIRST_ORGANISATION = 1
"""Its administrators, and `local`, manage the other organisations."""

LOCAL = "local"
"""The person a command acts as when nobody is named."""

REMOVED = "removed:"
"""How the address of a removed account begins: nobody can sign in with it, or be given it."""

PERSON = tuple(users.c[field.name] for field in fields(Person))


def person_from(row: Any) -> Person:
    kept = {column.name: getattr(row, column.name) for column in PERSON}
    return Person(**kept | {"is_active": bool(row.is_active)})


@dataclass(frozen=True)
class PersonNow:
    """A person as they are now, and the version of the settings that apply to them."""

    person: Person
    settings_version: int


_PERSON_NOW = Hot(
    select(*PERSON, organisations.c.settings_version)
    .join(organisations, organisations.c.id == users.c.organisation_id)
    .where(users.c.id == bindparam("person_id")),
    ["person_id"],
)


def person_now(db: Connection, person_id: int) -> PersonNow | None:
    """Read the person fresh: a role taken away a second ago is gone."""
    row = _PERSON_NOW(db, person_id).first()
    return None if row is None else PersonNow(person_from(row), row.settings_version)


_FIND = Hot(select(*PERSON).where(users.c.id == bindparam("id")), ["id"])
_HOLD = Hot(
    # Not the key's own lock: rows that name the person are written meanwhile.
    select(*PERSON).where(users.c.id == bindparam("id")).with_for_update(key_share=True),
    ["id"],
)


def person(db: Connection, person_id: int) -> Person:
    row = _FIND(db, person_id).first()
    if row is None:
        raise NotFound("no_person")
    return person_from(row)


def hold(db: Connection, person_id: int) -> Person:
    """The person as they are now; whoever else holds or changes them waits for this transaction.

    Whatever is counted or looked at for one person first and written then begins with it: two at
    once would find the same room, and both take it.
    """
    row = _HOLD(db, person_id).first()
    if row is None:
        raise NotFound("no_person")
    return person_from(row)


def person_by_email(db: Connection, email: str) -> Person | None:
    row = db.execute(select(*PERSON).where(users.c.email == _address(email))).first()
    return None if row is None else person_from(row)


def people_of(db: Connection, organisation_id: int) -> list[Person]:
    """Everybody in the organisation, by id."""
    query = select(*PERSON).where(users.c.organisation_id == organisation_id).order_by(users.c.id)
    return [person_from(row) for row in db.execute(query)]


def is_account(person: Person) -> bool:
    """Whether somebody could sign in with it: not `local`, and not what is left of an account."""
    return person.email != LOCAL and not person.email.startswith(REMOVED)


def accounts_of(db: Connection, organisation_id: int) -> list[Person]:
    """The organisation's accounts, by id."""
    return [person for person in people_of(db, organisation_id) if is_account(person)]


def account_row(db: Connection, person_id: int) -> Any:
    """The rest of an account: its limit, and since when it exists."""
    query = select(users.c.monthly_budget_usd, users.c.created_at).where(users.c.id == person_id)
    return db.execute(query).one()


def forget_account(db: Connection, person_id: int) -> None:
    """Forget who they were; the row stays, because the audit and the costs speak of it."""
    change_person(
        db,
        person_id,
        email=f"{REMOVED}{person_id}",
        name="",
        is_active=False,
        password_hash=None,
    )


def everyone(db: Connection) -> list[Person]:
    return [person_from(row) for row in db.execute(select(*PERSON).order_by(users.c.id))]


def password_hash(db: Connection, email: str) -> tuple[int, str | None, bool] | None:
    """`(person id, hash, is active)` for a sign-in."""
    query = select(users.c.id, users.c.password_hash, users.c.is_active).where(
        users.c.email == _address(email)
    )
    row = db.execute(query).first()
    return None if row is None else (row.id, row.password_hash, bool(row.is_active))


def add_person(
    db: Connection,
    *,
    organisation_id: int,
    email: str,
    name: str,
    role: RoleName,
    language: Language = "pt",
    password_hash: str | None = None,
    id: int | None = None,
) -> Person:
    """Add somebody; an address can be used once."""
    address = _address(email)
    if db.execute(select(users.c.id).where(users.c.email == address)).first():
        raise Conflict("account_exists", address=address)
    values: dict[str, Any] = {
        "organisation_id": organisation_id,
        "email": address,
        "name": name,
        "role": role,
        "language": language,
        "password_hash": password_hash,
        "is_active": True,
        "created_at": time.time(),
    }
    if id is not None:
        values["id"] = id
    key = db.execute(insert(users).values(**values)).inserted_primary_key
    assert key is not None
    return person(db, key[0])


def change_person(db: Connection, /, person_id: int, **changes: Any) -> Person:
    """Change name, role, language, is_active, password_hash or monthly_budget_usd."""
    if changes:
        db.execute(update(users).where(users.c.id == person_id).values(**changes))
    return person(db, person_id)


def has_chosen_language(db: Connection, person_id: int) -> bool:
    """Whether their language is their own choice, and not what their account began with."""
    return bool(db.execute(select(users.c.language_chosen).where(users.c.id == person_id)).scalar())


def count_people(db: Connection) -> int:
    """How many accounts a person could sign in with; `local` is not one."""
    query = select(func.count()).select_from(users).where(users.c.email != LOCAL)
    return int(db.execute(query).scalar_one())


def local_person(db: Connection) -> Person:
    """The stored user that commands act as: an administrator without a password."""
    found = person_by_email(db, LOCAL)
    if found is not None:
        return found
    try:
        return add_person(
            db,
            organisation_id=first_organisation(db),
            email=LOCAL,
            name="Local",
            role="admin",
            id=_free_id_for_local(db),
        )
    except Conflict:  # another process was quicker
        return local_person(db)


def _free_id_for_local(db: Connection) -> int:
    # Ids 1 and 2 belong to the demo people wherever the demo is added later.
    highest = db.execute(select(func.max(users.c.id))).scalar()
    return max(int(highest or 0) + 1, 1000)


def first_organisation(db: Connection) -> int:
    """The id of the first organisation, made when the database is new."""
    found = db.execute(select(func.min(organisations.c.id))).scalar()
    if found is not None:
        return int(found)
    try:
        return add_organisation(db, "Bancada")
    except Conflict:  # another process was quicker
        return first_organisation(db)


def add_organisation(db: Connection, name: str, settings: JSONObject | None = None) -> int:
    if db.execute(select(organisations.c.id).where(organisations.c.name == name)).first():
        raise Conflict("organisation_exists", name=name)
    values = {"name": name, "settings": settings or {}, "created_at": time.time()}
    key = db.execute(insert(organisations).values(**values)).inserted_primary_key
    assert key is not None
    return int(key[0])


def organisation(db: Connection, organisation_id: int) -> Row[Any]:
    row = db.execute(select(organisations).where(organisations.c.id == organisation_id)).first()
    if row is None:
        raise NotFound("no_organisation")
    return row


def hold_organisation(db: Connection, organisation_id: int) -> Row[Any]:
    """The organisation as it is now; whoever else holds or changes it waits, as with `hold`."""
    query = select(organisations).where(organisations.c.id == organisation_id)
    row = db.execute(query.with_for_update(key_share=True)).first()
    if row is None:
        raise NotFound("no_organisation")
    return row


def all_organisations(db: Connection) -> list[Row[Any]]:
    return list(db.execute(select(organisations).order_by(organisations.c.id)))


def organisation_ids(db: Connection) -> dict[int | str, int]:
    """Every organisation's id, by its id and by its name."""
    rows = all_organisations(db)
    return {row.name: row.id for row in rows} | {row.id: row.id for row in rows}


def change_organisation(db: Connection, /, organisation_id: int, **changes: Any) -> Row[Any]:
    if changes:
        changed = update(organisations).where(organisations.c.id == organisation_id)
        db.execute(changed.values(**changes))
        touch_settings(db, organisation_id)
    return organisation(db, organisation_id)


def remove_organisation(db: Connection, organisation_id: int) -> None:
    """Take away an organisation nobody ever belonged to, and the agents made for it."""
    db.execute(delete(agents).where(agents.c.organisation_id == organisation_id))
    db.execute(delete(organisations).where(organisations.c.id == organisation_id))


def touch_settings(db: Connection, organisation_id: int | None = None) -> None:
    """Something a gate may have in memory changed; every process sees it at its next call."""
    changed = update(organisations).values(settings_version=organisations.c.settings_version + 1)
    if organisation_id is not None:
        changed = changed.where(organisations.c.id == organisation_id)
    db.execute(changed)


def _address(email: str) -> str:
    return email.strip().lower()

"""Studies kept by name: a call of a tool that reads, to be made again."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from bancada.domain.errors import Conflict, NotFound
from bancada.domain.people import Person
from bancada.domain.studies import KeptStudy, StudyCall
from bancada.store.tables import studies, users


@dataclass(frozen=True, kw_only=True)
class SavedStudy(StudyCall):
    """A call by name. It runs with the rights of whoever runs it, never with its owner's."""

    id: str
    organisation_id: int
    user_id: int
    person: str
    """Whose it is, by name."""
    name: str
    created_at: float
    updated_at: float

    def kept(self, person: Person) -> KeptStudy:
        """As this person's tools read it."""
        return KeptStudy(
            id=self.id,
            name=self.name,
            tool=self.tool,
            input=self.input,
            owner=self.person,
            own=self.user_id == person.id,
            shared=self.shared,
        )


def save(
    db: Connection,
    person: Person,
    name: str,
    call: StudyCall,
    *,
    replace: bool = False,
) -> SavedStudy:
    """Keep the call under a name of the person's own."""
    now = time.time()
    values = {**vars(call), "updated_at": now}
    own = (studies.c.user_id == person.id) & (studies.c.name == name)
    if replace and db.execute(update(studies).where(own).values(**values)).rowcount:
        return _one(db, own)
    try:
        db.execute(
            insert(studies).values(
                id=secrets.token_hex(6),
                organisation_id=person.organisation_id,
                user_id=person.id,
                name=name,
                created_at=now,
                **values,
            )
        )
    except IntegrityError:
        raise Conflict("study_taken", name=name) from None
    return _one(db, own)


def visible(db: Connection, person: Person) -> list[SavedStudy]:
    """The person's own, and those that others of the organisation share; by name."""
    query = _all().where(_seen(person)).order_by(studies.c.name, studies.c.id)
    return [_study(row) for row in db.execute(query)]


def find(db: Connection, person: Person, which: str) -> SavedStudy:
    """A study by its id or name: the person's own comes before what others share."""
    query = _all().where(_seen(person), or_(studies.c.id == which, studies.c.name == which))
    found = [_study(row) for row in db.execute(query)]
    own = [one for one in found if one.user_id == person.id]
    by_id = [one for one in found if one.id == which]
    chosen = by_id or own or found
    if not chosen:
        raise NotFound("no_study", name=which)
    if len(chosen) > 1:
        people = ", ".join(sorted(one.person for one in chosen))
        raise Conflict("study_of_several", name=which, people=people)
    return chosen[0]


def owned(db: Connection, person: Person, which: str) -> SavedStudy:
    """The same, of their own only."""
    mine = (studies.c.user_id == person.id) & or_(studies.c.id == which, studies.c.name == which)
    rows = [_study(row) for row in db.execute(_all().where(mine))]
    by_id = [one for one in rows if one.id == which]
    if not rows:
        raise NotFound("no_study", name=which)
    return (by_id or rows)[0]


def change(db: Connection, id: str, *, name: str | None = None, shared: bool | None = None) -> None:
    given = {"name": name, "shared": shared}
    values = {key: value for key, value in given.items() if value is not None}
    changed = update(studies).where(studies.c.id == id)
    try:
        db.execute(changed.values(updated_at=time.time(), **values))
    except IntegrityError:
        raise Conflict("study_taken", name=name) from None


def remove(db: Connection, id: str) -> None:
    db.execute(delete(studies).where(studies.c.id == id))


def _seen(person: Person) -> ColumnElement[bool]:
    shared = (studies.c.organisation_id == person.organisation_id) & studies.c.shared
    return (studies.c.user_id == person.id) | shared


def _all() -> Select[Any]:
    return select(studies, users.c.name.label("person")).join(
        users, users.c.id == studies.c.user_id
    )


def _one(db: Connection, where: ColumnElement[bool]) -> SavedStudy:
    return _study(db.execute(_all().where(where)).one())


def _study(row: Row[Any]) -> SavedStudy:
    return SavedStudy(**row._mapping)

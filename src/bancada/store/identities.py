"""Who somebody is at a provider: an issuer and the subject it knows them by."""

from __future__ import annotations

import time
from typing import Any

from sqlalchemy import Connection, Row, insert, select

from bancada.domain.people import Person
from bancada.store.people import PERSON, person_from
from bancada.store.tables import identities, users


def holder(db: Connection, issuer: str, subject: str) -> Person | None:
    """Whose account it is that this issuer means by this subject."""
    query = (
        select(*PERSON)
        .join(identities, identities.c.user_id == users.c.id)
        .where(identities.c.issuer == issuer, identities.c.subject == subject)
    )
    row = db.execute(query).first()
    return None if row is None else person_from(row)


def add(db: Connection, user_id: int, *, issuer: str, subject: str, provider: str) -> None:
    """From now on this subject is this person. Raises `IntegrityError` where it is somebody."""
    values = {
        "user_id": user_id,
        "issuer": issuer,
        "subject": subject,
        "provider": provider,
        "created_at": time.time(),
    }
    db.execute(insert(identities).values(**values))


def of_person(db: Connection, user_id: int) -> list[Row[Any]]:
    query = select(identities).where(identities.c.user_id == user_id).order_by(identities.c.id)
    return list(db.execute(query))

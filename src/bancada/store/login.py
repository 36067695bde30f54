"""Failed sign-ins, counted so that guessing is slow."""

from __future__ import annotations

import time

from sqlalchemy import Connection, delete, func, insert, select

from bancada.store.tables import login_failures

WINDOW_SECONDS = 600.0


def failed(db: Connection, *subjects: str) -> None:
    """Note a failed sign-in for the address and the account; old ones are forgotten."""
    now = time.time()
    db.execute(delete(login_failures).where(login_failures.c.at < now - WINDOW_SECONDS))
    for subject in subjects:
        db.execute(insert(login_failures).values(subject=subject, at=now))


def failures(db: Connection, subject: str) -> int:
    """How often the subject failed within the window."""
    query = (
        select(func.count())
        .select_from(login_failures)
        .where(
            login_failures.c.subject == subject, login_failures.c.at > time.time() - WINDOW_SECONDS
        )
    )
    return int(db.execute(query).scalar_one())


def forget(db: Connection, subject: str) -> None:
    """A right password wipes the account's slate."""
    db.execute(delete(login_failures).where(login_failures.c.subject == subject))

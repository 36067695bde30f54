"""Accounts: how somebody comes in, whichever door they are let in by."""

from __future__ import annotations

from sqlalchemy import Connection

from bancada.domain.people import Language, Person, RoleName
from bancada.store import agents, keys, people

INVITATION_SECONDS = 7 * 86_400.0


def open_account(
    db: Connection,
    *,
    organisation_id: int,
    email: str,
    name: str | None,
    role: RoleName,
    language: Language = "pt",
    password_hash: str | None = None,
) -> Person:
    """Add somebody, by default under the first part of their address.

    They may use every agent of the organisation; an `operador` none until some are chosen.
    """
    person = people.add_person(
        db,
        organisation_id=organisation_id,
        email=email,
        name=name or email.split("@")[0],
        role=role,
        language=language,
        password_hash=password_hash,
    )
    if role != "operador":
        ours = agents.agents_of(db, organisation_id)
        agents.set_grants(db, person.id, [agent.id for agent in ours if agent.id is not None])
    return person


def invitation(db: Connection, person: Person) -> str:
    """Where in the app they set a password, once."""
    token = keys.add_link(db, "password", user_id=person.id, seconds=INVITATION_SECONDS)
    return f"/#/setup/{token}"

"""Accounts: how somebody comes in, whichever door they are let in by."""

from __future__ import annotations

from sqlalchemy import Connection

from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person, RoleName
from bancada.gate.administration import Via, note
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


def facts(db: Connection, person: Person) -> JSONObject:
    """An account as the record of administration keeps it."""
    return {
        "email": person.email,
        "name": person.name,
        "role": person.role,
        "language": person.language,
        "is_active": person.is_active,
        "agents": [agents.name_of(db, id) for id in agents.grants_of(db, person.id)],
        "monthly_budget_usd": people.account_row(db, person.id).monthly_budget_usd,
    }


def note_added(db: Connection, person: Person, *, by: Person | None, via: Via = "web") -> None:
    note(
        db,
        by,
        "person_added",
        person.email,
        id=person.id,
        organisation_id=person.organisation_id,
        after=facts(db, person),
        via=via,
    )


def note_changed(
    db: Connection, person: Person, before: JSONObject, *, by: Person, via: Via = "web"
) -> None:
    """Write down what is different now; `person` is as they are after the change."""
    note(
        db,
        by,
        "person_changed",
        person.email,
        id=person.id,
        organisation_id=person.organisation_id,
        before=before,
        after=facts(db, person),
        via=via,
    )


def invitation(db: Connection, person: Person, *, by: Person, via: Via = "web") -> str:
    """Where in the app they set a password, once."""
    note(
        db,
        by,
        "link_made",
        person.email,
        id=person.id,
        organisation_id=person.organisation_id,
        via=via,
    )
    token = keys.add_link(db, "password", user_id=person.id, seconds=INVITATION_SECONDS)
    return f"/#/setup/{token}"

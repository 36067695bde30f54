"""Accounts: how somebody comes in, whichever door they are let in by."""

from __future__ import annotations

from sqlalchemy import Connection

from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person, RoleName
from bancada.gate.administration import SharesAction, Via, note
from bancada.store import agents, conversation_shares, dashboards, keys, people, sessions

INVITATION_SECONDS = 3600.0


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
    note(db, by, "person_added", person, after=facts(db, person), via=via)


def change_account(
    db: Connection,
    person: Person,
    changes: JSONObject,
    *,
    by: Person | None,
    via: Via = "web",
    grants: list[int] | None = None,
) -> Person:
    """Change somebody, write down what is different, and end what was built on what was.

    Another role, or none, ends every session: who signs in again is asked anew.
    """
    # Held: of two who change somebody at once, the second compares with what the first left.
    person = people.hold(db, person.id)
    before = facts(db, person)
    changed = people.change_person(db, person.id, **changes)
    if grants is not None:
        agents.set_grants(db, person.id, grants)
    note_changed(db, changed, before, by=by, via=via)
    if person.is_active and not changed.is_active:
        keys.end_links(db, "password", person.id)
        _end_shares(db, changed, by=by, via=via)
        end_sessions(db, changed, "disabled", by=by, via=via)
    elif changed.role != person.role:
        end_sessions(db, changed, "role", by=by, via=via)
    return changed


def _end_shares(db: Connection, person: Person, *, by: Person | None, via: Via) -> None:
    """What somebody shared ends with their account, for good: nobody who lets them in again
    would think of links that strangers hold."""

    def ended(action: SharesAction, title: str, id: str) -> None:
        note(
            db,
            by,
            action,
            title,
            id=id,
            organisation_id=person.organisation_id,
            via=via,
            reason="disabled",
            of_person=person.id,
        )

    for board in dashboards.shared_by(db, person.id):
        dashboards.revoke(db, board.id)
        ended("share_revoked", board.titulo, board.id)
    for talk in conversation_shares.shared_by(db, person.id):
        conversation_shares.end(db, talk.id)
        ended("conversation_unshared", talk.title, talk.id)


def raised_to(
    db: Connection, person: Person, role: RoleName, *, by: Person | None, via: Via
) -> Person:
    """Another role by the word of others. Who had the least, and no agent, has from now on what
    somebody who comes in with that role has."""
    grants = None
    if person.role == "operador" and not agents.grants_of(db, person.id):
        ours = agents.agents_of(db, person.organisation_id)
        grants = [agent.id for agent in ours if agent.id is not None]
    return change_account(db, person, {"role": role}, by=by, via=via, grants=grants)


def set_password(db: Connection, person: Person, hashed: str, how: str, but: str | None) -> Person:
    """A new password ends every session that the old one opened, save the one it is set from."""
    changed = people.change_person(db, person.id, password_hash=hashed)
    note(db, changed, "password_set", changed, how=how)
    end_sessions(db, changed, "password", by=changed, but=but)
    return changed


def end_sessions(
    db: Connection,
    person: Person,
    why: str,
    *,
    by: Person | None,
    but: str | None = None,
    via: Via = "web",
) -> int:
    """End all sessions of somebody; one entry says how many, where there were any."""
    count = sessions.end_all(db, person.id, by=why, but=but)
    if count:
        note(db, by, "session_ended", person, via=via, reason=why, count=count)
    return count


def note_changed(
    db: Connection, person: Person, before: JSONObject, *, by: Person | None, via: Via = "web"
) -> None:
    """Write down what is different now; `person` is as they are after the change."""
    note(db, by, "person_changed", person, before=before, after=facts(db, person), via=via)


def invitation(db: Connection, person: Person, *, by: Person, via: Via = "web") -> str:
    """Where in the app they set a password, once."""
    note(db, by, "link_made", person, via=via)
    token = keys.add_link(db, "password", user_id=person.id, seconds=INVITATION_SECONDS)
    return f"/#/setup/{token}"

"""What an organisation's directory does to its accounts: made, changed, disabled, put into groups.

Groups give roles by the same maps as at a sign-in: those of the providers whose people belong to
this organisation. The break-glass account is no part of any of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection

from bancada.domain.errors import Conflict, Forbidden
from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person
from bancada.engine.accounts import change_account, note_added, open_account, raised_to
from bancada.engine.identities import role_for
from bancada.engine.keyring import counts, revoke_key
from bancada.gate.administration import note
from bancada.settings import OidcSettings, Settings
from bancada.store import directory, keys, people


@dataclass(frozen=True)
class DirectoryEntry:
    """What a directory says of somebody."""

    user_name: str
    address: str
    name: str
    language: Language | None
    is_active: bool | None
    """None where it does not say: then it stays as it is."""
    external_id: str | None
    attributes: JSONObject


def rules_of(db: Connection, settings: Settings, organisation_id: int) -> list[OidcSettings]:
    """The providers, switched on or not yet, whose people may belong to this organisation."""
    ids = people.organisation_ids(db)
    return [
        one
        for one in settings.oidc.values()
        if organisation_id
        in {ids.get(each) for each in one.organisations.values() or (one.organisation,)}
    ]


def add_entry(db: Connection, by: Person, entry: DirectoryEntry) -> int:
    """Make the account, or bring back the one that the directory took away; its id."""
    if directory.named(db, by.organisation_id, entry.user_name):
        raise Conflict("account_exists", address=entry.user_name)
    found = people.person_by_email(db, entry.address)
    if found is None:
        person = open_account(
            db,
            organisation_id=by.organisation_id,
            email=entry.address,
            name=entry.name,
            role="operador",
            language=entry.language or "pt",
        )
        note_added(db, person, by=by, via="scim")
    elif found.organisation_id == by.organisation_id and directory.is_taken_away(db, found.id):
        back: JSONObject = {"is_active": True, "role": "operador", "name": entry.name}
        person = change_account(db, found, back, by=by, via="scim")
    else:
        raise Conflict("account_exists", address=entry.address)
    _keep(db, person, entry)
    if entry.is_active is False:
        change_account(db, person, {"is_active": False}, by=by, via="scim")
    return person.id


def change_entry(db: Connection, by: Person, person: Person, entry: DirectoryEntry) -> None:
    """Make the account what the directory says; who is disabled is out at once."""
    others = [row.id for row in directory.named(db, by.organisation_id, entry.user_name)]
    held = people.person_by_email(db, entry.address)
    if set(others) - {person.id} or (held is not None and held.id != person.id):
        raise Conflict("account_exists", address=entry.address)
    changes: JSONObject = {"name": entry.name, "email": entry.address}
    if entry.language is not None:
        changes["language"] = entry.language
    if entry.is_active is not None:
        changes["is_active"] = entry.is_active
    change_account(db, person, changes, by=by, via="scim")
    _keep(db, person, entry)


def _keep(db: Connection, person: Person, entry: DirectoryEntry) -> None:
    directory.keep(
        db,
        person.id,
        user_name=entry.user_name,
        external_id=entry.external_id,
        attributes=entry.attributes,
    )


def take_away(db: Connection, by: Person, person: Person, user_name: str) -> None:
    """The directory removed them: the account is disabled, its keys and password end for good.

    What they said and did stays: to remove that is an administrator's decision.
    """
    change_account(db, person, {"is_active": False}, by=by, via="scim")
    people.change_person(db, person.id, password_hash=None)
    for row in keys.keys_of(db, person.organisation_id, person.id):
        if counts(row):
            revoke_key(db, row, person.organisation_id, by=by, via="scim")
    directory.take_away(db, person.id, user_name=user_name)


# ---------------------------------------------------------------------------- groups


@dataclass(frozen=True)
class GroupEntry:
    """What a directory says of a group."""

    display_name: str
    external_id: str | None
    members: frozenset[int]

    def facts(self) -> JSONObject:
        return {
            "display_name": self.display_name,
            "external_id": self.external_id,
            "members": sorted(self.members),
        }


def group_entry(db: Connection, row: Any) -> GroupEntry:
    inside = frozenset(one.id for one in directory.members(db, [row.id])[row.id])
    return GroupEntry(row.display_name, row.external_id, inside)


def add_group(
    db: Connection, by: Person, entry: GroupEntry, rules: Sequence[OidcSettings]
) -> tuple[int, set[int]]:
    """`(id, whose role may be another now)`."""
    id = directory.add_group(
        db,
        by.organisation_id,
        display_name=entry.display_name,
        external_id=entry.external_id,
    )
    changed = directory.set_members(db, id, set(entry.members))
    after = entry.facts()
    note(db, by, "group_added", entry.display_name, id=id, after=after, via="scim")
    return id, _roles_again(db, by, changed, rules)


def change_group(
    db: Connection, by: Person, row: Any, entry: GroupEntry, rules: Sequence[OidcSettings]
) -> set[int]:
    before = group_entry(db, row)
    directory.change_group(
        db, row.id, display_name=entry.display_name, external_id=entry.external_id
    )
    changed = directory.set_members(db, row.id, set(entry.members))
    if (before.display_name, before.external_id) != (entry.display_name, entry.external_id):
        changed |= before.members | entry.members
    note(
        db,
        by,
        "group_changed",
        entry.display_name,
        id=row.id,
        before=before.facts(),
        after=entry.facts(),
        via="scim",
    )
    return _roles_again(db, by, changed, rules)


def remove_group(db: Connection, by: Person, row: Any, rules: Sequence[OidcSettings]) -> set[int]:
    before = group_entry(db, row)
    directory.remove_group(db, row.id)
    facts = before.facts()
    note(db, by, "group_removed", row.display_name, id=row.id, before=facts, via="scim")
    return _roles_again(db, by, before.members, rules)


def _roles_again(
    db: Connection, by: Person, user_ids: Iterable[int], rules: Sequence[OidcSettings]
) -> set[int]:
    """Give these people the roles that their groups give now; a lower one ends their sessions."""
    changed = set()
    inside = directory.memberships(db, user_ids)
    for user_id, groups in inside.items():
        person = people.person(db, user_id)
        names = {name for one in groups for name in (one.display_name, one.external_id) if name}
        try:
            role = role_for(tuple(names), *rules)
        except Forbidden:  # they may not sign in; whoever is signed in has the least
            role = "operador"
        if role is not None and role != person.role:
            raised_to(db, person, role, by=by, via="scim")
            changed.add(user_id)
    return changed

"""Who a provider vouches for: whose account it is, whether they may have one, and their role.

An account is found by issuer and subject. At a first sign-in the account with the same address is
taken over only if the provider vouches for the address, the account belongs to the organisation
that this sign-in is for, and no subject of any provider is tied to it; else one is made, where
the operator said so. Name and address stay as they are here; the role is read at each sign-in.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.domain.errors import Forbidden
from bancada.domain.people import ROLES, Language, Person, RoleName
from bancada.engine.accounts import note_added, open_account, raised_to
from bancada.gate.administration import note
from bancada.settings import OidcSettings, Settings
from bancada.store import directory, identities, people


@dataclass(frozen=True)
class VouchedIdentity:
    """What a provider says of somebody."""

    provider: str
    issuer: str
    subject: str
    email: str | None
    email_verified: bool
    name: str | None
    groups: tuple[str, ...] | None
    """None where it did not say."""
    places: tuple[str, ...]
    """By which their organisation is looked up."""


def come_in(db: Connection, settings: Settings, who: VouchedIdentity, language: Language) -> Person:
    """The account they may use now, with the role they have now. Raises `Forbidden`."""
    rules = settings.oidc[who.provider]
    known = identities.holder(db, who.issuer, who.subject)
    allowed = _organisations(db, rules, who)
    if known is None:
        return _first(db, settings, rules, who, allowed, language)
    # Held: an account that is being disabled is over, and the session that begins here with it.
    known = people.hold(db, known.id)
    if not known.is_active:
        raise Forbidden("no_account_here")
    if known.organisation_id not in allowed:
        raise Forbidden("provider_organisation_other")
    return _with_role(db, known, rules, who)


def _organisations(db: Connection, rules: OidcSettings, who: VouchedIdentity) -> set[int]:
    """The organisations that this person may belong to."""
    ids = people.organisation_ids(db)
    if not rules.organisations:
        named = {rules.organisation}
    else:
        named = {rules.organisations[one] for one in who.places if one in rules.organisations}
    found = {ids[one] for one in named if one in ids}
    if not found:
        raise Forbidden("provider_no_organisation")
    return found


def _first(
    db: Connection,
    settings: Settings,
    rules: OidcSettings,
    who: VouchedIdentity,
    allowed: set[int],
    language: Language,
) -> Person:
    if who.email is None:
        raise Forbidden("provider_no_address")
    if not who.email_verified:
        raise Forbidden("provider_address_unverified", address=who.email)
    found = people.person_by_email(db, who.email)
    if found is None:
        return _created(db, rules, who, allowed, language)
    # Two subjects who come in at once by one address: the second finds it tied to the first.
    found = people.hold(db, found.id)
    taken = identities.of_person(db, found.id) or settings.is_break_glass(found.email)
    if taken or not rules.join or found.organisation_id not in allowed:
        raise Forbidden("provider_address_taken", address=who.email)
    if not found.is_active:
        raise Forbidden("no_account_here")
    person = _with_role(db, found, rules, who)
    _tie(db, person, who)
    return person


def _created(
    db: Connection, rules: OidcSettings, who: VouchedIdentity, allowed: set[int], language: Language
) -> Person:
    assert who.email is not None
    if not rules.create:
        raise Forbidden("provider_no_account", address=who.email)
    if len(allowed) > 1:
        raise Forbidden("provider_several_organisations")
    person = open_account(
        db,
        organisation_id=allowed.pop(),
        email=who.email,
        name=who.name,
        role=role_for(who.groups or (), rules) or rules.default_role or "operador",
        language=language,
    )
    note_added(db, person, by=None, via="provider")
    _tie(db, person, who)
    return person


def _tie(db: Connection, person: Person, who: VouchedIdentity) -> None:
    identities.add(db, person.id, issuer=who.issuer, subject=who.subject, provider=who.provider)
    note(
        db,
        None,
        "identity_tied",
        person,
        via="provider",
        provider=who.provider,
        issuer=who.issuer,
        subject=who.subject,
    )


def _with_role(db: Connection, person: Person, rules: OidcSettings, who: VouchedIdentity) -> Person:
    """The person with the role that their groups give; another one ends what the old one opened."""
    groups = who.groups
    if groups is None:
        # A provider that says nothing of groups leaves them to the directory that does.
        if directory.groups_of(db, person.id):
            return person
        groups = ()
    role = role_for(groups, rules)
    if role is None or role == person.role:
        return person
    return raised_to(db, person, role, by=None, via="provider")


def role_for(groups: tuple[str, ...], *rules: OidcSettings) -> RoleName | None:
    """The highest role that the groups give; none where roles are a local matter."""
    mapped = [one for one in rules if one.roles]
    if not mapped:
        return None
    given = {one.roles[group] for one in mapped for group in groups if group in one.roles}
    given |= {one.default_role for one in mapped if one.default_role} if not given else set()
    if not given:
        raise Forbidden("provider_no_group")
    return max(given, key=ROLES.index)


def break_glass_state(db: Connection, email: str) -> str:
    """Whether the account that keeps its password would let somebody in, as a key to say it by."""
    found = people.password_hash(db, email)
    if found is None:
        return "break_glass_nobody"
    person_id, hashed, is_active = found
    if not is_active or people.person(db, person_id).role != "admin":
        return "break_glass_no_administrator"
    return "break_glass_no_password" if hashed is None else "break_glass_ok"

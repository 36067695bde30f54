"""Who may decide what waits, for themselves or for somebody they stand in for."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.domain.errors import Invalid
from bancada.domain.json import JSON
from bancada.domain.people import ROLES, Person, reaches
from bancada.policy.rules import AskRule, ask_rule
from bancada.store import confirmations, keys, people, stand_ins
from bancada.store.confirmations import Confirmation
from bancada.tools.tool import Tool


@dataclass(frozen=True)
class Confirming:
    """A rule about to be written, and at which level."""

    confirmation: JSON
    scope: str = "organisation"
    subject: str = ""

    def concerns(self, person: Person) -> bool:
        """Whether the rule would hold for calls of this person."""
        if self.scope == "role":
            return person.role == self.subject
        return self.scope != "user" or str(person.id) == self.subject


def authorities(db: Connection, person: Person, now: float) -> list[Person]:
    """The person, and those for whom they stand in now."""
    absent = [people.person(db, id) for id in stand_ins.for_whom(db, person.id, now)]
    return [person, *(one for one in absent if one.is_active)]


def authority(db: Connection, person: Person, found: Confirmation, now: float) -> Person | None:
    """In whose right this person may decide it: their own, or another's; none: they may not."""
    if found.organisation_id != person.organisation_id or not person.is_active:
        return None
    return next(
        (one for one in authorities(db, person, now) if _may_decide(db, found, person, one)), None
    )


def _may_decide(db: Connection, found: Confirmation, person: Person, authority: Person) -> bool:
    if found.approver == "other" and (_asked(db, found, person) or _asked(db, found, authority)):
        return False
    if found.approver_role is None:
        return found.user_id == authority.id
    return reaches(authority.role, found.approver_role)


def _asked(db: Connection, found: Confirmation, person: Person) -> bool:
    """Whether it is, or may be, this person's own call: made as themselves, in another's name, or
    with another's key that they made and saw."""
    if person.id == found.user_id or person.email == found.caller.get("by"):
        return True
    return keys.could_call_as(db, person.id, found.user_id, found.created_at)


def queue(db: Connection, person: Person, now: float) -> list[Confirmation]:
    """What this person may decide now, oldest first."""
    rights = authorities(db, person, now)
    waiting = confirmations.waiting_in(
        db,
        person.organisation_id,
        person_ids=[one.id for one in rights],
        roles=[role for role in ROLES if any(reaches(one.role, role) for one in rights)],
    )
    return [
        found for found in waiting if any(_may_decide(db, found, person, one) for one in rights)
    ]


def satisfies(db: Connection, approval: Confirmation, rule: AskRule) -> bool:
    """Whether whoever decided is whom the rule names, as they are now."""
    by = None if approval.decided_by is None else people.person_now(db, approval.decided_by)
    right = by if approval.decided_for is None else people.person_now(db, approval.decided_for)
    if by is None or right is None or not (by.person.is_active and right.person.is_active):
        return False
    if rule.approver == "other" and (
        _asked(db, approval, by.person) or _asked(db, approval, right.person)
    ):
        return False
    # Where one rule names a role and another nobody, the role's word is enough for both.
    role = rule.approver_role or approval.approver_role
    return right.person.id == approval.user_id if role is None else reaches(right.person.role, role)


def check_satisfiable(
    db: Connection, organisation_id: int, tool: Tool, setting: Confirming
) -> None:
    """Refuse a rule that nobody here could ever satisfy, or that names somebody who is not here."""
    rule = None if setting.confirmation is None else ask_rule(setting.confirmation, setting.scope)
    if rule is None or not (rule.approver_role or rule.approver or rule.tell):
        return
    active = [one for one in people.people_of(db, organisation_id) if one.is_active]
    if strange := set(rule.tell) - {one.email for one in active}:
        raise Invalid("nobody_to_tell", email=min(strange))
    if rule.approver_role is None and rule.approver is None:
        return
    role = rule.approver_role or tool.permission_level
    deciders = [one for one in active if reaches(one.role, role)]
    if not deciders:
        raise Invalid("nobody_decides", role=role)
    if rule.approver != "other":
        return
    askers = [one for one in active if setting.concerns(one)]
    if not any(asker.id != one.id for asker in askers for one in deciders):
        raise Invalid("nobody_else_decides", role=role)

"""The record of administration: who changed what, from what to what, on the chain of the calls.

Written in the transaction that makes the change: where the record cannot be written, nothing
changes. Whoever calls gives shapes that are fit to be read for years; secrets, hashes and
tokens are no part of them, and what is named like one is left out here again.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from sqlalchemy import Connection

from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Person
from bancada.store import audit, people

SignInAction: TypeAlias = Literal[
    "signed_in", "sign_in_failed", "signed_out", "session_ended", "refresh_reused"
]
PeopleAction: TypeAlias = Literal[
    "person_added",
    "person_changed",
    "person_removed",
    "person_exported",
    "person_erased",
    "password_set",
    "stand_in_named",
    "stand_in_ended",
    "link_made",
    "notice_address_added",
    "notice_address_changed",
    "notice_address_removed",
    "identity_tied",
    "group_added",
    "group_changed",
    "group_removed",
]
KeysAction: TypeAlias = Literal["key_added", "key_changed", "key_revoked"]
RulesAction: TypeAlias = Literal["rule_changed"]
ToolsAction: TypeAlias = Literal["tool_added", "tool_changed", "tool_retired"]
SettingsAction: TypeAlias = Literal[
    "organisation_added", "organisation_removed", "settings_changed", "container_ended"
]
SecretsAction: TypeAlias = Literal["secret_set", "secret_removed"]
AgentsAction: TypeAlias = Literal["agent_added", "agent_changed", "agent_retired"]
ExperimentsAction: TypeAlias = Literal[
    "experiment_started", "experiment_changed", "experiment_removed"
]
SharesAction: TypeAlias = Literal[
    "share_made", "share_revoked", "conversation_shared", "conversation_unshared"
]
SchedulesAction: TypeAlias = Literal[
    "schedule_added", "schedule_changed", "schedule_removed", "schedule_run"
]
PacksAction: TypeAlias = Literal["packs_changed", "data_changed"]
StudiesAction: TypeAlias = Literal[
    "limits_frozen", "limits_removed", "study_saved", "study_changed", "study_removed"
]
ConnectionsAction: TypeAlias = Literal[
    "connection_added",
    "connection_changed",
    "connection_removed",
    "connection_signed_in",
    "connection_signed_out",
    "connection_tool_enabled",
    "connection_tool_off",
    "connection_tool_changed",
]
Action: TypeAlias = (
    SignInAction
    | PeopleAction
    | KeysAction
    | RulesAction
    | ToolsAction
    | SettingsAction
    | SecretsAction
    | AgentsAction
    | ExperimentsAction
    | SharesAction
    | SchedulesAction
    | PacksAction
    | StudiesAction
    | ConnectionsAction
)
Category: TypeAlias = Literal[
    "sign_in",
    "people",
    "keys",
    "rules",
    "tools",
    "settings",
    "secrets",
    "agents",
    "experiments",
    "shares",
    "schedules",
    "packs",
    "studies",
    "connections",
]
Via: TypeAlias = Literal["web", "terminal", "start", "provider", "scim"]
"""By which door: the page or the API, a command, the program itself as it starts or by its settings,
the word of whoever people sign in with, or the organisation's directory."""

_ACTIONS: dict[Category, Any] = {
    "sign_in": SignInAction,
    "people": PeopleAction,
    "keys": KeysAction,
    "rules": RulesAction,
    "tools": ToolsAction,
    "settings": SettingsAction,
    "secrets": SecretsAction,
    "agents": AgentsAction,
    "experiments": ExperimentsAction,
    "shares": SharesAction,
    "schedules": SchedulesAction,
    "packs": PacksAction,
    "studies": StudiesAction,
    "connections": ConnectionsAction,
}
CATEGORY: dict[Action, Category] = {
    action: category for category, actions in _ACTIONS.items() for action in get_args(actions)
}

MOST = 20_000
"""Characters kept of what was there before, and of what came after."""
NEVER = frozenset({"password", "password_hash", "key", "key_hash", "token", "token_hash", "link"})
"""What no entry holds, whoever hands it over."""
BY_NAME = ("secrets", "databases")
"""Settings whose values may hold passwords: of those the record has the names."""


def note(
    db: Connection,
    by: Person | None,
    action: Action,
    about: str | Person,
    *,
    id: int | str | None = None,
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
    organisation_id: int | None = None,
    tool: str = "",
    via: Via = "web",
    outcome: Literal["ok", "failed"] = "ok",
    **more: Any,
) -> None:
    """Write down a change, on the chain of the organisation it is about.

    Where it is about a person, the id and the organisation are theirs. With `before` and `after`
    only what differs is kept, and where nothing differs nothing is written. `by` is none where
    nobody was signed in; `more` are plain facts beside the change.
    """
    if isinstance(about, Person):
        id, organisation_id, about = about.id, about.organisation_id, about.email
    if before is not None and after is not None:
        before, after = _difference(_without_secrets(before), _without_secrets(after))
        if before == after:
            return
    if organisation_id is None:
        organisation_id = people.first_organisation(db) if by is None else by.organisation_id
    category = CATEGORY[action]
    audit.append(
        db,
        organisation_id,
        "sign_in" if category == "sign_in" else "changed",
        at=time.time(),
        person_id=None if by is None else by.id,
        conversation_id=None,
        turn_id=None,
        call_id="",
        tool=tool,
        says={
            "category": category,
            "action": action,
            "about": about,
            "about_id": id,
            "person": None if by is None else by.email,
            "role": None if by is None else by.role,
            "via": via,
            "before": _bounded(before),
            "after": _bounded(after),
            "outcome": outcome,
            **more,
        },
    )


def note_settings(
    db: Connection,
    by: Person | None,
    name: str,
    organisation_id: int,
    *,
    before: JSONObject,
    after: JSONObject,
) -> None:
    """An organisation's settings were changed; of what may be secret, the names are told."""
    where: dict[str, Any] = {"id": organisation_id, "organisation_id": organisation_id}
    for kind in BY_NAME:
        old, new = _named(before, kind), _named(after, kind)
        for key in sorted(old.keys() | new.keys()):
            if key not in new:
                note(db, by, "secret_removed", f"{kind}.{key}", **where)
            elif old.get(key) != new[key]:
                how = "replaced" if key in old else "new"
                note(db, by, "secret_set", f"{kind}.{key}", **where, how=how)
    plain = [
        {key: value for key, value in settings.items() if key not in BY_NAME}
        for settings in (before, after)
    ]
    note(db, by, "settings_changed", name, before=plain[0], after=plain[1], **where)


def _named(settings: JSONObject, kind: str) -> JSONObject:
    values = settings.get(kind)
    return values if isinstance(values, dict) else {}


def _difference(
    before: Mapping[str, Any], after: Mapping[str, Any]
) -> tuple[JSONObject, JSONObject]:
    """What each has that the other has not, or has otherwise."""
    names = [
        name for name in dict.fromkeys([*before, *after]) if before.get(name) != after.get(name)
    ]
    return (
        {name: before[name] for name in names if name in before},
        {name: after[name] for name in names if name in after},
    )


def _without_secrets(shape: Mapping[str, Any]) -> JSONObject:
    return {name: value for name, value in shape.items() if name not in NEVER}


def _bounded(shape: Mapping[str, Any] | None) -> JSONObject | None:
    """The shape, whole when it is of ordinary size; each long part cut, with its full size."""
    if shape is None:
        return None
    kept = _without_secrets(shape)
    if len(dumps(kept)) <= MOST:
        return kept
    most = max(200, MOST // (2 * len(kept)))
    return {name: _cut(value, most) for name, value in kept.items()}


def _cut(value: Any, most: int) -> Any:
    text = dumps(value)
    return value if len(text) <= most else {"cut": text[:most], "characters": len(text)}

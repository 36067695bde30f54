"""What an organisation gives its custom tools: hosts, secrets, and who may define them.

Kept in the organisation's settings:

    "custom_tools": "off" | "admins" | "users"
    "egress": ["api.example.com", "*.example.org", "http://intranet.example:8080"]
    "secrets": {"CRM_TOKEN": "…"}

Databases are not among them: the operator names those, with whose they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from bancada.custom.addresses import AllowedHost, places
from bancada.custom.databases import NamedDatabase
from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject

Makers: TypeAlias = Literal["off", "admins", "users"]
MAKERS: tuple[Makers, ...] = ("off", "admins", "users")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
HIDDEN = "••••"


@dataclass(frozen=True, kw_only=True)
class Means:
    """One organisation's settings for custom tools, read and checked."""

    makers: Makers = "admins"
    places: tuple[AllowedHost, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    databases: Mapping[str, NamedDatabase] = field(default_factory=dict)
    unnamed: frozenset[str] = frozenset()
    """Databases that the settings still hold from before: nothing runs on them."""


def means_of(settings: JSONObject, databases: Mapping[str, NamedDatabase] | None = None) -> Means:
    """`databases` are those the operator named for this organisation. Raises `BadDefinition` with the reason when a setting cannot be used."""
    makers = settings.get("custom_tools", "admins")
    if makers not in MAKERS:
        raise BadDefinition(f"custom_tools is one of {', '.join(MAKERS)}.")
    hosts = settings.get("egress", [])
    if not isinstance(hosts, list) or not all(isinstance(host, str) for host in hosts):
        raise BadDefinition("egress is a list of hosts: api.example.com, *.example.com.")
    return Means(
        makers=makers,
        places=places(hosts),
        secrets=_named(settings.get("secrets", {}), "secrets"),
        databases=databases or {},
        unnamed=frozenset(carried_over(settings)) - set(databases or ()),
    )


def carried_over(settings: JSONObject) -> list[str]:
    """Names of databases that an organisation gave itself before the operator named them."""
    kept = settings.get("databases")
    return sorted(kept) if isinstance(kept, dict) else []


def check_settings(settings: JSONObject) -> None:
    """Refuse settings whose parts for custom tools cannot be used; other parts are not looked at."""
    if settings.get("databases"):
        raise BadDefinition(
            "databases: the operator names them in bancada.toml, with url and organisation."
        )
    means_of(settings)


def hidden(settings: JSONObject) -> JSONObject:
    """The settings as a person may read them: names of secrets, never their values."""
    shown = dict(settings)
    if isinstance(shown.get("secrets"), dict):
        shown["secrets"] = dict.fromkeys(shown["secrets"], HIDDEN)
    shown.pop("databases", None)
    return shown


def merged(before: JSONObject, after: JSONObject) -> JSONObject:
    """Changed settings, where what came back hidden stays what it was."""
    kept = dict(after)
    old = before.get("secrets")
    if isinstance(kept.get("secrets"), dict) and isinstance(old, dict):
        kept["secrets"] = {
            name: old[name] if name in old and value == HIDDEN else value
            for name, value in kept["secrets"].items()
        }
    return kept


def _named(values: JSON, what: str) -> dict[str, str]:
    if not isinstance(values, dict):
        raise BadDefinition(f"{what} is an object: names and values.")
    for name, value in values.items():
        if not _NAME.fullmatch(name) or not isinstance(value, str) or not value:
            raise BadDefinition(
                f"{what}: {name!r} must be a plain name with a text that is not empty."
            )
    return dict(values)

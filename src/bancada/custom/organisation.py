"""What an organisation gives its custom tools: hosts, secrets, databases, and who may define them.

Kept in the organisation's settings:

    "custom_tools": "off" | "admins" | "users"
    "egress": ["api.example.com", "*.example.org", "http://intranet.example:8080"]
    "secrets": {"CRM_TOKEN": "…"}
    "databases": {"erp": "postgresql://reader:…@db/erp", "log": "sqlite:////srv/log.db"}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from bancada.custom.addresses import Place, places
from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject

Makers: TypeAlias = Literal["off", "admins", "users"]
MAKERS: tuple[Makers, ...] = ("off", "admins", "users")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_HIDDEN = "••••"


@dataclass(frozen=True, kw_only=True)
class Means:
    """One organisation's settings for custom tools, read and checked."""

    makers: Makers = "admins"
    places: tuple[Place, ...] = ()
    secrets: Mapping[str, str] = field(default_factory=dict, repr=False)
    databases: Mapping[str, str] = field(default_factory=dict, repr=False)


def means_of(settings: JSONObject) -> Means:
    """Raises `BadDefinition` with the reason when a setting cannot be used."""
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
        databases={
            name: _database(name, url)
            for name, url in _named(settings.get("databases", {}), "databases").items()
        },
    )


def check_settings(settings: JSONObject) -> None:
    """Refuse settings whose parts for custom tools cannot be used; other parts are not looked at."""
    means_of(settings)


def hidden(settings: JSONObject) -> JSONObject:
    """The settings as a person may read them: names of secrets, never their values."""
    shown = dict(settings)
    if isinstance(shown.get("secrets"), dict):
        shown["secrets"] = dict.fromkeys(shown["secrets"], _HIDDEN)
    if isinstance(shown.get("databases"), dict):
        shown["databases"] = {name: _shown(url) for name, url in shown["databases"].items()}
    return shown


def merged(before: JSONObject, after: JSONObject) -> JSONObject:
    """Changed settings, where what came back hidden stays what it was."""
    kept = dict(after)
    for key in ("secrets", "databases"):
        old = before.get(key)
        if isinstance(kept.get(key), dict) and isinstance(old, dict):
            kept[key] = {
                name: old[name] if name in old and _came_back(value, old[name]) else value
                for name, value in kept[key].items()
            }
    return kept


def _came_back(value: JSON, old: JSON) -> bool:
    return bool(value == _HIDDEN or value == _shown(old))


def _shown(url: JSON) -> str:
    try:
        return make_url(str(url)).render_as_string(hide_password=True)
    except ArgumentError:
        return _HIDDEN


def _named(values: JSON, what: str) -> dict[str, str]:
    if not isinstance(values, dict):
        raise BadDefinition(f"{what} is an object: names and values.")
    for name, value in values.items():
        if not _NAME.fullmatch(name) or not isinstance(value, str) or not value:
            raise BadDefinition(
                f"{what}: {name!r} must be a plain name with a text that is not empty."
            )
    return dict(values)


def _database(name: str, url: str) -> str:
    try:
        kind = make_url(url).get_backend_name()
    except ArgumentError:
        raise BadDefinition(f"databases: {name} is not a database URL.") from None
    if kind not in ("sqlite", "postgresql", "postgres"):
        raise BadDefinition(f"databases: {name} must be sqlite:///… or postgresql://….")
    return url

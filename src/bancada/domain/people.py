"""Who acts: a person of one organisation, with one role."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

RoleName: TypeAlias = Literal["operador", "responsavel", "admin"]
Language: TypeAlias = Literal["pt", "en"]
"""The languages that people are spoken to in."""

Scope: TypeAlias = Literal["chat", "tools", "gateway", "mcp", "admin:read", "scim"]
"""What an API key may be narrowed to."""

ROLES: tuple[RoleName, ...] = get_args(RoleName)
"""Lowest first."""
SCOPES: tuple[Scope, ...] = get_args(Scope)


def reaches(role: RoleName, level: RoleName) -> bool:
    """Whether `role` is at least `level`."""
    return ROLES.index(role) >= ROLES.index(level)


def stricter(one: RoleName, other: RoleName) -> RoleName:
    """The higher of two levels."""
    return one if reaches(one, other) else other


@dataclass(frozen=True, kw_only=True)
class Person:
    """A user as the database has them now; never built from a token alone."""

    id: int
    organisation_id: int
    email: str
    name: str
    role: RoleName
    language: Language = "pt"
    is_active: bool = True

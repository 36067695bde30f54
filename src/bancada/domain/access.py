"""Decisions about a call: allow, ask a person, or deny with a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from bancada.domain.calls import RefusalCode


@dataclass(frozen=True)
class Allow:
    """The call may run now."""


@dataclass(frozen=True)
class Ask:
    """A person must say yes first; `reason` is shown to them."""

    reason: str
    approver_role: str | None = None
    """The role that decides; none: the person who asked."""
    approver: str | None = None
    """`other`: the person who asked cannot decide."""


@dataclass(frozen=True)
class Deny:
    """The call does not run; `sentence` is for the model."""

    code: RefusalCode
    sentence: str


Decision: TypeAlias = Allow | Ask | Deny

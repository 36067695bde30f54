"""What a person is told wherever they are: what waits for them, and how their turns are getting on.

News say that something changed and where; what it is now is read where it stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True, kw_only=True)
class Here:
    """First of every stream, with the number it begins at. Not `complete`: more may have happened
    than is told, so read the state anew."""

    type: Literal["here"] = "here"
    complete: bool


@dataclass(frozen=True, kw_only=True)
class ApprovalNews:
    """A call waits for your word, or yours waits for somebody's: it was asked for, or decided."""

    type: Literal["approval"] = "approval"
    id: str
    status: Literal["asked", "approved", "rejected", "expired"]


@dataclass(frozen=True, kw_only=True)
class TurnNews:
    """A turn of one of your conversations began, goes on, waits or ended."""

    type: Literal["turn"] = "turn"
    turn_id: str
    conversation_id: str
    status: Literal["running", "waiting", "done", "stopped", "failed"]


@dataclass(frozen=True, kw_only=True)
class Notice:
    """Something to be reminded of: a call has waited for your word for a day, or another day."""

    type: Literal["notice"] = "notice"
    about: Literal["waiting"] = "waiting"
    id: str
    """Of the confirmation."""


News: TypeAlias = Here | ApprovalNews | TurnNews | Notice
NEWS = {"here": Here, "approval": ApprovalNews, "turn": TurnNews, "notice": Notice}

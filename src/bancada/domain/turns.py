"""A turn: one question and everything done to answer it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

TurnStatus: TypeAlias = Literal["running", "waiting", "done", "stopped", "failed"]

UNFINISHED: tuple[TurnStatus, ...] = ("running", "waiting")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A turn's row: what it is part of and how far it got."""

    id: str
    conversation_id: str
    agent_id: int
    person_id: int
    organisation_id: int
    status: TurnStatus
    model: str
    iterations: int = 0

"""A turn: one question and everything done to answer it."""

from __future__ import annotations

from typing import Literal, TypeAlias

TurnStatus: TypeAlias = Literal["running", "waiting", "done", "stopped", "failed"]

UNFINISHED: tuple[TurnStatus, ...] = ("running", "waiting")

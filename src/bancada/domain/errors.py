"""Errors, named by who hears them.

BancadaError
├── ToolFailed          the model: a sentence it can act on
├── BadDefinition       the author of a tool, agent or pack: what is wrong with it
├── Problem             the person: becomes a problem detail
│   ├── NotSignedIn
│   ├── NotFound
│   ├── Forbidden
│   ├── Conflict
│   ├── Gone
│   ├── DiskFull        also a DatabaseAway: turns wait for room
│   ├── TooLarge
│   ├── TooOften
│   ├── Misdirected
│   ├── BadAnswer
│   └── Invalid
├── DatabaseAway        whoever asked: nothing is known to have happened; try again soon
└── SettingsError       the operator: stops the start with a clear message
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import PydanticCustomError

from bancada.domain.wording import Wording


class BancadaError(Exception):
    """Anything of ours that goes wrong on purpose."""


class ToolFailed(BancadaError):
    """A tool could not do it; the text is what the model reads."""


class BadDefinition(BancadaError):
    """A tool, schema or agent that cannot be used; the text says why."""


class SettingsError(BancadaError):
    """The installation cannot start like this; the text says what to change."""


class DatabaseAway(BancadaError):
    """The database does not answer. What was being written may or may not be there, so this is no
    refusal: nothing is undone because of it."""


class Problem(BancadaError):
    """Something a person asked for cannot be done; the wording is for them."""

    status = 400
    headers: Mapping[str, str] = {}

    def __init__(self, key: str, /, **parts: Any) -> None:
        self.wording = Wording(key, **parts)
        super().__init__(self.wording.told("en"))


class NotSignedIn(Problem):
    """Nobody we know asks."""

    status = 401
    headers: Mapping[str, str] = {"WWW-Authenticate": "Bearer"}


class Invalid(Problem):
    """What was sent does not fit."""

    status = 422


class NotFound(Problem):
    """It does not exist, or it is not theirs: the answer is the same."""

    status = 404


class Forbidden(Problem):
    """They may not."""

    status = 403


class _NotNow(Problem):
    """It may go later; `Retry-After` says when, where it is known."""

    def __init__(self, key: str, /, *, seconds: int | None = None, **parts: Any) -> None:
        super().__init__(key, **parts)
        if seconds is not None:
            self.headers = {"Retry-After": str(seconds)}


class Conflict(_NotNow):
    """It clashes with what is already so."""

    status = 409


class Gone(Problem):
    """It was possible once; its time has passed."""

    status = 410


class DiskFull(Problem, DatabaseAway):
    """The disk under the database took nothing: what was to be written is undone, all of it. The
    person is told, and turns go on when there is room."""

    status = 503


class TooLarge(Problem):
    """More was sent than is taken."""

    status = 413


class TooSlow(Problem):
    """A request that was begun and not sent to its end in time."""

    status = 408


class TooOften(_NotNow):
    """They asked for more than their share."""

    status = 429


class Misdirected(Problem):
    """It was sent to a name that is not ours."""

    status = 421


class BadAnswer(Problem):
    """Somebody we had to ask did not answer, or not as they must."""

    status = 502


def misfit(key: str, **parts: Any) -> PydanticCustomError:
    """What a check of ours found, by its key: told in the language of whoever sent it."""
    return PydanticCustomError("wording", Wording(key, **parts).told("en"), {"key": key, **parts})

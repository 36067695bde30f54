"""Errors, named by who hears them.

BancadaError
├── ToolFailed          the model: a sentence it can act on
├── BadDefinition       the author of a tool, agent or pack: what is wrong with it
├── Problem             the person: becomes a problem detail
│   ├── NotFound
│   ├── Forbidden
│   ├── Conflict
│   ├── Gone
│   └── Invalid
└── SettingsError       the operator: stops the start with a clear message
"""

from __future__ import annotations


class BancadaError(Exception):
    """Anything of ours that goes wrong on purpose."""


class ToolFailed(BancadaError):
    """A tool could not do it; the text is what the model reads."""


class BadDefinition(BancadaError):
    """A tool, schema or agent that cannot be used; the text says why."""


class SettingsError(BancadaError):
    """The installation cannot start like this; the text says what to change."""


class Problem(BancadaError):
    """Something a person asked for cannot be done; the text is for them."""

    status = 400
    title = "Bad request"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class Invalid(Problem):
    """What was sent does not fit."""

    status = 422
    title = "Invalid"


class NotFound(Problem):
    """It does not exist, or it is not theirs: the answer is the same."""

    status = 404
    title = "Not found"


class Forbidden(Problem):
    """They may not."""

    status = 403
    title = "Forbidden"


class Conflict(Problem):
    """It clashes with what is already so."""

    status = 409
    title = "Conflict"


class Gone(Problem):
    """It was possible once; its time has passed."""

    status = 410
    title = "Gone"

"""For people who write packs: a model that plays a script, so that tests need no network.

from bancada.testing import ScriptedModel, calls, says

model = ScriptedModel([calls("my_tool", name="x"), says("Done.")])
"""

from __future__ import annotations

from bancada.model.model import ModelFailed, Reply, Request, TextPiece, ThinkingPiece, Tokens
from bancada.model.scripted import (
    Gate,
    Line,
    ScriptedModel,
    ScriptExhausted,
    calls,
    calls_many,
    fails,
    replies,
    says,
    stops,
)

__all__ = [
    "Gate",
    "Line",
    "ModelFailed",
    "Reply",
    "Request",
    "ScriptExhausted",
    "ScriptedModel",
    "TextPiece",
    "ThinkingPiece",
    "Tokens",
    "calls",
    "calls_many",
    "fails",
    "replies",
    "says",
    "stops",
]

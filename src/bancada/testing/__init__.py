"""For people who write packs: a workshop to test in, and models that need no network.

    from bancada.testing import ScriptedModel, calls, open_workshop, says

    model = ScriptedModel([calls("my_tool", name="x"), says("Done.")])
    async with open_workshop(build, model=model) as workshop:
        outcome = await workshop.result("my_tool", {"name": "x"}, by=workshop.rui)
        told = await workshop.ask("Do it.", by=workshop.rui, approve=["my_tool"])
        lines = await workshop.audit()

Calls and turns take the same way as in a served installation. Without a model the offline one
answers, from the packs' own intents; `misunderstood` names example phrases that it takes for
something else.
"""

from __future__ import annotations

from collections.abc import Sequence

from bancada.domain.calls import Caller, Outcome, Waiting
from bancada.domain.intents import Intent, Sentence
from bancada.model.model import ModelFailed, Reply, Request, TextPiece, ThinkingPiece, Tokens
from bancada.model.offline import OfflineModel
from bancada.model.planner import Planner
from bancada.model.scripted import (
    Hold,
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
from bancada.testing.turns import Told
from bancada.testing.workshop import Workshop, open_workshop

__all__ = [
    "Caller",
    "Hold",
    "Line",
    "ModelFailed",
    "OfflineModel",
    "Outcome",
    "Reply",
    "Request",
    "ScriptExhausted",
    "ScriptedModel",
    "TextPiece",
    "ThinkingPiece",
    "Tokens",
    "Told",
    "Waiting",
    "Workshop",
    "calls",
    "calls_many",
    "fails",
    "misunderstood",
    "offline",
    "open_workshop",
    "replies",
    "says",
    "stops",
]


def offline(intents: Sequence[Intent]) -> OfflineModel:
    """The offline model over these intents alone."""
    return OfflineModel(intents)


def misunderstood(intents: Sequence[Intent]) -> dict[str, str | None]:
    """Example phrases that mean another of the intents, or none, and what they are taken for.

    An intent with the same phrases as an earlier one stands in for it where its tools are
    missing; that is not a misunderstanding.
    """
    planner = Planner(intents)
    wrong: dict[str, str | None] = {}
    for intent in intents:
        for language, phrases in intent.phrases.items():
            for phrase in phrases:
                found = planner.detect(Sentence(phrase, language))
                if found is None:
                    wrong[phrase] = None
                elif phrase not in found.intent.phrases.get(language, ()):
                    wrong[phrase] = found.intent.name
    return wrong

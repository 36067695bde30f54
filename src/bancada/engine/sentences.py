"""What the engine says to a person, in their language."""

from __future__ import annotations

from bancada.domain.people import Language
from bancada.domain.wording import Wording
from bancada.model.model import ModelFailed

REASONS = {
    "tool": "confirm_tool",
    "outside_content": "confirm_outside",
    "question": "confirm_question",
    "lost_field": "confirm_lost_field",
    "global": "confirm_policy",
    "organisation": "confirm_policy",
    "role": "confirm_policy",
    "agent": "confirm_policy",
    "user": "confirm_policy",
}


OURS_TO_SAY = ("provider_not_allowed", "provider_no_outside")
"""Whole sentences: the model was never asked."""


def why_asked(reason: str, tool: str, language: Language) -> str:
    """Why a person is asked, in words; a reason that is already a sentence stays one."""
    if reason.endswith("_condition"):
        return Wording("confirm_condition", tool=tool).told(language)
    key = REASONS.get(reason)
    return reason if key is None else Wording(key, tool=tool).told(language)


def failure_in_words(failure: ModelFailed, language: Language) -> str:
    """What went wrong with the model; whatever broke over there, to the person it did not answer."""
    if failure.detail is not None and failure.detail.key in OURS_TO_SAY:
        return failure.detail.told(language)
    if failure.detail is not None:
        return Wording("misconfigured", detail=failure.detail).told(language)
    broke = failure.code == "internal" and failure.retryable
    return Wording("overloaded" if broke else failure.code).told(language)

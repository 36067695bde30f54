"""What the engine says to a person, in their language."""

from __future__ import annotations

from bancada.domain.people import Language
from bancada.domain.wording import Wording
from bancada.model.model import ModelFailed

OURS_TO_SAY = ("provider_not_allowed", "provider_no_outside")
"""Whole sentences: the model was never asked."""


def failure_in_words(failure: ModelFailed, language: Language) -> str:
    """What went wrong with the model; whatever broke over there, to the person it did not answer."""
    if failure.detail is not None and failure.detail.key in OURS_TO_SAY:
        return failure.detail.told(language)
    if failure.detail is not None:
        return Wording("misconfigured", detail=failure.detail).told(language)
    broke = failure.code == "internal" and failure.retryable
    return Wording("overloaded" if broke else failure.code).told(language)

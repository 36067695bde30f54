"""What the engine says to a person, in their language."""

from __future__ import annotations

from bancada.domain.people import Language
from bancada.domain.wording import Wording
from bancada.model.model import ModelFailed
from bancada.model.providers import KEYWORD

OURS_TO_SAY = ("provider_not_allowed", "provider_no_outside", "attachment_unseen")
"""Whole sentences: the model was never asked."""


INSTEAD = {"rate_limited": "instead_limits", "invalid_api_key": "instead_key"}


NOT_ASKED = {"provider_no_outside": "instead_outside", "attachment_unseen": "instead_unseen"}


def told_instead(by: str, instead_of: str, failed: ModelFailed) -> Wording:
    """Who answers from here on, and why the other does not."""
    key = INSTEAD.get(failed.code, "instead_silent")
    if failed.detail is not None and failed.detail.key in NOT_ASKED:
        key = NOT_ASKED[failed.detail.key]
    elif failed.status in (402, 404):
        key = "instead_refused"
    name = Wording("keyword_mode") if by == KEYWORD else by
    return Wording("answers_instead", by=name, reason=Wording(key, name=instead_of))


def failure_in_words(failure: ModelFailed, language: Language) -> str:
    """What went wrong with the model; whatever broke over there, to the person it did not answer."""
    if failure.detail is not None and failure.detail.key in OURS_TO_SAY:
        return failure.detail.told(language)
    if failure.detail is not None:
        return Wording("misconfigured", detail=failure.detail).told(language)
    broke = failure.code == "internal" and failure.retryable
    return Wording("overloaded" if broke else failure.code).told(language)

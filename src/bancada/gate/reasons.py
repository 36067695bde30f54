"""Why a person is asked, in their language."""

from __future__ import annotations

from bancada.domain.people import Language
from bancada.domain.wording import Wording

REASONS = {
    "tool": "confirm_tool",
    "outside_content": "confirm_outside",
    "proposed": "confirm_proposed",
    "question": "confirm_question",
    "lost_field": "confirm_lost_field",
    "global": "confirm_policy",
    "organisation": "confirm_policy",
    "role": "confirm_policy",
    "agent": "confirm_policy",
    "user": "confirm_policy",
}


def why_asked(reason: str, tool: str, language: Language) -> str:
    """Why a person is asked, in words; a reason that is already a sentence stays one."""
    if reason.endswith("_condition"):
        return Wording("confirm_condition", tool=tool).told(language)
    key = REASONS.get(reason)
    return reason if key is None else Wording(key, tool=tool).told(language)

"""What every part of the reading needs: months, numbers in words, lists, results."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bancada import JSON, Answered, Language

MONTHS = {
    "janeiro": 1, "january": 1, "fevereiro": 2, "february": 2, "marco": 3, "march": 3,
    "abril": 4, "april": 4, "maio": 5, "may": 5, "junho": 6, "june": 6, "julho": 7, "july": 7,
    "agosto": 8, "august": 8, "setembro": 9, "september": 9, "outubro": 10, "october": 10,
    "novembro": 11, "november": 11, "dezembro": 12, "december": 12,
}  # fmt: skip
NUMBER_WORDS = {
    "um": 1, "uma": 1, "one": 1, "dois": 2, "duas": 2, "two": 2, "tres": 3, "three": 3,
    "quatro": 4, "four": 4, "cinco": 5, "five": 5, "seis": 6, "six": 6, "sete": 7, "seven": 7,
    "oito": 8, "eight": 8, "nove": 9, "nine": 9, "dez": 10, "ten": 10,
}  # fmt: skip


SPECIAL = (
    "pareto", "carta", "control chart", "controlo", "p chart", "r chart", "cpk", "cp",
    "capacidade", "capability", "python",
)  # fmt: skip


def result_of(answered: Sequence[Answered], tool: str) -> JSON:
    """The result of the last good call of a tool; none when there was none."""
    for one in reversed(answered):
        if one.step.tool == tool and not one.is_error:
            return _parsed(one.result)
    return None


def failure(answered: Sequence[Answered], language: Language) -> str | None:
    """What to say when the last call failed."""
    if not answered or not answered[-1].is_error:
        return None
    said = answered[-1].result
    text = said.get("erro", said) if isinstance(said, dict) else said
    text = text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)
    opening = {"pt": "Não consegui: ", "en": "I could not do that: "}[language]
    return opening + text


def _parsed(result: JSON) -> JSON:
    if isinstance(result, str):
        try:
            return json.loads(result)
        except ValueError:
            return result
    return result


def listed(parts: Sequence[str], language: Language) -> str:
    """`a, b e c`."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {'e' if language == 'pt' else 'and'} {parts[-1]}"

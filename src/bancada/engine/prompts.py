"""An agent's prompt as one person's model reads it: without tools that it is not offered.

A prompt is written for everybody who may use the agent. What one of them may not call would only
be asked for and refused, so the sentences that name it are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NAME = re.compile(r"\w[\w.-]*")
_MARK = re.compile(r"\s*(?:[-*•]|\d+[.)])\s+")


def fitted(prompt: str, *, known: Collection[str], offered: Collection[str]) -> str:
    """The prompt without the sentences that name a known tool which is not offered."""
    return _without(prompt, frozenset(known) - frozenset(offered))


@lru_cache(256)
def _without(prompt: str, absent: frozenset[str]) -> str:
    """Kept: every turn asks, of the few prompts and sets of tools that a house has."""
    names = sorted(name for name in absent if _NAME.fullmatch(name))
    if not names:
        return prompt
    named = re.compile("|".join(map(_naming, names)))
    if not named.search(prompt):
        return prompt
    lines = [_line(line, named) for line in prompt.split("\n")]
    return "\n".join(line for line in lines if line is not None)


def _naming(name: str) -> str:
    """How a prompt names a tool; one that is called like an ordinary word only in backticks."""
    escaped = re.escape(name)
    is_word = name.isalpha() and (name.islower() or name.istitle())
    return f"`{escaped}`" if is_word else rf"(?<![\w-]){escaped}(?![\w-])"


def _line(line: str, named: re.Pattern[str]) -> str | None:
    """The line without the sentences that name one; none where nothing is left of it."""
    if not named.search(line):
        return line
    mark = _MARK.match(line)
    start = mark.group() if mark else ""
    kept = [each for each in _SENTENCE.split(line[len(start) :]) if not named.search(each)]
    return f"{start}{' '.join(kept)}" if kept else None

"""A narrower level may only restrict: what in its word would loosen a wider one.

The resolution ignores such a word anyway; saying so when it is written is more honest than
letting somebody believe that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable

from bancada.domain.people import reaches
from bancada.policy.permissions import WHERE
from bancada.policy.rules import Rules, Word, resolve
from bancada.tools.tool import Tool


def loosened(tool: Tool, wider: Iterable[Word], word: Word) -> str | None:
    """The first choice that the wider levels do not allow; none when the word only restricts."""
    rules = resolve(tool, wider)
    if word.is_enabled and not rules.is_enabled:
        return f"is_enabled: {tool.name} is switched off {WHERE[rules.disabled_at or 'global']}"
    if word.permission_level and not reaches(word.permission_level, rules.permission_level):
        return f"permission_level: it is {rules.permission_level} already, and can only be raised"
    if word.confirmation in (False, "never") and may_ask(tool, rules):
        return "confirmation: a wider level asks for it"
    if word.allowed_callers is not None:
        extra = [name for name in word.allowed_callers if name not in rules.allowed_callers]
        if extra:
            return f"allowed_callers: {', '.join(extra)} may not call it"
    if word.cache_seconds is not None and word.cache_seconds > rules.cache_seconds:
        return f"cache_seconds: at most {rules.cache_seconds}"
    return None


def may_ask(tool: Tool, rules: Rules) -> bool:
    """Whether some call of the tool would be put to a person first."""
    return bool(rules.asks) or (rules.own_confirmation and tool.confirm != "never")

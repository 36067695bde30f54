"""A narrower level may only restrict: what in its setting would loosen a wider one.

The resolution ignores such a choice anyway; saying so when it is written is more honest than
letting somebody believe that it holds.
"""

from __future__ import annotations

from collections.abc import Iterable

from bancada.domain.people import reaches
from bancada.domain.wording import Wording
from bancada.policy.rules import LevelSetting, Rules, resolve
from bancada.tools.tool import Tool


def loosened(tool: Tool, wider: Iterable[LevelSetting], setting: LevelSetting) -> Wording | None:
    """The first choice that the wider levels do not allow; none when the setting only restricts."""
    rules = resolve(tool, wider)
    if setting.is_enabled and not rules.is_enabled:
        where = Wording(f"off_{rules.disabled_at or 'global'}")
        return Wording("switched_off", tool=tool.name, where=where)
    if setting.permission_level and not reaches(setting.permission_level, rules.permission_level):
        return Wording("level_only_raised", level=rules.permission_level)
    if setting.confirmation in (False, "never") and may_ask(tool, rules):
        return Wording("wider_level_asks")
    if setting.allowed_callers is not None:
        extra = [name for name in setting.allowed_callers if name not in rules.allowed_callers]
        if extra:
            return Wording("callers_not_allowed", names=", ".join(extra))
    if setting.cache_seconds is not None and setting.cache_seconds > rules.cache_seconds:
        return Wording("cache_at_most", seconds=rules.cache_seconds)
    return None


def may_ask(tool: Tool, rules: Rules) -> bool:
    """Whether some call of the tool would be put to a person first."""
    return bool(rules.asks) or (rules.own_confirmation and tool.confirm != "never")

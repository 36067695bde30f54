"""Tools as functions of code: each under a name that Python takes and that hides nothing.

A tool called `get-weather` is the function `get_weather`, one called `print` is `print_`. What a
tool is called follows from the set of names alone, so it stays the same from run to run.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable

_RESERVED = frozenset({*dir(builtins), *keyword.kwlist, *keyword.softkwlist, "ToolError"})


def function_names(tools: Iterable[str]) -> dict[str, str]:
    """What each tool is called in code."""
    tools = sorted(set(tools))
    names = {tool: tool for tool in tools if _is_free(tool)}
    taken = set(names)
    for tool in tools:
        if tool in names:
            continue
        name = first = _safe(tool)
        number = 2
        while name in taken or not _is_free(name):
            name, number = f"{first}_{number}", number + 1
        names[tool] = name
        taken.add(name)
    return names


def _is_free(name: str) -> bool:
    return name.isidentifier() and name not in _RESERVED and not name.startswith("__")


def _safe(tool: str) -> str:
    name = re.sub(r"\W", "_", tool, flags=re.ASCII)
    if name[0].isdigit() or name.startswith("__"):
        name = f"tool_{name.lstrip('_')}"
    return f"{name}_" if name in _RESERVED else name

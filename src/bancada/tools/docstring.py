"""A docstring taken apart: what a function does, and what each parameter is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_SECTION = re.compile(r"^(Args|Arguments|Parameters|Params|Argumentos|Parâmetros|Attributes):\s*$")
_ENTRY = re.compile(r"^\*{0,2}(?P<name>\w+)\s*(?:\([^)]*\))?\s*:\s*(?P<text>.*)$")


@dataclass(frozen=True)
class Docstring:
    """A docstring in two parts."""

    description: str
    """Everything but the section about arguments."""
    parameters: Mapping[str, str]


def read_docstring(text: str) -> Docstring:
    """Take the `Args:` section apart; `text` has its common indentation removed already."""
    described: list[str] = []
    section: list[str] = []
    inside = False
    for line in text.splitlines():
        if _SECTION.match(line):
            inside = True
        elif inside and (not line.strip() or line[0].isspace()):
            section.append(line)
        else:
            inside = False
            described.append(line)
    description = re.sub(r"\n{3,}", "\n\n", "\n".join(described)).strip()
    return Docstring(description, _entries(section))


def _entries(section: list[str]) -> dict[str, str]:
    """Each `name: text`; what is indented deeper, or is not an entry, continues the one before."""
    depth = min((_indent(line) for line in section if line.strip()), default=0)
    found: dict[str, list[str]] = {}
    current: list[str] | None = None
    for line in section:
        entry = _ENTRY.match(line.strip()) if _indent(line) == depth else None
        if entry:
            current = found.setdefault(entry["name"], [])
            current.append(entry["text"].strip())
        elif current is not None:
            current.append(line.strip())
    return {name: " ".join(part for part in parts if part) for name, parts in found.items()}


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

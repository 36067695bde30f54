"""A statement with values in it, by name: where they are, and where they only seem to be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_TOKEN = re.compile(
    r"'(?:[^']|'')*'"  # text
    r'|"(?:[^"]|"")*"'  # a quoted name
    r"|--[^\n]*|/\*.*?\*/"  # comments
    r"|\$(\w*)\$.*?\$\1\$"  # Postgres' other text
    r"|::"  # a cast, not a value
    r"|:([A-Za-z_][A-Za-z0-9_]*)"  # a value
    r"|.",
    re.DOTALL,
)


@dataclass(frozen=True)
class Statement:
    """A statement in pieces: text, and the names of values between."""

    parts: Sequence[str | tuple[str]]

    @property
    def names(self) -> list[str]:
        return list(dict.fromkeys(part[0] for part in self.parts if isinstance(part, tuple)))

    def numbered(self) -> str:
        """With `$1`, `$2`, … as Postgres wants them."""
        places = {name: f"${number}" for number, name in enumerate(self.names, start=1)}
        return "".join(part if isinstance(part, str) else places[part[0]] for part in self.parts)


def statement(sql: str) -> Statement:
    """Find the values of a statement; what stands in texts, names and comments is none."""
    parts: list[str | tuple[str]] = []
    for found in _TOKEN.finditer(sql):
        parts.append((found[2],) if found[2] else found[0])
    return Statement(parts)


def bare(sql: str) -> str:
    """The statement without comments and texts: what its first word and its end are."""
    blank = ("--", "/*", "'", '"', "$")
    kept = (found[0] for found in _TOKEN.finditer(sql))
    return "".join(
        " " if piece.startswith(blank) and len(piece) > 1 else piece for piece in kept
    ).strip()

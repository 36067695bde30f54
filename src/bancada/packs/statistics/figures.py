"""How figures are written."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from bancada import Language


def tidy(value: float) -> float:
    """What was computed, without the noise of binary fractions: ten significant digits, and of
    large figures all that a float has, for a spread far below them would be rounded away."""
    return float(f"{value:.10g}" if abs(value) < 1e3 else f"{value:.15g}")


def number(value: float, language: Language, digits: int = 5) -> str:
    """A figure to read, a decimal comma in Portuguese."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = f"{value:.{digits}g}"
    return text.replace(".", ",") if language == "pt" else text


def listed(parts: Sequence[str], language: Language) -> str:
    """`a, b and c`."""
    if len(parts) < 2:
        return "".join(parts)
    joint = " e " if language == "pt" else " and "
    return ", ".join(parts[:-1]) + joint + parts[-1]


def moment(at: float) -> str:
    """A moment to read, in UTC, to the minute."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M UTC")

"""How names and figures are compared and written."""

from __future__ import annotations

import re

from bancada import plain


def fold(name: str) -> str:
    """`Casca de Laranja`, `casca-laranja` and `casca_laranja` are one name."""
    words = re.findall(r"\w+", plain(name).replace("_", " "))
    return "_".join(word for word in words if word not in ("de", "da", "do"))


def tidy(number: float) -> float:
    """What was computed, without the noise of binary fractions: ten significant digits, and of
    large figures all that a float has, for a spread far below them would be rounded away."""
    return float(f"{number:.10g}" if abs(number) < 1e3 else f"{number:.15g}")


def percentage(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0

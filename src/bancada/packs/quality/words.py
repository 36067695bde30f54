"""How names and figures are compared and written."""

from __future__ import annotations

import re

from bancada import plain


def fold(name: str) -> str:
    """`Casca de Laranja`, `casca-laranja` and `casca_laranja` are one name."""
    words = re.findall(r"\w+", plain(name).replace("_", " "))
    return "_".join(word for word in words if word not in ("de", "da", "do"))


def tidy(number: float) -> float:
    """Ten significant digits: what was computed, without the noise of binary fractions."""
    return float(f"{number:.10g}")


def percentage(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 0.0

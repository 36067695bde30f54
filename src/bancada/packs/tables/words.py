"""How names are compared."""

from __future__ import annotations

import re
import unicodedata


def fold(name: str) -> str:
    """`Casca de Laranja`, `casca-laranja` and `casca_laranja` are one name."""
    flat = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(c for c in flat if not unicodedata.combining(c))
    words = re.findall(r"\w+", letters.replace("_", " "))
    return "_".join(word for word in words if word not in ("de", "da", "do"))

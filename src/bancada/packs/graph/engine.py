"""The graph engine, an extra of the installation: without it the pack says what is missing."""

from __future__ import annotations

try:
    import ladybug
except ImportError:
    ladybug = None  # type: ignore[assignment]

__all__ = ["MISSING", "ladybug"]

MISSING = (
    None
    if ladybug is not None
    else "The graph engine is not installed here: `pip install 'bancada[graph]'` brings it."
)
"""Why graphs cannot be opened or imported on this machine; none where they can."""

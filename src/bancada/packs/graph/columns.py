"""What type a property has, judged by all of its values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import datetime

_WHOLE = re.compile(r"-?(0|[1-9]\d{0,17})$", re.ASCII)
_REAL = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?$", re.ASCII)
_DATE = re.compile(r"\d{4}-\d\d-\d\d$", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d{1,6})?$", re.ASCII)


def _is_truth(text: str) -> bool:
    return text in ("true", "false", "True", "False", "TRUE", "FALSE")


def _is_whole(text: str) -> bool:
    """A number with a leading zero is a code, not a quantity."""
    return _WHOLE.match(text) is not None


def _is_real(text: str) -> bool:
    return _REAL.match(text) is not None and math.isfinite(float(text))


def _is_moment(shape: re.Pattern[str]) -> Callable[[str], bool]:
    def fits(text: str) -> bool:
        if not shape.match(text):
            return False
        try:
            datetime.fromisoformat(text)
        except ValueError:
            return False
        return True

    return fits


_TYPES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("BOOL", _is_truth),
    ("INT64", _is_whole),
    ("DOUBLE", _is_real),
    ("DATE", _is_moment(_DATE)),
    ("TIMESTAMP", _is_moment(_MOMENT)),
)


class PropertyColumn:
    """Narrows down a property's type as its values pass; text when nothing else fits."""

    def __init__(self) -> None:
        self._fitting = _TYPES

    def see(self, text: str) -> None:
        if self._fitting:
            self._fitting = tuple(fit for fit in self._fitting if fit[1](text))

    @property
    def type(self) -> str:
        return self._fitting[0][0] if self._fitting else "STRING"


class _Text(PropertyColumn):
    @property
    def type(self) -> str:
        return "STRING"


TEXT = _Text()
"""A column that is text whatever it holds."""

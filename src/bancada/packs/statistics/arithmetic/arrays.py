"""What the families share: arrays of numbers, and why a study cannot be made."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Truths: TypeAlias = NDArray[np.bool_]
Places: TypeAlias = NDArray[np.int64]


class NoStudy(Exception):
    """The data do not carry what was asked; `code` and `parts` become a sentence outside."""

    def __init__(self, code: str, **parts: Any) -> None:
        super().__init__(code)
        self.code = code
        self.parts = parts


def varies(sigma: float, scale: float) -> bool:
    """Whether a spread is one, and not the noise of binary fractions around equal values."""
    return sigma > 1e-12 * max(abs(scale), 1e-300)

"""Why a file cannot become a data set."""

from __future__ import annotations

from typing import Any

from bancada.domain.errors import Problem
from bancada.domain.json import JSONObject

_STATUS = {"too_large": 413, "bomb": 413, "no_wall": 503, "busy": 503, "gone": 503}


class DataProblem(Problem):
    """An upload that was refused: `upload_…` of the catalogues."""

    def __init__(self, code: str, **parts: Any) -> None:
        super().__init__(f"upload_{code}", **parts)
        self.code = code
        self.status = _STATUS.get(code, 400)

    def as_json(self) -> JSONObject:
        """How the reader inside the wall tells it."""
        return {"code": self.code, "parts": self.wording.parts}


def size_text(bytes_: int) -> str:
    """A size as people write it: `12 MB`."""
    amount = float(bytes_)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GB"

"""Why a file cannot become a data set."""

from __future__ import annotations

from typing import Any

from bancada.domain.errors import Problem
from bancada.domain.json import JSONObject


class DataProblem(Problem):
    """An upload that was refused: `upload_…` of the catalogues."""

    def __init__(self, code: str, **parts: Any) -> None:
        super().__init__(f"upload_{code}", **parts)
        self.code = code
        self.status = 413 if code in ("too_large", "bomb") else 400

    def as_json(self) -> JSONObject:
        """How the worker hands it to the server."""
        return {"code": self.code, "parts": self.wording.parts}

    @staticmethod
    def of(shape: JSONObject) -> DataProblem:
        return DataProblem(shape["code"], **shape["parts"])


def size_text(bytes_: int) -> str:
    """A size as people write it: `12 MB`."""
    amount = float(bytes_)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}"
        amount /= 1024
    return f"{amount:.1f} GB"

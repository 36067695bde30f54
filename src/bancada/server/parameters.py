"""What may stand in a path, a query or a body: bounded, so that no database ever overflows."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path
from pydantic import Field, StringConstraints

HIGHEST = 2**31 - 1
"""The largest number that both databases can keep in an id or a count."""

RowId = Annotated[int, Path(ge=1, le=HIGHEST)]
ConversationId = Annotated[str, Path(min_length=1, max_length=64)]
MessageId = Annotated[str, Path(min_length=1, max_length=64)]
KeptFileId = Annotated[str, Path(min_length=1, max_length=64)]
ToolName = Annotated[str, Path(min_length=1, max_length=64)]
TurnId = Annotated[str, Path(min_length=1, max_length=64)]

Number = Annotated[int, Field(ge=1, le=HIGHEST)]
Line = Annotated[str, StringConstraints(max_length=200)]
Dollars = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


def person_key(given: int | str) -> int | str:
    """A person is named by id or by address; digits are an id."""
    if isinstance(given, str) and given.isascii() and given.isdigit():
        return min(int(given[:11] or 0), HIGHEST)
    return given

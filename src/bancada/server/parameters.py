"""What may stand in a path, a query or a body: bounded, so that no database ever overflows."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Path
from pydantic import AfterValidator, Field, StringConstraints

from bancada.domain.errors import misfit
from bancada.domain.json import JSON

HIGHEST = 2**31 - 1
"""The largest number that both databases can keep in an id or a count."""

RowId = Annotated[int, Path(ge=1, le=HIGHEST)]
ToolName = Annotated[str, Path(min_length=1, max_length=64)]
TurnId = Annotated[str, Path(min_length=1, max_length=64)]

Number = Annotated[int, Field(ge=1, le=HIGHEST)]
Line = Annotated[str, StringConstraints(max_length=200)]
Prose = Annotated[str, StringConstraints(max_length=100_000)]
Dollars = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


DEEPEST = 100
"""How far JSON that we keep may be nested."""


def keepable(value: JSON) -> JSON:
    """JSON that can be stored and sent again: finite numbers, whole characters, bounded depth."""
    if _depth(value) > DEEPEST:
        raise misfit("nested_too_deep", levels=DEEPEST)
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError:
        raise misfit("half_a_character") from None
    except ValueError:
        raise misfit("number_not_finite") from None
    return value


def _depth(value: JSON) -> int:
    """How deep a value is nested, without recursing into it."""
    level, found = 0, [value]
    while found and level <= DEEPEST:
        inner: list[Any] = []
        for each in found:
            if isinstance(each, dict):
                inner.extend(each.values())
            elif isinstance(each, list):
                inner.extend(each)
        found, level = inner, level + 1
    return level


AnyJSON = Annotated[Any, AfterValidator(keepable)]
JSONMap = Annotated[dict[str, Any], AfterValidator(keepable)]


def person_key(given: int | str) -> int | str:
    """A person is named by id or by address; digits are an id."""
    if isinstance(given, str) and given.isascii() and given.isdigit():
        return min(int(given[:11] or 0), HIGHEST)
    return given

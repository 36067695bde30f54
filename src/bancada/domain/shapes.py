"""What is sent to us has a shape, and the shape is the check: what does not fit is told by key."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    StringConstraints,
    TypeAdapter,
    ValidationError,
)

from bancada.domain.errors import Invalid, Problem, misfit
from bancada.domain.json import JSON
from bancada.domain.wording import CATALOGUES, Either, Wording

T = TypeVar("T")
S = TypeVar("S", bound=BaseModel)

DEEPEST = 100
"""How far JSON that we keep may be nested."""


class Shape(BaseModel):
    """Something sent to us: nothing we do not know, and nothing taken for something else."""

    model_config = ConfigDict(extra="forbid", strict=True)


def example(**given: JSON) -> ConfigDict:
    """How a shape is shown to whoever writes a client: by something that fits it."""
    return ConfigDict(json_schema_extra={"examples": [given]})


def partial(shape: type[S]) -> type[S]:
    """The same fields, none of them needed: what is absent, or null, says nothing."""
    for field in shape.model_fields.values():
        field.annotation = field.annotation | None  # type: ignore[operator, assignment]
        field.default, field.default_factory = None, None
    shape.model_rebuild(force=True)
    return shape


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


def _plain(name: str) -> str:
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,63}", name) is None:
        raise misfit("plain_name")
    return name


PlainName = Annotated[str, AfterValidator(_plain)]
Email = Annotated[
    str, StringConstraints(min_length=3, max_length=254, pattern=r"^[^@\s]+@[^@\s]+$")
]


def passing(check: Callable[[T], object]) -> Callable[[T], T]:
    """A check that raises a problem, as a validator: what it says is said of the field."""

    def validator(value: T) -> T:
        try:
            check(value)
        except Problem as problem:
            raise misfit(problem.wording.key, **problem.wording.parts) from problem
        return value

    return validator


def fitted(adapter: TypeAdapter[T], given: object, at: str = "") -> T:
    """What was given, in its shape. Raises `Invalid` that names the field which does not fit."""
    try:
        return adapter.validate_python(given)
    except ValidationError as error:
        where, said = first_misfit(error.errors(), given)
        place = ".".join(part for part in (at, where) if part)
        if not place:
            raise Invalid("as_said", text=said) from error
        raise Invalid("misfit", where=place, problem=said) from error


def first_misfit(errors: Sequence[Mapping[str, Any]], given: object) -> tuple[str, Wording]:
    """The first thing that does not fit: where it is, and what is wrong with it."""
    first = errors[0]
    kind, parts = str(first["type"]), first.get("ctx") or {}
    where = _places(first["loc"], given, kind)
    if kind == "wording":
        said = Wording(parts["key"], **{n: v for n, v in parts.items() if n != "key"})
    elif kind == "literal_error":
        said = Wording("misfit_literal_error", expected=Either(parts["expected"].split(" or ")))
    elif kind in ("union_tag_invalid", "union_tag_not_found"):
        where.append(str(parts["discriminator"]).strip("'"))
        said = Wording("misfit_missing")
        if kind == "union_tag_invalid":
            tags = Either(parts["expected_tags"].split(", "))
            said = Wording("misfit_literal_error", expected=tags)
    elif f"misfit_{kind}" in CATALOGUES["en"]:
        said = Wording(f"misfit_{kind}", **parts)
    else:
        said = Wording("as_said", text=str(first["msg"]).removeprefix("Value error, "))
    return ".".join(where)[:200], said


def _places(loc: Sequence[str | int], given: object, kind: str) -> list[str]:
    """The way to a value, without the names of the forms that a union tried on it."""
    found: list[str] = []
    for place, part in enumerate(loc):
        try:
            given = given[part]  # type: ignore[index]
        except (LookupError, TypeError):
            if kind != "missing" or place + 1 < len(loc):
                continue
        found.append(str(part))
    return found

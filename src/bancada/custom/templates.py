"""Templates: JSON with `{name}` in its texts, filled from arguments and earlier results.

`{name}` alone keeps the value's type; inside a longer text it becomes text. `{a.b.0}` goes into
a value, `{secret:NAME}` stands for one of the organisation's secrets, `{{` and `}}` are braces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bancada.domain.errors import Invalid, ToolFailed
from bancada.domain.json import JSON, dumps

MAX_DEPTH = 32

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+")
_REFERENCE = re.compile(r"(secret:)?([A-Za-z_][A-Za-z0-9_-]*)((?:\.[^.{}]+)*)")


@dataclass(frozen=True)
class Reference:
    """One `{…}`: a name, the way into its value, and whether it is a secret's."""

    name: str
    path: tuple[str, ...] = ()
    is_secret: bool = False

    @property
    def written(self) -> str:
        return "{" + ".".join((("secret:" if self.is_secret else "") + self.name, *self.path)) + "}"


Text: TypeAlias = Sequence[str | Reference]
Look: TypeAlias = Callable[[Reference], JSON]
"""What a reference stands for; `MISSING` where it was left out."""


class Missing:
    """An optional argument that was not given."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = Missing()


def parsed(text: str) -> Text:
    """The literal parts and references of a text. Raises `Invalid` for stray braces."""
    parts: list[str | Reference] = []
    for found in _PART.finditer(text):
        piece = found[0]
        if piece in ("{{", "}}"):
            parts.append(piece[0])
        elif piece in ("{", "}"):
            raise Invalid("single_brace", brace=piece, text=text[:60])
        elif found[1] is not None:
            parts.append(_reference(found[1], text))
        else:
            parts.append(piece)
    return parts


def _reference(written: str, text: str) -> Reference:
    found = _REFERENCE.fullmatch(written.strip())
    if found is None:
        raise Invalid("not_in_braces", written=written[:60], text=text[:60])
    path = tuple(part for part in found[3].split(".") if part)
    if found[1] and path:
        raise Invalid("nothing_in_secret", written=written[:60])
    return Reference(found[2], path, bool(found[1]))


def references(template: JSON, depth: int = 0) -> Iterator[Reference]:
    """Every reference in a template, texts and field names alike."""
    if depth > MAX_DEPTH:
        raise Invalid("template_too_deep", most=MAX_DEPTH)
    if isinstance(template, str):
        yield from (part for part in parsed(template) if isinstance(part, Reference))
    elif isinstance(template, list):
        for item in template:
            yield from references(item, depth + 1)
    elif isinstance(template, dict):
        for key, value in template.items():
            if any(isinstance(part, Reference) for part in parsed(key)):
                raise Invalid("field_name_filled", name=key[:60])
            yield from references(value, depth + 1)


def filled(template: JSON, look: Look) -> JSON:
    """The template with every reference replaced; fields whose value was left out are left out."""
    if isinstance(template, str):
        return filled_text(template, look)
    if isinstance(template, list):
        items = [filled(item, look) for item in template]
        return [item for item in items if item is not MISSING]
    if isinstance(template, dict):
        fields = {
            "".join(map(str, parsed(key))): filled(value, look) for key, value in template.items()
        }
        return {key: value for key, value in fields.items() if value is not MISSING}
    return template


def filled_text(template: str, look: Look) -> JSON:
    """One text: the bare value where it is a single reference, else text with the values in it."""
    parts = parsed(template)
    if len(parts) == 1 and isinstance(parts[0], Reference):
        return look(parts[0])
    return "".join(part if isinstance(part, str) else as_text(look(part)) for part in parts)


def as_text(value: JSON) -> str:
    """A value inside a longer text: itself if it is text, nothing if it was left out, else JSON."""
    if value is MISSING or value is None:
        return ""
    return value if isinstance(value, str) else dumps(value)


def looked_up(values: Mapping[str, JSON], reference: Reference) -> JSON:
    """Follow a reference into the values; raises `ToolFailed` where the way ends."""
    value = values.get(reference.name, MISSING)
    for part in reference.path:
        if value is MISSING:
            return MISSING
        if isinstance(value, dict) and part in value:
            value = value[part]
        elif isinstance(value, list) and re.fullmatch(r"-?\d{1,9}", part):
            place = int(part)
            if not -len(value) <= place < len(value):
                raise ToolFailed(f"{reference.written}: there are only {len(value)} items.")
            value = value[place]
        else:
            raise ToolFailed(f"{reference.written}: there is no {part!r} in it.")
    return value

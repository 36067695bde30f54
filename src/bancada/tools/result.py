"""What a tool returned, as the model reads it.

A tool may return text, anything that has a plain JSON form, content blocks, or a `Result`.
Whatever comes, an `Outcome` leaves: within bounds, storable, and with a sentence in place of
what could not be shown.
"""

from __future__ import annotations

import math
import unicodedata
from collections import deque
from collections.abc import Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from ipaddress import IPv4Address, IPv6Address
from pathlib import PurePath
from typing import Any
from uuid import UUID

from pydantic import AnyUrl, BaseModel
from pydantic_core import to_jsonable_python

from bancada.domain.calls import Outcome, Widget
from bancada.domain.json import JSON, canonical, dumps
from bancada.domain.messages import Block, text_block
from bancada.tools.tool import Result

MAX_FILE_CHARS = 6_500_000
"""Base64 characters of one image or document the model is sent; more is refused upstream."""
MAX_SHOWN_FILE_CHARS = 200_000
"""The same in an event; beyond it the event says what there was."""
MAX_DEPTH = 100
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_BLOCK_KEYS = {
    "text": {"type", "text", "citations", "cache_control"},
    "image": {"type", "source", "cache_control"},
    "document": {"type", "source", "title", "context", "citations", "cache_control"},
}


class _NotJSON(Exception):
    """Something in the result has no JSON form; the text says what."""


def outcome_of(raw: Any, *, max_chars: int) -> Outcome:
    """Turn a tool's return value into an outcome whose text has at most about `max_chars`."""
    try:
        if isinstance(raw, Result):
            return _of_result(raw, max_chars)
        if isinstance(raw, Outcome):
            return raw
        return _of_value(raw, max_chars)
    except _NotJSON as error:
        return _unreadable(str(error))
    except Exception as error:  # an object whose own code fails while it is read
        return _unreadable(f"{type(error).__name__} while reading a {type(raw).__qualname__}")


def _unreadable(reason: str) -> Outcome:
    content = f"The tool's result cannot be read: {reason}."
    return Outcome(content=content, is_error=True, code="failed")


def _of_result(result: Result, max_chars: int) -> Outcome:
    """The parts of a `Result`: its content for the model, its value for events."""
    widgets = tuple(Widget(kind=one.kind, data=_Plain().of(one.data)) for one in result.widgets)
    if result.content is None and result.value is None and widgets:
        made = Outcome(content="Shown to the person.")
    else:
        made = _of_value(result.value if result.content is None else result.content, max_chars)
    value = made.value
    if result.content is not None and result.value is not None:
        value = _of_value(result.value, max_chars).shown
    return Outcome(
        content=made.content,
        is_error=result.is_error,
        code="failed" if result.is_error else None,
        value=value,
        widgets=widgets,
        meta=made.meta,
    )


def _of_value(raw: Any, max_chars: int) -> Outcome:
    if type(raw) is str:
        text = _whole(raw)
        shown = _cut(text, max_chars)
        return Outcome(content=shown, meta={} if shown is text else {"cut_from": len(text)})
    if _are_blocks(raw):
        return _of_blocks(raw, max_chars)
    plain = _Plain()
    value = plain.of(raw)
    try:
        text = dumps(value)
    except ValueError as error:
        raise _NotJSON(str(error)) from error
    shown = _cut(text, max_chars)
    if shown is not text:
        return Outcome(content=shown + plain.note, value=shown, meta={"cut_from": len(text)})
    return Outcome(content=text + plain.note, value=value)


def _are_blocks(raw: Any) -> bool:
    """Whether this is a list of content blocks, and not data that looks a little like it."""
    return isinstance(raw, list) and bool(raw) and all(_is_block(one) for one in raw)


def _is_block(one: Any) -> bool:
    if not isinstance(one, dict) or not isinstance(one.get("type"), str):
        return False
    if not one.keys() <= _BLOCK_KEYS.get(one["type"], set()):
        return False
    if one["type"] == "text":
        return isinstance(one.get("text"), str)
    source = one.get("source")
    return isinstance(source, dict) and isinstance(source.get("type"), str)


def _of_blocks(blocks: Sequence[Block], max_chars: int) -> Outcome:
    """Blocks stay blocks; their texts share the bound, and files too large become a note."""
    left = max_chars
    content: list[Block] = []
    for block in (_Plain().of(one) for one in blocks):
        if block["type"] == "text":
            if not block["text"]:
                continue  # an empty text block is refused upstream
            text = _cut(block["text"], left)
            left = max(0, left - len(block["text"]))
            content.append({**block, "text": text})
        else:
            file = _file(block, left)
            if file is block and block["source"]["type"] == "text":
                left = max(0, left - len(str(block["source"].get("data", ""))))
            content.append(file)
    shown = [_shown_file(block) for block in content]
    return Outcome(content=content or "", value=None if shown == content else shown)


def _file(block: Block, left: int) -> Block:
    """An image or document, or a note where the model could not be sent it."""
    source, kind = block["source"], block["type"]
    data, media_type = source.get("data"), source.get("media_type")
    if source["type"] == "text" and isinstance(data, str):
        return (
            {**block, "source": {**source, "data": _cut(data, left)}} if len(data) > left else block
        )
    if source["type"] != "base64":
        return block
    if not isinstance(data, str):
        return text_block(f"[{kind} left out: it has no data]")
    if kind == "image" and media_type not in _IMAGES:
        return text_block(f"[image left out: {media_type} is not one of {', '.join(_IMAGES)}]")
    if len(data) > MAX_FILE_CHARS:
        return text_block(
            f"[{kind} left out: {len(data) * 3 // 4:,} bytes, at most "
            f"{MAX_FILE_CHARS * 3 // 4:,} can be read; ask for a smaller one]"
        )
    return block


def _shown_file(block: Block) -> Block:
    """A block as an event carries it."""
    data = block.get("source", {}).get("data")
    if not isinstance(data, str) or len(data) <= MAX_SHOWN_FILE_CHARS:
        return block
    media_type = block["source"].get("media_type", "")
    return text_block(f"[{block['type']}: {media_type}, {len(data) * 3 // 4:,} bytes]")


def _cut(text: str, max_chars: int) -> str:
    """The text itself, or its beginning and a note that says how much that is."""
    if len(text) <= max_chars:
        return text
    end = max(0, max_chars - 100)  # room for the note
    # What belongs to the character before it (an accent, a skin tone, a joiner) is not torn off.
    for _ in range(16):
        if end == 0 or not (_joins(text[end]) or text[end - 1] == "\u200d"):
            break
        end -= 1
    note = f"…[cut: {end:,} of {len(text):,} characters shown; ask for less, filter or page]"
    return text[:end] + note


def _joins(character: str) -> bool:
    return (
        unicodedata.combining(character) != 0
        or character in "\u200d\ufe0e\ufe0f"
        or "\U0001f3fb" <= character <= "\U0001f3ff"
    )


def _whole(text: str) -> str:
    """Text that can be written as UTF-8: halves of a pair are joined, a lone half is replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class _Plain:
    """Reads one result into plain JSON, counting what had to be left out."""

    def __init__(self) -> None:
        self.not_finite = 0
        self._open: list[int] = []

    @property
    def note(self) -> str:
        """A line for the model about numbers that JSON has no word for."""
        if not self.not_finite:
            return ""
        values = "value was" if self.not_finite == 1 else "values were"
        return f"\n[note: {self.not_finite:,} {values} not a finite number (NaN or Infinity), shown as null]"

    def of(self, value: Any) -> JSON:
        if value is None or value is True or value is False or type(value) is int:
            return value
        if type(value) is str:
            return _whole(value)
        if isinstance(value, float):
            return self._number(float(value))
        if id(value) in self._open:
            raise _NotJSON("it contains itself")
        if len(self._open) >= MAX_DEPTH:
            raise _NotJSON(f"it is nested more than {MAX_DEPTH} levels deep")
        self._open.append(id(value))
        try:
            return self._structure(value)
        finally:
            self._open.pop()

    def _structure(self, value: Any) -> JSON:
        match value:
            case Enum():
                return self.of(value.value)
            case str():
                return _whole(str(value))
            case int():
                return int(value)
            case Decimal():
                return self._decimal(value)
            case BaseModel():
                return self.of(value.model_dump(by_alias=True))
            case Mapping():
                return {self._key(key): self.of(inner) for key, inner in value.items()}
            case list() | tuple() | deque() | ValuesView():
                return [self.of(inner) for inner in value]
            case AbstractSet():
                return sorted((self.of(inner) for inner in value), key=canonical)
            case datetime() | date() | time():
                return self._missing() if value != value else value.isoformat()  # NaT
            case timedelta():
                return to_jsonable_python(value)
            case UUID() | PurePath() | AnyUrl() | IPv4Address() | IPv6Address():
                return str(value)
            case bytes() | bytearray() | memoryview():
                raise _NotJSON(
                    f"it holds {len(value):,} bytes of binary data; return text, "
                    "or an image or document block with base64 data"
                )
        if is_dataclass(value) and not isinstance(value, type):
            return {one.name: self.of(getattr(value, one.name)) for one in fields(value)}
        return self._foreign(value)

    def _foreign(self, value: Any) -> JSON:
        """Numbers and tables of numpy and pandas, known by what they can do."""
        if type(value).__name__ in ("NAType", "NaTType"):
            return self._missing()
        if hasattr(value, "dtype") and callable(getattr(value, "tolist", None)):
            return self.of(value.tolist())
        if hasattr(value, "columns") and callable(getattr(value, "to_dict", None)):
            return self.of(value.to_dict(orient="records"))
        raise _NotJSON(f"a Python {type(value).__qualname__} has no JSON form")

    def _key(self, key: Any) -> str:
        plain = self.of(key)
        if isinstance(plain, str):
            return plain
        if isinstance(plain, dict | list):
            raise _NotJSON(f"a Python {type(key).__qualname__} cannot be the name of a field")
        return dumps(plain)

    def _number(self, value: float) -> JSON:
        return value if math.isfinite(value) else self._missing()

    def _decimal(self, value: Decimal) -> JSON:
        """A number where that keeps every digit, else its digits as text."""
        if not value.is_finite():
            return self._missing()
        as_float = float(value)
        return (
            as_float if math.isfinite(as_float) and Decimal(repr(as_float)) == value else str(value)
        )

    def _missing(self) -> JSON:
        self.not_finite += 1
        return None

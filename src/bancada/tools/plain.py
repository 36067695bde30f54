"""Whatever a tool's Python returned, as plain JSON; or why it has no such form."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping, ValuesView
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

from bancada.domain.json import JSON, canonical, dumps

MAX_DEPTH = 100


class NotJSON(Exception):
    """Something in the result has no JSON form; the text says what."""


def whole_text(text: str) -> str:
    """Text that can be written as UTF-8: halves of a pair are joined, a lone half is replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


class PlainForm:
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
            return whole_text(value)
        if isinstance(value, float):
            return self._number(float(value))
        if id(value) in self._open:
            raise NotJSON("it contains itself")
        if len(self._open) >= MAX_DEPTH:
            raise NotJSON(f"it is nested more than {MAX_DEPTH} levels deep")
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
                return whole_text(str(value))
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
                raise NotJSON(
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
        raise NotJSON(f"a Python {type(value).__qualname__} has no JSON form")

    def _key(self, key: Any) -> str:
        plain = self.of(key)
        if isinstance(plain, str):
            return plain
        if isinstance(plain, dict | list):
            raise NotJSON(f"a Python {type(key).__qualname__} cannot be the name of a field")
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

"""Columns that many tables share, and how values are kept in them."""

from __future__ import annotations

from collections.abc import Iterator
from types import NoneType
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    Text,
    TypeDecorator,
)

from bancada.domain.json import dumps, loads


class JSONText(TypeDecorator[Any]):
    """JSON kept as the text we wrote: keys stay in order, so what was signed stays signed.

    Not the database's own JSON type: Postgres would reorder keys, and SQLite has none.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else dumps(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else loads(value)


class CleanText(TypeDecorator[str]):
    """Text from outside: Postgres refuses NUL, and lone surrogates have no UTF-8."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean(value)


def clean(text: str) -> str:
    """The same text, or the nearest one that both databases can keep."""
    if "\x00" in text:
        text = text.replace("\x00", "\ufffd")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-8", "replace").decode()
    return text


def text(name: str, *, nullable: bool = False, **says: Any) -> Column[str]:
    return Column(name, CleanText, nullable=nullable, **says)


def number(name: str, *, nullable: bool = False, **says: Any) -> Column[int]:
    return Column(name, Integer, nullable=nullable, **says)


def large(name: str) -> Column[int]:
    """A number that may be larger than two thousand millions."""
    return Column(name, BigInteger, nullable=False)


def content(name: str) -> Column[bytes]:
    return Column(name, LargeBinary, nullable=False)


def moment(name: str, *, nullable: bool = False, **says: Any) -> Column[float]:
    """Seconds since 1970, UTC: the same on both databases, and quick to compare."""
    return Column(name, Double, nullable=nullable, **says)


def real(name: str, *, nullable: bool = True) -> Column[float]:
    return Column(name, Double, nullable=nullable)


def flag(name: str, *, nullable: bool = False, **says: Any) -> Column[bool]:
    return Column(name, Boolean, nullable=nullable, **says)


def json(name: str, *, nullable: bool = False, **says: Any) -> Column[Any]:
    return Column(name, JSONText, nullable=nullable, **says)


def to(
    name: str, target: str, *, nullable: bool = False, cascade: bool = False, **says: Any
) -> Column[Any]:
    """A foreign key to a table with an integer id."""
    rule = "CASCADE" if cascade else None
    return Column(name, Integer, ForeignKey(target, ondelete=rule), nullable=nullable, **says)


def to_text(
    name: str, target: str, *, nullable: bool = False, cascade: bool = False, **says: Any
) -> Column[Any]:
    """A foreign key to a table with a text id."""
    rule = "CASCADE" if cascade else None
    return Column(name, CleanText, ForeignKey(target, ondelete=rule), nullable=nullable, **says)


def columns_of(shape: type[BaseModel]) -> Iterator[Column[Any]]:
    """A column for each field of a shape; a list is kept as JSON."""
    for name, field in shape.model_fields.items():
        kinds = {get_origin(one) or one for one in (*get_args(field.annotation), field.annotation)}
        column = (
            json if tuple in kinds else flag if bool in kinds else number if int in kinds else text
        )
        yield column(name, nullable=NoneType in kinds)

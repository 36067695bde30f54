"""Statements that run on every call: compiled once per kind of database, then sent as they are.

They go straight to the driver: on a call that costs a tenth of a millisecond, most of the time
of an ordinary statement is spent on finding out again what its rows look like.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import Boolean, ClauseElement, Connection
from sqlalchemy.exc import DBAPIError, NoResultFound

from bancada.domain.json import loads
from bancada.store.columns import JSONText


class Rows:
    """What a hot statement found, read from the driver's cursor."""

    __slots__ = ("_cursor", "_make")

    def __init__(self, cursor: Any, make: Callable[[Any], Any] | None) -> None:
        self._cursor = cursor
        self._make = make

    def first(self) -> Any | None:
        row = self._cursor.fetchone()
        self._cursor.close()
        return None if row is None or self._make is None else self._make(row)

    def one(self) -> Any:
        row = self.first()
        if row is None:
            raise NoResultFound("a row was expected")
        return row

    def scalar(self) -> Any | None:
        row = self.first()
        return None if row is None else row[0]

    def all(self) -> list[Any]:
        rows = self._cursor.fetchall()
        self._cursor.close()
        return [] if self._make is None else [self._make(row) for row in rows]

    def mappings(self) -> list[dict[str, Any]]:
        return [row._asdict() for row in self.all()]


class Hot:
    """A statement whose SQL is made once. Parameters are given in the order of `names`.

    Values go to the driver as they are: the caller has made them plain (text through `clean`,
    JSON through `dumps`), and reads JSON back with `loads`. With `decode` the rows come with
    their JSON read and their flags as booleans, like those of an ordinary statement.
    """

    def __init__(
        self, statement: ClauseElement, names: Sequence[str], *, decode: bool = False
    ) -> None:
        self._statement = statement
        self._names = tuple(names)
        self._make: Callable[[Any], Any] | None = None
        columns = getattr(statement, "selected_columns", None)
        if columns is not None:
            make = _row(columns.keys())._make
            self._make = _decoding(make, columns) if decode else make
        self._compiled: dict[str, tuple[str, tuple[int, ...], tuple[Any, ...]]] = {}

    def __call__(self, db: Connection, *values: Any) -> Rows:
        compiled = self._compiled.get(db.dialect.name)
        if compiled is None:
            compiled = self._compiled[db.dialect.name] = self._compile(db)
        sql, order, constants = compiled
        given = (*values, *constants)
        parameters = [given[i] for i in order]
        cursor = db.connection.cursor()
        try:
            cursor.execute(sql, parameters)
        except Exception as error:
            cursor.close()
            raise _known(db, sql, values, error) from error
        if self._make is None:
            cursor.close()
        return Rows(cursor, self._make)

    def _compile(self, db: Connection) -> tuple[str, tuple[int, ...], tuple[Any, ...]]:
        """The SQL, where each of its parameters comes from, and values the statement itself holds."""
        compiled: Any = self._statement.compile(dialect=db.dialect)
        names = list(self._names)
        constants: list[Any] = []
        for name in compiled.positiontup or ():
            if name not in names:
                names.append(name)
                constants.append(compiled.params[name])
        order = tuple(names.index(name) for name in compiled.positiontup or ())
        return str(compiled), order, tuple(constants)


def _decoding(make: Callable[[Any], Any], columns: Iterable[Any]) -> Callable[[Any], Any]:
    """Make rows whose JSON is read and whose flags are booleans."""
    readers: dict[type, Callable[[Any], Any]] = {JSONText: loads, Boolean: bool}
    found = [(at, readers.get(type(column.type))) for at, column in enumerate(columns)]
    wanted = [(at, read) for at, read in found if read is not None]

    def decoded(row: Any) -> Any:
        values = list(row)
        for at, read in wanted:
            if values[at] is not None:
                values[at] = read(values[at])
        return make(values)

    return decoded


def _row(names: Sequence[str]) -> Any:
    make: Any = namedtuple
    return make("Row", names)


def _known(db: Connection, sql: str, values: Any, error: Exception) -> BaseException:
    """The driver's error as SQLAlchemy would have raised it: callers tell them apart by that."""
    driver: Any = db.dialect.dbapi
    return DBAPIError.instance(sql, values, error, driver.Error, dialect=db.dialect)

"""Statements that run on every call: compiled once per kind of database, then sent as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ClauseElement, Connection, CursorResult


class Hot:
    """A statement whose SQL is made once. Parameters are given in the order of `names`.

    Values go to the driver as they are: the caller has made them plain (text through `clean`,
    JSON through `dumps`).
    """

    def __init__(self, statement: ClauseElement, names: Sequence[str]) -> None:
        self._statement = statement
        self._names = tuple(names)
        self._compiled: dict[str, tuple[str, tuple[int, ...], tuple[Any, ...]]] = {}

    def __call__(self, db: Connection, *values: Any) -> CursorResult[Any]:
        compiled = self._compiled.get(db.dialect.name)
        if compiled is None:
            compiled = self._compiled[db.dialect.name] = self._compile(db)
        sql, order, constants = compiled
        given = (*values, *constants)
        return db.exec_driver_sql(sql, tuple(given[i] for i in order))

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

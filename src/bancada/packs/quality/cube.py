"""Counts of a defect log by every combination of its dimensions.

One cell per combination of day, shift, operator, type, material and rack that occurs, with its
count. Counting costs microseconds for 200 rows and milliseconds for millions, because codes in
memory are counted, not rows in a file.
"""

from __future__ import annotations

import logging
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

import duckdb
import numpy as np
import numpy.typing as npt

from bancada import ToolFailed
from bancada.packs.quality.words import fold

log = logging.getLogger(__name__)

Dimension: TypeAlias = Literal["data", "turno", "operador", "tipo_defeito", "material", "rack"]
DIMENSIONS: tuple[Dimension, ...] = get_args(Dimension)
NOTHING = "(vazio)"
"""How a missing value is counted; leaving it out would make the parts not add up."""

Codes: TypeAlias = npt.NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Filters:
    """Which defects count. A name is compared without case, accents or separators."""

    tipo_defeito: str | None = None
    turno: str | None = None
    operador: str | None = None
    material: str | None = None
    data_inicio: date | None = None
    data_fim: date | None = None

    def __post_init__(self) -> None:
        """An empty period is a mistake worth saying, not a count of zero."""
        if self.data_inicio and self.data_fim and self.data_inicio > self.data_fim:
            raise ToolFailed(
                f"O período está invertido: data_inicio ({self.data_inicio}) é depois de "
                f"data_fim ({self.data_fim})."
            )

    def names(self) -> dict[Dimension, str]:
        return {name: said for name in DIMENSIONS if (said := getattr(self, name, None))}


EVERYTHING = Filters()


@dataclass(frozen=True)
class CubeColumn:
    """One dimension: its values in order, and which of them each cell has."""

    values: tuple[str, ...]
    codes: Codes

    def codes_of(self, name: str) -> list[int]:
        """The values meant by `name`: all of them, where a log writes one name in several ways."""
        wanted = fold(name)
        return [code for code, value in enumerate(self.values) if fold(value) == wanted]


@dataclass(frozen=True)
class Cube:
    """Counts of one version of the log, by every combination of its dimensions."""

    columns: Mapping[Dimension, CubeColumn]
    counts: npt.NDArray[np.float64]
    """Whole numbers, as floats because numpy weighs with floats: exact up to 2**53."""
    _answers: dict[object, dict[str, int]] = field(default_factory=dict, repr=False)

    def totals(self, by: Dimension, where: Filters = EVERYTHING) -> dict[str, int]:
        """How many of each value, the most frequent first; values without any are left out."""
        key = (by, where)
        answer = self._answers.get(key)
        if answer is None:
            column = self.column(by)
            counted = self._count(column.codes, len(column.values), where)
            found = [(value, int(n)) for value, n in zip(column.values, counted, strict=True) if n]
            answer = dict(sorted(found, key=lambda pair: (-pair[1], pair[0])))
            if len(self._answers) >= 256:
                self._answers.clear()
            self._answers[key] = answer
        return dict(answer)

    def grid(
        self, rows: Dimension, columns: Dimension, where: Filters = EVERYTHING
    ) -> tuple[tuple[str, ...], tuple[str, ...], list[list[int]]]:
        """Counts of each pair of values: row names, column names, and one list per row."""
        down, across = self.column(rows), self.column(columns)
        width = len(across.values)
        pairs = down.codes.astype(np.int64) * width + across.codes
        counted = self._count(pairs, len(down.values) * width, where)
        return down.values, across.values, counted.reshape(-1, width).tolist()

    def known(self, dimension: Dimension) -> list[str]:
        """Every value of a dimension, the most frequent first."""
        return list(self.totals(dimension))

    def misses(self, where: Filters) -> list[Dimension]:
        """The dimensions whose filter names a value that does not occur."""
        return [
            dimension
            for dimension, name in where.names().items()
            if not self.column(dimension).codes_of(name)
        ]

    def column(self, dimension: Dimension) -> CubeColumn:
        try:
            return self.columns[dimension]
        except KeyError:
            raise ToolFailed(
                f"O registo de defeitos não tem a coluna '{dimension}', ou não é legível. "
                f"Colunas: {', '.join(self.columns)}."
            ) from None

    def _count(self, codes: Codes, size: int, where: Filters) -> npt.NDArray[np.int64]:
        counts = self.counts
        chosen = self._chosen(where)
        if chosen is not None:
            cells = np.flatnonzero(chosen)
            codes, counts = codes.take(cells), counts.take(cells)
        return np.bincount(codes, weights=counts, minlength=size).astype(np.int64)

    def _chosen(self, where: Filters) -> npt.NDArray[np.bool_] | None:
        tests: list[npt.NDArray[np.bool_]] = []
        for dimension, name in where.names().items():
            column = self.column(dimension)
            # Each is compared by itself: that is far quicker than a search, and there are few.
            each = [column.codes == code for code in column.codes_of(name)]
            none = np.zeros(len(column.codes), dtype=np.bool_)
            tests.append(np.logical_or.reduce(each) if each else none)
        if where.data_inicio or where.data_fim:
            days = self.column("data")
            # "0" comes before every date and after `NOTHING`, which is on no day.
            first = where.data_inicio.isoformat() if where.data_inicio else "0"
            last = where.data_fim.isoformat() if where.data_fim else "9999-12-31"
            tests.append(days.codes >= bisect_left(days.values, first))
            tests.append(days.codes < bisect_right(days.values, last))
        return np.logical_and.reduce(tests) if tests else None


def cube_in(table: Path) -> Cube:
    """Read the table `defeitos` of a DuckDB file."""
    with duckdb.connect(str(table), read_only=True) as database:
        described = {row[0]: row[1] for row in database.execute("DESCRIBE defeitos").fetchall()}
        texts = _texts(described)
        if "tipo_defeito" not in texts:
            raise ToolFailed(
                "O registo de defeitos precisa da coluna 'tipo_defeito'; "
                f"tem: {', '.join(described)}."
            )
        # The names are ours (DIMENSIONS): nothing of the file enters the statements' text.
        columns = ", ".join(f"coalesce({text}, '{NOTHING}') AS {n}" for n, text in texts.items())
        database.execute(f"CREATE TEMP VIEW entries AS SELECT {columns} FROM defeitos")  # noqa: S608
        values = {name: _encode(database, name) for name in texts}
        codes = ", ".join(f"{name}_code" for name in texts)
        joins = " ".join(f"JOIN {name}_values USING ({name})" for name in texts)
        cells = database.execute(
            f"SELECT {codes}, count(*) AS n FROM entries {joins} GROUP BY ALL"  # noqa: S608
        ).fetchnumpy()
    return Cube(
        columns={
            name: CubeColumn(found, _small(np.asarray(cells[f"{name}_code"]), len(found)))
            for name, found in values.items()
        },
        counts=np.asarray(cells["n"], dtype=np.float64),
    )


def _encode(database: duckdb.DuckDBPyConnection, name: Dimension) -> tuple[str, ...]:
    """Number a column's values in order, in a table to join with; returns the values."""
    database.execute(
        f"CREATE TEMP TABLE {name}_values AS "  # noqa: S608
        f"SELECT {name}, row_number() OVER (ORDER BY {name}) - 1 AS {name}_code "
        f"FROM (SELECT DISTINCT {name} FROM entries)"
    )
    found = database.execute(f"SELECT {name} FROM {name}_values ORDER BY {name}_code")  # noqa: S608
    return tuple(row[0] for row in found.fetchall())


def _small(codes: npt.NDArray[Any], size: int) -> Codes:
    """In the narrowest type that holds them: comparing bytes is eight times less to read."""
    narrow: Codes = codes.astype(np.min_scalar_type(max(size, 1)))
    return narrow


def _texts(described: Mapping[str, str]) -> dict[Dimension, str]:
    """How each dimension that the log has is read as text; a time of day is not part of a day."""
    texts: dict[Dimension, str] = {
        name: f"CAST({name} AS VARCHAR)" for name in DIMENSIONS if name in described
    }
    if "data" in texts and described["data"].startswith("TIMESTAMP"):
        texts["data"] = "CAST(CAST(data AS DATE) AS VARCHAR)"
    elif "data" in texts and described["data"] != "DATE":
        log.warning("defect log: column 'data' holds %s, not dates", described["data"])
        del texts["data"]
    return texts

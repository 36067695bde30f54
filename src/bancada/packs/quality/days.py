"""The defect log day by day: what control charts are drawn from when no samples are given."""

from __future__ import annotations

from dataclasses import dataclass

from bancada import ToolFailed
from bancada.packs.quality.cube import Cube, Dimension, Filters
from bancada.packs.quality.words import fold

MOST = 500
"""Days on one chart."""


@dataclass(frozen=True, kw_only=True)
class Days:
    """How often each value of a column was counted on each day that has any defect."""

    names: list[str]
    columns: list[str]
    """The values, the most frequent first."""
    rows: list[list[int]]

    def totals(self) -> list[int]:
        return [sum(row) for row in self.rows]

    def counts_of(self, value: str) -> list[int]:
        """One value's count on each day, however its name is written, there or here."""
        wanted = fold(value)
        meant = [number for number, name in enumerate(self.columns) if fold(name) == wanted]
        if not meant:
            raise ToolFailed(
                f"'{value}' não ocorre no período. Conhecidos: {', '.join(self.columns)}."
            )
        return [sum(row[number] for number in meant) for row in self.rows]


def days_of(cube: Cube, column: Dimension, where: Filters) -> Days:
    """Days with defects, in order; a chart needs two at least and `MOST` at most."""
    every_day, values, counts = cube.grid("data", column, where)
    kept = [(day, row) for day, row in zip(every_day, counts, strict=True) if any(row)]
    if len(kept) < 2:
        raise ToolFailed("São precisos pelo menos dois dias com defeitos no período pedido.")
    if len(kept) > MOST:
        raise ToolFailed(
            f"O período tem {len(kept)} dias; o máximo é {MOST}. Indique data_inicio e data_fim."
        )
    totals = cube.totals(column, where)
    order = [values.index(value) for value in totals]
    return Days(
        names=[day for day, _ in kept],
        columns=list(totals),
        rows=[[row[number] for number in order] for _, row in kept],
    )

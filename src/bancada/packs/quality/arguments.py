"""Parameter types the tools share, with schemas as short as the model needs.

Every tool's schema travels with every request, so an optional text is written as one type
list rather than as a union.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Annotated

from pydantic import WithJsonSchema

from bancada import ToolFailed, stands_for_nothing
from bancada.packs.quality.cube import Cube, Filters

READ = ("direct", "code_execution_20260120")
"""Callers of the read tools: the model itself, and code it writes."""
MOST_NAMED = 30
"""Of the values of a column, in one sentence."""


Text = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
Number = Annotated[float | None, WithJsonSchema({"type": ["number", "null"]})]
Day = Annotated[
    date | None,
    WithJsonSchema({"type": ["string", "null"], "format": "date"}),
]


NAMES = ("tipo_defeito", "turno", "operador", "material")
"""Arguments that name what stands in the log."""


def meant(cube: Cube, where: Filters) -> Filters:
    """The filters that were meant. A word for nothing or for everything is none, unless the log has
    it: who asks for the rows called `nenhum` does not ask for all of them.

    Raises:
        ToolFailed: a filter names what does not occur.
    """
    said, absent = where.names(), cube.misses(where)
    nothing = {name: None for name in absent if stands_for_nothing(said[name])}
    found = replace(where, **nothing)
    check_names(cube, found)
    return found


def check_names(cube: Cube, where: Filters) -> None:
    """Refuse a filter that names what does not occur: counted, it would be a nought that answers
    another question.

    Raises:
        ToolFailed: what there is instead, by field.
    """
    said = where.names()
    if wrong := cube.misses(where):
        each = [
            f"{name} '{said[name]}' não existe; há: {_listed(cube.known(name))}" for name in wrong
        ]
        raise ToolFailed(f"{'. '.join(each)}. Para não filtrar, deixa o campo de fora.")


def _listed(values: list[str]) -> str:
    more = f" e mais {len(values) - MOST_NAMED}" if len(values) > MOST_NAMED else ""
    return ", ".join(values[:MOST_NAMED]) + more

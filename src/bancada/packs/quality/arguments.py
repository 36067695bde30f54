"""Parameter types the tools share, with schemas as short as the model needs.

Every tool's schema travels with every request, so an optional text is written as one type
list rather than as a union.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from bancada.packs.quality.cube import Cube, Dimension, Filters

READ = ("direct", "code_execution_20260120")
"""Callers of the read tools: the model itself, and code it writes."""


def _day(given: object) -> object:
    """A day that exists, or the words that say how one is written."""
    if not isinstance(given, str):
        return given
    try:
        return date.fromisoformat(given)
    except ValueError:
        shown = given[:40].replace("{", "(").replace("}", ")")
        raise PydanticCustomError(
            "day", f"espera-se uma data que exista, como 2026-02-11; veio '{shown}'"
        ) from None


Text = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
Number = Annotated[float | None, WithJsonSchema({"type": ["number", "null"]})]
Day = Annotated[
    date | None,
    BeforeValidator(_day),
    WithJsonSchema({"type": ["string", "null"], "format": "date"}),
]

KNOWN: dict[Dimension, str] = {
    "tipo_defeito": "tipos_conhecidos",
    "turno": "turnos_conhecidos",
    "operador": "operadores_conhecidos",
    "material": "materiais_conhecidos",
}
"""Under which key an answer lists what exists, when a filter named something that does not."""


def hints(cube: Cube, where: Filters) -> dict[str, list[str]]:
    """What could have been asked for, where a filter named a value that does not occur."""
    return {KNOWN[dimension]: cube.known(dimension) for dimension in cube.misses(where)}

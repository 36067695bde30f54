"""Parameter types the tools share, with schemas as short as the model needs.

Every tool's schema travels with every request, so an optional text is written as one type
list rather than as a union.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import BeforeValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from bancada import ToolFailed
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


def filters(
    *,
    tipo_defeito: str | None = None,
    turno: str | None = None,
    operador: str | None = None,
    material: str | None = None,
    data_inicio: date | None = None,
    data_fim: date | None = None,
) -> Filters:
    """The filters of a call; an empty period is a mistake worth saying, not a count of zero."""
    if data_inicio and data_fim and data_inicio > data_fim:
        raise ToolFailed(
            f"O período está invertido: data_inicio ({data_inicio}) é depois de data_fim ({data_fim})."
        )
    return Filters(
        tipo_defeito=tipo_defeito,
        turno=turno,
        operador=operador,
        material=material,
        data_inicio=data_inicio,
        data_fim=data_fim,
    )


def hints(cube: Cube, where: Filters) -> dict[str, list[str]]:
    """What could have been asked for, where a filter named a value that does not occur."""
    return {KNOWN[dimension]: cube.known(dimension) for dimension in cube.misses(where)}

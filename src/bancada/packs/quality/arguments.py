"""Parameter types the tools share, with schemas as short as the model needs.

Every tool's schema travels with every request, so an optional text is written as one type
list rather than as a union.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated

from pydantic import WithJsonSchema

from bancada.packs.quality.cube import Cube, Dimension, Filters

READ = ("direct", "code_execution_20260120")
"""Callers of the read tools: the model itself, and code it writes."""


Text = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
Number = Annotated[float | None, WithJsonSchema({"type": ["number", "null"]})]
Day = Annotated[
    date | None,
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

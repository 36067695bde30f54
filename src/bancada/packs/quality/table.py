"""The defect log as a table: what people call its columns, its values and its rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

from bancada import Language, PackTable, Person

TABLE = "defeitos"
WORDS: Mapping[str, Mapping[Language, Sequence[str]]] = {
    "id": {"pt": ("id",), "en": ("id",)},
    "data": {"pt": ("data",), "en": ("date",)},
    "turno": {"pt": ("turno",), "en": ("shift",)},
    "operador": {"pt": ("operador", "quem"), "en": ("operator", "who")},
    "tipo_defeito": {
        "pt": ("tipo", "tipo de defeito", "categoria"),
        "en": ("type", "defect type", "type of defect", "kind", "category"),
    },
    "material": {"pt": ("material",), "en": ("material",)},
    "rack": {"pt": ("rack",), "en": ("rack",)},
    "posicao": {"pt": ("posição",), "en": ("position",)},
}
VALUES: Mapping[str, Mapping[Language, Sequence[str]]] = {
    "manha": {"pt": ("manhã", "matinal"), "en": ("morning",)},
    "tarde": {"pt": ("tarde",), "en": ("afternoon",)},
    "noite": {"pt": ("noite", "noturno", "nocturno"), "en": ("night",)},
    "lixo": {"pt": ("lixo",), "en": ("dirt", "dust")},
    "falta_tinta": {"pt": ("falta de tinta",), "en": ("missing paint", "lack of paint")},
    "casca_laranja": {"pt": ("casca de laranja",), "en": ("orange peel",)},
    "gordura": {"pt": ("gordura",), "en": ("grease",)},
    "descasque": {"pt": ("descasque",), "en": ("peeling",)},
    "escorrido": {"pt": ("escorrido",), "en": ("runs", "sagging")},
    "crateras": {"pt": ("crateras",), "en": ("craters",)},
    "outros": {"pt": ("outros",), "en": ("others", "other")},
}


def log_table(
    file: Callable[[], Path | None],
    organisation_id: int | None,
    fetch: Callable[[int, Person | None], Awaitable[Path | None]] | None = None,
) -> PackTable:
    return PackTable(
        name=TABLE,
        file=file,
        fetch=fetch,
        words=WORDS,
        values=VALUES,
        row={"pt": ("defeito", "defeitos"), "en": ("defect", "defects")},
        kind="tipo_defeito",
        organisation_id=organisation_id,
    )

"""The demo: a made-up water-treatment plant, in the files that an import reads (`demo/`).

Three sites with their buildings; systems located in buildings; equipment that is part of a
system or of other equipment; sensors that monitor it; documents that describe it; and categories
along location, system and context. `words.csv` says what people call the labels, kinds and
dimensions; the first of a language is how it is told.
"""

from __future__ import annotations

from pathlib import Path

from bancada.packs.graph.containment import ALWAYS
from bancada.packs.graph.importer import Source

_FILES = Path(__file__).parent / "demo"

PLANT = Source(
    nodes=_FILES / "nodes.parquet",
    edges=_FILES / "edges.parquet",
    words=_FILES / "words.csv",
    name="Águas do Vale",
    containment=ALWAYS,
    demo=True,
)

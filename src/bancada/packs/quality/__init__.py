"""Pack `quality`: a factory quality assistant over its defect log."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from pathlib import Path

from bancada import Pack, Services, ToolFailed
from bancada.packs.quality.agents import ANALISE, QUALIDADE
from bancada.packs.quality.counting import counting_tools
from bancada.packs.quality.defects import Defects
from bancada.packs.quality.demo import COLUMNS, demo_csv
from bancada.packs.quality.execution import execution_tools
from bancada.packs.quality.intents import INTENTS
from bancada.packs.quality.process import process_tools
from bancada.packs.quality.render import WIDGETS, render_tools

log = logging.getLogger(__name__)

TABLE = "defeitos"
NO_LOG = (
    "Não há registo de defeitos: indique um ficheiro CSV em [packs.quality] defeitos, "
    "no bancada.toml, ou arranque com --demo."
)


def build(services: Services) -> Pack:
    """Everything the pack brings, over the configured defect log or the demo's."""
    source = log_file(services)
    there = source.is_file()
    defects = Defects(source, services.folder)
    tables = LogTables(defects)
    return Pack(
        name="quality",
        tools=(
            *counting_tools(defects, switched_off=None if there else NO_LOG),
            *render_tools(services),
            *execution_tools(services, tables=tables, about=_about(services, there)),
            *process_tools(defects if there else None),
        ),
        agents=(QUALIDADE, ANALISE),
        intents=INTENTS,
        tables=tables,
        widgets=WIDGETS,
    )


class LogTables(Mapping[str, Path]):
    """The pack's table for queries, looked up each time: a log that changed has a new file."""

    def __init__(self, defects: Defects) -> None:
        self._defects = defects

    def __getitem__(self, name: str) -> Path:
        if name != TABLE:
            raise KeyError(name)
        try:
            return self._defects.table()
        except ToolFailed as problem:
            log.warning("defect log: %s", problem)
            raise KeyError(name) from problem

    def __iter__(self) -> Iterator[str]:
        return iter([TABLE] if TABLE in self else [])

    def __len__(self) -> int:
        return sum(1 for _ in self)


def log_file(services: Services) -> Path:
    """The log to read: the configured one, or the demo's, written when it is missing."""
    if configured := services.settings.get("defeitos"):
        return Path(configured).expanduser()
    demo = services.folder / "defeitos.csv"
    if services.demo and not demo.exists():
        draft = demo.with_suffix(".tmp")
        draft.write_text(demo_csv(), encoding="utf-8")
        draft.replace(demo)
    return demo


def _about(services: Services, there: bool) -> str:
    """What the model should know of our table before it writes a query."""
    if not there:
        return ""
    if services.settings.get("defeitos"):
        return "Há também a tabela defeitos (DESCRIBE defeitos mostra as colunas)."
    return f"Há também a tabela defeitos({', '.join(COLUMNS)})."

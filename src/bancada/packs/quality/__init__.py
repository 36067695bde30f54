"""Pack `quality`: a factory quality assistant over its defect log."""

from __future__ import annotations

import logging
import shutil
from functools import partial
from pathlib import Path

from bancada import BadDefinition, Pack, Services, ToolFailed
from bancada.packs.quality.agents import ANALISE, QUALIDADE
from bancada.packs.quality.counting import counting_tools
from bancada.packs.quality.defects import Defects
from bancada.packs.quality.execution import execution_tools
from bancada.packs.quality.intents import INTENTS
from bancada.packs.quality.logs import Logs
from bancada.packs.quality.process import process_tools
from bancada.packs.quality.sources import LogFiles
from bancada.packs.quality.table import log_table
from bancada.packs.quality.titles import TITLES

log = logging.getLogger(__name__)

DEMO = Path(__file__).parent / "demo.csv"
"""The demo's log: 200 rows, with the totals that people were promised."""

NO_LOG = (
    "Não há registo de defeitos: indique um ficheiro CSV, ou uma pasta deles, em [packs.quality] defeitos, "
    "no bancada.toml, ou uma base de dados em [databases], de que um administrador escolhe uma tabela, ou arranque com --demo."
)


def build(services: Services) -> Pack:
    """Everything the pack brings, over the configured defect log or the demo's."""
    source = log_file(services)
    there = source.exists()
    defects = Defects(LogFiles(source), services.folder)
    whose = owner(services)
    logs = Logs(defects if there else None, whose, services.own_tables, services.folder)
    usable = there or services.own_tables.possible

    return Pack(
        name="quality",
        evaluation=Path(__file__).parent / "evaluation.toml",
        names=TITLES,
        tools=(
            *counting_tools(logs, switched_off=None if usable else NO_LOG),
            *execution_tools(services),
            *process_tools(logs),
        ),
        agents=(QUALIDADE, ANALISE),
        intents=INTENTS,
        tables=[log_table(partial(_file, defects, there), whose, logs.fetch)] if usable else (),
        needs=("statistics", "tables"),
    )


def _file(defects: Defects, there: bool) -> Path | None:
    """The table's file as the log is now; a log that changed has a new one."""
    try:
        return defects.table() if there else None
    except ToolFailed as problem:
        log.warning("defect log: %s", problem)
        return None


def owner(services: Services) -> int:
    """The one organisation whose log it is: `[packs.quality] organisation`, or the first."""
    named = services.settings.get("organisation")
    if named is None or not services.settings.get("defeitos"):
        return services.first_organisation
    if not named.isdigit():
        raise BadDefinition("[packs.quality] organisation is an organisation's id.")
    return int(named)


def log_file(services: Services) -> Path:
    """The log to read, a file or a folder of files: the configured one, or the demo's, written when it is missing."""
    if configured := services.settings.get("defeitos"):
        return Path(configured).expanduser()
    demo = services.folder / "defeitos.csv"
    if services.demo and not demo.exists():
        draft = demo.with_suffix(".tmp")
        shutil.copyfile(DEMO, draft)
        draft.replace(demo)
    return demo

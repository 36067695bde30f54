"""Pack `tables`: questions about tables, and charts, tables and key figures to show the answers."""

from __future__ import annotations

from pathlib import Path

from bancada import Pack, Services
from bancada.packs.tables.querying import query_tool
from bancada.packs.tables.questions import TABLE_INTENTS
from bancada.packs.tables.render import WIDGETS, render_tools
from bancada.packs.tables.titles import CALLS, TITLES


def build(services: Services) -> Pack:
    """Tools and intents over whatever tables there are: uploaded files, and the packs' own."""
    return Pack(
        name="tables",
        evaluation=Path(__file__).parent / "evaluation" / "script.toml",
        names=TITLES,
        in_words=CALLS,
        tools=(query_tool(services), *render_tools(services)),
        intents=TABLE_INTENTS,
        widgets=WIDGETS,
    )

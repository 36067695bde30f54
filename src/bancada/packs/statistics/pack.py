"""What the pack brings."""

from __future__ import annotations

from bancada import Pack, Services
from bancada.packs.statistics.capacities import capability_tools
from bancada.packs.statistics.charts import chart_tools
from bancada.packs.statistics.gages import gage_tools
from bancada.packs.statistics.questions import STATISTICS_INTENTS


def build(services: Services) -> Pack:
    """Studies of whatever tables there are: uploaded files, and the packs' own."""
    return Pack(
        name="statistics",
        tools=(*chart_tools(services), *capability_tools(services), *gage_tools(services)),
        intents=STATISTICS_INTENTS,
        needs=("tables",),
    )

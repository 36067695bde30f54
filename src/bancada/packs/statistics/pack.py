"""What the pack brings."""

from __future__ import annotations

from bancada import Pack, Services
from bancada.packs.statistics.capacities import capability_tools
from bancada.packs.statistics.charts import chart_tools
from bancada.packs.statistics.gages import gage_tools
from bancada.packs.statistics.keeping import keeping_tools
from bancada.packs.statistics.questions import STATISTICS_INTENTS
from bancada.packs.statistics.titles import CALLS, TITLES


def build(services: Services) -> Pack:
    """Studies of whatever tables there are: uploaded files, and the packs' own."""
    return Pack(
        name="statistics",
        names=TITLES,
        in_words=CALLS,
        tools=(
            *chart_tools(services),
            *capability_tools(services),
            *gage_tools(services),
            *keeping_tools(services),
        ),
        intents=STATISTICS_INTENTS,
        needs=("tables",),
    )

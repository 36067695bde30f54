"""The graph pack: questions about assets and how they are connected."""

from __future__ import annotations

from collections.abc import Mapping

from bancada import Pack, Services
from bancada.packs.graph.agents import ATIVOS
from bancada.packs.graph.graph import CONTAINMENT
from bancada.packs.graph.intents import INTENTS
from bancada.packs.graph.keeper import Keeper
from bancada.packs.graph.query import query_tool
from bancada.packs.graph.tools import typed_tools


def build(services: Services) -> Pack:
    """Nothing is opened yet: the graph is, at the first question."""
    containment = _containment(services.settings)
    keeper = Keeper(services.folder, demo=services.demo, containment=containment)
    return Pack(
        name="graph",
        tools=[*typed_tools(keeper, containment), query_tool(keeper, services.jail)],
        agents=[ATIVOS],
        intents=INTENTS,
    )


def _containment(settings: Mapping[str, str]) -> tuple[str, ...]:
    """The edge types that mean "is in": `containment = "PART_OF, LOCATED_IN"` in the settings."""
    given = settings.get("containment", "")
    return tuple(type.strip() for type in given.split(",") if type.strip()) or CONTAINMENT

"""The graph pack: questions about things and how they are connected, in each organisation's graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bancada import Pack, Person, Services, ToolFailed
from bancada.packs.graph import shelf
from bancada.packs.graph.agents import ATIVOS
from bancada.packs.graph.engine import MISSING
from bancada.packs.graph.intents import graph_intents
from bancada.packs.graph.intents.reading import TOOLS
from bancada.packs.graph.intents.starters import starters
from bancada.packs.graph.keeper import Keeper
from bancada.packs.graph.query import query_tool
from bancada.packs.graph.titles import TITLES
from bancada.packs.graph.tools import typed_tools


def build(services: Services) -> Pack:
    """Nothing is opened yet: a graph is, at the first question."""
    home = services.first_organisation
    shelf.adopt(services.folder, home)
    keeper = Keeper(
        services.folder,
        kept=services.kept,
        demo_organisation=home if services.demo else None,
        containment=_declared(services.settings),
    )

    def is_outside(person: Person) -> bool:
        return keeper.is_outside(person.organisation_id)

    def to_begin_with(person: Person, tools: Sequence[str]) -> Sequence[str]:
        if not set(TOOLS) <= set(tools):
            return ()
        try:
            return starters(keeper.graph_of(person.organisation_id), person.language)
        except ToolFailed:
            return ()

    return Pack(
        name="graph",
        evaluation=Path(__file__).parent / "evaluation.toml",
        names=TITLES,
        tools=[
            *typed_tools(keeper, is_outside, MISSING),
            query_tool(keeper, services.jail, is_outside, MISSING),
        ],
        agents=[ATIVOS],
        intents=graph_intents(keeper.graph_of),
        starters=to_begin_with,
    )


def _declared(settings: Mapping[str, str]) -> list[str]:
    """`containment = "PART_OF, CONTAINS:down"`: what the operator declares for every graph."""
    given = settings.get("containment", "")
    return [word.strip() for word in given.split(",") if word.strip()]

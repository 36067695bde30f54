"""Pack `workspace`: the assistant of an office, over its documents, people, sales and tasks."""

from __future__ import annotations

from pathlib import Path

from bancada import BadDefinition, Pack, Services
from bancada.packs.workspace.agents import ASSISTENTE
from bancada.packs.workspace.contents import Contents, demo_contents, read_folder
from bancada.packs.workspace.intents import INTENTS
from bancada.packs.workspace.office import Office
from bancada.packs.workspace.titles import CALLS, TITLES
from bancada.packs.workspace.tools import workspace_tools

NOTHING_HERE = (
    "there is nothing to look in. Name a folder with documents.csv, employees.csv and sales.csv "
    "in [packs.workspace] data of bancada.toml, or start with --demo."
)


def build(services: Services) -> Pack:
    """Everything the pack brings, over the organisation's files or the demo's."""
    office = Office(services.folder / "workspace.db", owner(services))
    contents = _contents(services, office)
    office.prepare(contents)
    has = {
        "documents": bool(contents.documents),
        "employees": bool(contents.employees),
        "sales": bool(contents.sales),
    }
    return Pack(
        name="workspace",
        evaluation=Path(__file__).parent / "evaluation.toml",
        names=TITLES,
        in_words=CALLS,
        tools=workspace_tools(services, office, has=has, missing=NOTHING_HERE),
        agents=(ASSISTENTE,),
        intents=INTENTS,
    )


def owner(services: Services) -> int:
    """The one organisation whose files they are: `[packs.workspace] organisation`, or the first."""
    named = services.settings.get("organisation")
    if named is None or not services.settings.get("data"):
        return services.first_organisation
    if not named.isdigit():
        raise BadDefinition("[packs.workspace] organisation is an organisation's id.")
    return int(named)


def _contents(services: Services, office: Office) -> Contents:
    """What is named in the settings; else the demo's rows, once somebody asked for them.

    They stay when a later command leaves `--demo` out: a server may be answering from this file.
    """
    if configured := services.settings.get("data"):
        return read_folder(Path(configured).expanduser())
    demo = demo_contents()
    return demo if services.demo or office.holds(demo) else Contents()

"""`bancada graph`: the graphs of the organisations."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bancada.cli.invocation import REFUSED, Invocation, command, group, stop

if TYPE_CHECKING:
    from bancada import KeptFolders
    from bancada.engine.workbench import Workbench
    from bancada.packs.graph.containment import Hierarchy
    from bancada.packs.graph.importer import Imported

commands = group("The graphs of the organisations.")

Organisation = Annotated[
    str | None,
    typer.Option("--organisation", help="Whose graph; default: the person's.", show_default=False),
]


@command(commands, "import")
def import_graph(
    call: Invocation,
    nodes: Annotated[Path, typer.Argument(help="CSV or Parquet: id, label, name, …")],
    edges: Annotated[Path, typer.Argument(help="CSV or Parquet: source, target, type, …")],
    words: Annotated[
        Path | None, typer.Option(help="What people call labels: word, language, singular, plural.")
    ] = None,
    containment: Annotated[
        list[str] | None,
        typer.Option(help="TYPE[:up|:down], a relation that means “is in”. Default: proposed."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the graph.")] = None,
    organisation: Organisation = None,
) -> None:
    """Replace an organisation's graph by that of two files; a mistake in them changes nothing."""
    from bancada.packs.graph.importer import ImportFailed, Progress, Source, current_graph
    from bancada.packs.graph.importer import import_graph as bring_in

    folder = _folder(call, organisation)
    before = current_graph(folder)
    source = Source(
        nodes=nodes,
        edges=edges,
        words=words,
        name=name or nodes.resolve().parent.name or nodes.stem,
        containment=tuple(containment or ()),
    )
    with typer.progressbar(length=100, label="Importing", file=sys.stderr) as bar:

        def report(progress: Progress) -> None:
            bar.label = progress.stage
            bar.update(max(0, round(100 * progress.done) - bar.pos))

        try:
            imported = bring_in(source, folder, report)
            _hand_out(call, organisation)
        except ImportFailed as failure:
            stop(f"Nothing was imported.\n{failure}", REFUSED)
    _record(call, organisation, before, imported)
    typer.echo(f"{imported.nodes} nodes and {imported.edges} edges.")
    _say_containment(imported.about.hierarchy)


@command(commands, "show")
def show_graph(call: Invocation, organisation: Organisation = None) -> None:
    """Say what graph an organisation has, and what counts as containment in it."""
    from bancada.packs.graph.importer import current_graph

    found = current_graph(_folder(call, organisation))
    if found is None:
        stop("The organisation has no graph.", REFUSED)
    typer.echo(f"{found.about.name}: {found.nodes} nodes and {found.edges} edges.")
    typer.echo("Labels: " + ", ".join(f"{n} ({i.count})" for n, i in found.schema.labels.items()))
    _say_containment(found.about.hierarchy)


@command(commands, "containment")
def declare_containment(
    call: Invocation,
    types: Annotated[
        list[str] | None, typer.Argument(help="TYPE[:up|:down] …; none: proposed from the data.")
    ] = None,
    organisation: Organisation = None,
) -> None:
    """Declare which relations mean “is in”."""
    from bancada.packs.graph.importer import ImportFailed, change_containment, current_graph

    folder = _folder(call, organisation)
    before = current_graph(folder)
    try:
        about = change_containment(folder, types or ())
    except ImportFailed as failure:
        stop(str(failure), REFUSED)
    if about is None:
        stop("The organisation has no graph.", REFUSED)
    _hand_out(call, organisation)
    _record(call, organisation, before, current_graph(folder))
    _say_containment(about.hierarchy)


def _record(
    call: Invocation, organisation: str | None, before: Imported | None, after: Imported | None
) -> None:
    from bancada import jobs
    from bancada.packs.graph.importer import facts

    call.work_as(jobs.data_changed, organisation, "graph", (facts(before), facts(after)))


def _folder(call: Invocation, organisation: str | None) -> Path:
    from bancada.engine.packs import left_out
    from bancada.packs.graph.sharing import catch_up

    if "graph" in left_out(call.settings.use_packs):
        stop("The pack graph is left out here: add it to BANCADA_PACKS.", REFUSED)
    return _at_home(call, organisation, catch_up)


def _hand_out(call: Invocation, organisation: str | None) -> None:
    """Let every machine have the graph of this one."""
    from bancada.packs.graph.sharing import hand_out

    _at_home(call, organisation, hand_out)


def _at_home(
    call: Invocation, organisation: str | None, share: Callable[[KeptFolders, Path, int], None]
) -> Path:
    """Where the organisation's graph is on this machine, once it was shared with the others."""
    from bancada import jobs
    from bancada.packs.graph.shelf import of_organisation

    async def shared(bench: Workbench, email: str | None) -> Path:
        id = await jobs.organisation_called(bench, email, organisation)
        home = of_organisation(call.settings.data / "packs" / "graph", id)
        await asyncio.to_thread(share, bench.kept_folders("graph"), home, id)
        return home

    return call.work_as(shared)


def _say_containment(hierarchy: Hierarchy) -> None:
    if hierarchy.taken:
        typer.echo("Containment, what counts as “in”:")
    else:
        typer.echo("No relation counts as containment: declare with `bancada graph containment`.")
    for one in hierarchy.taken:
        guess = "guessed: " if one.guessed else ""
        typer.echo(f"  {one.type}:{one.direction}  {guess}{one.why}")
    for other in hierarchy.left_out:
        typer.echo(f"  not {other.type}: {other.why}")

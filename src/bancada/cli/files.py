"""`bancada files`: where data sets and kept files are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bancada.cli.invocation import BAD_USAGE, REFUSED, Invocation, command, group, stop

if TYPE_CHECKING:
    from bancada.engine.workbench import Workbench
    from bancada.store.blobs.moving import MovedFiles

commands = group("Where data sets and kept files are.")


@command(commands, "move")
def move_files(
    call: Invocation,
    to: Annotated[str, typer.Option(help="folder, postgres or s3://bucket/prefix")],
    source: Annotated[
        str | None,
        typer.Option("--from", help="The store to copy from; default: the one in use, or folder."),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take out of the old store what the new one has.")
    ] = False,
) -> None:
    """Copy every file to another store, while people work; run it again to go on where it stopped."""
    from bancada.store.blobs.keeping import open_store
    from bancada.store.blobs.moving import move

    settings, used = call.settings, call.settings.file_store
    came = source or (used if used != to else "folder")
    if came == to:
        stop(f"The files are in {to} already: say with --from where else they are.", BAD_USAGE)
    if remove and to != used:
        stop(f"{used} is in use: set BANCADA_FILES={to} first, and then remove.", BAD_USAGE)

    async def job(bench: Workbench) -> MovedFiles:
        old, new = (open_store(name, settings, bench.database) for name in (came, to))
        return await move(bench.database, bench.blobs, old, new, remove=remove)

    done = call.work(job)
    typer.echo(f"{done.copied} copied to {to}, {done.there} were there.")
    if done.renamed:
        typer.echo(f"{done.renamed} of an earlier version are named by their hash now.")
    for place in done.missing:
        typer.echo(f"In neither {came} nor {to}: {place}", err=True)
    if to != used:
        typer.echo(f"Set BANCADA_FILES={to}, restart, and run this once more for what came since.")
    if done.missing:
        raise SystemExit(REFUSED)


@command(commands, "check")
def check_files(call: Invocation) -> None:
    """Say whether every file that is named is there, whole; changes nothing."""
    gone = call.work(lambda bench: bench.blobs.missing())
    for blob in gone:
        typer.echo(f"Not in {call.settings.file_store}: {blob.place}", err=True)
    if gone:
        raise SystemExit(REFUSED)
    typer.echo(f"Every file is in {call.settings.file_store}.")

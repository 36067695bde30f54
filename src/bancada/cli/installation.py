"""Commands for whoever keeps the installation: its database, what is kept, backups, keys."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bancada.cli.invocation import BAD_USAGE, REFUSED, Invocation, command, group, stop

if TYPE_CHECKING:
    from bancada.engine.workbench import Workbench
    from bancada.store.conversations import UnusedConversation

commands = group()
database = group("The database.")
secrets = group("Secrets of organisations.")


@command(database, "upgrade")
def upgrade_database(call: Invocation) -> None:
    """Bring the database to the shape this version needs."""
    from bancada.store.upgrade import HEAD

    call.work(_nothing)
    typer.echo(f"The database is at revision {HEAD}.")


async def _nothing(bench: Workbench) -> None:
    return None


@command(database, "check")
def check_database(call: Invocation) -> None:
    """Say whether the database is up to date and answers; changes nothing."""
    from bancada.store.upgrade import HEAD, revision_at

    at = asyncio.run(revision_at(call.settings.url))
    if at != HEAD:
        stop(f"The database is at {at or 'nothing'}; run `bancada db upgrade` for {HEAD}.", REFUSED)
    typer.echo(f"The database is at {at}, as it should be.")


@command(commands, "retention")
def retention(
    call: Invocation,
    days: Annotated[
        float | None,
        typer.Option(help="Unused for so many days; default: BANCADA_RETENTION_DAYS.", min=0.001),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove them; without it nothing is changed.")
    ] = False,
) -> None:
    """Tell which conversations are kept no longer, and remove them only with --remove."""
    from datetime import UTC, datetime

    limit = days or call.settings.retention_days
    if limit is None:
        stop("Say how many days with --days, or set BANCADA_RETENTION_DAYS.", BAD_USAGE)

    async def job(bench: Workbench) -> list[UnusedConversation]:
        if remove:
            return await bench.retention.remove(limit, via="terminal")
        return await bench.retention.due(limit)

    found = call.work(job)
    for one in found:
        used = datetime.fromtimestamp(one.updated_at, UTC).isoformat(" ", "minutes")
        typer.echo(f"{one.id}  {one.email}  last used {used}  data sets: {one.datasets}")
    typer.echo(f"{len(found)} {'removed' if remove else 'would be removed; nothing was changed'}.")


@command(commands, "backup")
def backup(
    call: Invocation,
    file: Annotated[Path, typer.Argument(help="Where to write the archive; must not exist.")],
) -> None:
    """Write the whole installation to one file, while it runs. The file holds secrets."""
    from bancada import backups

    made = backups.backup(call.settings, file)
    typer.echo(f"{file}: {len(made.parts)} parts, each checked.")
    for name in made.missing:
        typer.echo(f"Removed while the backup was made, and not in it: {name}", err=True)
    if made.elsewhere:
        typer.echo(
            f"Not in it: {made.elsewhere} files of people that are in {call.settings.file_store}. "
            "Keep them there, with the bucket's own versions or copies."
        )
    typer.echo(
        "It holds the database, the files of people, password hashes and the keys of the data "
        "folder: whoever can read it can read everything. Keys that come from the environment "
        "(JWT_SECRET, BANCADA_SECRET_KEY) are not in it; keep them elsewhere."
    )


@command(commands, "restore")
def restore(
    call: Invocation,
    file: Annotated[Path, typer.Argument(help="An archive that `bancada backup` wrote.")],
) -> None:
    """Put a backup back, into an empty data folder and database; checks it and its audit."""
    from bancada import backups

    done = backups.restore(call.settings, file)
    typer.echo(f"{done.parts} parts are in {call.settings.data}, as they were.")
    bad = [one for one in done.chains if not one.ok]
    for one in bad:
        typer.echo(f"The audit of organisation {one.organisation_id}: {one.what}.", err=True)
    for problem in done.problems:
        typer.echo(problem, err=True)
    if bad or done.problems:
        raise SystemExit(REFUSED)
    typer.echo(f"The audit is whole: {sum(one.checked for one in done.chains)} entries.")


@command(secrets, "rotate")
def rotate_secrets(call: Invocation) -> None:
    """Seal every secret with a new key; a server that runs goes on."""
    from bancada import jobs

    found = call.work(jobs.rotate_secrets)
    typer.echo(f"{found} secrets are sealed with the new key.")
    if call.settings.secret_key:
        typer.echo("Keep only the first key of BANCADA_SECRET_KEY from now on.")

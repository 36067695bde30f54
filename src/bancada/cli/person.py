"""`bancada person`: all that is kept of somebody, handed over or erased."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bancada.cli.invocation import BAD_USAGE, REFUSED, Invocation, command, confirm, group, stop

commands = group("All that is kept of somebody.")


@command(commands, "export")
def export_person(
    call: Invocation,
    email: str,
    to: Annotated[Path, typer.Option("--to", help="The zip file to write.", dir_okay=False)],
) -> None:
    """Write everything that is kept of somebody to a zip file: rows as JSON, files, a manifest."""
    from bancada import jobs

    manifest = call.work_as(jobs.export_person, email, to)
    typer.echo(f"{to}: {len(manifest['parts'])} parts of {email}.")
    for name in manifest["missing"]:
        typer.echo(f"missing: {name}")


@command(commands, "erase")
def erase_person(
    call: Invocation,
    email: str,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would go.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase somebody: what they said and kept, and what the audit says of them. It does not come back."""
    from bancada import jobs

    if not (dry_run or yes):
        ask = confirm()
        if ask is None:
            stop("Nobody is here to ask: say --yes, or look first with --dry-run.", BAD_USAGE)
        if not ask(f"Erase everything of {email}?"):
            raise SystemExit(REFUSED)
    erased = call.work_as(jobs.erase_person, email, dry_run)
    for table, count in sorted(erased.rows.items()):
        typer.echo(f"{count:>8}  {table}")
    typer.echo(f"{erased.files:>8}  files and data sets")
    typer.echo(f"{erased.audit_entries:>8}  audit entries (they stay, and say nothing)")
    typer.echo("Nothing was changed." if dry_run else f"{email} is erased.")
    if not erased.compacted:
        typer.echo(
            "The database was in use and was not written anew: deleted pages may still be in its "
            "files. VACUUM it when nothing holds it."
        )

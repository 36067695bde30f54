"""The command `bancada`. Imports happen inside commands, so that `--help` is quick."""

from __future__ import annotations

import os

from bancada.cli import files, graph, installation, people, person, records, tools, workbench
from bancada.cli.invocation import BAD_USAGE, REFUSED, group, stop

cli = group("A workbench where a language model uses an organisation's tools.", completion=True)
for unnamed in (workbench.commands, installation.commands):
    cli.add_typer(unnamed)
for name, named in (
    ("tools", tools.commands),
    ("users", people.users),
    ("keys", people.keys),
    ("person", person.commands),
    ("audit", records.audit),
    ("policy", records.policy),
    ("db", installation.database),
    ("secrets", installation.secrets),
    ("graph", graph.commands),
    ("files", files.commands),
):
    cli.add_typer(named, name=name)


def main() -> None:
    """Run a command; what we know how to say is said, without a trace."""
    from bancada.domain.errors import BancadaError, Forbidden

    # Whatever is written, in the data folder above all, is for its owner alone.
    os.umask(0o077)
    try:
        cli()
    except Forbidden as error:
        stop(str(error), REFUSED)
    except BancadaError as error:
        stop(str(error), BAD_USAGE)
    except KeyboardInterrupt:
        raise SystemExit(130) from None

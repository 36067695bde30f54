"""The command `bancada`. Imports happen inside commands, so that `--help` is quick."""

from __future__ import annotations

import atexit
import os
import sys

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
    """Run a command, and end at once when it is done."""
    # Whatever is written, in the data folder above all, is for its owner alone.
    os.umask(0o077)
    ended: list[int] = []
    # The first to be registered is the last to run: threads have ended by then, and spans are sent.
    atexit.register(_leave, ended)
    try:
        run()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            ended.append(end.code or 0)
        raise


def _leave(ended: list[int]) -> None:
    """Taking a large interpreter apart takes longer than all that a server does to stop.

    An exception that nobody expected goes the interpreter's own way.
    """
    if ended:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(ended[0])


def run() -> None:
    """Run a command; what we know how to say is said, without a trace."""
    from bancada.domain.errors import BancadaError, Forbidden

    try:
        cli()
    except Forbidden as error:
        stop(str(error), REFUSED)
    except BancadaError as error:
        stop(str(error), BAD_USAGE)
    except KeyboardInterrupt:
        raise SystemExit(130) from None

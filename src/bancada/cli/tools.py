"""`bancada tools`: look at tools and run them."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from bancada.cli.invocation import (
    BAD_USAGE,
    REFUSED,
    Invocation,
    command,
    confirm,
    group,
    printed,
    stop,
)

commands = group("Look at tools and run them.")


@command(commands, "list")
def list_tools(call: Invocation) -> None:
    """The tools there are, and which of them you may use."""
    from bancada import jobs

    for tool, usable in call.work_as(jobs.tools_of):
        mark = "✓" if usable else "✗"
        first = tool.description.strip().splitlines()[0] if tool.description else ""
        typer.echo(f"{mark} {tool.name:<26} {tool.category:<9} {tool.effect:<5} {first[:80]}")


@command(commands, "show")
def show_tool(call: Invocation, name: str) -> None:
    """Everything a tool says of itself."""
    from bancada import jobs

    typer.echo(printed(call.work_as(jobs.tool_card, name)))


@command(commands, "run")
def run_tool(
    call: Invocation,
    name: str,
    arguments: Annotated[str, typer.Argument(help="A JSON object.")] = "{}",
) -> None:
    """Run a tool through the gate, as any other call."""
    from bancada import jobs

    try:
        input = json.loads(arguments)
    except ValueError as error:
        stop(f"The arguments are not JSON: {error}.", BAD_USAGE)
    result, ok = call.work_as(jobs.call_tool, name, input, confirm())
    typer.echo(printed(result))
    if not ok:
        raise SystemExit(REFUSED)

"""Commands that put the workbench to work: serve it, ask it, examine it, offer it over MCP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bancada.cli.invocation import REFUSED, Invocation, command, confirm, group, printed

if TYPE_CHECKING:
    from bancada.engine.workbench import Workbench

commands = group()


@command(commands, "serve")
def serve(
    call: Invocation,
    host: Annotated[str | None, typer.Option(help="Default: 127.0.0.1.")] = None,
    port: Annotated[int | None, typer.Option(help="Default: 8321.", min=0, max=65535)] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes on that port; several need Postgres.", min=1)
    ] = None,
) -> None:
    """Serve the web chat, the admin panel and the API."""
    from bancada.server.serving import run_server

    run_server(call.settings_with(host=host, port=port, workers=workers))


@command(commands, "chat")
def chat(
    call: Invocation,
    question: str,
    agent: Annotated[str | None, typer.Option(help="Default: the first you may use.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the events, one a line.")] = False,
) -> None:
    """Ask one question here, with the same engine and no server."""
    from bancada import jobs
    from bancada.terminal import converse

    async def job(bench: Workbench) -> str:
        person = await jobs.person_called(bench, call.user)
        chosen = await jobs.agent_called(bench, person, agent)
        return await converse(bench, person, chosen, question, as_json=as_json, confirm=confirm())

    if call.work(job) not in ("done", "waiting"):
        raise SystemExit(REFUSED)


@command(commands, "eval")
def evaluate(
    call: Invocation,
    file: Annotated[str, typer.Argument(help="Conversations to play, or a pack that has some.")],
    agent: Annotated[
        list[str] | None, typer.Option(help="Whom to ask; give it twice to compare two.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Play scripted conversations and hold the answers against what they should be."""
    from bancada.evaluation.command import evaluate_script
    from bancada.evaluation.report import CaseReport, as_object, line_of, summary

    def told(report: CaseReport) -> None:
        if not as_json:
            typer.echo(line_of(report))

    reports = call.work_as(evaluate_script, file, agent or [], told)
    typer.echo(printed(as_object(reports)) if as_json else "\n".join(summary(reports)))
    if not all(report.passed for report in reports):
        raise SystemExit(REFUSED)


@command(commands, "doctor")
def doctor(
    call: Invocation,
    probe: Annotated[
        bool, typer.Option("--probe", help="Ask each provider a few tiny questions, too.")
    ] = False,
) -> None:
    """Say which model, database, sandbox tier and data folder are in use, and what is missing."""
    from bancada.engine.doctor import examine

    page = Path(__file__).parents[1] / "server" / "static" / "index.html"
    marks = {"ok": "✓", "note": "·", "missing": "✗"}
    found = call.work(lambda bench: examine(bench, page_built=page.is_file(), probe=probe))
    for finding in found:
        typer.echo(f"{marks[finding.status]} {finding.name}: {finding.says}")


@command(commands, "mcp")
def serve_mcp(call: Invocation) -> None:
    """Offer the person's tools to an MCP client, over standard input and output."""
    from bancada import jobs
    from bancada.server.mcp import serve_stdio

    async def job(bench: Workbench) -> None:
        await serve_stdio(bench, await jobs.person_called(bench, call.user))

    call.work(job)

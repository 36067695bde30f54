"""`bancada audit` and `bancada policy`: the record of every call, and rules tried on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from bancada.cli.invocation import REFUSED, Invocation, command, group

audit = group("The record of every call.")
policy = group("Rules for tools.")


@command(audit, "verify")
def verify_audit(
    call: Invocation,
    heads: Annotated[
        Path | None,
        typer.Option(
            help="A copy of audit-heads.jsonl that was kept elsewhere.", exists=True, dir_okay=False
        ),
    ] = None,
    recent: Annotated[
        bool,
        typer.Option("--recent", help="Only from the last signed head on: quick, for a watch."),
    ] = False,
) -> None:
    """Check every chain from its first entry to its head, and against the heads that were signed."""
    from bancada import jobs

    found, signed = call.work_as(jobs.chains, heads, recent)
    for organisation, chain in found.items():
        state = f"{chain.checked} entries, all in place"
        if recent and signed.of(organisation):
            state += f" (from entry {max(signed.of(organisation))} on; older ones were not read)"
        if not chain.ok:
            state = f"broken at entry {chain.first_bad}: {chain.what}"
        elif known := signed.of(organisation):
            newest = known[max(known)]
            state += f"; signed up to entry {newest.number} on {newest.day}"
        else:
            state += "; no head was signed: what may be missing at the end cannot be seen"
        typer.echo(f"organisation {organisation}: {state}")
    if signed.stamped:
        typer.echo(f"{signed.stamped} signed heads have a time stamp that holds")
    for problem in signed.problems:
        typer.echo(f"signed heads: {problem}")
    if signed.problems or not all(chain.ok for chain in found.values()):
        raise SystemExit(REFUSED)


@command(audit, "export")
def export_audit(
    call: Invocation,
    ocsf: Annotated[bool, typer.Option("--ocsf", help="As OCSF events.")] = False,
) -> None:
    """Write every call and every change of administration as a JSON line."""
    from bancada import jobs

    for line in call.work_as(jobs.audit_lines, ocsf):
        typer.echo(json.dumps(line, ensure_ascii=False))


@command(policy, "try")
def try_policy(
    call: Invocation,
    rule: Annotated[
        Path,
        typer.Argument(help="JSON: tool, and what a level would say of it.", show_default=False),
    ],
    since: Annotated[
        str | None, typer.Option("--since", help="How far back: 12h, 30d, 8w.", show_default="30d")
    ] = None,
) -> None:
    """Say what a rule would have done to recorded calls; nothing changes."""
    from bancada import trials

    for line in call.work_as(trials.try_rule, rule, since):
        typer.echo(line)

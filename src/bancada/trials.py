"""A rule from a file, tried on the recorded calls: what `bancada policy try` says."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from bancada.domain.errors import Invalid
from bancada.domain.json import JSON, JSONObject, dumps, loads
from bancada.domain.shapes import fitted
from bancada.engine.workbench import Workbench
from bancada.gate.trying import TriedCall
from bancada.jobs import administrator
from bancada.server.routes.admin.policy import PolicyTry, trial_of

RULE = ("when", "approver_role", "approver", "remember", "tell")
"""What a confirmation's rule is made of; a file may say it at the top."""


async def try_rule(bench: Workbench, email: str | None, file: Path, since: str | None) -> list[str]:
    """Lines for whoever is at the terminal: the counts, then the calls for which it changes."""
    rule = read_rule(file, since)
    admin = await administrator(bench, email)
    trial = await bench.database.read(trial_of, bench, admin, rule)
    older = f" (the newest {trial.calls}; older ones were not looked at)" if trial.is_cut else ""
    return [
        f"{trial.calls} recorded calls of {trial.tool} in the last {rule.since}{older}: "
        f"{trial.stopped} stopped, {trial.asked} asked, {trial.allowed} allowed; "
        f"{trial.changed} otherwise than now.",
        *(_line(call) for call in trial.examples),
    ]


def read_rule(file: Path, since: str | None) -> PolicyTry:
    """The rule in the file. Raises `Invalid` with the reason."""
    try:
        shape = loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Invalid("file_unreadable", file=file, reason=error) from error
    if isinstance(shape, dict):
        shape = {**_whole(shape), **({} if since is None else {"since": since})}
    return fitted(TypeAdapter(PolicyTry), shape)


def _whole(shape: JSONObject) -> JSONObject:
    rule: dict[str, JSON] = {key: shape[key] for key in RULE if key in shape}
    if not rule:
        return shape
    return {**{key: shape[key] for key in shape if key not in RULE}, "confirmation": rule}


def _line(call: TriedCall) -> str:
    when = datetime.fromtimestamp(call.at, UTC).strftime("%Y-%m-%d %H:%M")
    by = f" by {call.approver_role or 'the person who asked'}" if call.then == "asked" else ""
    other = " (another person)" if call.approver == "other" else ""
    arguments = dumps(call.arguments)
    cut = arguments if len(arguments) <= 120 else f"{arguments[:119]}…"
    return f"{when}  {call.audit_id}  {call.person}  {call.now} -> {call.then}{by}{other}  {cut}"

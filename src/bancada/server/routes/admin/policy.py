"""Rules tried on the past, before they are switched on."""

from __future__ import annotations

import re
import time
from typing import Annotated, Any, Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field, StringConstraints
from sqlalchemy import Connection

from bancada.domain.people import Person
from bancada.domain.shapes import example
from bancada.engine.workbench import Workbench
from bancada.gate.approvers import Confirming
from bancada.gate.trying import Proposal, Trial, tried
from bancada.policy.rules import LevelSetting
from bancada.server.auth import Administrator, Bench
from bancada.server.problems import documented
from bancada.server.routes.admin.tools import (
    check_choices,
    checked_subject,
    own_level,
    tool_called,
)
from bancada.server.routes.admin.toolshapes import Scope, ToolChoices

router = APIRouter(tags=["administration"])

SECONDS = {"h": 3600.0, "d": 86_400.0, "w": 7 * 86_400.0}
SINCE = r"^[1-9][0-9]{0,3}[hdw]$"


class PolicyTry(ToolChoices):
    """A rule to try: a tool, a level, and what that level would say."""

    model_config = example(
        tool="createTask",
        confirmation={
            "when": {"field": "priority", "op": "==", "value": "high"},
            "approver_role": "responsavel",
        },
        since="30d",
    )

    tool: Annotated[str, StringConstraints(min_length=1, max_length=64)]
    scope: Literal["global"] | Scope | None = None
    """The level; null: where your own word on the tool stands."""
    subject: Annotated[str, StringConstraints(max_length=64)] = ""
    """The role, or the id of the agent or person."""
    since: Annotated[str, StringConstraints(pattern=SINCE)] = "30d"
    """How far back: hours, days or weeks (`12h`, `30d`, `8w`)."""


class PolicyTrial(BaseModel):
    """What the rule would have done to the recorded calls of your organisation."""

    tool: str
    calls: int
    is_cut: bool
    """There are older calls that were not looked at."""
    stopped: int
    asked: int
    allowed: int
    changed: int
    """Calls for which it says something else than the rules of now."""
    examples: Annotated[list[dict[str, Any]], Field(max_length=1000)]
    """Those that change, the newest first: `{audit_id, at, person, arguments, outcome, now, then,
    reason, approver_role, approver}`."""


@router.post("/admin/policy/try", responses=documented(401, 403, 404, 422))
async def try_policy(body: PolicyTry, admin: Administrator, bench: Bench) -> PolicyTrial:
    """Which recorded calls a rule would have stopped, asked about or allowed; nothing changes."""
    trial = await bench.database.read(trial_of, bench, admin, body)
    return PolicyTrial(**trial.as_json())


def trial_of(db: Connection, bench: Workbench, admin: Person, rule: PolicyTry) -> Trial:
    """Try a rule on the calls of the administrator's own organisation."""
    choices = rule.choices()
    tool = tool_called(db, bench, admin, rule.tool)
    scope, subject = rule.scope or own_level(bench, admin, tool), rule.subject
    if scope != "global":
        subject = checked_subject(db, admin, scope, rule.subject)
    confirming = Confirming(choices.get("confirmation"), scope, subject)
    check_choices(db, admin, tool, confirming, choices)
    proposal = Proposal(tool=tool, setting=LevelSetting(level=scope, **choices), subject=subject)
    now = time.time()
    context = bench.gate.context()
    return tried(db, context, admin.organisation_id, proposal, since=now - seconds_of(rule.since))


def seconds_of(since: str) -> float:
    found = re.fullmatch(r"(\d+)([hdw])", since)
    assert found is not None, "checked by its shape"
    return int(found[1]) * SECONDS[found[2]]

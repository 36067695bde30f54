"""How often a tool may be called, and how much may be spent on replies."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection

from bancada.domain.access import Deny
from bancada.domain.people import Person
from bancada.policy.rules import Rules
from bancada.store import audit
from bancada.tools.tool import Tool

SECONDS = {"minute": 60.0, "hour": 3600.0}


def window_start(per: str, now: float) -> float:
    """Since when calls count: a sliding minute or hour, the day or month in UTC."""
    if per in SECONDS:
        return now - SECONDS[per]
    today = datetime.fromtimestamp(now, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return (today if per == "day" else today.replace(day=1)).timestamp()


def within_budget(
    db: Connection, person: Person, tool: Tool, rules: Rules, now: float
) -> Deny | None:
    """Step 6: every budget that applies still has room. Counted from the audit."""
    if rules.budgets:
        # Calls of the same moment count one after the other, or all would see the same room.
        audit.hold(db, person.organisation_id)
    for budget in rules.budgets:
        whose = person.id if budget.get("by", "person") == "person" else None
        since = window_start(budget["per"], now)
        used = audit.count_since(db, person.organisation_id, tool.name, since, whose)
        if used >= budget["calls"]:
            who = person.name if whose is not None else "The organisation"
            return Deny(
                "budget_exceeded",
                f"{who} has used {tool.name} {used} times this {budget['per']}; "
                f"{budget['calls']} are allowed. Go on without it.",
            )
    return None

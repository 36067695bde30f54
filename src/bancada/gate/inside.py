"""What the calls inside a tool made of others would ask a person, known before it starts.

A composed tool is confirmed once, as a whole: whoever says yes to it says yes to its steps.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection

from bancada.domain.access import Ask
from bancada.domain.json import JSONObject
from bancada.gate.case import Desk, Known
from bancada.gate.situation import DEEPEST
from bancada.policy import permissions
from bancada.tools.tool import Tool


def asks_inside(
    db: Connection, desk: Desk, case: Known, *, tainted: bool, remembered: bool
) -> list[Ask]:
    """Every question that a step would ask; where a step's input is not known yet, all it might.

    Text from outside that one step brings in counts for the steps after it.
    """
    registry, rulebook, standing = desk.registry, desk.rulebook, case.standing
    agent_id = case.situation.agent.id if case.situation.agent else None
    taint_counts = (
        rulebook.organisation(db, standing).get("outside_content_writes") != "allow"
        if case.tool.calls is not None
        else False
    )

    def within(outer: Tool, input: JSONObject, tainted: bool, depth: int) -> Iterator[Ask]:
        if outer.calls is None or depth >= DEEPEST:
            return
        for inner in outer.calls(input):
            other = registry.find(inner.tool, standing.person)
            if other is None:
                continue  # the step will be refused by itself
            rules = rulebook.rules(db, standing, other, agent_id)
            ask = permissions.confirmation_inside(
                other, rules, inner.input, tainted=tainted, remembered=remembered
            )
            if ask is not None:
                yield ask
            yield from within(other, inner.input or {}, tainted, depth + 1)
            outside = taint_counts and other.brings_outside_content(standing.person)
            tainted = tainted or outside

    return list(within(case.tool, case.call.input, tainted, case.situation.depth))

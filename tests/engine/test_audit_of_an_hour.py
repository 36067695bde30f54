"""An hour of mixed traffic: the audit holds a line for everything that happened, and nothing else."""

from __future__ import annotations

import random
import secrets
from collections import Counter
from pathlib import Path

from bancada.dashboards import Pinned
from bancada.domain.calls import Caller, Outcome, ToolCall
from bancada.domain.errors import ToolFailed
from bancada.gate.scope import CallScope
from bancada.tools.tool import ToolContext, tool
from tests.engine.harness import Harness, working

CODE = ("direct", "code_execution_20260120")


@tool(allowed_callers=CODE)
async def measure(ctx: ToolContext, part: int) -> dict[str, int]:
    """Measure a part.

    Args:
        part: Its number.
    """
    if part == 13:
        raise ToolFailed("Part 13 is not here.")
    return {"part": part, "width": part * 10}


@tool(cache_seconds=3600)
async def standards(ctx: ToolContext) -> dict[str, int]:
    """The widths that parts should have."""
    return {"width": 100}


@tool(effect="write", confirm="always", category="action")
async def scrap(ctx: ToolContext, part: int) -> str:
    """Scrap a part.

    Args:
        part: Its number.
    """
    return f"Part {part} is scrapped."


class Hour:
    """Does things, and keeps its own list of what the audit must say: tool, door, outcome."""

    def __init__(self, agent: Harness) -> None:
        self.agent = agent
        self.expected: list[tuple[str, str, str]] = []

    async def ask(self, part: int) -> None:
        self.agent.model.will_call("measure", part=part).will_say("Done.")
        await self.agent.run(f"Measure {part}")
        self.expected.append(("measure", "model", "failed" if part == 13 else "ok"))

    async def ask_badly(self, part: int) -> None:
        self.agent.model.will_call("measure", part=f"number {part}").will_say("Done.")
        await self.agent.run("Measure that one")
        self.expected.append(("measure", "model", "invalid_tool_input"))

    async def ask_for_nothing(self, part: int) -> None:
        self.agent.model.will_call("weigh", part=part).will_say("Done.")
        await self.agent.run("Weigh it")
        self.expected.append(("weigh", "model", "unknown_tool"))

    async def ask_for_several(self, part: int) -> None:
        asked = [("measure", {"part": n}) for n in (part, part + 1)]
        self.agent.model.will_call_all(*asked, ("standards", {})).will_say("Done.")
        await self.agent.run("Compare them")
        for _, input in asked:
            outcome = "failed" if input["part"] == 13 else "ok"
            self.expected.append(("measure", "model", outcome))
        self.expected.append(("standards", "model", "ok"))

    async def scrap(self, part: int) -> None:
        approve = part % 2 == 0
        (self.agent.person.approves if approve else self.agent.person.refuses)("scrap")
        self.agent.model.will_call("scrap", part=part).will_say("Done.")
        await self.agent.run(f"Scrap {part}")
        self.expected.append(("scrap", "model", "ok" if approve else "rejected"))

    async def run_code(self, part: int) -> None:
        code = f"import asyncio\nprint(await asyncio.gather(*(measure(part=n) for n in ({part}, 50, 51))))"
        self.agent.model.will_run(code).will_say("Done.")
        await self.agent.run("Measure three, in code")
        outcomes = ["failed" if part == 13 else "ok", "ok", "ok"]
        self.expected += [("measure", "code", outcome) for outcome in outcomes]
        self.expected.append(("code_execution", "model", "ok"))

    async def try_the_panel(self, part: int) -> None:
        call = ToolCall(
            id=f"panel_{secrets.token_hex(8)}",
            name="measure",
            input={"part": part},
            caller=Caller(via="panel"),
        )
        me = self.agent.me
        scope = CallScope(person_id=me.id, organisation_id=me.organisation_id)
        outcome = await self.agent.bench.gate.call(call, scope)
        assert isinstance(outcome, Outcome)
        self.expected.append(("measure", "panel", "failed" if part == 13 else "ok"))

    async def refresh_a_dashboard(self, part: int) -> None:
        desk, me = self.agent.bench.dashboards, self.agent.me
        items = [
            Pinned(type="kpi", data={"widget": "kpi"}, tool="measure", input={"part": part}),
            Pinned(type="kpi", data={"widget": "kpi"}, tool="scrap", input={"part": part}),
        ]
        kept = await desk.pin(me, titulo="Widths", items=items)
        await desk.refresh(me, kept.id)
        # A tool that writes is not even tried by a refresh.
        self.expected.append(("measure", "refresh", "failed" if part == 13 else "ok"))


def door(line: dict[str, object]) -> str:
    caller = line["caller"]
    assert isinstance(caller, dict)
    if caller["type"] != "direct":
        return "code"
    return str(caller.get("via") or "model")


async def test_the_audit_says_all_that_happened_and_nothing_else(tmp_path: Path) -> None:
    async with working(tmp_path, measure, standards, scrap, code="local") as agent:
        hour = Hour(agent)
        doings = [
            hour.ask,
            hour.ask_badly,
            hour.ask_for_nothing,
            hour.ask_for_several,
            hour.scrap,
            hour.run_code,
            hour.try_the_panel,
            hour.refresh_a_dashboard,
        ]
        dice = random.Random(20261115)
        for _ in range(3):
            dice.shuffle(doings)
            for do in doings:
                await do(dice.choice((1, 2, 7, 12, 13, 40)))

        lines = await agent.audit()
        told = Counter((line["tool"], door(line), line["outcome"]) for line in lines)
        assert told == Counter(hour.expected)
        ran = [line for line in lines if line["outcome"] in ("ok", "failed")]
        tools = [line for line in ran if line["tool"] != "code_execution"]
        assert len([line for line in tools if not line.get("cached")]) == len(agent.tools_run)
        assert all(
            line["person"] == agent.me.email and line["arguments"] is not None for line in lines
        )
        await agent.assert_whole()

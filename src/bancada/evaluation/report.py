"""How the cases went: per case, per tool, with cost; several agents side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.domain.agents import Agent
from bancada.domain.errors import BancadaError
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.engine.workbench import Workbench
from bancada.evaluation.judging import fits, problems
from bancada.evaluation.playing import Heard, play
from bancada.evaluation.script import ScriptedCase
from bancada.terminal import text_table


@dataclass(frozen=True, kw_only=True)
class CaseReport:
    """One case with one agent."""

    name: str
    agent: str
    problems: Sequence[str]
    heard: Sequence[Heard]

    @property
    def passed(self) -> bool:
        return not self.problems


@dataclass(frozen=True, kw_only=True)
class ToolReport:
    """One tool over all cases: how often it was called, and how often as it should have been."""

    tool: str
    calls: int
    failed: int
    expected: int
    met: int
    mean_ms: float


async def evaluate(
    bench: Workbench, person: Person, agent: Agent, case: ScriptedCase, folder: Path
) -> CaseReport:
    """Play a case and judge it; what stops it is a problem of this case, not of the others."""
    heard: list[Heard] = []
    found: list[str] = []
    try:
        heard = await play(bench, person, agent, case, folder)
    except BancadaError as error:
        found.append(str(error))
    several = len(case.turns) > 1
    for number, one in enumerate(heard, 1):
        at = f"question {number}: " if several else ""
        found += [f"{at}{problem}" for problem in problems(one)]
    if heard and len(heard) < len(case.turns):
        found.append(f"{len(case.turns) - len(heard)} more questions were not asked")
    return CaseReport(name=case.name, agent=agent.name, problems=found, heard=heard)


def by_tool(reports: Sequence[CaseReport]) -> list[ToolReport]:
    """The tools that were called or should have been, by name."""
    answers = [heard for report in reports for heard in report.heard]
    calls = [call for heard in answers for call in heard.calls]
    names = {call.tool for call in calls} | {
        wanted.tool for heard in answers for wanted in heard.asked.calls or ()
    }
    found = []
    for name in sorted(names):
        made = [call for call in calls if call.tool == name]
        wanted = [
            any(one.tool == name and fits(expected, one) for one in heard.calls)
            for heard in answers
            for expected in heard.asked.calls or ()
            if expected.tool == name
        ]
        found.append(
            ToolReport(
                tool=name,
                calls=len(made),
                failed=sum(call.is_error for call in made),
                expected=len(wanted),
                met=sum(wanted),
                mean_ms=sum(call.duration_ms for call in made) / len(made) if made else 0.0,
            )
        )
    return found


def _cost(reports: Sequence[CaseReport]) -> float | None:
    costs = [heard.cost_usd for report in reports for heard in report.heard]
    return None if None in costs else sum(cost for cost in costs if cost is not None)


def _tokens(reports: Sequence[CaseReport]) -> int:
    return sum(heard.tokens for report in reports for heard in report.heard)


def _dollars(cost: float | None) -> str:
    return "cost unknown" if cost is None else f"{cost:.4f} USD"


def line_of(report: CaseReport) -> str:
    """How a case went, for whoever is at the terminal."""
    calls = sum(len(heard.calls) for heard in report.heard)
    mark = "✓" if report.passed else "✗"
    made = "1 call" if calls == 1 else f"{calls} calls"
    first = f"{mark} {report.name} [{report.agent}] ({made}, {_dollars(_cost([report]))})"
    return "\n".join([first, *(f"    {problem}" for problem in report.problems)])


def summary(reports: Sequence[CaseReport]) -> Iterator[str]:
    """Each agent's cases, tools and cost; where there are several, what tells them apart."""
    agents = list(dict.fromkeys(report.agent for report in reports))
    for agent in agents:
        own = [report for report in reports if report.agent == agent]
        passed = sum(report.passed for report in own)
        yield ""
        yield f"{agent}: {passed} of {len(own)} cases, {_tokens(own)} tokens, {_dollars(_cost(own))}"
        rows = [
            [one.tool, one.calls, one.failed, f"{one.met}/{one.expected}", f"{one.mean_ms:.0f}"]
            for one in by_tool(own)
        ]
        if rows:
            yield text_table(["tool", "calls", "failed", "as expected", "mean ms"], list(rows))
    yield from _differences(reports, agents)


def _differences(reports: Sequence[CaseReport], agents: Sequence[str]) -> Iterator[str]:
    passed = {(report.name, report.agent): report.passed for report in reports}
    played = [
        n for n in dict.fromkeys(r.name for r in reports) if all((n, a) in passed for a in agents)
    ]
    if len(agents) < 2 or not played:
        return
    rows = [
        [name, *("✓" if passed[name, agent] else "✗" for agent in agents)]
        for name in played
        if len({passed[name, agent] for agent in agents}) > 1
    ]
    yield ""
    yield "Cases that one passes and another does not:" if rows else "No case tells them apart."
    if rows:
        yield text_table(["case", *agents], list(rows))


def as_object(reports: Sequence[CaseReport]) -> JSONObject:
    """The same for a program."""
    return {
        "cases": [
            {
                "name": report.name,
                "agent": report.agent,
                "passed": report.passed,
                "problems": list(report.problems),
                "tokens": _tokens([report]),
                "cost_usd": _cost([report]),
                "turns": [
                    {
                        "ask": heard.asked.ask,
                        "model": heard.model,
                        "status": heard.status,
                        "text": heard.text,
                        "calls": [
                            {"tool": c.tool, "input": c.input, "is_error": c.is_error}
                            for c in heard.calls
                        ],
                    }
                    for heard in report.heard
                ],
            }
            for report in reports
        ],
        "tools": [vars(one) for one in by_tool(reports)],
        "passed": sum(report.passed for report in reports),
        "failed": sum(not report.passed for report in reports),
        "tokens": _tokens(reports),
        "cost_usd": _cost(reports),
    }

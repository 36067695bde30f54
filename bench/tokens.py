"""What the model has to read: twenty people's expenses checked by direct calls, and by code.

`python -m bench.tokens` prints one table. The task is the vendor's own example of code that calls
tools: who of a team has spent more than their budget on travel? Three tools, thousands of rows. A
scripted model does it both ways on the same workbench; what counts are the bytes of its requests.
Aim: 85 % less by code. (Bytes, because the number of tokens is the provider's to say.)
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from bench._figures import figure

from bancada.domain.agents import Agent
from bancada.domain.json import JSONObject, dumps, loads
from bancada.engine.workbench import Workbench, open_workbench
from bancada.model.model import Request
from bancada.settings import load_settings
from bancada.store import agents, conversations, people, tool_settings
from bancada.testing import Line, ScriptedModel, calls, calls_many, says
from bancada.tools.tool import Tool, tool

LEVELS = {"junior": 5_000, "senior": 8_000, "staff": 12_000}
CALLERS = ("direct", "code_execution_20260120")

PROGRAM = """
import asyncio, json

team = json.loads(await get_team_members(department="engineering"))
levels = sorted({person["level"] for person in team})
budgets = dict(zip(levels, await asyncio.gather(
    *(get_budget_by_level(level=level) for level in levels))))
expenses = await asyncio.gather(
    *(get_expenses(employee_id=person["id"], quarter="Q3") for person in team))
over = []
for person, rows in zip(team, expenses):
    spent = sum(row["amount"] for row in json.loads(rows)
                if row["category"] == "travel" and row["status"] == "approved")
    limit = json.loads(budgets[person["level"]])["travel_limit"]
    if spent > limit:
        over.append({"name": person["name"], "spent": round(spent, 2), "limit": limit})
print(json.dumps(over))
"""


@dataclass(frozen=True)
class Company:
    """A team and what it spent, the same at every run."""

    people: int
    rows: int

    def team(self) -> list[JSONObject]:
        names = list(LEVELS)
        return [
            {
                "id": f"emp_{n:03d}",
                "name": f"Employee {n}",
                "level": names[n % len(names)],
                "email": f"employee{n}@example.com",
                "department": "engineering",
            }
            for n in range(self.people)
        ]

    def expenses(self, employee_id: str) -> list[JSONObject]:
        random = Random(employee_id)
        return [
            {
                "expense_id": f"exp_{employee_id}_{n:04d}",
                "date": f"2026-{random.randint(7, 9):02d}-{random.randint(1, 28):02d}",
                "category": random.choice(["travel", "meals", "software", "office", "training"]),
                "description": random.choice(["Flight", "Hotel", "Taxi", "Lunch", "Licence"])
                + f" for project {random.randint(100, 999)}",
                "amount": round(random.uniform(5, 900), 2),
                "currency": "EUR",
                "status": random.choice(["approved", "approved", "approved", "pending"]),
                "receipt": f"https://receipts.example.com/{random.getrandbits(48):012x}.pdf",
                "approved_by": f"emp_{random.randint(0, self.people):03d}",
            }
            for n in range(self.rows)
        ]

    def over_budget(self) -> list[str]:
        """The right answer, by arithmetic."""
        return [
            person["name"]
            for person in self.team()
            if sum(
                row["amount"]
                for row in self.expenses(person["id"])
                if row["category"] == "travel" and row["status"] == "approved"
            )
            > LEVELS[person["level"]]
        ]

    def tools(self) -> list[Tool]:
        @tool(allowed_callers=CALLERS)
        async def get_team_members(department: str) -> list[JSONObject]:
            """The people of a department: id, name, level, email.

            Args:
                department: Its name, e.g. engineering.
            """
            return self.team()

        @tool(allowed_callers=CALLERS)
        async def get_expenses(employee_id: str, quarter: str) -> list[JSONObject]:
            """Every expense line of a person in a quarter: amount, category, status and more.

            Args:
                employee_id: As `get_team_members` gives it.
                quarter: Q1 to Q4.
            """
            return self.expenses(employee_id)

        @tool(allowed_callers=CALLERS)
        async def get_budget_by_level(level: str) -> JSONObject:
            """What a person of this level may spend in a quarter.

            Args:
                level: As `get_team_members` gives it.
            """
            return {"level": level, "travel_limit": LEVELS[level]}

        return [get_team_members, get_expenses, get_budget_by_level]


def last_results(request: Request) -> list[Any]:
    """What the calls of the last reply returned."""
    return [
        loads(block["content"])
        for block in request.messages[-1]["content"]
        if block["type"] == "tool_result"
    ]


def directly() -> list[Line | Callable[[Request], Line]]:
    """As a model works without code: look up the team, then everything about everybody."""

    def everything(request: Request) -> Line:
        (team,) = last_results(request)
        expenses = [
            ("get_expenses", {"employee_id": person["id"], "quarter": "Q3"}) for person in team
        ]
        levels = sorted({person["level"] for person in team})
        budgets = [("get_budget_by_level", {"level": level}) for level in levels]
        return calls_many(*expenses, *budgets)

    def answer(request: Request) -> Line:
        (team,) = (
            loads(block["content"])
            for block in request.messages[2]["content"]
            if block["type"] == "tool_result"
        )
        results = last_results(request)
        limits = {each["level"]: each["travel_limit"] for each in results[len(team) :]}
        over = [
            person["name"]
            for person, rows in zip(team, results, strict=False)
            if sum(
                row["amount"]
                for row in rows
                if row["category"] == "travel" and row["status"] == "approved"
            )
            > limits[person["level"]]
        ]
        return says(json.dumps(over))

    return [calls("get_team_members", department="engineering"), everything, answer]


def by_code() -> list[Line | Callable[[Request], Line]]:
    """As a model works with code: one program, and only what it prints."""

    def answer(request: Request) -> Line:
        (output,) = last_results(request)
        return says(json.dumps([person["name"] for person in loads(output["stdout"])]))

    return [calls("code_execution", code=PROGRAM), answer]


@dataclass(frozen=True)
class Measured:
    """One way of doing it."""

    requests: int
    sent: int
    """Bytes of all requests together: what is paid for without a cache."""
    context: int
    """Bytes of the last request: what the model has before its eyes."""
    answer: list[str]


async def measure(company: Company, folder: Path) -> tuple[Measured, Measured]:
    """Both ways, on one workbench each."""
    found = []
    for name, code, script in (("direct", "direct", directly()), ("code", "local", by_code())):
        model = ScriptedModel(script)
        async with workbench(company, folder / name, model, code) as ask:
            answer = await ask("Who of engineering is over their travel budget in Q3?")
        sizes = [len(dumps(request.body()).encode()) for request in model.requests]
        found.append(Measured(len(sizes), sum(sizes), sizes[-1], loads(answer)))
    return found[0], found[1]


@asynccontextmanager
async def workbench(
    company: Company, folder: Path, model: ScriptedModel, code: str
) -> AsyncIterator[Any]:
    # The direct way needs whole results; by default they would be cut, and the answer be wrong.
    settings = load_settings(data=folder, environment={}, result_chars=10_000_000)
    bench = await open_workbench(settings, model=model)
    try:
        for each in company.tools():
            bench.registry.add(each)
        await bench.database.run(tool_settings.reconcile, dict(bench.registry.packs()))
        yield await asker(bench, [each.name for each in company.tools()], code)
    finally:
        await bench.close()


async def asker(bench: Workbench, tools: list[str], code: Any) -> Any:
    organisation = await bench.database.run(people.first_organisation)
    person = await bench.database.run(
        people.add_person,
        organisation_id=organisation,
        email="ana@example.com",
        name="Ana",
        role="responsavel",
    )
    shape = Agent(
        name="Finance",
        description="",
        system_prompt="You check expenses against budgets.",
        tools=tuple(tools),
        code=code,
    )
    agent = await bench.database.run(agents.add_agent, organisation, shape)
    assert agent.id is not None
    await bench.database.run(agents.grant, person.id, agent.id)

    async def ask(question: str) -> str:
        conversation = await bench.database.run(
            conversations.add,
            organisation_id=organisation,
            user_id=person.id,
            agent_id=agent.id,
        )
        turn_id = await bench.conversations.ask(person, conversation.id, question)
        said = ""
        async for frames in bench.runner.follow(turn_id):
            for frame in frames:
                event = loads(frame.data)
                said += event["content"] if event["type"] == "text" else ""
                assert event["type"] != "error", event
        return said

    return ask


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--rows", type=int, default=120, help="expense lines a person")
    options = parser.parse_args()
    company = Company(options.people, options.rows)
    with tempfile.TemporaryDirectory() as folder:
        direct, code = asyncio.run(measure(company, Path(folder)))
    assert direct.answer == code.answer == company.over_budget()
    print(f"{company.people} people, {company.people * company.rows} rows")
    print(f"{'':>26} {'direct':>12} {'code':>10} {'change':>8}")
    for name, ours, theirs in (
        ("requests", code.requests, direct.requests),
        ("bytes sent, all requests", code.sent, direct.sent),
        ("bytes in the last context", code.context, direct.context),
    ):
        print(f"{name:>26} {theirs:>12,} {ours:>10,} {ours / theirs - 1:>8.1%}")
        figure(f"a task in code: {name}", ours, theirs, peer="direct calls", unit="")


if __name__ == "__main__":
    main()

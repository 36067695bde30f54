"""A small house to test in: one organisation, a person of each role, and a gate.

await house.add(tool, …)              tools it knows
await house.call("name", {...})       one call through the gate, as Ana unless told otherwise
await house.lines()                   the audit, one line a call
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from bancada.domain.agents import Agent
from bancada.domain.calls import DIRECT, Caller, Outcome, ToolCall, Waiting
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Person
from bancada.gate.gate import Gate, GateLimits, OnStart
from bancada.gate.scope import CallScope
from bancada.store import agents, audit, confirmations, people, tool_settings
from bancada.store.audit import Verdict
from bancada.store.confirmations import Confirmation
from bancada.store.database import Database
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool

NOON = 1_800_014_400.0
"""Where a house's clock stands when it opens: noon of a Friday, UTC."""


@dataclass
class Clock:
    """Time that passes only when a test says so."""

    now: float = NOON

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


@dataclass
class House:
    """One organisation and its door. `ana` is an operador, `rui` a responsavel, `eva` an admin."""

    database: Database
    organisation_id: int
    ana: Person
    rui: Person
    eva: Person
    registry: Registry = field(default_factory=Registry)
    clock: Clock = field(default_factory=Clock)
    gate: Gate = field(init=False)
    _ids: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.gate = self.another_gate()

    def another_gate(self, **limits: Any) -> Gate:
        """A door as another process would have it: the same database, nothing in memory."""
        return Gate(
            database=self.database,
            registry=self.registry,
            limits=GateLimits(**limits),
            clock=self.clock,
        )

    async def add(self, *tools: Tool, pack: str | None = "tests") -> None:
        """Tools the house knows from now on."""
        for tool in tools:
            self.registry.add(tool, pack=pack)
        await self.reconcile()

    async def reconcile(self) -> None:
        await self.database.run(tool_settings.reconcile, dict(self.registry.packs()))

    async def agent(self, name: str, *tools: str) -> Agent:
        """An agent that may use these tools, in this order."""
        new = Agent(name=name, description="", system_prompt="", tools=tools)
        return await self.database.run(agents.add_agent, self.organisation_id, new)

    def scope(self, by: Person | None = None, **within: Any) -> CallScope:
        return CallScope(
            person_id=(by or self.ana).id, organisation_id=self.organisation_id, **within
        )

    async def call(
        self,
        name: str,
        input: JSON = None,
        *,
        by: Person | None = None,
        id: str | None = None,
        caller: Caller = DIRECT,
        gate: Gate | None = None,
        on_start: OnStart | None = None,
        **within: Any,
    ) -> Outcome | Waiting:
        """One call through the gate; `within` is the rest of its scope (turn_id, agent, …)."""
        call = ToolCall(
            id=id or f"call_{next(self._ids)}",
            name=name,
            input={} if input is None else input,
            caller=caller,
        )
        return await (gate or self.gate).call(call, self.scope(by, **within), on_start)

    async def result(self, name: str, input: JSON = None, **how: Any) -> Outcome:
        """The same, for a call that must not wait for anybody."""
        ended = await self.call(name, input, **how)
        assert isinstance(ended, Outcome), ended
        return ended

    async def waits(self, name: str, input: JSON = None, **how: Any) -> Waiting:
        """The same, for a call that must wait for a person."""
        waiting = await self.call(name, input, **how)
        assert isinstance(waiting, Waiting), waiting
        return waiting

    async def decide(self, waiting: Waiting, status: str, **how: Any) -> bool:
        """Decide a waiting call: `approved` or `rejected`, by whoever asked unless told otherwise."""
        by = how.pop("by", self.ana).id
        return await self.database.run(
            confirmations.decide,
            waiting.confirmation_id,
            status=status,  # type: ignore[arg-type]
            by=by,
            at=self.clock(),
            **how,
        )

    async def confirmation(self, waiting: Waiting) -> Confirmation:
        found = await self.database.run(confirmations.find, waiting.confirmation_id)
        assert found is not None
        return found

    async def choose(self, tool: str, **choices: Any) -> None:
        """The global word on a tool."""
        await self.database.run(tool_settings.change_registry, tool, **choices)

    async def choose_at(self, scope: str, subject: object, tool: str, **choices: Any) -> None:
        """A narrower level's word on a tool."""
        await self.database.run(
            tool_settings.change_setting,
            self.organisation_id,
            scope,
            str(subject),
            tool,
            **choices,
        )

    async def change(self, person: Person, **changes: Any) -> None:
        """Change somebody's account while they work."""
        await self.database.run(people.change_person, person.id, **changes)

    async def lines(self) -> list[JSONObject]:
        """The audit export: one line a call."""
        return await self.database.read(audit.export, self.organisation_id)

    async def only_line(self) -> JSONObject:
        """The audit export, when exactly one call was made."""
        lines = await self.lines()
        assert len(lines) == 1, lines
        return lines[0]

    async def verify(self) -> Verdict:
        return await self.database.read(audit.verify, self.organisation_id)


async def open_house(database: Database) -> House:
    """A new organisation in this database, with its people and an empty registry."""
    organisation = await database.run(people.add_organisation, "Fábrica")

    async def add(name: str, role: str) -> Person:
        return await database.run(
            people.add_person,
            organisation_id=organisation,
            email=f"{name.lower()}@example.com",
            name=name,
            role=role,  # type: ignore[arg-type]
        )

    return House(
        database=database,
        organisation_id=organisation,
        ana=await add("Ana", "operador"),
        rui=await add("Rui", "responsavel"),
        eva=await add("Eva", "admin"),
    )


def kinds(line: JSONObject) -> list[str]:
    """What happened to a call, in order: `["started", "ended"]`."""
    return [entry["kind"] for entry in line["entries"]]

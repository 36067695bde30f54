"""A workshop of its own for a test: three people, the packs or tools under test, a gate and an audit."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection

from bancada.domain.agents import EVERY_TOOL, Agent
from bancada.domain.calls import DIRECT, Caller, Outcome, ToolCall, Waiting
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.people import Person, RoleName
from bancada.engine.packs import Build
from bancada.engine.variants import begin_conversation
from bancada.engine.workbench import Workbench, open_workbench
from bancada.gate.scope import CallScope
from bancada.model.model import Model
from bancada.settings import load_settings
from bancada.store import agents, audit, people
from bancada.testing.turns import Told, follow
from bancada.tools.pack import Pack
from bancada.tools.tool import Tool

PEOPLE: tuple[tuple[str, RoleName], ...] = (
    ("Ana", "operador"),
    ("Rui", "responsavel"),
    ("Eva", "admin"),
)


@dataclass(frozen=True)
class Workshop:
    """One organisation. `ana` is an operador, `rui` a responsavel, `eva` an admin; English is
    spoken, and each may use every agent."""

    bench: Workbench
    ana: Person
    rui: Person
    eva: Person

    async def call(
        self, tool: str, input: JSON = None, *, by: Person | None = None, caller: Caller = DIRECT
    ) -> Outcome | Waiting:
        """One call through the gate, as Ana unless told otherwise.

        A refusal is an outcome too: `is_error`, and `code` says which. `Waiting` is a call that a
        person has to decide: give it to `approve` or `reject`.
        """
        person = by or self.ana
        call = ToolCall(
            id=f"call_{secrets.token_hex(8)}", name=tool, input=input or {}, caller=caller
        )
        within = CallScope(person_id=person.id, organisation_id=person.organisation_id)
        return await self.bench.gate.call(call, within)

    async def result(self, tool: str, input: JSON = None, **how: Any) -> Outcome:
        """The same, for a call that must not wait for anybody."""
        ended = await self.call(tool, input, **how)
        assert isinstance(ended, Outcome), f"{tool} waits: {ended}"
        return ended

    async def waits(self, tool: str, input: JSON = None, **how: Any) -> Waiting:
        """The same, for a call that must wait for a person."""
        waiting = await self.call(tool, input, **how)
        assert isinstance(waiting, Waiting), f"{tool} did not wait: {waiting}"
        return waiting

    async def approve(self, waiting: Waiting, *, by: Person, input: JSON = None) -> Outcome:
        """Say yes, perhaps with other arguments; the call runs, and this is how it ended."""
        decide = self.bench.confirmations.decide
        decided = await decide(by, waiting.confirmation_id, "approve", input=input)
        assert decided.result is not None, "a call of a turn goes on in its turn"
        ended, told = decided.result, decided.result["result"]
        return Outcome(
            content=told if isinstance(told, str) else dumps(told),
            value=None if isinstance(told, str) else told,
            is_error=ended["is_error"],
            duration_ms=ended["duration_ms"],
            audit_id=ended["audit_id"],
        )

    async def reject(self, waiting: Waiting, *, by: Person, reason: str | None = None) -> None:
        """Say no; the call does not run."""
        await self.bench.confirmations.decide(by, waiting.confirmation_id, "reject", reason=reason)

    async def ask(
        self,
        question: str,
        *,
        by: Person | None = None,
        agent: str | None = None,
        conversation: str | None = None,
        approve: Collection[str] = (),
        reject: Collection[str] = (),
        decided_by: Person | None = None,
    ) -> Told:
        """A turn: ask an agent (the first one unless named), and read until it ends or waits.

        `approve` and `reject` name tools: the person, or `decided_by`, answers so whenever one of
        them asks. What nobody answers leaves the turn `waiting`.
        """
        person = by or self.ana
        if conversation is None:
            conversation = await self.bench.database.run(_begin, person, agent)
        turn_id = await self.bench.conversations.ask(person, conversation, question)
        told = await follow(self.bench, turn_id, within=conversation)
        while told.status == "waiting" and await self._decide_one(
            decided_by or person, turn_id, approve, reject
        ):
            told = await follow(self.bench, turn_id, within=conversation)
        return told

    async def _decide_one(
        self, person: Person, turn_id: str, approve: Collection[str], reject: Collection[str]
    ) -> bool:
        for waiting in await self.bench.confirmations.queue(person):
            if waiting.turn_id == turn_id and waiting.tool in (*approve, *reject):
                said = "approve" if waiting.tool in approve else "reject"
                await self.bench.confirmations.decide(person, waiting.id, said)  # type: ignore[arg-type]
                return True
        return False

    async def audit(self) -> list[JSONObject]:
        """The audit's calls, one line each, oldest first. It fails where the chain is broken."""
        organisation_id = self.ana.organisation_id
        verdict = await self.bench.database.read(audit.verify, organisation_id)
        assert verdict.ok, verdict
        lines = await self.bench.database.read(audit.export, organisation_id)
        return [line for line in lines if line["category"] == audit.CALL]


@asynccontextmanager
async def open_workshop(
    *what: Build | Tool,
    packs: Sequence[str] = (),
    pack_settings: Mapping[str, str] | None = None,
    model: Model | None = None,
    folder: Path | None = None,
    **settings: Any,
) -> AsyncIterator[Workshop]:
    """Open a workshop with these packs (their `build` functions) and tools, and close it again.

    `packs` names installed packs to load beside them; `pack_settings` are what the packs given
    find in `services.settings`. A `model` answers the questions; without one the offline model
    does, from the packs' intents. `folder` is kept; without one a temporary folder is used. Other
    arguments are settings. An agent `Testing`, after those of the packs, has every tool.
    """
    tools = [one for one in what if isinstance(one, Tool)]
    builds: dict[str, Build] = {"testing": lambda services: Pack(name="testing", tools=tools)}
    builds |= {f"given_{n}": one for n, one in enumerate(what) if not isinstance(one, Tool)}
    settings["packs"] = {name: dict(pack_settings or {}) for name in builds}

    with TemporaryDirectory(prefix="bancada-testing-") as temporary:
        given = load_settings(
            data=folder or Path(temporary), environment={}, use_packs=[*packs], **settings
        )
        bench = await open_workbench(given, model=model, builds=builds)
        try:
            ana, rui, eva = await bench.database.run(_furnish, bench.packs)
            yield Workshop(bench, ana, rui, eva)
        finally:
            await bench.close()


def _furnish(db: Connection, packs: Sequence[Pack]) -> list[Person]:
    organisation_id = people.first_organisation(db)
    found = [_person(db, organisation_id, name, role) for name, role in PEOPLE]
    every = Agent(name="Testing", description="", system_prompt="", tools=(EVERY_TOOL,))
    known = {agent.name: agent for agent in agents.agents_of(db, organisation_id)}
    for agent in (*(agent for pack in packs for agent in pack.agents), every):
        stored = known.get(agent.name) or agents.add_agent(db, organisation_id, agent)
        for person in found:
            assert stored.id is not None
            agents.grant(db, person.id, stored.id)
    return found


def _person(db: Connection, organisation_id: int, name: str, role: RoleName) -> Person:
    email = f"{name.lower()}@example.com"
    return people.person_by_email(db, email) or people.add_person(
        db, organisation_id=organisation_id, email=email, name=name, role=role, language="en"
    )


def _begin(db: Connection, person: Person, agent: str | None) -> str:
    usable = {each.name: each for each in agents.agents_for(db, person.id)}
    assert agent is None or agent in usable, f"no agent {agent}: {', '.join(usable)}"
    chosen = next(iter(usable.values())) if agent is None else usable[agent]
    assert chosen.id is not None
    return begin_conversation(db, person, chosen.id).id

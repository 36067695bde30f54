"""Calling the pack's tools as the gate does: by name, input checked against the schema."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from bancada import Dashboards, Datasets, Jail, Pack, Person, Result, ToolContext
from bancada.packs.graph import build

ANA = Person(
    id=3, organisation_id=1, email="ana@demo.com", name="Ana", role="responsavel", language="pt"
)


HOME = str(ANA.organisation_id)
"""Where the graph of her organisation is kept, within the pack's folder."""


class NoJail:
    """A machine on which code cannot be run."""

    missing = "No sandbox on this machine."


@dataclass(frozen=True)
class Installation:
    """What a pack is built with."""

    folder: Path
    kept: Any = None
    demo: bool = False
    first_organisation: int = 1
    jail: Jail = field(default_factory=lambda: cast(Jail, NoJail()))
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def datasets(self) -> Datasets:
        raise AssertionError("the pack asks for no data sets")

    @property
    def dashboards(self) -> Dashboards:
        raise AssertionError("the pack keeps no dashboards")


async def no_calls(name: str, input: dict[str, Any]) -> Any:
    raise AssertionError(f"{name} was called from a tool")


def context(conversation: str | None = "c1", person: Person = ANA) -> ToolContext:
    return ToolContext(person=person, call_id="call-1", conversation_id=conversation, call=no_calls)


class Kit:
    """The pack's tools."""

    def __init__(self, pack: Pack) -> None:
        self.pack = pack
        self.tools = {tool.name: tool for tool in pack.tools}

    @staticmethod
    def of(folder: Path, **installed: Any) -> Kit:
        return Kit(build(Installation(folder, **installed)))

    async def run(self, name: str, /, **input: Any) -> Any:
        """The value a tool returns."""
        result = await self.result(name, **input)
        return result.value if isinstance(result, Result) else result

    async def run_as(self, person: Person, name: str, /, **input: Any) -> Any:
        """The same, for somebody else."""
        return await self.tools[name].run(context(person=person), input)

    async def result(self, name: str, /, **input: Any) -> Any:
        problem = self.tools[name].validator.problem(input)
        assert problem is None, problem
        return await self.tools[name].run(context(), input)

    def ask(self, name: str, /, **input: Any) -> Any:
        """The same, for tests that are not coroutines."""
        return asyncio.run(self.run(name, **input))

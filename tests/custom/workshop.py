"""A house with a workshop for custom tools: defined as an administrator would, called through the gate."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bancada.custom.definitions import Workings
from bancada.custom.desk import CustomToolDesk
from bancada.custom.egress import Egress
from bancada.custom.queries import Databases
from bancada.custom.source import CustomTools
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.sandbox import Sandbox
from bancada.store import people
from bancada.store.custom_tools import CustomTool
from tests.house import House


@dataclass
class NoSandboxes:
    missing: str | None = "this machine has no sandbox"

    async def sandbox(self) -> Sandbox:
        raise AssertionError("a tool that is switched off does not run")


@dataclass
class Workshop:
    """Custom tools of a house."""

    house: House
    egress: Egress = field(default_factory=Egress)
    sandboxes: Any = field(default_factory=NoSandboxes)
    closed: tuple[Path, ...] = ()
    desk: CustomToolDesk = field(init=False)

    def __post_init__(self) -> None:
        workings = Workings(
            egress=self.egress, sandboxes=self.sandboxes, databases=Databases(self.closed)
        )
        source = CustomTools(self.house.registry, workings)
        self.house.registry.add_source(source)
        self.desk = CustomToolDesk(self.house.database, self.house.registry, source)

    async def settings(self, **settings: Any) -> None:
        """The organisation's settings, from now on."""
        house = self.house
        await house.database.run(
            people.change_organisation, house.organisation_id, settings=settings
        )

    async def define(
        self,
        name: str,
        kind: str,
        definition: JSONObject,
        *parameters: JSONObject,
        by: Person | None = None,
        own: bool = False,
        **says: Any,
    ) -> CustomTool:
        shape = {
            "name": name,
            "kind": kind,
            "description": f"What {name} does.",
            "definition": definition,
            "parameters": list(parameters),
            **says,
        }
        return await self.desk.create(by or self.house.eva, shape, own=own)


def parameter(name: str, type: str = "string", **says: Any) -> JSONObject:
    return {"name": name, "type": type, **says}

"""A house with a workshop for custom tools: defined as an administrator would, called through the gate."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bancada.custom.databases import Databases, named_database
from bancada.custom.definitions import ToolMachinery
from bancada.custom.desk import CustomToolDesk
from bancada.custom.egress import Egress
from bancada.custom.source import CustomTools
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.packs.tables.render import WIDGETS
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
    databases: Databases = field(default_factory=Databases)
    desk: CustomToolDesk = field(init=False)

    def __post_init__(self) -> None:
        workings = ToolMachinery(
            egress=self.egress,
            sandboxes=self.sandboxes,
            databases=self.databases,
            widgets=WIDGETS,
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

    def name_database(self, name: str, url: str, organisation_id: int | None = None) -> None:
        """As the operator would, in bancada.toml."""
        whose = organisation_id or self.house.organisation_id
        self.databases.named = (*self.databases.named, named_database(name, url, whose))

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

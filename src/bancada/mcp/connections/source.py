"""Connected tools as the registry sees them, from the rows: a tool enabled, changed or lost in one
process is so in all at the next call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.mcp.connections.offered import input_schema_of
from bancada.mcp.connections.switchboard import Switchboard
from bancada.store import connections
from bancada.store.connections import ConnectedTool, ServerConnection
from bancada.store.people import PersonNow
from bancada.tools.tool import Run, Tool, ToolContext

CALL_SECONDS = 120.0
GROUP = "mcp:"
"""How an agent is given everything of a connection: `mcp:NAME`."""


@dataclass
class _Page:
    """One organisation's connected tools at one version of its settings."""

    version: int
    servers: dict[str, ServerConnection]
    rows: dict[str, ConnectedTool]
    made: dict[str, Tool] = field(default_factory=dict)


class ConnectedTools:
    """A `ToolSource` over the rows."""

    def __init__(self, switchboard: Switchboard) -> None:
        self._switchboard = switchboard
        self._pages: dict[int, _Page] = {}

    def refresh(self, db: Connection, person_now: PersonNow) -> None:
        organisation_id = person_now.person.organisation_id
        page = self._pages.get(organisation_id)
        if page is None or page.version < person_now.settings_version:
            self._pages[organisation_id] = _Page(
                person_now.settings_version,
                {one.id: one for one in connections.of_organisation(db, organisation_id)},
                {row.name: row for row in connections.tools_of(db, organisation_id)},
            )

    def find(self, name: str, person: Person) -> Tool | None:
        page = self._pages.get(person.organisation_id)
        if page is None or name not in page.rows:
            return None
        if name not in page.made:
            row = page.rows[name]
            page.made[name] = self._tool(page.servers[row.connection_id], row)
        return page.made[name]

    def for_person(self, person: Person) -> Iterable[Tool]:
        page = self._pages.get(person.organisation_id)
        names = sorted(page.rows) if page else []
        return [tool for name in names if (tool := self.find(name, person)) is not None]

    def _tool(self, server: ServerConnection, row: ConnectedTool) -> Tool:
        """The tool as somebody enabled it: what the server says today is not what a model reads."""
        shape = row.offered if row.approved is None else row.approved
        try:
            schema, problem = input_schema_of(shape), switched_off(server, row)
        except (BadDefinition, ValueError) as error:
            schema = {"type": "object", "properties": {}}
            problem = Wording("connection_tool_unusable", problem=str(error)[:300])
        output = shape["output_schema"]
        return Tool(
            name=row.name,
            description=str(shape["description"] or shape["title"] or shape["name"]),
            input_schema=schema,
            run=self._run(server, row),
            category="data" if row.effect == "read" else "action",
            effect=row.effect,
            permission_level=row.permission_level,
            confirm=row.confirm,
            allowed_callers=row.allowed_callers,
            timeout=CALL_SECONDS,
            parallel=server.url is not None,
            outside_content=True,
            output_schema=output if isinstance(output, dict) else None,
            deferred=True,
            version=str(row.version),
            switched_off=problem,
            group=f"{GROUP}{server.name}",
        )

    def _run(self, server: ServerConnection, row: ConnectedTool) -> Run:
        async def run(context: ToolContext, input: JSONObject) -> object:
            return await self._switchboard.call(server, row, context, input)

        return run


def switched_off(server: ServerConnection, row: ConnectedTool) -> Wording | None:
    """Why a tool cannot be called now; none where it can."""
    if not server.is_enabled:
        return Wording("connection_off", name=server.name)
    if row.state != "enabled":
        return Wording(f"connection_tool_{row.state}", name=server.name)
    return None

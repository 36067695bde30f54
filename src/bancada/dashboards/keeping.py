"""Keep what a chat produced, bring it up to date without a model, show it to others.

A dashboard is either HTML that a model wrote, or a list of items: a widget and the call that
made it. Refreshing runs those calls again as the person who looks, `read` tools only; what they
may not run, or what failed, keeps its last picture and says so.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.dashboards.arranging import Arrangement, arranged, text_tile
from bancada.dashboards.filtering import BoardFilter, ColumnRead
from bancada.dashboards.pinned import Checks, Pinned, checked, from_event
from bancada.dashboards.refreshing import Recalling, Refreshing, is_live, offers_to
from bancada.domain.calls import Via
from bancada.domain.errors import Invalid, ToolFailed
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Person
from bancada.gate.gate import Gate
from bancada.store import dashboards
from bancada.store.dashboards import DashboardRow
from bancada.store.database import Database
from bancada.tools.tool import ToolContext

MOST_HTML = 1_000_000
MOST_ITEMS = 60
MOST_ITEM = 500_000
TITLE_CHARS = 200
MOST_VALUES = 100
"""Values of a column that a filter offers."""

CDN_CHART = re.compile(
    r"<script\b[^>]*\bsrc\s*=\s*[\"']?https?://[^\s\"'>]*chart(?:\.umd)?(?:\.min)?\.js[^\s\"'>]*"
    r"[\"']?[^>]*>\s*</script\s*>|<script\b[^>]*\bsrc\s*=\s*[\"']?https?://[^\s\"'>]*/chart\.js"
    r"[^\s\"'>]*[\"']?[^>]*>\s*</script\s*>",
    re.IGNORECASE,
)
"""Chart.js from somebody else's server: the page that shows the HTML brings our own copy."""


@dataclass
class DashboardDesk:
    """Everything that can be done with dashboards, each as one person."""

    database: Database
    gate: Gate
    checks: Checks = field(default_factory=dict)
    """How the packs check data of their widgets that a client brings."""

    async def keep(self, context: ToolContext, *, titulo: str, html: str) -> JSONObject:
        """Keep model-written HTML; for the tool that makes dashboards."""
        if not titulo.strip() or len(titulo) > TITLE_CHARS:
            raise ToolFailed(f"titulo: 1 to {TITLE_CHARS} characters.")
        if not html.strip() or len(html) > MOST_HTML:
            raise ToolFailed(f"html: 1 to {MOST_HTML} characters.")
        row = await self.database.run(
            dashboards.add,
            organisation_id=context.person.organisation_id,
            user_id=context.person.id,
            conversation_id=context.conversation_id,
            titulo=titulo,
            html=without_foreign_charts(html),
            outside=context.tainted,
        )
        return {"id": row.id, "url": f"/dashboards/{row.id}", "titulo": row.titulo}

    async def shown(self, person: Person, event_id: str) -> Pinned:
        """What an event of the person's own conversation showed; `event_id` is its `<turn>-<n>`."""
        return await self.database.read(from_event, person, event_id)

    async def brought(
        self,
        person: Person,
        *,
        type: str,
        data: JSONObject,
        tool: str | None = None,
        input: JSONObject | None = None,
    ) -> Pinned:
        """A widget that a client brings, and perhaps a call of a tool that one of theirs has."""
        data = text_tile(data) if type == "text" else checked(self.checks, type, data)
        if tool is None:
            return Pinned(type=type, data=data)
        offers = await offers_to(self.database, self.gate, person)
        found = next((offer.tools[tool] for offer in offers if tool in offer.tools), None)
        if found is None:
            raise Invalid("no_agent_of_yours_has", name=tool)
        if found.effect != "read":
            raise Invalid("refresh_reads_only")
        if problem := found.validator.problem(input or {}):
            raise Invalid("bad_input", problem=problem)
        return Pinned(type=type, data=data, tool=tool, input=input)

    async def pin(
        self,
        person: Person,
        *,
        titulo: str,
        items: list[Pinned],
        dashboard_id: str | None = None,
        mark: str | None = None,
    ) -> DashboardRow:
        """Put widgets on a new dashboard, or add them to one of theirs. What has a mark is done once:
        with the same mark again, what was made is found by the ids that follow from it."""
        shapes = [item.as_json() for item in items]
        if mark is not None:
            shapes = [{**shape, "id": f"{mark[:8]}{n}"} for n, shape in enumerate(shapes)]
        if not shapes and dashboard_id is not None:
            raise Invalid("nothing_to_pin")
        if any(len(dumps(shape)) > MOST_ITEM for shape in shapes):
            raise Invalid("widget_too_large")
        if dashboard_id is not None:
            return await self.database.run(_added, dashboard_id, person, shapes)
        return await self.database.run(
            _begun,
            mark and mark[:12],
            person,
            titulo=titulo[:TITLE_CHARS] or "Dashboard",
            items=shapes,
        )

    def live(self, person: Person, row: DashboardRow) -> set[str]:
        """The items, by id, that a refresh can make anew."""
        registry = self.gate.registry
        return {item["id"] for item in row.items if is_live(registry, person, item)}

    async def refresh(
        self, person: Person, dashboard_id: str, *, run: str | None = None
    ) -> DashboardRow:
        """Run the calls behind the items again, as this person; no model is asked. `run` is what
        the calls are kept under, for a refresh that goes on where another process left it."""
        row = await self.database.read(dashboards.owned, dashboard_id, person.id)
        wanted = None if row.filter is None else BoardFilter.of(row.filter)
        refreshing = Refreshing(await self._calls(person, run), wanted)
        items = await asyncio.gather(*(refreshing.item(item) for item in row.items))
        if items == row.items:
            return row
        return await self.database.run(_redrawn, row.id, person, items)

    async def arrange(self, person: Person, dashboard_id: str, change: Arrangement) -> DashboardRow:
        """Its name, its tiles, its filter: all of the change or nothing of it."""
        return await self.database.run(_arranged, dashboard_id, person, change)

    async def columns(self, person: Person, dashboard_id: str) -> list[ColumnRead]:
        """What the board could be filtered by: the columns that its queries read, each once."""
        found = await self._columns(person, dashboard_id)
        return list(dict.fromkeys(column for _, read in found for column in read))

    async def values(
        self, person: Person, dashboard_id: str, column: str
    ) -> tuple[list[str | None], bool]:
        """What stands in a column of that name, and whether there may be more."""
        refreshing = Refreshing(await self._calls(person))
        asked = {
            (item["call"].get("conversation_id"), one): item
            for item, read in await self._columns(person, dashboard_id)
            for one in read
            if one.name == column
        }
        found = await asyncio.gather(
            *(refreshing.values(item, one, MOST_VALUES) for (_, one), item in asked.items())
        )
        values = list(dict.fromkeys(value for each in found for value in each))
        return values, any(len(each) == MOST_VALUES for each in found)

    async def _calls(self, person: Person, run: str | None = None) -> Recalling:
        offers = await offers_to(self.database, self.gate, person)
        via: Via = "refresh" if run is None else "schedule"
        return Recalling(self.database, self.gate, person, offers, via, run)

    async def _columns(
        self, person: Person, dashboard_id: str
    ) -> list[tuple[JSONObject, tuple[ColumnRead, ...]]]:
        row = await self.database.read(dashboards.owned, dashboard_id, person.id)
        refreshing = Refreshing(await self._calls(person))
        live = self.live(person, row)
        items = [item for item in row.items if item["id"] in live]
        read = await asyncio.gather(*(refreshing.columns(item) for item in items))
        return list(zip(items, read, strict=True))


def _arranged(db: Connection, id: str, person: Person, change: Arrangement) -> DashboardRow:
    row = dashboards.owned(db, id, person.id, lock=True)
    changes = arranged(row, change)
    if len(changes.get("items", ())) > MOST_ITEMS:
        raise Invalid("dashboard_full", most=MOST_ITEMS)
    if changes:
        dashboards.change(db, id, **changes)
    return dashboards.owned(db, id, person.id)


def _begun(
    db: Connection, id: str | None, person: Person, titulo: str, items: list[JSONObject]
) -> DashboardRow:
    if id is not None and any(row.id == id for row in dashboards.of_person(db, person.id)):
        return dashboards.owned(db, id, person.id)
    return dashboards.add(
        db,
        organisation_id=person.organisation_id,
        user_id=person.id,
        conversation_id=None,
        titulo=titulo,
        items=items,
        id=id,
    )


def _added(db: Connection, id: str, person: Person, shapes: list[JSONObject]) -> DashboardRow:
    row = dashboards.owned(db, id, person.id, lock=True)
    if row.html is not None:
        raise Invalid("dashboard_is_page")
    if shapes[0]["id"] in (item["id"] for item in row.items):
        return row
    if len(row.items) + len(shapes) > MOST_ITEMS:
        raise Invalid("dashboard_full", most=MOST_ITEMS)
    dashboards.change(db, id, items=[*row.items, *shapes])
    return dashboards.owned(db, id, person.id)


def _redrawn(db: Connection, id: str, person: Person, items: Sequence[JSONObject]) -> DashboardRow:
    """Put the new pictures in place; what was pinned while they were drawn stays."""
    row = dashboards.owned(db, id, person.id, lock=True)
    drawn = {item["id"]: item for item in items}
    dashboards.change(db, id, items=[drawn.get(item["id"], item) for item in row.items])
    return dashboards.owned(db, id, person.id)


def without_foreign_charts(html: str) -> str:
    """Drop script tags that would load Chart.js from elsewhere; our copy is already there."""
    return CDN_CHART.sub("", html)

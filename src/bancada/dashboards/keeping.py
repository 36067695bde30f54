"""Keep what a chat produced, bring it up to date without a model, show it to others.

A dashboard is either HTML that a model wrote, or a list of items: a widget and the call that
made it. Refreshing runs those calls again as the person who looks, `read` tools only; what they
may not run, or what failed, keeps its last picture and says so.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from dataclasses import dataclass

from bancada.domain.calls import Caller, Outcome, ToolCall
from bancada.domain.errors import Invalid, ToolFailed
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Person
from bancada.gate.gate import Gate
from bancada.gate.situation import Situation
from bancada.store import dashboards
from bancada.store.dashboards import DashboardRow
from bancada.store.database import Database
from bancada.tools.tool import ToolContext

MOST_HTML = 1_000_000
MOST_ITEMS = 60
MOST_ITEM = 500_000
TITLE_CHARS = 200

CDN_CHART = re.compile(
    r"<script\b[^>]*\bsrc\s*=\s*[\"']?https?://[^\s\"'>]*chart(?:\.umd)?(?:\.min)?\.js[^\s\"'>]*"
    r"[\"']?[^>]*>\s*</script\s*>|<script\b[^>]*\bsrc\s*=\s*[\"']?https?://[^\s\"'>]*/chart\.js"
    r"[^\s\"'>]*[\"']?[^>]*>\s*</script\s*>",
    re.IGNORECASE,
)
"""Chart.js from somebody else's server: the page that shows the HTML brings our own copy."""


@dataclass(frozen=True, kw_only=True)
class Pinned:
    """One item of a dashboard: what is shown, and the call that makes it anew."""

    type: str
    data: JSONObject
    tool: str | None = None
    input: JSONObject | None = None

    def as_json(self) -> JSONObject:
        return {
            "id": secrets.token_hex(4),
            "type": self.type,
            "data": self.data,
            "call": None if self.tool is None else {"name": self.tool, "input": self.input or {}},
            "refreshed_at": time.time(),
            "error": None,
        }


@dataclass
class DashboardDesk:
    """Everything that can be done with dashboards, each as one person."""

    database: Database
    gate: Gate

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
        )
        return {"id": row.id, "url": f"/dashboards/{row.id}", "titulo": row.titulo}

    async def pin(
        self, person: Person, *, titulo: str, items: list[Pinned], dashboard_id: str | None = None
    ) -> DashboardRow:
        """Put widgets on a new dashboard, or add them to one of theirs."""
        shapes = [item.as_json() for item in items]
        if any(len(dumps(shape)) > MOST_ITEM for shape in shapes):
            raise Invalid("This widget is too large to keep.")
        if dashboard_id is None:
            if not shapes:
                raise Invalid("There is nothing to pin.")
            return await self.database.run(
                dashboards.add,
                organisation_id=person.organisation_id,
                user_id=person.id,
                conversation_id=None,
                titulo=titulo[:TITLE_CHARS] or "Dashboard",
                items=shapes,
            )
        row = await self.database.read(dashboards.owned, dashboard_id, person.id)
        if row.html is not None:
            raise Invalid("This dashboard is a page of its own; pin to another one.")
        if len(row.items) + len(shapes) > MOST_ITEMS:
            raise Invalid(f"A dashboard holds at most {MOST_ITEMS} items.")
        await self.database.run(dashboards.change, row.id, items=[*row.items, *shapes])
        return await self.database.read(dashboards.owned, row.id, person.id)

    async def refresh(self, person: Person, dashboard_id: str) -> DashboardRow:
        """Run the calls behind the items again, as this person; no model is asked."""
        row = await self.database.read(dashboards.owned, dashboard_id, person.id)
        items = await asyncio.gather(*(self._refreshed(person, item) for item in row.items))
        await self.database.run(dashboards.change, row.id, items=list(items))
        return await self.database.read(dashboards.owned, row.id, person.id)

    async def _refreshed(self, person: Person, item: JSONObject) -> JSONObject:
        call = item.get("call")
        if call is None:
            return item
        tool = self.gate.registry.find(call["name"], person)
        if tool is not None and tool.effect != "read":
            return {**item, "error": "Only tools that read are run by a refresh."}
        outcome = await self.gate.call(
            ToolCall(
                id=f"refresh_{secrets.token_hex(10)}",
                name=call["name"],
                input=call["input"],
                caller=Caller(via="refresh"),
            ),
            Situation(person_id=person.id, organisation_id=person.organisation_id),
        )
        if not isinstance(outcome, Outcome):
            return {**item, "error": "This call needs a confirmation and was not run."}
        if outcome.is_error:
            return {**item, "error": str(outcome.content)[:500]}
        return {**item, **_picture(item, outcome), "refreshed_at": time.time(), "error": None}


def _picture(item: JSONObject, outcome: Outcome) -> JSONObject:
    """What a refreshed item shows: the call's own widget of that kind, or its bare result."""
    for widget in outcome.widgets:
        if widget.kind == item["type"]:
            return {"data": widget.data}
    return {"data": outcome.value} if isinstance(outcome.value, dict) else {}


def without_foreign_charts(html: str) -> str:
    """Drop script tags that would load Chart.js from elsewhere; our copy is already there."""
    return CDN_CHART.sub("", html)

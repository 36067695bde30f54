"""Bring a dashboard's items up to date: their calls again, as the person who looks, no model.

A refresh gives nobody more than a chat would. Each call is made within one of the person's own
agents, so a tool that none of them has stays out of reach; it reads the data sets of the
conversation it came from only while that is theirs; and only tools that read are run. A board's
filter is put into the query of the call, and takes the same way.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from bancada.dashboards.filtering import BoardFilter, ColumnRead, Filtering, applied
from bancada.data.hints import columns_read, filtered
from bancada.domain.agents import Agent
from bancada.domain.calls import Caller, Outcome, ToolCall, Via
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Person
from bancada.domain.wording import Wording
from bancada.gate.gate import Gate
from bancada.gate.scope import CallScope
from bancada.store import agents, conversations
from bancada.store.conversations import Conversation
from bancada.store.database import Database
from bancada.tools.registry import Registry
from bancada.tools.tool import InnerCall, Tool

AT_ONCE = 4
"""Calls of one refresh that run side by side."""
MOST_ERROR = 500


@dataclass(frozen=True)
class AgentTools:
    """An agent of the person's, and the tools it has for them."""

    agent: Agent
    tools: Mapping[str, Tool]

    def lacks(self, name: str, input: JSONObject) -> str | None:
        """The tool that is missing to make the call, and what the model wrote into it, here."""
        tool = self.tools.get(name)
        if tool is None:
            return name
        inner = tool.calls(input) if tool.calls is not None else ()
        return next(
            (one.tool for one in inner if one.of_agent and one.tool not in self.tools), None
        )


def is_live(registry: Registry, person: Person, item: JSONObject) -> bool:
    """Whether a refresh can make the item anew.

    A tool that only draws what it is given, and was given figures, would draw the same ones for
    ever: they are of the day they were written. A tool that is gone is for the refresh to tell of.
    """
    call = item.get("call")
    if call is None:
        return False
    tool = registry.find(call["name"], person)
    if tool is None:
        return True
    typed = tool.calls is not None and not tool.calls(call["input"])
    return tool.effect == "read" and not typed


async def offers_to(database: Database, gate: Gate, person: Person) -> list[AgentTools]:
    """What the person can ask for: each of their agents with its tools."""
    found: list[AgentTools] = []
    for agent in await database.read(agents.agents_for, person.id):
        visible = await gate.visible(_scope(person, agent))
        found.append(AgentTools(agent, {tool.name: tool for tool, _ in visible}))
    return found


@dataclass
class Recalling:
    """Calls that were kept, made again for one person: nobody gets more by it than by a chat."""

    database: Database
    gate: Gate
    person: Person
    offers: Sequence[AgentTools]
    via: Via
    run: str | None = None
    """What the calls are kept under, so that one that ended is not made again; none: they are not."""

    async def made(
        self, name: str, input: JSONObject, source: str | None, which: str | None = None
    ) -> Outcome | Wording:
        """How the call ends now, or why it was not made; `source` is whose data sets it reads,
        `which` tells it from the others of a run."""
        origin = await self._origin(source)
        if origin is not None and origin.user_id != self.person.id:
            return Wording("refresh_foreign_conversation")
        offer = self._offer(name, input, origin)
        if offer is None:
            return Wording("no_agent_of_yours_has", name=name)
        tool = offer.tools.get(name)
        if tool is not None and tool.effect != "read":
            return Wording("refresh_reads_only")
        outcome = await self.gate.call(
            ToolCall(
                id=f"{self.via}_{which or secrets.token_hex(10)}",
                name=name,
                input=input,
                caller=Caller(via=self.via),
            ),
            replace(_scope(self.person, offer.agent, origin), kept_as=self.run),
        )
        if not isinstance(outcome, Outcome):
            return Wording("refresh_needs_confirmation")
        if outcome.is_error:
            if (lacking := offer.lacks(name, input)) is not None:
                return _not_theirs(lacking)
            lost = source is not None and origin is None and outcome.code == "failed"
            return Wording("refresh_deleted_conversation") if lost else not_run(name, outcome)
        return outcome

    async def _origin(self, conversation_id: str | None) -> Conversation | None:
        if conversation_id is None:
            return None
        return await self.database.read(conversations.find, conversation_id)

    def _offer(
        self, name: str, input: JSONObject, origin: Conversation | None
    ) -> AgentTools | None:
        """Within which agent to call: the one it was made with, or another that can.

        Where none can, any of them: then it is the gate that refuses, and the audit that says so.
        """
        first = None if origin is None else origin.agent_id
        own = sorted(self.offers, key=lambda offer: offer.agent.id != first)
        able = [offer for offer in own if offer.lacks(name, input) is None]
        near = [offer for offer in own if name in offer.tools]
        return next(iter((*able, *near, *own)), None)


@dataclass
class Refreshing:
    """One refresh of one person."""

    calls: Recalling
    filter: BoardFilter | None = None

    def __post_init__(self) -> None:
        self._places = asyncio.Semaphore(AT_ONCE)

    async def item(self, item: JSONObject) -> JSONObject:
        """The item with a new picture; or with the old one, and why."""
        call = item.get("call")
        if call is None or not is_live(self.calls.gate.registry, self.calls.person, item):
            return item
        async with self._places:
            way = Filtering() if self.filter is None else await self._filtering(call, self.filter)
            input = call["input"]
            if way.filters:
                input = {**input, "sql": filtered(input["sql"], way.filters)}
            which = None if self.calls.run is None else self._which(item["id"])
            ended = await self.calls.made(call["name"], input, call.get("conversation_id"), which)
        if isinstance(ended, Wording):
            return {**item, "error": ended.as_json()}
        shown = _picture(item, call, ended)
        if isinstance(shown, Wording):
            return {**item, "error": shown.as_json()}
        return {
            **item,
            "data": shown,
            "broken": None if ended.broken is None else [asdict(one) for one in ended.broken],
            "refreshed_at": time.time(),
            "error": None,
            "filter": None if self.filter is None else self.filter.as_json(),
            "notes": [note.as_json() for note in way.notes],
        }

    def _which(self, id: str) -> str:
        """What the item's call is kept as: one of another filter is another call."""
        if self.filter is None:
            return id
        return f"{id}_{hashlib.sha256(dumps(self.filter.as_json()).encode()).hexdigest()[:12]}"

    async def columns(self, item: JSONObject) -> tuple[ColumnRead, ...]:
        """What the item could be filtered by; nothing where it cannot be, or not by this person."""
        async with self._places:
            read = await self._columns(item["call"])
        return () if isinstance(read, Wording) else read

    async def values(self, item: JSONObject, column: ColumnRead, most: int) -> list[str | None]:
        """What stands in a column that the item's query reads, the commonest first."""
        query = self._query(item["call"])
        if query is None:
            return []
        async with self._places:
            found = await self._asked(query.tool, column.commonest(most), item["call"])
        return [] if isinstance(found, Wording) else [row[0] for row in found["rows"]]

    async def _filtering(self, call: JSONObject, wanted: BoardFilter) -> Filtering:
        """How the filter applies to a call: what cannot be filtered is drawn whole, and says so."""
        read = await self._columns(call)
        return Filtering(notes=(read,)) if isinstance(read, Wording) else applied(wanted, read)

    async def _columns(self, call: JSONObject) -> tuple[ColumnRead, ...] | Wording:
        query = self._query(call)
        if query is None:
            return Wording("filter_not_query")
        found = await self._asked(query.tool, columns_read(call["input"]["sql"]), call)
        if isinstance(found, Wording):
            return Wording("filter_refused")
        if found["truncated"]:
            return Wording("filter_too_wide")
        return tuple(ColumnRead(*row) for row in found["rows"])

    def _query(self, call: JSONObject) -> InnerCall | None:
        """The query that the call draws, where it is no more than that."""
        tool = self.calls.gate.registry.find(call["name"], self.calls.person)
        inner = () if tool is None or tool.calls is None else tool.calls(call["input"])
        plain = len(inner) == 1 and inner[0].input == {"sql": call["input"].get("sql")}
        return inner[0] if plain else None

    async def _asked(self, tool: str, sql: str, call: JSONObject) -> JSONObject | Wording:
        ended = await self.calls.made(tool, {"sql": sql}, call.get("conversation_id"))
        if isinstance(ended, Wording):
            return ended
        return ended.value if isinstance(ended.value, dict) else Wording("filter_too_wide")


def _scope(person: Person, agent: Agent, conversation: Conversation | None = None) -> CallScope:
    return CallScope(
        person_id=person.id,
        organisation_id=person.organisation_id,
        conversation_id=None if conversation is None else conversation.id,
        agent=agent,
    )


def _picture(item: JSONObject, call: JSONObject, outcome: Outcome) -> JSONObject | Wording:
    """The widget of that kind which the call shows now; a sentence when it shows none."""
    kind, which = item["type"], call.get("widget", 0)
    alike = [widget.data for widget in outcome.widgets if widget.kind == kind]
    if not alike:
        return Wording("refresh_draws_nothing", tool=call["name"])
    drawn: JSONObject = alike[min(which, len(alike) - 1)]
    return drawn


def _not_theirs(name: str) -> Wording:
    return Wording("refresh_tool_not_yours", tool=name)


def not_run(name: str, outcome: Outcome) -> Wording:
    """Why a call did not run, said to the person; a tool that failed says it in its own words."""
    match outcome.code:
        case "unknown_tool":
            return Wording("no_tool", name=name)
        case "disabled" | "forbidden" | "tool_not_allowed":
            return _not_theirs(name)
        case "invalid_tool_input":
            return Wording("refresh_tool_changed", tool=name)
        case "budget_exceeded":
            return Wording("refresh_limit", tool=name)
        case "timeout":
            return Wording("refresh_too_slow", tool=name)
    return Wording("as_said", text=str(outcome.content)[:MOST_ERROR])

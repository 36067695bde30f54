"""Finding tools that are not sent in full: `search_tools`, for models without a search of their own."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.errors import ToolFailed
from bancada.domain.intents import plain
from bancada.domain.json import JSONObject, loads
from bancada.domain.wording import in_each_language
from bancada.engine.offer import SEARCH_TOOL
from bancada.engine.variants import agent_of
from bancada.gate.gate import Gate
from bancada.gate.scope import CallScope
from bancada.store import conversations, turns
from bancada.store.messages import StoredMessage
from bancada.tools.tool import Tool, ToolContext, tool

MOST_FOUND = 8


def search_tool(gate: Gate) -> Tool:
    """The tool that finds the others, among those this person may use with this agent."""

    async def search_tools(ctx: ToolContext, query: str) -> JSONObject:
        """Find further tools by what they do. What is found can be called from then on.

        Args:
            query: A few words on what is needed.
        """
        if ctx.turn_id is None:
            raise ToolFailed("search_tools works within a conversation only.")
        agent = await gate.database.read(_agent_of_turn, ctx.turn_id)
        scope = CallScope(
            person_id=ctx.person.id, organisation_id=ctx.person.organisation_id, agent=agent
        )
        wanted = [word for word in plain(query).replace("_", " ").split() if len(word) > 1]
        scored = []
        for candidate, _ in await gate.visible(scope):
            if not candidate.deferred:
                continue
            name = plain(candidate.name).replace("_", " ")
            text = f"{name} {plain(candidate.description)}"
            score = sum(3 * (word in name) + (word in text) for word in wanted)
            if score:
                scored.append((-score, candidate.name, candidate))
        found = [candidate for _, _, candidate in sorted(scored, key=lambda each: each[:2])]
        return {
            "tools": [
                {"name": each.name, "description": each.description.split("\n")[0]}
                for each in found[:MOST_FOUND]
            ]
        }

    return replace(tool(search_tools), core=True, names=in_each_language("tool_search"))


def _agent_of_turn(db: Connection, turn_id: str) -> Agent:
    turn = turns.find(db, turn_id)
    conversation = None if turn is None else conversations.find(db, turn.conversation_id)
    assert conversation is not None
    return agent_of(db, conversation)


def found_tools(messages: list[StoredMessage]) -> frozenset[str]:
    """The tools that searches of this conversation have found, from the record."""
    asked = {
        block["id"]
        for message in messages
        for block in message.content
        if block.get("type") == "tool_use" and block.get("name") == SEARCH_TOOL
    }
    names: set[str] = set()
    for message in messages:
        for block in message.content:
            if block.get("type") == "tool_result" and block.get("tool_use_id") in asked:
                names |= _names_in(block.get("content"))
    return frozenset(names)


def _names_in(content: object) -> set[str]:
    try:
        found = loads(content) if isinstance(content, str) else None
    except ValueError:
        return set()
    if not isinstance(found, dict):
        return set()
    return {str(each.get("name")) for each in found.get("tools", []) if isinstance(each, dict)}

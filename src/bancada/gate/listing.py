"""Which tools a person's model is offered, and in what words."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.domain.agents import EVERY_TOOL, Agent
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.gate.scope import CallScope
from bancada.policy import permissions
from bancada.policy.rulebook import Rulebook
from bancada.policy.rules import Rules
from bancada.store import agents, people
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool


@dataclass(frozen=True)
class ReachedTool:
    """A tool that a person may use, and the agent that gives it to them."""

    tool: Tool
    rules: Rules
    agent: Agent | None


def visible_tools(
    db: Connection, registry: Registry, rulebook: Rulebook, scope: CallScope
) -> list[tuple[Tool, Rules]]:
    """The tools this person may use, with the rules in force: an agent's in its own order."""
    person_now = people.person_now(db, scope.person_id)
    if person_now is None or not person_now.person.is_active:
        return []
    registry.refresh(db, person_now)
    agent = scope.agent
    found: list[tuple[Tool, Rules]] = []
    for tool in _candidates(registry, person_now.person, scope):
        rules = rulebook.rules(db, person_now, tool, agent.id if agent else None)
        if permissions.may_see(person_now.person, tool, rules, agent):
            found.append((tool, rules))
    return found


def _candidates(registry: Registry, person: Person, scope: CallScope) -> list[Tool]:
    if scope.agent is None:
        return registry.for_person(person)
    every = registry.for_person(person)
    named = {tool.name: tool for tool in every}
    listed = [
        tool
        for name in scope.agent.tools
        for tool in ([name] if name in named else [one.name for one in every if one.group == name])
    ]
    rest = [tool.name for tool in every if EVERY_TOOL in scope.agent.tools]
    anywhere = [tool.name for tool in every if tool.core or tool.own]
    return [named[name] for name in dict.fromkeys((*listed, *rest, *anywhere))]


def within_reach(
    db: Connection,
    registry: Registry,
    rulebook: Rulebook,
    person: Person,
    *,
    only: int | None = None,
) -> list[ReachedTool]:
    """The tools this person may use with one of their agents, each with the first that offers it;
    `only` is the one agent that counts.

    Without an agent a tool of the person's own is there too, and nothing else: what an
    administrator gave to no agent of theirs is not theirs to call.
    """
    found: dict[str, ReachedTool] = {}
    for agent in agents.agents_for(db, person.id):
        if only not in (None, agent.id):
            continue
        scope = CallScope(person_id=person.id, organisation_id=person.organisation_id, agent=agent)
        for tool, rules in visible_tools(db, registry, rulebook, scope):
            if not tool.core:
                found.setdefault(tool.name, ReachedTool(tool, rules, agent))
    alone = CallScope(person_id=person.id, organisation_id=person.organisation_id)
    for tool, rules in visible_tools(db, registry, rulebook, alone):
        if tool.own and only is None:
            found[tool.name] = ReachedTool(tool, rules, None)
    return [found[name] for name in sorted(found)]


def calling_agent(
    db: Connection,
    registry: Registry,
    rulebook: Rulebook,
    person: Person,
    name: str,
    *,
    only: int | None = None,
) -> Agent | None:
    """Within which agent a person's own call is made: the first of theirs that offers the tool;
    none for a tool of their own. With neither, the gate has a sentence for it."""
    mine = [one for one in agents.agents_for(db, person.id) if only in (None, one.id)]
    having = [agent for agent in mine if agent.has(name)]
    having.append(Agent(name="your agents", description="", system_prompt=""))
    person_now = people.person_now(db, person.id)
    if person_now is None:
        return having[0]
    registry.refresh(db, person_now)
    tool = registry.find(name, person)
    if tool is None:
        return having[0]
    if tool.own and only is None:
        return None

    def sees(agent: Agent) -> bool:
        rules = rulebook.rules(db, person_now, tool, agent.id)
        return permissions.may_see(person, tool, rules, agent)

    return next((agent for agent in having[:-1] if sees(agent)), having[0])


def definition(tool: Tool, *, brief: bool = True) -> JSONObject:
    """A tool as the Messages API wants it: the same bytes every time.

    Not `brief`, for small models: those fill in every argument that does not say that it may be null.
    """
    shape: JSONObject = {
        "name": tool.name,
        "description": described(tool),
        "input_schema": _told(tool.input_schema) if brief else tool.input_schema,
    }
    if tool.examples:
        shape["input_examples"] = list(tool.examples)
    return shape


def _told(schema: JSONObject) -> JSONObject:
    """The schema as a model needs it, since every byte of it travels with every request.

    What is null when it is left out can be left out: a model need not be told of the null.
    (The gate still takes one.)
    """
    properties: JSONObject = schema.get("properties", {})
    needed = schema.get("required", ())
    brief = {
        name: _without_null(shape)
        for name, shape in properties.items()
        if name not in needed and isinstance(shape, dict) and shape.get("default", 0) is None
    }
    return {**schema, "properties": {**properties, **brief}} if brief else schema


def _without_null(shape: JSONObject) -> JSONObject:
    told = {key: value for key, value in shape.items() if key != "default"}
    for key, null in (("type", "null"), ("anyOf", {"type": "null"}), ("enum", None)):
        among = told.get(key)
        if isinstance(among, list) and null in among and len(among) > 1:
            told[key] = [one for one in among if one != null]
    if len(told.get("anyOf", ())) == 1:
        told = {**told.pop("anyOf")[0], **told}
    if isinstance(told.get("type"), list) and len(told["type"]) == 1:
        told["type"] = told["type"][0]
    return told


def described(tool: Tool) -> str:
    """The description and, where it says so, what comes back."""
    if not tool.output_description:
        return tool.description
    return f"{tool.description}\n\nReturns: {tool.output_description}"

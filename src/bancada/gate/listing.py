"""Which tools a person's model is offered, and in what words."""

from __future__ import annotations

from sqlalchemy import Connection

from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.gate.situation import Situation
from bancada.policy import permissions
from bancada.policy.rulebook import Rulebook
from bancada.policy.rules import Rules
from bancada.store import people
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool


def visible_tools(
    db: Connection, registry: Registry, rulebook: Rulebook, situation: Situation
) -> list[tuple[Tool, Rules]]:
    """The tools this person may use, with the rules in force: an agent's in its own order."""
    standing = people.standing(db, situation.person_id)
    if standing is None or not standing.person.is_active:
        return []
    registry.refresh(db, standing)
    agent = situation.agent
    found: list[tuple[Tool, Rules]] = []
    for tool in _candidates(registry, standing.person, situation):
        rules = rulebook.rules(db, standing, tool, agent.id if agent else None)
        if permissions.may_see(standing.person, tool, rules, agent):
            found.append((tool, rules))
    return found


def _candidates(registry: Registry, person: Person, situation: Situation) -> list[Tool]:
    if situation.agent is None:
        return registry.for_person(person)
    tools = [registry.find(name, person) for name in situation.agent.tools]
    anywhere = [tool for tool in registry.for_person(person) if tool.core or tool.own]
    return list({tool.name: tool for tool in (*tools, *anywhere) if tool is not None}.values())


def definition(tool: Tool) -> JSONObject:
    """A tool as the Messages API wants it: the same bytes every time."""
    shape: JSONObject = {
        "name": tool.name,
        "description": described(tool),
        "input_schema": _told(tool.input_schema),
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


def get_tool_schemas(
    db: Connection, registry: Registry, rulebook: Rulebook, situation: Situation
) -> list[JSONObject]:
    """What this person's model may call directly, in a stable order, byte-identical each time."""
    return [
        definition(tool)
        for tool, rules in visible_tools(db, registry, rulebook, situation)
        if "direct" in rules.allowed_callers and not tool.core
    ]

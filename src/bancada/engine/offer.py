"""Which tools a request offers, and how: directly, from code, or found by searching.

The list is in the agent's order and the same bytes from request to request, until a search
finds more: that comes at its end. What the provider runs itself follows the agent's own tools.
"""

from __future__ import annotations

import keyword
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from bancada.domain.agents import CodeMode
from bancada.domain.calls import CODE_CALLER, CODE_CALLERS, CODE_TOOL, OLD_CODE_CALLER
from bancada.domain.json import JSONObject, dumps
from bancada.engine.codetool import CODE_SCHEMA
from bancada.engine.functions import function_names
from bancada.gate.listing import definition, described
from bancada.policy.rules import Rules
from bancada.sandbox import Function
from bancada.tools.tool import Tool

SEARCH_TOOL = "search_tools"
VENDOR_SEARCH: JSONObject = {
    "type": "tool_search_tool_bm25_20251119",
    "name": "tool_search_tool_bm25",
}


@dataclass(frozen=True, kw_only=True)
class Offer:
    """The tools of a turn."""

    definitions: list[JSONObject]
    functions: tuple[Function, ...] = ()


def offer(
    tools: Sequence[tuple[Tool, Rules]],
    *,
    code: CodeMode,
    deferred_above: int,
    vendor_search: bool,
    found: frozenset[str] = frozenset(),
    brief: bool = True,
) -> Offer:
    """What the model is told it may call. `found` are the tools it has searched for already."""
    definitions: list[JSONObject] = []
    late: list[JSONObject] = []
    defer = sum(len(dumps(definition(tool))) for tool, _ in tools) > deferred_above
    version = _code_version(tools)
    for tool, rules in tools:
        direct, from_code = "direct" in rules.allowed_callers, _from_code(rules)
        if not (direct or (code != "direct" and from_code)):
            continue
        if tool.name == SEARCH_TOOL:
            continue
        if not direct and code == "local":
            continue
        shape = definition(tool, brief=brief)
        if code == "anthropic" and from_code:
            shape["allowed_callers"] = ["direct", version] if direct else [version]
        if not (defer and tool.deferred):
            definitions.append(shape)
        elif vendor_search:
            definitions.append({**shape, "defer_loading": True})
        elif tool.name in found:
            late.append(shape)
    if defer and any(tool.deferred for tool, _ in tools):
        search = [definition(tool) for tool, _ in tools if tool.name == SEARCH_TOOL]
        definitions += [VENDOR_SEARCH] if vendor_search else search
    functions: tuple[Function, ...] = ()
    if code == "local":
        # All of them, though some may not be called from code: the gate says so, and notes it.
        others = [tool for tool, _ in tools if tool.name != CODE_TOOL]
        named = function_names(tool.name for tool in others)
        functions = tuple(Function(one.name, one.parameters, named[one.name]) for one in others)
        callable_tools = [tool for tool, rules in tools if _from_code(rules) and tool in others]
        definitions.append(
            code_definition(
                [t for t in callable_tools if not (defer and t.deferred) or t.name in found],
                named,
                described_elsewhere={shape["name"] for shape in (*definitions, *late)},
            )
        )
    elif code == "anthropic":
        definitions.append({"type": version, "name": CODE_TOOL})
    return Offer(definitions=[*definitions, *late], functions=functions)


def _code_version(tools: Sequence[tuple[Tool, Rules]]) -> str:
    """The managed container's version: the old one where every tool that names one names it."""
    named = {c for _, rules in tools for c in rules.allowed_callers if c in CODE_CALLERS}
    return OLD_CODE_CALLER if named == {OLD_CODE_CALLER} else CODE_CALLER


def _from_code(rules: Rules) -> bool:
    return any(caller in CODE_CALLERS for caller in rules.allowed_callers)


_RUNS = (
    "Run Python in a sandbox without network or files of the host. State is kept between "
    "runs. Print what you want to see: only the output comes back, so filter and add up in "
    "code. Top-level await works; pandas, numpy, scipy, statsmodels, duckdb, matplotlib, openpyxl and "
    "the standard library are there. "
)
_IN_CHAT = (
    "Data sets of the conversation are under /data, read-only. Files written to the working "
    "folder are shown to the person. "
)
_SECONDS = "A run may use 90 seconds of its own."


def code_definition(
    tools: Sequence[Tool],
    named: Mapping[str, str],
    *,
    described_elsewhere: Collection[str] = (),
    in_chat: bool = True,
) -> JSONObject:
    """Our own `code_execution`: what it is, and the functions that stand ready in it.

    A tool that is also offered directly is described there; here its name is enough, since
    every byte travels with every request.
    """
    lines = [f"{_RUNS}{_IN_CHAT if in_chat else ''}{_SECONDS}"]
    if tools:
        lines.append(
            "Async functions stand ready; await them, with keyword arguments or one dict. "
            "Each returns a string (JSON text for structured results: use json.loads); an error "
            "raises an exception. asyncio.gather runs them side by side."
        )
    known = [tool.name for tool in tools if tool.name in described_elsewhere]
    if known:
        lines.append(f"With the parameters of the tools of these names: {', '.join(known)}.")
    renamed = [f"{named[name]} for the tool {name}" for name in known if named[name] != name]
    if renamed:
        lines.append(f"In code some have another name: {', '.join(renamed)}.")
    lines += [
        _signature(tool, named[tool.name]) for tool in tools if tool.name not in described_elsewhere
    ]
    return {
        "name": CODE_TOOL,
        "description": "\n\n".join(lines),
        "input_schema": CODE_SCHEMA,
    }


PYTHON_TYPES = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "array": "list",
    "object": "dict",
}


def _signature(tool: Tool, called: str) -> str:
    required = set(tool.input_schema.get("required", ()))
    properties = tool.input_schema.get("properties", {})
    parts = []
    for name, shape in properties.items():
        default = "" if name in required else f" = {shape.get('default')!r}"
        parts.append(f"{name}: {_python_type(shape)}{default}")
    taken = ", ".join(parts)
    if not all(name.isidentifier() and not keyword.iskeyword(name) for name in properties):
        taken = f"{{{taken}}}"  # one dict: these are no names of Python's
    lines = [f"async def {called}({taken}) -> str", f"    {described(tool)}"]
    if called != tool.name:
        lines.append(f"    (The tool {tool.name}.)")
    if tool.output_schema is not None:
        lines.append(f"    Output schema: {dumps(tool.output_schema)}")
    return "\n".join(lines)


def _python_type(shape: JSONObject) -> str:
    """A parameter's type in Python's words; what may be null says so by its default."""
    kinds = shape.get("type")
    kinds = kinds if isinstance(kinds, list) else [kinds]
    known = [PYTHON_TYPES[kind] for kind in kinds if kind in PYTHON_TYPES]
    return " | ".join(known) or "object"

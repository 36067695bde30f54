"""The tools of a request: what its model is told, what code may call, and whose each of them is.

A client that asks for `code_execution` has it here: the model behind sees one ordinary tool with
the functions that stand ready in its description.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from bancada.domain.calls import CODE_CALLER, CODE_CALLERS, CODE_TOOL, OLD_CODE_CALLER
from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject, canonical
from bancada.engine.functions import function_names
from bancada.engine.offer import code_definition
from bancada.gate.listing import definition
from bancada.gateway.asked import named_tools
from bancada.gateway.errors import GatewayRefused
from bancada.policy.rules import Rules
from bancada.sandbox import Function
from bancada.tools.tool import Tool, ToolContext

CODE_TYPE = "code_execution_"


@dataclass(frozen=True, kw_only=True)
class Offered:
    """What one request offers its model."""

    definitions: list[JSONObject]
    """For the model behind."""
    version: str | None
    """The code tool that was asked for; none: no code."""
    functions: tuple[Function, ...] = ()
    of_agent: frozenset[str] = frozenset()
    """Those that run here: tools of the key's agent."""

    @property
    def names(self) -> list[str]:
        """What the model behind may call."""
        return [str(shape.get("name")) for shape in self.definitions]

    @property
    def caller(self) -> str:
        """How calls of code are marked: the newest version goes by the name of the one before."""
        return OLD_CODE_CALLER if self.version == OLD_CODE_CALLER else CODE_CALLER

    @property
    def fingerprint(self) -> str:
        """What code may call, in short."""
        known = [[function.name, *function.parameters] for function in self.functions]
        return hashlib.sha256(canonical(known)).hexdigest()


def wants_code(body: JSONObject) -> bool:
    """Whether a request is about code at all: a tool that runs it, or one that it may call."""
    tools = body.get("tools")
    return isinstance(tools, list) and any(
        isinstance(tool, dict) and (_is_code(tool) or "allowed_callers" in tool) for tool in tools
    )


def offered(body: JSONObject, agents: list[tuple[Tool, Rules]], *, brief: bool = True) -> Offered:
    """Raises `GatewayRefused` for what cannot be called from code, as the vendor does."""
    given = named_tools(body)
    code = [tool for tool in given if _is_code(tool)]
    version = str(code[0]["type"]) if code else None
    own = [(at, tool) for at, tool in enumerate(given) if not _is_code(tool)]
    from_code = [(at, tool) for at, tool in own if _from_code(tool, at)]
    if from_code and version is None:
        raise GatewayRefused(
            f"tools.{from_code[0][0]}.allowed_callers: the code execution tool must be among the tools"
        )
    _check_choice(body.get("tool_choice"), [tool for _, tool in own], bool(from_code))
    names = {str(tool["name"]) for _, tool in own}
    ours = [(tool, rules) for tool, rules in agents if tool.name != CODE_TOOL]
    twice = next((tool.name for tool, _ in ours if tool.name in names), None)
    if twice is not None or (version is not None and CODE_TOOL in names):
        raise GatewayRefused(
            f"tools: Tool names must be unique: {twice or CODE_TOOL} is taken here"
        )
    direct = [tool for _, tool in own if _is_direct(tool)]
    definitions = [{k: v for k, v in tool.items() if k != "allowed_callers"} for tool in direct]
    direct_here = [tool for tool, rules in ours if "direct" in rules.allowed_callers]
    definitions += [definition(tool, brief=brief) for tool in direct_here]
    if version is None:
        named = frozenset(tool.name for tool, _ in ours)
        return Offered(definitions=definitions, version=None, of_agent=named)
    tools = [_as_tool(at, tool) for at, tool in from_code]
    tools += [t for t, rules in ours if any(c in CODE_CALLERS for c in rules.allowed_callers)]
    called = function_names(tool.name for tool in tools)
    shown = {str(shape["name"]) for shape in definitions}
    shape = code_definition(tools, called, described_elsewhere=shown, in_chat=False)
    if "cache_control" in code[0]:
        shape["cache_control"] = code[0]["cache_control"]
    return Offered(
        definitions=[*definitions, shape],
        version=version,
        functions=tuple(Function(t.name, t.parameters, called[t.name]) for t in tools),
        of_agent=frozenset(tool.name for tool, _ in ours),
    )


def _is_code(tool: JSONObject) -> bool:
    kind = tool.get("type")
    return isinstance(kind, str) and kind.startswith(CODE_TYPE)


def _callers(tool: JSONObject) -> list[JSON]:
    callers = tool.get("allowed_callers")
    return callers if isinstance(callers, list) and callers else ["direct"]


def _is_direct(tool: JSONObject) -> bool:
    return "direct" in _callers(tool)


def _from_code(tool: JSONObject, at: int) -> bool:
    """Whether code may call it; refused where it is of a kind that code cannot call."""
    callers = _callers(tool)
    unknown = next((c for c in callers if c not in ("direct", *CODE_CALLERS)), None)
    if unknown is not None:
        raise GatewayRefused(f"tools.{at}.allowed_callers: {unknown!r} is no caller")
    if not any(caller in CODE_CALLERS for caller in callers):
        return False
    if tool.get("strict") is True:
        raise GatewayRefused(
            f"tools.{at}.custom.strict: tools with `strict: true` cannot be called from code "
            "execution"
        )
    if tool.get("type") not in (None, "custom"):
        raise GatewayRefused(
            f"tools.{at}.allowed_callers: only custom tools can be called from code"
        )
    return True


def _check_choice(choice: JSON, own: list[JSONObject], programmatic: bool) -> None:
    if not isinstance(choice, dict):
        return
    if programmatic and choice.get("disable_parallel_tool_use") is True:
        raise GatewayRefused(
            "tool_choice.disable_parallel_tool_use: not supported with programmatic tool calling"
        )
    forced = choice.get("name") if choice.get("type") == "tool" else None
    for tool in own:
        if forced is not None and tool["name"] == forced and not _is_direct(tool):
            raise GatewayRefused(
                f"tool_choice.name: tool `{forced}` cannot be forced: `direct` is not among its "
                "`allowed_callers`"
            )


def _as_tool(at: int, tool: JSONObject) -> Tool:
    """A client's tool as far as its signature goes; it does not run here."""
    where = f"tools.{at}.custom.input_schema"
    schema = tool.get("input_schema")
    if not isinstance(schema, dict):
        raise GatewayRefused(f"{where}: Field required")
    if "type" not in schema:
        raise GatewayRefused(f"{where}.type: Field required")
    properties = schema.get("properties", {})
    shapes = isinstance(properties, dict) and all(isinstance(p, dict) for p in properties.values())
    required = schema.get("required", [])
    if not shapes or not isinstance(required, list):
        raise GatewayRefused(f"{where}: Input should be a valid JSON schema")
    if _goes_round(schema, schema, ()):
        raise GatewayRefused(f"{where}: Circular $ref detected")
    try:
        return Tool(
            name=str(tool["name"]),
            description=str(tool.get("description") or ""),
            input_schema={
                **schema,
                "required": [name for name in required if isinstance(name, str)],
            },
            run=_not_here,
        )
    except BadDefinition as error:
        raise GatewayRefused(f"tools.{at}.custom: {error}") from None


async def _not_here(context: ToolContext, input: JSONObject) -> JSON:
    raise RuntimeError("a client's own tool runs at the client's")


def _goes_round(shape: JSON, root: JSONObject, seen: tuple[str, ...]) -> bool:
    """Whether a schema refers to itself: it could not be written down as a signature."""
    if isinstance(shape, list):
        return any(_goes_round(part, root, seen) for part in shape)
    if not isinstance(shape, dict):
        return False
    ref = shape.get("$ref")
    if isinstance(ref, str):
        if ref in seen:
            return True
        if _goes_round(_at(root, ref), root, (*seen, ref)):
            return True
    return any(_goes_round(part, root, seen) for key, part in shape.items() if key != "$ref")


def _at(root: JSONObject, ref: str) -> JSON:
    """What a reference within the schema points to; nothing where it points elsewhere."""
    found: JSON = root
    if not ref.startswith("#"):
        return None
    for part in ref.removeprefix("#").strip("/").split("/"):
        if part:
            found = found.get(part) if isinstance(found, dict) else None
    return found

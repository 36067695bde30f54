"""A custom tool's definition: read from what a person sent, checked, made into a `Tool`.

Four kinds: `http`, `sql`, `python` and `composed`. The parameters are rows; the JSON Schema is
made from them. A definition that could not work is refused with the reason, before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast, get_args

import jsonschema_rs

from bancada.custom import chains
from bancada.custom.databases import Databases
from bancada.custom.egress import Egress
from bancada.custom.organisation import Means
from bancada.custom.programs import DEFAULT_SECONDS, Sandboxes, check_program, program_run
from bancada.custom.queries import check_query, query_run
from bancada.custom.web import check_web, web_run
from bancada.domain.calls import CODE_CALLERS, CODE_TOOL, Widget, WidgetKind
from bancada.domain.errors import BadDefinition, ToolFailed
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.people import ROLES, RoleName
from bancada.store.custom_tools import CustomParameter, CustomTool
from bancada.tools.normalise import normalise
from bancada.tools.patterns import check_schema_patterns
from bancada.tools.tool import NAME, Category, Effect, Result, Run, Tool, ToolContext
from bancada.tools.validation import Validator

T = TypeVar("T")

KINDS = ("http", "sql", "python", "composed")
TYPES = ("string", "integer", "number", "boolean", "array", "object")
CATEGORIES: tuple[Category, ...] = get_args(Category)
EFFECTS: tuple[Effect, ...] = get_args(Effect)
MAX_PARAMETERS = 50
MAX_DESCRIPTION = 4_000
MAX_BYTES = 100_000
MAX_SECONDS = {"http": 60.0, "sql": 30.0, "python": 60.0}

_FIELDS = frozenset(
    {
        "name", "kind", "description", "definition", "parameters", "category", "effect",
        "permission_level", "requires_confirmation", "allowed_callers",
    }
)  # fmt: skip
_PARAMETER_FIELDS = frozenset(
    {"name", "type", "description", "is_required", "default_value", "constraints"}
)
CONSTRAINTS = frozenset(
    {
        "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
        "minLength", "maxLength", "pattern", "format", "items", "minItems", "maxItems", "uniqueItems",
        "properties", "required", "additionalProperties",
    }
)  # fmt: skip
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_TAKEN = re.compile(r"(?:bash_|text_editor_)?code_execution|tool_search.*|search_tools")
"""Names that belong to the workbench and to the model's provider."""


@dataclass(frozen=True, kw_only=True)
class Workings:
    """The machinery that custom tools run on."""

    egress: Egress
    sandboxes: Sandboxes
    databases: Databases
    widgets: Mapping[str, Callable[[JSONObject], JSONObject]] = field(default_factory=dict)
    """What may be shown, by kind: each checks the data as the tool that draws it would."""


def read_definition(
    shape: JSON, *, organisation_id: int, created_by: int, owner_id: int | None = None
) -> CustomTool:
    """What a person sent, as a tool that is not kept yet. Raises `BadDefinition`."""
    if not isinstance(shape, dict):
        raise BadDefinition("A tool is an object: name, kind, description, parameters, definition.")
    if unknown := sorted(set(shape) - _FIELDS):
        raise BadDefinition(f"A tool has no {', '.join(map(str, unknown))[:100]}.")
    if len(dumps(shape)) > MAX_BYTES:
        raise BadDefinition(f"The definition is larger than {MAX_BYTES:,} characters.")
    name = _text(shape, "name")
    if not NAME.match(name) or _TAKEN.fullmatch(name):
        raise BadDefinition(f"{name[:80]!r} cannot be a tool's name: letters, digits, '_' or '-'.")
    description = _text(shape, "description").strip()
    if not 1 <= len(description) <= MAX_DESCRIPTION:
        raise BadDefinition(
            "description is needed: the model reads it to know when to use the tool."
        )
    definition = shape.get("definition")
    if not isinstance(definition, dict):
        raise BadDefinition("definition is an object; what belongs in it depends on the kind.")
    kind = _one_of(shape, "kind", KINDS)
    effect = _one_of(shape, "effect", EFFECTS, "read")
    flag = shape.get("requires_confirmation", effect == "write")
    if not isinstance(flag, bool):
        raise BadDefinition("requires_confirmation is true or false.")
    if owner_id is not None and effect == "write" and not flag:
        raise BadDefinition("A person's own tool that changes something requires_confirmation.")
    return CustomTool(
        organisation_id=organisation_id,
        owner_id=owner_id,
        name=name,
        kind=kind,
        description=description,
        category=_one_of(shape, "category", CATEGORIES, "action" if effect == "write" else "data"),
        effect=effect,
        permission_level=_one_of(shape, "permission_level", ROLES, ROLES[0]),
        requires_confirmation=flag,
        allowed_callers=_callers(shape.get("allowed_callers"), effect),
        definition=definition,
        parameters=_parameters(shape.get("parameters", [])),
        created_by=created_by,
    )


def as_shape(tool: CustomTool) -> JSONObject:
    """A kept tool as a person reads and sends it again."""
    return {
        "name": tool.name,
        "kind": tool.kind,
        "description": tool.description,
        "category": tool.category,
        "effect": tool.effect,
        "permission_level": tool.permission_level,
        "requires_confirmation": tool.requires_confirmation,
        "allowed_callers": list(tool.allowed_callers),
        "parameters": [vars(parameter) for parameter in tool.parameters],
        "definition": tool.definition,
    }


def input_schema(tool: CustomTool) -> JSONObject:
    """The JSON Schema that the parameter rows mean. Raises `BadDefinition` naming the parameter."""
    properties: JSONObject = {}
    for parameter in tool.parameters:
        shape: JSONObject = {"type": parameter.type}
        if parameter.description:
            shape["description"] = parameter.description
        shape |= parameter.constraints
        if parameter.default_value is not None:
            shape["default"] = parameter.default_value
        properties[parameter.name] = _checked_schema(parameter.name, shape)
    schema = {
        "type": "object",
        "properties": properties,
        "required": [p.name for p in tool.parameters if p.is_required],
        "additionalProperties": False,
    }
    _check_defaults(tool, schema)
    return schema


def check_definition(tool: CustomTool, means: Means, find: chains.FindTool) -> JSONObject:
    """Refuse a tool that could not work, saying why; its schema when it could."""
    schema = input_schema(tool)
    _check_timeout(tool)
    if tool.kind == "http":
        check_web(tool, means)
    elif tool.kind == "sql":
        check_query(tool, means)
    elif tool.kind == "python":
        check_program(tool)
    else:
        chains.check_chain(tool, find)
    return schema


def make_tool(tool: CustomTool, means: Means, workings: Workings, find: chains.FindTool) -> Tool:
    """The tool the gate runs. Raises `BadDefinition` when what it needs is no longer there."""
    schema = check_definition(tool, means, find)
    says: dict[str, Any] = {
        "effect": tool.effect,
        "permission_level": tool.permission_level,
        "timeout": float(tool.definition.get("timeout") or DEFAULT_SECONDS) + 5.0,
        "outside_content": tool.kind in ("http", "sql"),
    }
    run: Run
    if tool.kind == "http":
        run = web_run(tool, means, workings.egress)
    elif tool.kind == "sql":
        run = query_run(tool, means, workings.databases)
    elif tool.kind == "python":
        run = program_run(tool, workings.sandboxes)
        says["switched_off"] = workings.sandboxes.missing
        if tool.owner_id is not None:  # whoever wrote it and runs it runs code
            says["under"] = find(CODE_TOOL)
    else:
        run = chains.chain_run(tool)
        says |= {
            "effect": chains.effect_of(tool, find),
            "permission_level": chains.level_of(tool, _role(tool.permission_level), find),
            "timeout": chains.seconds_of(tool, find),
            "outside_content": chains.brings_outside_content(tool, find),
            "parallel": chains.runs_in_parallel(tool, find),
            "calls": chains.chain_calls(tool),
            "switched_off": chains.missing_step(tool, find),
        }
    return _tool(tool, schema, _with_widgets(_with_defaults(tool, run), workings), says)


def unusable(tool: CustomTool, reason: str) -> Tool:
    """A kept tool that cannot work any more: there, and switched off with the reason."""

    async def run(context: Any, input: JSONObject) -> JSON:
        raise AssertionError("a tool that is switched off does not run")

    schema: JSONObject = {"type": "object", "properties": {}}
    return _tool(tool, schema, run, {"effect": tool.effect, "switched_off": reason})


def _tool(tool: CustomTool, schema: JSONObject, run: Run, says: dict[str, Any]) -> Tool:
    return Tool(
        name=tool.name,
        description=tool.description,
        input_schema=schema,
        run=run,
        category=_category(tool.category),
        confirm="always" if tool.requires_confirmation else "never",
        allowed_callers=tool.allowed_callers,
        version=str(tool.version),
        own=tool.owner_id is not None,
        **says,
    )


def _with_defaults(tool: CustomTool, run: Run) -> Run:
    """What was left out has the value that its row says."""
    defaults = {p.name: p.default_value for p in tool.parameters if p.default_value is not None}
    if not defaults:
        return run
    return lambda context, input: run(context, {**defaults, **input})


def _with_widgets(run: Run, workings: Workings) -> Run:
    """An answer in the form of a widget (`{"widget": "kpi", …}`) is shown as one."""

    async def run_and_show(context: ToolContext, input: JSONObject) -> Any:
        answer = await run(context, input)
        kind = answer.get("widget") if isinstance(answer, dict) else None
        check = workings.widgets.get(kind) if isinstance(kind, str) else None
        if check is None:
            return answer
        try:
            data = check(answer)
        except ToolFailed as failure:
            raise ToolFailed(f"The answer is no {kind} that can be shown: {failure}") from None
        return Result(value=data, widgets=[Widget(kind=cast(WidgetKind, kind), data=data)])

    return run_and_show


# ---------------------------------------------------------------------------- reading the parts


def _text(shape: JSONObject, key: str) -> str:
    value = shape.get(key)
    if not isinstance(value, str) or not value:
        raise BadDefinition(f"{key} is needed, as text.")
    return value


def _one_of(shape: JSONObject, key: str, choices: tuple[T, ...], default: T | None = None) -> T:
    value = shape.get(key, default)
    for choice in choices:
        if value == choice:
            return choice
    raise BadDefinition(f"{key} is one of {', '.join(map(str, choices))}.")


def _callers(value: JSON, effect: str) -> tuple[str, ...]:
    if value is None:
        return ("direct",) if effect == "write" else ("direct", "code_execution_20260120")
    known = ("direct", *CODE_CALLERS)
    if not isinstance(value, list) or not value or any(one not in known for one in value):
        raise BadDefinition(f"allowed_callers is a list of {', '.join(known)}.")
    return tuple(dict.fromkeys(value))


def _parameters(rows: JSON) -> tuple[CustomParameter, ...]:
    if not isinstance(rows, list) or len(rows) > MAX_PARAMETERS:
        raise BadDefinition(f"parameters is a list of at most {MAX_PARAMETERS}.")
    found = [_parameter(row) for row in rows]
    names = [parameter.name for parameter in found]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise BadDefinition(f"Two parameters are called {twice[0]}.")
    return tuple(found)


def _parameter(row: JSON) -> CustomParameter:
    if not isinstance(row, dict) or not isinstance(row.get("name"), str):
        raise BadDefinition("A parameter is an object with a name and a type.")
    name = row["name"]
    if not _PARAMETER.fullmatch(name):
        raise BadDefinition(f"{name[:80]!r} cannot be a parameter: letters, digits and '_'.")
    row = _in_our_words(row)
    if unknown := sorted(set(row) - _PARAMETER_FIELDS):
        raise BadDefinition(f"Parameter {name} has no {', '.join(map(str, unknown))[:100]}.")
    required = row.get("is_required", row.get("default_value") is None)
    if not isinstance(required, bool):
        raise BadDefinition(f"Parameter {name}: is_required is true or false.")
    if required and row.get("default_value") is not None:
        raise BadDefinition(f"Parameter {name}: what is required needs no default.")
    constraints = row.get("constraints") or {}
    if not isinstance(constraints, dict):
        raise BadDefinition(f"Parameter {name}: constraints is an object: enum, minimum, …")
    if strange := sorted(set(constraints) - CONSTRAINTS):
        raise BadDefinition(f"Parameter {name}: constraints knows no {', '.join(strange)[:100]}.")
    if not isinstance(row.get("description", ""), str):
        raise BadDefinition(f"Parameter {name}: description is text.")
    return CustomParameter(
        name=name,
        type=_one_of(row, "type", TYPES, "string"),
        description=row.get("description", ""),
        is_required=required,
        default_value=row.get("default_value"),
        constraints=constraints,
    )


def _in_our_words(row: JSONObject) -> JSONObject:
    """A parameter as JSON Schema has it: `required`, `default`, constraints beside the name."""
    words = dict(row)
    if isinstance(words.get("required"), bool) and "is_required" not in words:
        words["is_required"] = words.pop("required")
    if "default" in words and "default_value" not in words:
        words["default_value"] = words.pop("default")
    beside = {key: words.pop(key) for key in CONSTRAINTS & words.keys()}
    constraints = words.get("constraints") or {}
    if beside and isinstance(constraints, dict):
        words["constraints"] = {**beside, **constraints}
    return words


def _checked_schema(name: str, shape: JSONObject) -> JSONObject:
    """A parameter's schema. What somebody just wrote is not mended, it is refused."""
    whole: JSONObject = {"type": "object", "properties": {name: shape}}
    check_schema_patterns(shape)
    try:
        jsonschema_rs.meta.validate(whole)
        jsonschema_rs.Draft202012Validator(whole, offline=True)
    except Exception as error:
        reason = str(error).partition("\n")[0][:200]
        raise BadDefinition(f"Parameter {name}: {reason}.") from error
    try:
        schema: JSONObject = normalise(whole)["properties"][name]
    except BadDefinition as error:
        raise BadDefinition(f"Parameter {name}: {error}") from error
    return schema


def _check_defaults(tool: CustomTool, schema: JSONObject) -> None:
    given = {p.name: p.default_value for p in tool.parameters if p.default_value is not None}
    if problem := Validator({**schema, "required": []}).problem(given):
        raise BadDefinition(f"A default does not fit its own parameter: {problem}")


def _check_timeout(tool: CustomTool) -> None:
    if "timeout" not in tool.definition or tool.kind not in MAX_SECONDS:
        return
    seconds, most = tool.definition["timeout"], MAX_SECONDS[tool.kind]
    number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not number or not 0 < seconds <= most:
        raise BadDefinition(f"timeout is a number of seconds, at most {most:g}.")


def _role(name: str) -> RoleName:
    return next(role for role in ROLES if role == name)


def _category(name: str) -> Category:
    return next(category for category in CATEGORIES if category == name)

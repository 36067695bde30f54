"""A custom tool's definition: read from what a person sent, checked, made into a `Tool`.

Four kinds: `http`, `sql`, `python` and `composed`. The parameters are rows; the JSON Schema is
made from them. A definition that could not work is refused with the reason, before it is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Self, TypeAlias, cast, get_args

import jsonschema_rs
from pydantic import (
    AfterValidator,
    Field,
    StringConstraints,
    TypeAdapter,
    model_validator,
)

from bancada.custom import chains
from bancada.custom.databases import Databases
from bancada.custom.egress import Egress
from bancada.custom.organisation import CustomToolSettings
from bancada.custom.programs import DEFAULT_SECONDS, Program, Sandboxes, check_program, program_run
from bancada.custom.queries import SqlQuery, check_query, query_run
from bancada.custom.web import HttpRequest, check_web, web_run
from bancada.domain.calls import CODE_CALLER, CODE_TOOL, Widget, WidgetKind
from bancada.domain.errors import Invalid, ToolFailed, misfit
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.people import ROLES, RoleName
from bancada.domain.shapes import AnyJSON, PlainName, Shape, example, fitted
from bancada.domain.wording import Wording
from bancada.store.custom_tools import CustomParameter, CustomTool
from bancada.store.vault import Vault
from bancada.tools.normalise import normalise
from bancada.tools.patterns import check_schema_patterns
from bancada.tools.tool import NAME, Category, Effect, Result, Run, Tool, ToolContext
from bancada.tools.validation import Validator

CallerName = Literal[
    "direct", "code_execution_20250825", "code_execution_20260120", "code_execution_20260521"
]
Constraint = Literal[
    "enum", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern", "format", "items", "minItems", "maxItems", "uniqueItems",
    "properties", "required", "additionalProperties",
]  # fmt: skip
MAX_BYTES = 100_000

_TAKEN = re.compile(r"(?:bash_|text_editor_)?code_execution|tool_search.*|search_tools")
"""Names that belong to the workbench and to the model's provider."""


# ---------------------------------------------------------------------------- what is sent


class ParameterShape(Shape):
    """One parameter; its words may also be those of JSON Schema (`required`, `default`, …)."""

    name: PlainName
    type: Literal["string", "integer", "number", "boolean", "array", "object"] = "string"
    description: str = ""
    is_required: bool = True
    """Absent: whether there is no `default_value`."""
    default_value: AnyJSON = None
    constraints: dict[Constraint, AnyJSON] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _in_our_words(cls, row: Any) -> Any:
        """`required`, `default` and constraints beside the name, as JSON Schema has them."""
        if not isinstance(row, dict):
            return row
        words = dict(row)
        if isinstance(words.get("required"), bool) and "is_required" not in words:
            words["is_required"] = words.pop("required")
        if "default" in words and "default_value" not in words:
            words["default_value"] = words.pop("default")
        beside = {key: words.pop(key) for key in get_args(Constraint) if key in words}
        inside = words.get("constraints") or {}
        if isinstance(inside, dict):
            words["constraints"] = {**beside, **inside}
        words.setdefault("is_required", words.get("default_value") is None)
        return words

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.is_required and self.default_value is not None:
            raise misfit("required_with_default")
        return self


def _each_once(rows: list[ParameterShape]) -> list[ParameterShape]:
    names = [row.name for row in rows]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise misfit("parameter_twice", name=twice[0])
    return rows


def _tool_name(name: str) -> str:
    if not NAME.match(name) or _TAKEN.fullmatch(name):
        raise misfit("tool_name")
    return name


Callers = Annotated[list[CallerName], Field(min_length=1, max_length=8)]
Description = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=4_000)
]
Parameters = Annotated[list[ParameterShape], Field(max_length=50), AfterValidator(_each_once)]


class _ToolShape(Shape):
    name: Annotated[str, AfterValidator(_tool_name)]
    description: Description
    """The model reads it to know when to use the tool."""
    parameters: Parameters = Field(default_factory=list)
    category: Category | None = None
    effect: Effect | None = None
    permission_level: RoleName | None = None
    requires_confirmation: bool | None = None
    allowed_callers: Callers | None = None


class HttpTool(_ToolShape):
    """A tool that makes one HTTP request."""

    kind: Literal["http"]
    definition: HttpRequest


class SqlTool(_ToolShape):
    """A tool that reads a database which the operator named."""

    kind: Literal["sql"]
    definition: SqlQuery


class PythonTool(_ToolShape):
    """A tool that is a program."""

    model_config = example(
        name="soma",
        kind="python",
        description="Adds two numbers.",
        parameters=[
            {"name": "a", "type": "number"},
            {"name": "b", "type": "number"},
        ],
        definition={"code": "result = input['a'] + input['b']"},
    )

    kind: Literal["python"]
    definition: Program


class ComposedTool(_ToolShape):
    """A tool made of calls of others."""

    kind: Literal["composed"]
    definition: chains.Chain


ToolShape = Annotated[HttpTool | SqlTool | PythonTool | ComposedTool, Field(discriminator="kind")]
_SHAPE = TypeAdapter[HttpTool | SqlTool | PythonTool | ComposedTool](ToolShape)
Definition: TypeAlias = HttpRequest | SqlQuery | Program | chains.Chain
_DEFINITIONS: dict[str, TypeAdapter[Definition]] = {
    "http": TypeAdapter(HttpRequest),
    "sql": TypeAdapter(SqlQuery),
    "python": TypeAdapter(Program),
    "composed": TypeAdapter(chains.Chain),
}


@dataclass(frozen=True, kw_only=True)
class ToolMachinery:
    """The machinery that custom tools run on."""

    egress: Egress
    sandboxes: Sandboxes
    databases: Databases
    widgets: Mapping[str, Callable[[JSONObject], JSONObject]] = field(default_factory=dict)
    """What may be shown, by kind: each checks the data as the tool that draws it would."""
    vault: Vault = field(default_factory=Vault)
    """Opens the secrets of organisations."""


def read_definition(
    given: object, *, organisation_id: int, created_by: int, owner_id: int | None = None
) -> CustomTool:
    """What a person sent, as a tool that is not kept yet. Raises `Invalid`."""
    shape = fitted(_SHAPE, given)
    effect = shape.effect or "read"
    asks = shape.requires_confirmation
    if owner_id is not None and effect == "write" and asks is False:
        raise Invalid("own_tool_asks")
    made = CustomTool(
        organisation_id=organisation_id,
        owner_id=owner_id,
        name=shape.name,
        kind=shape.kind,
        description=shape.description,
        category=shape.category or ("action" if effect == "write" else "data"),
        effect=effect,
        permission_level=shape.permission_level or ROLES[0],
        requires_confirmation=effect == "write" if asks is None else asks,
        allowed_callers=tuple(dict.fromkeys(shape.allowed_callers or _callers(effect))),
        definition=shape.definition.model_dump(exclude_unset=True),
        parameters=tuple(CustomParameter(**row.model_dump()) for row in shape.parameters),
        created_by=created_by,
    )
    if len(dumps(as_shape(made))) > MAX_BYTES:
        raise Invalid("definition_too_large", most=f"{MAX_BYTES:,}")
    return made


def _callers(effect: Effect) -> tuple[str, ...]:
    return ("direct",) if effect == "write" else ("direct", CODE_CALLER)


def as_shape(tool: CustomTool) -> JSONObject:
    """A kept tool as a person reads and sends it again."""
    return {name: getattr(tool, name) for name in HttpTool.model_fields} | {
        "allowed_callers": list(tool.allowed_callers),
        "parameters": [vars(parameter) for parameter in tool.parameters],
    }


def input_schema(tool: CustomTool) -> JSONObject:
    """The JSON Schema that the parameter rows mean. Raises `Invalid` naming the parameter."""
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


def check_definition(
    tool: CustomTool, means: CustomToolSettings, find: chains.FindTool
) -> JSONObject:
    """Refuse a tool that could not work, saying why; its schema when it could."""
    schema = input_schema(tool)
    match fitted(_DEFINITIONS[tool.kind], tool.definition, at="definition"):
        case HttpRequest() as request:
            check_web(tool, request, means)
        case SqlQuery() as query:
            check_query(tool, query, means)
        case Program():
            check_program(tool)
        case chains.Chain():
            chains.check_chain(tool, find)
    return schema


def make_tool(
    tool: CustomTool, means: CustomToolSettings, workings: ToolMachinery, find: chains.FindTool
) -> Tool:
    """The tool the gate runs. Raises `Invalid` when what it needs is no longer there."""
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


def unusable(tool: CustomTool, reason: str | Wording) -> Tool:
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


def _with_widgets(run: Run, workings: ToolMachinery) -> Run:
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


def _checked_schema(name: str, shape: JSONObject) -> JSONObject:
    """A parameter's schema. What somebody just wrote is not mended, it is refused."""
    whole: JSONObject = {"type": "object", "properties": {name: shape}}
    try:
        check_schema_patterns(shape)
        jsonschema_rs.meta.validate(whole)
        jsonschema_rs.Draft202012Validator(whole, offline=True)
        schema: JSONObject = normalise(whole)["properties"][name]
    except Invalid as refused:
        raise Invalid("parameter_wrong", name=name, reason=refused) from refused
    except Exception as error:
        reason = str(error).partition("\n")[0][:200].rstrip(".")
        raise Invalid("parameter_wrong", name=name, reason=reason) from error
    return schema


def _check_defaults(tool: CustomTool, schema: JSONObject) -> None:
    given = {p.name: p.default_value for p in tool.parameters if p.default_value is not None}
    if problem := Validator({**schema, "required": []}).problem(given):
        raise Invalid("default_misfit", problem=problem)


def _role(name: str) -> RoleName:
    return next(role for role in ROLES if role == name)


def _category(name: str) -> Category:
    return next(category for category in get_args(Category) if category == name)

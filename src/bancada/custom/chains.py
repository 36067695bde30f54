"""Tools made of others: a list of calls, each filled from the arguments and earlier results.

    {"steps": [{"name": "docs", "tool": "searchDocuments", "input": {"query": "{topic}"}},
               {"name": "task", "tool": "createTask",
                "input": {"title": "Read {docs.documents.0.title}"}}],
     "result": {"created": "{task.task_id}"}}

Every step goes through the gate as a call of the same person and leaves its own line in the
audit. The whole is confirmed once, before it starts, if any step would ask.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from pydantic import Field

from bancada.custom.templates import MISSING, Reference, filled, looked_up, references
from bancada.domain.calls import Widget
from bancada.domain.errors import Invalid, ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import RoleName, stricter
from bancada.domain.shapes import AnyJSON, JSONMap, PlainName, Shape
from bancada.domain.wording import Wording
from bancada.gate.scope import DEEPEST
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Effect, InnerCall, OutsideContent, Result, Run, Tool, ToolContext

MAX_SECONDS = 300.0

FindTool: TypeAlias = Callable[[str], Tool | None]


class StepShape(Shape):
    """One call: `{name}` in its input stands for a parameter or an earlier step's result."""

    name: PlainName | None = None
    """Default: `step1`, `step2`, …"""
    tool: str
    input: JSONMap = Field(default_factory=dict)


class Chain(Shape):
    """Calls of other tools, one after the other, and what is answered in the end."""

    steps: Annotated[list[StepShape], Field(min_length=1, max_length=20)]
    result: AnyJSON = None
    """Default: the last step's result."""


@dataclass(frozen=True)
class ChainStep:
    """One call of the chain."""

    name: str
    tool: str
    input: JSONObject

    @property
    def needs(self) -> frozenset[str]:
        """The names it is filled from."""
        return frozenset(one.name for one in references(self.input))


def steps_of(definition: JSONObject) -> list[ChainStep]:
    """The steps as written; those without a name are called `step1`, `step2`, …"""
    return [
        ChainStep(step.get("name") or f"step{number}", step["tool"], step.get("input", {}))
        for number, step in enumerate(definition["steps"], start=1)
    ]


def check_chain(tool: CustomTool, find: FindTool) -> None:
    """Raises `Invalid` with the reason when the chain could not run as written."""
    definition = tool.definition
    known = {parameter.name for parameter in tool.parameters}
    used: set[str] = set()
    for step in steps_of(definition):
        if step.name in known:
            raise Invalid("step_name_taken", name=step.name)
        used |= _check_references(step.input, known, f"step {step.name}")
        _check_step(step, tool, find)
        known.add(step.name)
    used |= _check_references(definition.get("result"), known, "result")
    if unused := [p.name for p in tool.parameters if p.name not in used]:
        raise Invalid("parameter_unused", name=unused[0])
    depth = 1 + max(_depth(step.tool, find, (tool.name,)) for step in steps_of(definition))
    if depth > DEEPEST:
        raise Invalid("chain_too_deep", most=DEEPEST)
    if tool.effect == "read" and effect_of(tool, find) == "write":
        raise Invalid("chain_writes")


def _check_references(template: JSON, known: set[str], where: str) -> set[str]:
    used: set[str] = set()
    for one in references(template):
        if one.is_secret:
            raise Invalid("chain_secrets", where=where)
        if one.name not in known:
            raise Invalid("chain_unknown", where=where, written=one.written)
        used.add(one.name)
    return used


def _check_step(step: ChainStep, tool: CustomTool, find: FindTool) -> None:
    other = None if step.tool == tool.name else find(step.tool)
    if step.tool == tool.name:
        raise Invalid("step_itself", step=step.name, tool=tool.name)
    if other is None:
        raise Invalid("step_no_tool", step=step.name, tool=step.tool)
    if "direct" not in other.allowed_callers:
        raise Invalid("step_code_only", step=step.name, tool=other.name)
    properties = other.input_schema.get("properties", {})
    if missing := [n for n in other.input_schema.get("required", ()) if n not in step.input]:
        raise Invalid("step_needs_field", step=step.name, tool=other.name, field=missing[0])
    strange = [name for name in step.input if name not in properties]
    if strange and other.input_schema.get("additionalProperties") is False:
        raise Invalid("step_no_field", step=step.name, tool=other.name, field=strange[0])
    if not step.needs:
        literal = filled(step.input, lambda reference: MISSING)
        if problem := other.validator.problem(literal):
            raise Invalid("step_wrong", step=step.name, problem=problem)


def _depth(name: str, find: FindTool, above: tuple[str, ...]) -> int:
    """How many levels lie below a tool. Raises `Invalid` for tools that call each other."""
    if name in above:
        raise Invalid("chain_endless", names=" → ".join((*above, name)))
    tool = find(name)
    if tool is None or tool.calls is None or len(above) > DEEPEST:
        return 0
    return 1 + max((_depth(one.tool, find, (*above, name)) for one in tool.calls({})), default=0)


# ---------------------------------------------------------------------------- what it says of itself


def effect_of(tool: CustomTool, find: FindTool) -> Effect:
    """A chain writes if any of its steps does, whatever it says."""
    return (
        "write"
        if tool.effect == "write" or any(other.effect == "write" for other in _others(tool, find))
        else "read"
    )


def level_of(tool: CustomTool, declared: RoleName, find: FindTool) -> RoleName:
    """Nobody is offered a chain whose steps they may not call."""
    for other in _others(tool, find):
        declared = stricter(declared, other.permission_level)
    return declared


def brings_outside_content(tool: CustomTool, find: FindTool) -> OutsideContent:
    others = _others(tool, find)
    return lambda person: any(other.brings_outside_content(person) for other in others)


def runs_in_parallel(tool: CustomTool, find: FindTool) -> bool:
    return all(other.parallel for other in _others(tool, find))


def seconds_of(tool: CustomTool, find: FindTool) -> float:
    return min(MAX_SECONDS, sum(other.timeout for other in _others(tool, find)) + 5.0)


def missing_step(tool: CustomTool, find: FindTool) -> Wording | None:
    """Why the chain cannot run now, if one of its tools is gone or switched off."""
    for step in steps_of(tool.definition):
        other = find(step.tool)
        if other is None:
            return Wording("step_gone", step=step.name, tool=step.tool)
        if other.switched_off is not None:
            return Wording("step_off", step=step.name, tool=step.tool, why=other.switched_off)
    return None


def _others(tool: CustomTool, find: FindTool) -> list[Tool]:
    found = (find(step.tool) for step in steps_of(tool.definition))
    return [other for other in found if other is not None]


# ---------------------------------------------------------------------------- running


def chain_calls(tool: CustomTool) -> Callable[[JSONObject], Sequence[InnerCall]]:
    """The calls to come: with their input where it depends on the arguments alone."""
    steps = steps_of(tool.definition)
    names = {step.name for step in steps}

    def calls(input: JSONObject) -> list[InnerCall]:
        return [InnerCall(step.tool, known(step, input)) for step in steps]

    def known(step: ChainStep, input: JSONObject) -> JSONObject | None:
        if step.needs & names:
            return None
        try:
            return _input(step, input)
        except ToolFailed:  # said again, to the model, when the chain runs
            return None

    return calls


def _input(step: ChainStep, values: JSONObject) -> JSONObject:
    made = filled(step.input, lambda reference: looked_up(values, reference))
    return made if isinstance(made, dict) else {}


def chain_run(tool: CustomTool) -> Run:
    """The tool's `run`: step after step, ending at the first that fails."""
    steps = steps_of(tool.definition)

    async def run(context: ToolContext, input: JSONObject) -> JSON | Result:
        values: dict[str, JSON] = dict(input)
        widgets: list[Widget] = []
        for step in steps:
            try:
                outcome = await context.call(step.tool, _input(step, values))
            except ToolFailed as failure:  # the input could not be filled
                raise ToolFailed(f"Step {step.name}: {failure}") from None
            if outcome.is_error:
                raise ToolFailed(f"Step {step.name} ({step.tool}) failed: {outcome.content}")
            values[step.name] = outcome.shown
            widgets += outcome.widgets
        template = tool.definition.get("result", f"{{{steps[-1].name}}}")

        def look(reference: Reference) -> JSON:
            return looked_up(values, reference)

        made = filled(template, look)
        made = None if made is MISSING else made
        return Result(value=made, widgets=widgets) if widgets else made

    return run

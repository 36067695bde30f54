"""Tools made of others: a list of calls, each filled from the arguments and earlier results.

    {"steps": [{"name": "docs", "tool": "searchDocuments", "input": {"query": "{topic}"}},
               {"name": "task", "tool": "createTask",
                "input": {"title": "Read {docs.documents.0.title}"}}],
     "result": {"created": "{task.task_id}"}}

Every step goes through the gate as a call of the same person and leaves its own line in the
audit. The whole is confirmed once, before it starts, if any step would ask.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bancada.custom.templates import MISSING, Reference, filled, looked_up, references
from bancada.domain.calls import Widget
from bancada.domain.errors import BadDefinition, ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import RoleName, stricter
from bancada.gate.scope import DEEPEST
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Effect, InnerCall, OutsideContent, Result, Run, Tool, ToolContext

MAX_STEPS = 20
MAX_SECONDS = 300.0
_KEYS = frozenset({"steps", "result"})
_STEP_KEYS = frozenset({"name", "tool", "input"})
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")

FindTool: TypeAlias = Callable[[str], Tool | None]


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
    """Raises `BadDefinition` with the reason when the chain could not run as written."""
    definition = tool.definition
    if unknown := sorted(set(definition) - _KEYS):
        raise BadDefinition(f"A composed tool knows no {', '.join(unknown)}.")
    _check_shape(definition.get("steps"))
    known = {parameter.name for parameter in tool.parameters}
    used: set[str] = set()
    for step in steps_of(definition):
        if step.name in known:
            raise BadDefinition(f"Two things are called {step.name!r}; steps need their own names.")
        used |= _check_references(step.input, known, f"step {step.name}")
        _check_step(step, tool, find)
        known.add(step.name)
    used |= _check_references(definition.get("result"), known, "result")
    if unused := [p.name for p in tool.parameters if p.name not in used]:
        raise BadDefinition(f"The parameter {unused[0]} is not used anywhere.")
    depth = 1 + max(_depth(step.tool, find, (tool.name,)) for step in steps_of(definition))
    if depth > DEEPEST:
        raise BadDefinition(f"Tools may call tools {DEEPEST} levels deep, not deeper.")
    effect = effect_of(tool, find)
    if tool.effect == "read" and effect == "write":
        raise BadDefinition("One of the steps changes something: the effect is 'write'.")


def _check_shape(steps: JSON) -> None:
    if not isinstance(steps, list) or not 1 <= len(steps) <= MAX_STEPS:
        raise BadDefinition(f"steps is a list of 1 to {MAX_STEPS} calls.")
    for number, step in enumerate(steps, start=1):
        if not isinstance(step, dict) or not isinstance(step.get("tool"), str):
            raise BadDefinition(f"Step {number} needs the name of a tool.")
        if unknown := sorted(set(step) - _STEP_KEYS):
            raise BadDefinition(f"Step {number} knows no {', '.join(unknown)}.")
        if not isinstance(step.get("input", {}), dict):
            raise BadDefinition(f"Step {number}: input is an object.")
        name = step.get("name", "x")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise BadDefinition(f"Step {number}: its name is letters, digits and '_'.")


def _check_references(template: JSON, known: set[str], where: str) -> set[str]:
    used: set[str] = set()
    for one in references(template):
        if one.is_secret:
            raise BadDefinition(f"{where}: a composed tool has no secrets.")
        if one.name not in known:
            raise BadDefinition(f"{where}: {one.written} is no parameter and no earlier step.")
        used.add(one.name)
    return used


def _check_step(step: ChainStep, tool: CustomTool, find: FindTool) -> None:
    other = None if step.tool == tool.name else find(step.tool)
    if step.tool == tool.name:
        raise BadDefinition(f"Step {step.name}: {tool.name} cannot call itself.")
    if other is None:
        raise BadDefinition(f"Step {step.name}: there is no tool called {step.tool!r}.")
    if "direct" not in other.allowed_callers:
        raise BadDefinition(f"Step {step.name}: {other.name} can be called from code only.")
    properties = other.input_schema.get("properties", {})
    if missing := [n for n in other.input_schema.get("required", ()) if n not in step.input]:
        raise BadDefinition(f"Step {step.name}: {other.name} needs the field {missing[0]!r}.")
    strange = [name for name in step.input if name not in properties]
    if strange and other.input_schema.get("additionalProperties") is False:
        raise BadDefinition(f"Step {step.name}: {other.name} has no field {strange[0]!r}.")
    if not step.needs:
        literal = filled(step.input, lambda reference: MISSING)
        if problem := other.validator.problem(literal):
            raise BadDefinition(f"Step {step.name}: {problem}")


def _depth(name: str, find: FindTool, above: tuple[str, ...]) -> int:
    """How many levels lie below a tool. Raises `BadDefinition` for tools that call each other."""
    if name in above:
        raise BadDefinition(
            f"These tools call each other without end: {' → '.join((*above, name))}."
        )
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


def missing_step(tool: CustomTool, find: FindTool) -> str | None:
    """Why the chain cannot run now, if one of its tools is gone or switched off."""
    for step in steps_of(tool.definition):
        other = find(step.tool)
        if other is None:
            return f"its step {step.name} needs {step.tool}, which does not exist any more."
        if other.switched_off is not None:
            return f"its step {step.name} needs {step.tool}: {other.switched_off}"
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

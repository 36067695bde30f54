"""What a file of conversations may say: questions, and what must come of each."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, TypeAdapter, model_validator

from bancada.domain.errors import Invalid, misfit
from bancada.domain.json import JSONObject
from bancada.domain.shapes import Shape, fitted

Figure = Annotated[str, BeforeValidator(str), Field(pattern=r"^-?\d+(\.\d+)?$")]


class ExpectedCall(Shape):
    """A call that must be made. Of its arguments, those named here; others may stand beside them."""

    tool: str
    input: JSONObject = Field(default_factory=dict)


class ScriptedQuestion(Shape):
    """A question and what must come of it. What is not said here is not looked at."""

    ask: str = Field(min_length=1)
    calls: list[ExpectedCall] | None = None
    """Each must be made, in any order; an empty list: no tool may be called."""
    never: list[str] = Field(default_factory=list)
    """Tools that must not be called."""
    figures: list[Figure] = Field(default_factory=list)
    """Numbers that must be said, in words or in what is shown; as exactly as they are written here.
    In quotation marks where a last zero counts (`"12.50"`)."""
    says: list[str] = Field(default_factory=list)
    """Words that must be said; capitals and accents do not count."""
    says_not: list[str] = Field(default_factory=list)
    shows: list[Literal["chart", "table", "kpi", "graph", "dashboard"]] = Field(
        default_factory=list
    )
    refused: list[str] = Field(default_factory=list)
    """Tools whose call must be refused, by the gate or by the person."""
    decide: Literal["approve", "reject"] = "reject"
    """What the person says to a call that waits for them."""
    status: Literal["done", "waiting", "stopped", "failed"] = "done"


class ScriptedCase(Shape):
    """One conversation."""

    name: str = Field(min_length=1)
    agent: str | None = None
    files: list[str] = Field(default_factory=list)
    """Files to load first, by their path from the script."""
    turns: list[ScriptedQuestion] = Field(min_length=1)


class Script(Shape):
    """A file."""

    agent: str | None = None
    """Whom the cases ask that name no agent."""
    cases: list[ScriptedCase] = Field(min_length=1)

    @model_validator(mode="after")
    def _named_once(self) -> Script:
        names = [case.name for case in self.cases]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise misfit("eval_case_twice", name=twice)
        return self


def read_script(file: Path) -> Script:
    """The conversations in a TOML or JSON file. Raises `Invalid` with the reason."""
    try:
        text = file.read_text(encoding="utf-8")
        found = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    except (OSError, ValueError) as error:
        raise Invalid("file_unreadable", file=file, reason=error) from error
    return fitted(TypeAdapter(Script), found)

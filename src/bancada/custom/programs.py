"""Tools that are a Python program: the arguments in `input`, the answer in `result`.

    {"code": "result = sum(input['numbers'])", "timeout": 10}

An image is answered as `{"type": "image", "source": {"type": "base64", …}}`, something to be shown
as `{"widget": "kpi", …}`. Every call runs in a fresh container of the sandbox, with no way out of it but the answer.
"""

from __future__ import annotations

import ast
import warnings
from typing import Annotated, Protocol

from pydantic import AfterValidator, Field, StringConstraints

from bancada.domain.errors import Invalid, ToolFailed, misfit
from bancada.domain.json import JSON, JSONObject
from bancada.domain.shapes import Shape
from bancada.domain.shares import Holder
from bancada.sandbox import (
    ContainerEnded,
    EvaluationFailed,
    EvaluationTimedOut,
    Limits,
    Sandbox,
    SandboxError,
    TooManyContainers,
)
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Run, ToolContext

DEFAULT_SECONDS = 30.0
MAX_RESULT = 8_000_000
MAX_ERROR = 500
_LIMITS = Limits(memory_mb=512, disk_mb=16)


class Sandboxes(Protocol):
    """Where programs run; the sandbox starts when it is first needed."""

    @property
    def missing(self) -> str | None:
        """Why there is none on this machine; none when there is one."""

    async def sandbox(self) -> Sandbox: ...


def _readable(code: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except SyntaxError as error:
        raise misfit("code_line", line=error.lineno, reason=error.msg) from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise misfit("code_unreadable") from error
    if not _sets_result(tree):
        raise misfit("code_result")
    return code


def _sets_result(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == "result" and isinstance(node.ctx, ast.Store)
        for node in ast.walk(tree)
    )


class Program(Shape):
    """Python that finds its arguments in `input` and leaves its answer in `result`."""

    code: Annotated[str, StringConstraints(max_length=20_000), AfterValidator(_readable)]
    timeout: Annotated[int | float, Field(gt=0, le=60)] = DEFAULT_SECONDS


def check_program(tool: CustomTool) -> None:
    if tool.effect != "read":
        raise Invalid("python_only_reads")


def program_run(tool: CustomTool, sandboxes: Sandboxes) -> Run:
    """The tool's `run`."""
    code, seconds = tool.definition["code"], tool.definition.get("timeout", DEFAULT_SECONDS)

    async def run(context: ToolContext, input: JSONObject) -> JSON:
        try:
            holder = Holder(context.person.organisation_id, context.person.id)
            container = await (await sandboxes.sandbox()).open(limits=_LIMITS, holder=holder)
        except TooManyContainers as busy:
            raise ToolFailed(f"{busy} Try again when other code has ended.") from None
        except SandboxError as error:
            raise ToolFailed(f"Code cannot run here: {error}") from error
        try:
            return await container.evaluate(code, input, seconds=seconds, max_bytes=MAX_RESULT)
        except EvaluationTimedOut:
            raise ToolFailed(f"{tool.name} took longer than {seconds:g} s.") from None
        except EvaluationFailed as failure:
            raise ToolFailed(f"{tool.name} failed: {str(failure)[:MAX_ERROR]}") from None
        except ContainerEnded:
            raise ToolFailed(f"{tool.name} needs more memory than it may use.") from None
        finally:
            await container.end()

    return run

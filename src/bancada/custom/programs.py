"""Tools that are a Python program: the arguments in `input`, the answer in `result`.

    {"code": "result = sum(input['numbers'])", "timeout": 10}

An image is answered as `{"type": "image", "source": {"type": "base64", …}}`, something to be shown
as `{"widget": "kpi", …}`. Every call runs in a fresh container of the sandbox, with no way out of it but the answer.
"""

from __future__ import annotations

import ast
import warnings
from typing import Protocol

from bancada.domain.errors import BadDefinition, ToolFailed
from bancada.domain.json import JSON, JSONObject
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

MAX_CODE = 20_000
DEFAULT_SECONDS = 30.0
MAX_RESULT = 8_000_000
MAX_ERROR = 500
_LIMITS = Limits(memory_mb=512, disk_mb=16)
_KEYS = frozenset({"code", "timeout"})


class Sandboxes(Protocol):
    """Where programs run; the sandbox starts when it is first needed."""

    @property
    def missing(self) -> str | None:
        """Why there is none on this machine; none when there is one."""

    async def sandbox(self) -> Sandbox: ...


def check_program(tool: CustomTool) -> None:
    """Raises `BadDefinition` with the reason when the program could not run."""
    if unknown := sorted(set(tool.definition) - _KEYS):
        raise BadDefinition(f"A Python tool knows no {', '.join(unknown)}.")
    if tool.effect != "read":
        raise BadDefinition("A Python tool can change nothing outside: its effect is 'read'.")
    code = tool.definition.get("code")
    if not isinstance(code, str) or not code.strip() or len(code) > MAX_CODE:
        raise BadDefinition(f"code is needed: Python of at most {MAX_CODE:,} characters.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except SyntaxError as error:
        raise BadDefinition(f"code, line {error.lineno}: {error.msg}.") from error
    except (ValueError, MemoryError, RecursionError) as error:
        raise BadDefinition("code cannot be read.") from error
    if not _sets_result(tree):
        raise BadDefinition("code must leave its answer in 'result'.")


def _sets_result(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == "result" and isinstance(node.ctx, ast.Store)
        for node in ast.walk(tree)
    )


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

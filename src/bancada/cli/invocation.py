"""How a command is called: the options that every one has, and the workbench they open."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, NoReturn, ParamSpec, TypeVar

import typer

if TYPE_CHECKING:
    from bancada.engine.workbench import Workbench
    from bancada.settings import Settings

T = TypeVar("T")
P = ParamSpec("P")
C = TypeVar("C", bound=Callable[..., None])

REFUSED = 1
"""The call or turn failed, or was refused."""
BAD_USAGE = 2

Data = Annotated[Path | None, typer.Option("--data", help="The data folder.", show_default=False)]
Demo = Annotated[bool, typer.Option("--demo", help="Add the demo data, agents and users.")]
User = Annotated[
    str | None,
    typer.Option("--user", help="Act as this person; default: local.", show_default=False),
]


@dataclass(frozen=True)
class Invocation:
    """One call of a command: which installation it is about, and who acts."""

    data: Path | None
    demo: bool
    user: str | None

    @functools.cached_property
    def settings(self) -> Settings:
        return self.settings_with()

    def settings_with(self, **given: Any) -> Settings:
        from bancada.settings import load_settings

        return load_settings(data=self.data, demo=self.demo or None, **given)

    def work(self, job: Callable[[Workbench], Awaitable[T]]) -> T:
        """Open the workbench, do one job, close it again."""
        from bancada.engine.workbench import open_workbench

        async def run() -> T:
            bench = await open_workbench(self.settings)
            try:
                return await job(bench)
            finally:
                await bench.close()

        return asyncio.run(run())

    def work_as(
        self,
        job: Callable[Concatenate[Workbench, str | None, P], Awaitable[T]],
        *args: P.args,
        **named: P.kwargs,
    ) -> T:
        """Do one job that asks who acts."""
        return self.work(lambda bench: job(bench, self.user, *args, **named))


def group(help: str | None = None, *, completion: bool = False) -> typer.Typer:
    """Commands that stand together; `completion` offers to teach them to the shell."""
    return typer.Typer(
        help=help,
        no_args_is_help=True,
        add_completion=completion,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


def command(group: typer.Typer, name: str) -> Callable[[C], C]:
    """Add a command. Its first parameter is how it was called; the others are its own options."""

    def add(function: C) -> C:
        def called(data: Data = None, demo: Demo = False, user: User = None, **own: Any) -> None:
            function(Invocation(data, demo, user), **own)

        common = list(inspect.signature(called, eval_str=True).parameters.values())[:-1]
        own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
        # What the framework reads the options from.
        named = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in (*own, *common)]
        called.__signature__ = inspect.Signature(named)  # type: ignore[attr-defined]
        called.__annotations__ = {one.name: one.annotation for one in named}
        group.command(name, help=function.__doc__)(called)
        return function

    return add


def stop(sentence: str, status: int) -> NoReturn:
    """End the command with a sentence for whoever is at the terminal."""
    typer.echo(sentence, err=True)
    raise SystemExit(status)


def confirm() -> Callable[[str], bool] | None:
    """Asks whoever is at the keys; none where nobody is."""
    return typer.confirm if sys.stdin.isatty() and sys.stdout.isatty() else None


def printed(result: Any) -> str:
    """A result as it is shown: text as it is, anything else as JSON."""
    return result if isinstance(result, str) else json.dumps(result, ensure_ascii=False, indent=2)

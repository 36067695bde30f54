"""A pack on a bench: its tools called as the gate calls them, with stand-ins for the services."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from bancada import JSON, JSONObject, Pack, Person, Result, Tool, ToolContext, ToolFailed, Widget
from bancada.data.shapes import shape_of
from bancada.domain.calls import Outcome
from bancada.domain.tables import TableShape
from bancada.packs import quality, tables
from bancada.packs.statistics.pack import build as studies
from bancada.tools.pack import PythonRun
from bancada.tools.result import outcome_of

BY_TYPE = {
    "lixo": 62,
    "falta_tinta": 31,
    "casca_laranja": 27,
    "gordura": 24,
    "descasque": 21,
    "escorrido": 19,
    "crateras": 12,
    "outros": 4,
}
"""The printed totals of the demo's log."""


@dataclass
class Jail:
    missing: str | None = None
    answer: PythonRun = field(
        default_factory=lambda: PythonRun(stdout="12.0\n", stderr="", return_code=0)
    )
    ran: list[tuple[str, float]] = field(default_factory=list)

    async def python(self, code: str, *, context: ToolContext, seconds: float) -> PythonRun:
        self.ran.append((code, seconds))
        return self.answer

    async def evaluate(self, harness: str, input: JSON, **how: Any) -> JSON:
        raise AssertionError("the pack runs queries through its data sets")


@dataclass
class Datasets:
    asked: list[str] = field(default_factory=list)
    file: Callable[[], Path | None] | None = None
    """The table that queries really run on, if any."""
    answer: JSONObject | ToolFailed = field(
        default_factory=lambda: {
            "columns": ["n"],
            "rows": [[200]],
            "total_rows": 1,
            "truncated": False,
        }
    )

    def answers(self, *rows: list[JSON], columns: str, total: int | None = None) -> None:
        """What every query gives from now on; more in `total` than there are rows: a part of it."""
        self.answer = {
            "columns": columns.split(),
            "rows": list(rows),
            "total_rows": total or len(rows),
            "truncated": total is not None,
        }

    async def query(
        self,
        context: ToolContext,
        sql: str,
        *,
        tables: Mapping[str, Path] | None = None,
        limit: int = 200,
    ) -> JSONObject:
        self.asked.append(sql)
        if isinstance(self.answer, ToolFailed):
            raise self.answer
        if self.file is None:
            return self.answer
        with duckdb.connect(str(self.file()), read_only=True) as database:
            found = database.execute(sql)
            columns = [column[0] for column in found.description or ()]
            rows = [[str(v) if hasattr(v, "year") else v for v in row] for row in found.fetchall()]
        return {"columns": columns, "rows": rows, "total_rows": len(rows), "truncated": False}

    async def compute(
        self, context: ToolContext, harness: str, input: JSONObject, **how: Any
    ) -> JSON:
        raise AssertionError("no study is made on this bench")


@dataclass
class Dashboards:
    kept: list[JSONObject] = field(default_factory=list)

    async def keep(self, context: ToolContext, *, titulo: str, html: str) -> JSONObject:
        self.kept.append({"titulo": titulo, "html": html})
        return {"id": "a3f2c8e1b047", "url": "/dashboards/a3f2c8e1b047", "titulo": titulo}


class NoTables:
    """Nobody keeps a table elsewhere."""

    possible = False

    def offer(self, name: str, **how: Any) -> None:
        pass

    async def read(self, organisation_id: int, name: str, **how: Any) -> None:
        return None


@dataclass
class Services:
    folder: Path
    demo: bool = True
    first_organisation: int = 1
    settings: dict[str, str] = field(default_factory=dict)
    jail: Jail = field(default_factory=Jail)
    datasets: Datasets = field(default_factory=Datasets)
    dashboards: Dashboards = field(default_factory=Dashboards)
    own_tables: NoTables = field(default_factory=NoTables)


class Bench:
    """The pack, and one call at a time."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.pack: Pack = quality.build(services)
        self.tables: Pack = tables.build(services)
        self.studies: Pack = studies(services)
        self.widgets: list[Widget] = []
        """What the last call showed."""
        self.last: Result | None = None
        self.versions: JSONObject | None = None
        """Which data the last call counted."""
        self.organisation = 1
        """Whose person calls."""
        self.refusal: Outcome | None = None
        """What a tool that calls another hears instead of an answer."""

    @property
    def tools(self) -> tuple[Tool, ...]:
        """What an agent of the pack may have: its own tools, those over tables, and studies."""
        return (*self.pack.tools, *self.tables.tools, *self.studies.tools)

    @property
    def log_table(self) -> Path:
        """The file of the log's table, as it is now."""
        (table,) = self.pack.tables
        file = table.file()
        assert file is not None
        return file

    @property
    def shapes(self) -> tuple[TableShape, ...]:
        """The log as structure: what questions are read against."""
        (table,) = self.pack.tables
        return (
            shape_of(
                self.log_table,
                table.name,
                words=table.words,
                value_words=table.values,
                row=table.row,
                kind=table.kind,
            ),
        )

    def tool(self, name: str) -> Tool:
        return next(tool for tool in self.tools if tool.name == name)

    async def call(self, name: str, **input: Any) -> Any:
        """Validate, run, and give back the value, as the gate would."""
        tool = self.tool(name)
        assert tool.validator.problem(input) is None, tool.validator.problem(input)
        raw = await tool.run(self._context(), input)
        self.last = raw if isinstance(raw, Result) else None
        self.widgets = list(raw.widgets) if isinstance(raw, Result) else []
        value = raw.value if isinstance(raw, Result) else raw
        if not isinstance(value, dict):
            return value
        self.versions = value.get("versao_dados")
        return {name: one for name, one in value.items() if name != "versao_dados"}

    def _context(self) -> ToolContext:
        """A tool that calls another gets what the gate would give it."""

        async def call(name: str, input: JSONObject) -> Outcome:
            if self.refusal is not None:
                return self.refusal
            try:
                return outcome_of(await self.tool(name).run(context, input), max_chars=30_000)
            except ToolFailed as failure:
                return Outcome(content=str(failure), is_error=True, code="failed")

        rui = Person(
            id=2,
            organisation_id=self.organisation,
            email="rui@demo.com",
            name="Rui",
            role="responsavel",
        )
        context = ToolContext(person=rui, call_id="call_1", conversation_id="c1", call=call)
        return context


async def tool_result(call: JSONObject, value: Awaitable[Any]) -> JSONObject:
    """What a model reads of a call, whose value is this one."""
    try:
        outcome = outcome_of(await value, max_chars=20_000)
        content, is_error = outcome.content, outcome.is_error
    except ToolFailed as failed:
        content, is_error = str(failed), True
    return {
        "type": "tool_result",
        "tool_use_id": call["id"],
        "content": content,
        "is_error": is_error,
    }

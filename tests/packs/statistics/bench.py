"""The pack on a bench: tables in DuckDB, studies made in this process instead of the jail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from bancada import JSON, JSONObject, Language, Pack, Person, Result, ToolContext, ToolFailed
from bancada.data.guest import timed
from bancada.domain.calls import Outcome
from bancada.packs.statistics import guest
from bancada.packs.statistics.pack import build


@dataclass
class Jail:
    missing: str | None = None


@dataclass
class Datasets:
    """What `Services.datasets` does, without walls."""

    db: duckdb.DuckDBPyConnection = field(
        default_factory=lambda: duckdb.connect(":memory:", config={"threads": 1})
    )

    async def compute(
        self, context: ToolContext, harness: str, input: JSONObject, **how: Any
    ) -> JSON:
        return timed(self.db, {**input, "seconds": how["seconds"]}, guest.study)

    def table(self, name: str, columns: Mapping[str, Sequence[Any]]) -> None:
        """A table with these columns, its rows in their order."""
        rows = list(zip(*columns.values(), strict=True))
        types = ", ".join(f'"{key}" {_type(values)}' for key, values in columns.items())
        self.db.execute(f'CREATE OR REPLACE TABLE "{name}" ({types})')
        if rows:
            marks = ", ".join("?" for _ in columns)
            self.db.executemany(f'INSERT INTO "{name}" VALUES ({marks})', rows)


def _type(values: Sequence[Any]) -> str:
    known = [value for value in values if value is not None]
    if all(isinstance(value, bool) for value in known):
        return "BOOLEAN"
    if all(isinstance(value, int) for value in known):
        return "BIGINT"
    return "DOUBLE" if all(isinstance(value, int | float) for value in known) else "VARCHAR"


@dataclass
class Services:
    folder: Path = Path("/nowhere")
    demo: bool = False
    first_organisation: int = 1
    settings: dict[str, str] = field(default_factory=dict)
    jail: Jail = field(default_factory=Jail)
    datasets: Datasets = field(default_factory=Datasets)
    dashboards: Any = None


class Bench:
    """The pack, and one call at a time."""

    def __init__(self, language: Language = "pt") -> None:
        self.services = Services()
        self.pack: Pack = build(self.services)  # type: ignore[arg-type]
        self.language = language
        self.queries: list[str] = []
        """What was asked of `consultar_dados`."""
        self.refusal: Outcome | None = None
        self.notes: list[JSONObject] = []
        self.result = Result()

    def table(self, name: str, **columns: Sequence[Any]) -> None:
        self.services.datasets.table(name, columns)

    async def call(self, name: str, **input: Any) -> Any:
        """Validate, run, and give back the value, as the gate would."""
        tool = next(tool for tool in self.pack.tools if tool.name == name)
        assert tool.validator.problem(input) is None, tool.validator.problem(input)
        self.result = await tool.run(self._context(), input)
        return self.result.value

    async def refused(self, name: str, **input: Any) -> str:
        """The sentence that a call ends with."""
        try:
            value = await self.call(name, **input)
        except ToolFailed as failure:
            return str(failure)
        raise AssertionError(f"{name} gave {value}")

    def _context(self) -> ToolContext:
        async def call(name: str, input: JSONObject) -> Outcome:
            assert name == "consultar_dados"
            self.queries.append(input["sql"])
            if self.refusal is not None:
                return self.refusal
            try:
                rows = self.services.datasets.db.execute(input["sql"]).fetchall()
            except duckdb.Error as error:
                return Outcome(content=str(error), is_error=True, code="failed")
            return Outcome(content="", value={"rows": rows, "notes": self.notes})

        rui = Person(
            id=2,
            organisation_id=1,
            email="rui@demo.com",
            name="Rui",
            role="responsavel",
            language=self.language,
        )
        return ToolContext(person=rui, call_id="call_1", conversation_id="c1", call=call)

"""What the tools are asked with, and the one way in which they ask the data.

The SELECT behind a study is run by `consultar_dados` first, through the gate: who may query, what
is recorded and what was guessed of the columns are that tool's own. Then the study is made in the
jail, beside the same tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, WithJsonSchema

from bancada import JSON, InnerCall, JSONObject, Services, ToolContext, ToolFailed
from bancada.packs.statistics.problems import failed

QUERY = "consultar_dados"
READ = ("direct", "code_execution_20260120")
"""Callers of the studies: the model itself, and code it writes."""
COLUMNS = {
    "coluna": "value",
    "ordem": "order",
    "subgrupo": "group",
    "inspecionados": "inspected",
    "etapa": "stage",
    "peca": "part",
    "operador": "operator",
    "segundo": "second",
    "somar": "weight_column",
}
"""Arguments that name a column, and what the study calls it."""
MOST_VALUES = 5_000
SECONDS = 30.0

HARNESS = """
from bancada.packs.statistics import guest
result = timed(opened(input), input, guest.study)
"""

Text = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
Number = Annotated[float | None, WithJsonSchema({"type": ["number", "null"]})]
Size = Annotated[int | None, WithJsonSchema({"type": ["integer", "null"], "minimum": 1})]
Values = Annotated[
    list[float] | None,
    WithJsonSchema(
        {"type": ["array", "null"], "items": {"type": "number"}, "maxItems": MOST_VALUES}
    ),
]
Numbers = Annotated[
    list[int] | None,
    WithJsonSchema(
        {"type": ["array", "null"], "items": {"type": "integer", "minimum": 1, "maximum": 8}}
    ),
]
Heading = Annotated[str | None, Field(max_length=150), WithJsonSchema({"type": ["string", "null"]})]
Fixed = Annotated[
    dict[str, float] | None,
    WithJsonSchema(
        {
            "type": ["object", "null"],
            "properties": {
                "centro": {"type": "number"},
                "sigma": {"type": "number", "minimum": 0},
                "tamanho": {"type": "integer", "minimum": 1},
                "fator": {"type": "number", "exclusiveMinimum": 0},
            },
            "required": ["centro"],
            "additionalProperties": False,
        }
    ),
]
EwmaWeight = Annotated[float, Field(gt=0, le=1)]
CusumDecision = Annotated[float, Field(gt=0, le=20)]
CusumSlack = Annotated[float, Field(ge=0, le=5)]
Rules: TypeAlias = Literal["western_electric", "nelson", "limites"]


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a study's data come from: a table, a query, or numbers in the call itself."""

    table: str | None
    sql: str | None
    values: Sequence[float] | None = None

    @property
    def select(self) -> str:
        """The SELECT that gives the data."""
        if self.values is not None:
            listed = ", ".join(repr(float(one)) for one in self.values)
            return f"SELECT CAST(unnest([{listed}]) AS DOUBLE) AS valor"
        if self.sql:
            return self.sql.strip().rstrip(";")
        return f"SELECT * FROM {_name(self.table or '')}"  # noqa: S608

    def counted(self, *columns: str | None) -> str:
        """How many rows and cells there are: the call that asks whether this person may read them.

        It names the columns, so that what was guessed of their cells is told with the study.
        """
        cells = "".join(f", count({_name(one)})" for one in dict.fromkeys(columns) if one)
        return f"SELECT count(*) AS linhas{cells} FROM (\n{self.select}\n)"  # noqa: S608

    def told(self, column: str) -> str:
        """What was studied, for people."""
        if self.values is not None:
            return "valores indicados"
        return f"{column} ({self.table})" if self.table and not self.sql else f"{column} (SQL)"


def origin(input: JSONObject) -> Origin | None:
    """Where this input says the data are; none where it says nothing."""
    table, sql, values = input.get("tabela"), input.get("sql"), input.get("valores")
    return Origin(table=table, sql=sql, values=values) if table or sql or values else None


def calls(input: JSONObject) -> Sequence[InnerCall]:
    """The query that a study is about to run: where the model wrote it, its agent needs the tool."""
    found = origin(input)
    if found is None or found.values is not None:
        return []
    columns = [input.get(name) for name in COLUMNS]
    return [InnerCall(QUERY, {"sql": found.counted(*columns)}, of_agent=bool(found.sql))]


def memory(weight: float, decision: float, slack: float) -> JSONObject:
    """How charts that remember do so: the weighted mean, and the cumulative sum."""
    return {"weight": weight, "width": 3.0, "slack": slack, "decision": decision}


@dataclass(frozen=True)
class Studies:
    """Makes studies for tools."""

    services: Services

    async def make(
        self, context: ToolContext, study: str, source: Origin, asked: JSONObject
    ) -> tuple[JSONObject, list[str]]:
        """The study's figures, and what was guessed of the columns behind them."""
        columns = [asked.get(name) for name in COLUMNS.values()]
        job: JSONObject = {"study": study, "sql": source.select, "asked": asked}
        notes = []
        if source.values is None:
            notes = await self._allowed(context, source, columns, job)
        answer = await self._compute(context, job)
        if not isinstance(answer, dict):
            raise failed("", {}, context.language)
        if "problem" in answer:
            raise failed(answer["problem"], answer["parts"], context.language)
        return answer, notes

    async def _compute(self, context: ToolContext, job: JSONObject) -> JSON:
        return await self.services.datasets.compute(context, HARNESS, job, seconds=SECONDS)

    async def _allowed(
        self,
        context: ToolContext,
        source: Origin,
        columns: Sequence[str | None],
        job: JSONObject,
    ) -> list[str]:
        outcome = await context.call(QUERY, {"sql": source.counted(*columns)})
        if outcome.is_error:
            if outcome.code == "failed":
                # They may query, and the query failed: of a column that is not there any more the
                # study tells in words, where the engine tells in its own.
                answer = await self._compute(context, job)
                if isinstance(answer, dict) and answer.get("problem") == "no_column":
                    raise failed("no_column", answer["parts"], context.language)
            raise ToolFailed(str(outcome.content))
        value = outcome.value
        return [note["text"] for note in value.get("notes", ())] if isinstance(value, dict) else []


def given(
    context: ToolContext, table: str | None, sql: str | None, values: Sequence[float] | None = None
) -> Origin:
    """The one place the data come from; `ToolFailed` where there is none, or two."""
    named = [name for name, one in (("tabela", table), ("sql", sql), ("valores", values)) if one]
    pt = context.language == "pt"
    if not named:
        raise ToolFailed(
            "Indique de onde vêm os dados: 'tabela' e 'coluna', 'sql', ou 'valores'."
            if pt
            else "Say where the data come from: 'tabela' and 'coluna', 'sql', or 'valores'."
        )
    if len(named) > 1:
        both = " e " if pt else " and "
        raise ToolFailed(
            f"Indique só um: {both.join(named)}." if pt else f"Give only one: {both.join(named)}."
        )
    return Origin(table=table, sql=sql, values=values)


def column(context: ToolContext, source: Origin, name: str | None) -> str:
    """The column that is studied."""
    if source.values is not None:
        return "valor"
    if not name:
        raise ToolFailed(
            "Indique 'coluna': a que se estuda."
            if context.language == "pt"
            else "Give 'coluna': the one to study."
        )
    return name


def _name(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'

"""Tools that run one read-only SQL statement over a database that the operator named.

    {"database": "erp", "sql": "SELECT name FROM items WHERE id = :id", "max_rows": 100}

The statement is the author's, values are bound and never written into it.
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from bancada.custom.databases import Databases
from bancada.custom.organisation import CustomToolSettings
from bancada.custom.statements import bare, statement
from bancada.domain.errors import Invalid, misfit
from bancada.domain.json import JSON, JSONObject
from bancada.domain.shapes import Shape
from bancada.domain.shares import Holder
from bancada.domain.wording import Wording
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Run, ToolContext

DEFAULT_ROWS = 200
DEFAULT_SECONDS = 10.0
SCALARS = ("string", "integer", "number", "boolean")


def _one_select(sql: str) -> str:
    plain = bare(sql)
    if not re.match(r"(?:select|with|values)\b", plain, re.IGNORECASE):
        raise misfit("sql_select")
    if ";" in plain.rstrip(" ;\n\t"):
        raise misfit("sql_one_statement")
    return sql


class SqlQuery(Shape):
    """One statement that reads; `:name` stands for a parameter."""

    database: str
    """One of those that the operator named for the organisation."""
    sql: Annotated[str, StringConstraints(max_length=20_000), AfterValidator(_one_select)]
    max_rows: Annotated[int, Field(ge=1, le=1_000)] = DEFAULT_ROWS
    timeout: Annotated[int | float, Field(gt=0, le=30)] = DEFAULT_SECONDS


def check_query(tool: CustomTool, query: SqlQuery, means: CustomToolSettings) -> None:
    """Raises `Invalid` with the reason when the query could not be run as written."""
    if tool.owner_id is not None:
        raise Invalid("own_tool_databases")
    if tool.effect != "read":
        raise Invalid("sql_only_reads")
    if query.database in means.unnamed:
        raise Invalid("database_unnamed", name=query.database)
    if query.database not in means.databases:
        known = ", ".join(sorted(means.databases)) or Wording("no_databases")
        raise Invalid("database_unknown", known=known)
    values = set(statement(query.sql).names)
    known_names = {parameter.name for parameter in tool.parameters}
    if missing := sorted(values - known_names):
        raise Invalid("not_a_parameter", written=f":{missing[0]}", tool=tool.name)
    if unused := sorted(known_names - values):
        raise Invalid("parameter_unused", name=unused[0])
    for one in tool.parameters:
        if one.type not in SCALARS:
            raise Invalid("query_scalars", name=one.name, taken=", ".join(SCALARS), type=one.type)


def query_run(tool: CustomTool, means: CustomToolSettings, databases: Databases) -> Run:
    """The tool's `run`."""
    definition = tool.definition
    database = means.databases[definition["database"]]

    async def run(context: ToolContext, input: JSONObject) -> JSON:
        values = {name: input.get(name) for name in statement(definition["sql"]).names}
        return await databases.select(
            database,
            definition["sql"],
            values,
            holder=Holder(context.person.organisation_id, context.person.id),
            rows=definition.get("max_rows", DEFAULT_ROWS),
            seconds=definition.get("timeout", DEFAULT_SECONDS),
        )

    return run

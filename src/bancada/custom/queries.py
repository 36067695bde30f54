"""Tools that run one read-only SQL statement over a database that the operator named.

    {"database": "erp", "sql": "SELECT name FROM items WHERE id = :id", "max_rows": 100}

The statement is the author's, values are bound and never written into it.
"""

from __future__ import annotations

import re

from bancada.custom.databases import Databases
from bancada.custom.organisation import Means
from bancada.custom.statements import bare, statement
from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject
from bancada.domain.shares import Holder
from bancada.store.custom_tools import CustomTool
from bancada.tools.tool import Run, ToolContext

MAX_ROWS = 1_000
DEFAULT_ROWS = 200
DEFAULT_SECONDS = 10.0
SCALARS = ("string", "integer", "number", "boolean")
_KEYS = frozenset({"database", "sql", "max_rows", "timeout"})


def check_query(tool: CustomTool, means: Means) -> None:
    """Raises `BadDefinition` with the reason when the query could not be run as written."""
    definition = tool.definition
    if unknown := sorted(set(definition) - _KEYS):
        raise BadDefinition(f"An SQL tool knows no {', '.join(unknown)}.")
    if tool.owner_id is not None:
        raise BadDefinition("A person's own tool cannot use the organisation's databases.")
    if tool.effect != "read":
        raise BadDefinition("An SQL tool only reads: its effect is 'read'.")
    if definition.get("database") in means.unnamed:
        raise BadDefinition(
            f"The operator must name the database {definition['database']} in bancada.toml, "
            "with its url and organisation: an organisation's own settings no longer do."
        )
    if definition.get("database") not in means.databases:
        known = ", ".join(sorted(means.databases)) or "none"
        raise BadDefinition(f"database is one of the organisation's databases: {known}.")
    sql = definition.get("sql")
    if not isinstance(sql, str) or not sql.strip() or len(sql) > 20_000:
        raise BadDefinition("sql is needed: one SELECT of at most 20,000 characters.")
    plain = bare(sql)
    if not re.match(r"(?:select|with|values)\b", plain, re.IGNORECASE):
        raise BadDefinition("sql must be one SELECT (or WITH … SELECT, VALUES).")
    if ";" in plain.rstrip(" ;\n\t"):
        raise BadDefinition("sql must be one statement.")
    _check_number(definition, "max_rows", MAX_ROWS)
    values = set(statement(sql).names)
    known_names = {parameter.name for parameter in tool.parameters}
    if missing := sorted(values - known_names):
        raise BadDefinition(f":{missing[0]} is not a parameter of {tool.name}.")
    if unused := sorted(known_names - values):
        raise BadDefinition(f"The parameter {unused[0]} is not used in the query.")
    for parameter in tool.parameters:
        if parameter.type not in SCALARS:
            raise BadDefinition(
                f"{parameter.name}: a query takes {', '.join(SCALARS)}, not {parameter.type}."
            )


def _check_number(definition: JSONObject, key: str, most: int) -> None:
    value = definition.get(key, 1)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise BadDefinition(f"{key} is a whole number from 1 to {most}.")


def query_run(tool: CustomTool, means: Means, databases: Databases) -> Run:
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

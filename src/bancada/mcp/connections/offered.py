"""What a server offers: listed within bounds, compared with what somebody enabled, made into schemas."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from typing import Any

from mcp import Client
from mcp.types import Tool as OfferedTool

from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSONObject, dumps
from bancada.mcp.connections.trouble import ServerTrouble
from bancada.store.connections import ConnectedTool, ServerConnection
from bancada.tools.normalise import normalise, normalise_name

MOST_PAGES = 40
MOST_TOOLS = 400
MOST_DESCRIPTION = 8_000
MOST_OUTPUT_SCHEMA = 100_000


async def list_tools(client: Client) -> list[JSONObject]:
    """Every tool it offers. A list that does not end is no list."""
    found: dict[str, JSONObject] = {}
    cursor: str | None = None
    seen: set[str] = set()
    for _ in range(MOST_PAGES):
        page = await client.list_tools(cursor=cursor)
        for tool in page.tools:
            found.setdefault(tool.name, _shape(tool))
        if len(found) > MOST_TOOLS:
            raise ServerTrouble("endless", f"It lists more than {MOST_TOOLS} tools.")
        cursor = page.next_cursor
        if not cursor:
            return list(found.values())
        if cursor in seen:
            raise ServerTrouble("endless", "Its list of tools turns in a circle.")
        seen.add(cursor)
    raise ServerTrouble("endless", f"Its list of tools has more than {MOST_PAGES} pages.")


def _shape(tool: OfferedTool) -> JSONObject:
    """What is looked at, compared and kept of a tool."""
    annotations = tool.annotations
    return {
        "name": tool.name[:200],
        "title": tool.title,
        "description": tool.description or "",
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
        "annotations": None
        if annotations is None
        else annotations.model_dump(by_alias=True, mode="json", exclude_none=True),
    }


def input_schema_of(offered: JSONObject) -> JSONObject:
    """The tool's arguments as the registry wants them. Raises `BadDefinition` with the reason."""
    if len(offered["description"]) > MOST_DESCRIPTION:
        raise BadDefinition(f"The description is longer than {MOST_DESCRIPTION:,} characters.")
    output = offered["output_schema"]
    if output is not None and len(dumps(output)) > MOST_OUTPUT_SCHEMA:
        raise BadDefinition(f"The output schema is larger than {MOST_OUTPUT_SCHEMA:,} bytes.")
    return normalise(offered["input_schema"])


def problem_of(offered: JSONObject) -> str:
    """Why a tool cannot be used as it is offered; empty where it can."""
    try:
        input_schema_of(offered)
    except (BadDefinition, ValueError) as error:
        return str(error)[:500]
    return ""


def reconciled(
    connection: ServerConnection,
    known: Sequence[ConnectedTool],
    offered: Sequence[JSONObject],
    *,
    taken: Container[str],
    complete: bool = True,
) -> list[ConnectedTool]:
    """The rows that are not any more what they were. `taken` are names that others have;
    `complete` says that what is not listed is gone."""
    rows = {row.remote_name: row for row in known}
    names = {row.name for row in known}
    changed: list[ConnectedTool] = []
    for shape in offered:
        row = rows.pop(shape["name"], None)
        if row is None:
            name = free_name(connection.name, shape["name"], lambda n: n in names or n in taken)
            names.add(name)
            effect, confirm = _guessed(shape["annotations"] or {})
            changed.append(
                ConnectedTool(
                    connection_id=connection.id,
                    organisation_id=connection.organisation_id,
                    remote_name=shape["name"],
                    name=name,
                    offered=shape,
                    problem=problem_of(shape),
                    effect=effect,
                    confirm=confirm,
                )
            )
            continue
        now = _seen(row, shape)
        if now != row:
            changed.append(now)
    if complete:
        changed += [replace(row, state="gone") for row in rows.values() if row.state != "gone"]
    return changed


def _seen(row: ConnectedTool, shape: JSONObject) -> ConnectedTool:
    """The row, now that this is offered. Who enabled a tool enabled what they saw and nothing else."""
    if shape != row.offered:
        row = replace(row, offered=shape, problem=problem_of(shape))
    same = row.approved == shape
    if row.state == "enabled" and not same:
        return replace(row, state="changed")
    if row.state == "gone":
        return replace(row, state="enabled" if same else "changed" if row.approved else "new")
    return row


def _guessed(annotations: Mapping[str, Any]) -> tuple[Any, Any]:
    """What an administrator finds chosen: the server's word where it makes things stricter only."""
    reads = annotations.get("readOnlyHint") is True
    return ("read", "never") if reads else ("write", "always")


def free_name(connection: str, remote: str, is_taken: Any) -> str:
    """The tool's own name, or with the connection's before it where something has that already."""
    candidates = [remote, f"{connection}_{remote}"]
    candidates += [f"{connection}_{remote}_{number}" for number in range(2, 1000)]
    return next(name for each in candidates if not is_taken(name := normalise_name(each)))

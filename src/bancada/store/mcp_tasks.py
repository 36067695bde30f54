"""Calls that an MCP client comes back for: who asked, how far it is, what came of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from sqlalchemy import Connection, delete, func, insert, literal, select, update

from bancada.domain.json import JSON, JSONObject
from bancada.store.tables import mcp_tasks, tool_calls

CALLS = "task:"
"""What the call of a task is kept under, before its id."""

TaskStatus: TypeAlias = Literal["working", "input_required", "completed", "failed", "cancelled"]


@dataclass(frozen=True, kw_only=True)
class McpTask:
    """One call, as the record has it."""

    id: str
    organisation_id: int
    user_id: int
    tool: str
    input: JSON
    agent_id: int | None
    status: TaskStatus
    confirmation_id: str | None = None
    """It waits for this, and what came of it is kept there."""
    inquiries: list[JSONObject] = field(default_factory=list)
    """What the tool asks its person."""
    answers: JSONObject = field(default_factory=dict)
    result: JSONObject | None = None
    error: JSONObject | None = None
    owner: str
    """The process that runs it."""
    beat_at: float
    """When its process was last known to be there."""
    created_at: float
    updated_at: float
    expires_at: float


def add(db: Connection, new: McpTask) -> None:
    """Keep it; those whose time is over make room."""
    old = mcp_tasks.c.expires_at < new.created_at
    names = select(literal(CALLS) + mcp_tasks.c.id).where(old)
    db.execute(delete(tool_calls).where(tool_calls.c.owner_id.in_(names)))
    db.execute(delete(mcp_tasks).where(old))
    db.execute(insert(mcp_tasks).values(**vars(new)))


def unfinished(db: Connection, user_id: int) -> int:
    """How many of a person's tasks run now."""
    query = (
        select(func.count())
        .select_from(mcp_tasks)
        .where(mcp_tasks.c.user_id == user_id, mcp_tasks.c.status == "working")
    )
    return int(db.execute(query).scalar_one())


def owned(
    db: Connection, id: str, user_id: int, now: float, *, lock: bool = False
) -> McpTask | None:
    """The task, if it is this person's and its time is not over."""
    query = select(mcp_tasks).where(mcp_tasks.c.id == id)
    row: Any = db.execute(query.with_for_update() if lock else query).first()
    if row is None or row.user_id != user_id or row.expires_at < now:
        return None
    return McpTask(**row._mapping)


def move(
    db: Connection, /, id: str, held_by: str, from_status: TaskStatus, at: float, **changes: Any
) -> bool:
    """Change a task that stands where we think it does, in the hands of whom we think; whether it
    did."""
    query = (
        update(mcp_tasks)
        .where(
            mcp_tasks.c.id == id,
            mcp_tasks.c.owner == held_by,
            mcp_tasks.c.status == from_status,
        )
        .values(**{"updated_at": at, **changes})
    )
    return bool(db.execute(query).rowcount)


def beat(db: Connection, owner: str, at: float) -> set[str]:
    """Say that this process is there; returns what it still has to run."""
    mine = (mcp_tasks.c.owner == owner) & (mcp_tasks.c.status == "working")
    db.execute(update(mcp_tasks).where(mine).values(beat_at=at))
    return {row.id for row in db.execute(select(mcp_tasks.c.id).where(mine))}

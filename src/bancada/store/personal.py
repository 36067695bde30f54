"""What is kept of a person, table by table: how it is found, and what becomes of it when they are erased.

Every table stands in one of the lists below; a test goes through the schema and says which does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, delete, func, literal, or_, select, update

from bancada.domain.json import JSONObject
from bancada.store import people, words
from bancada.store.datasets import DatasetRow
from bancada.store.files import ref
from bancada.store.login import account_mark
from bancada.store.schedules import CALLS
from bancada.store.tables import (
    ai_tool_config,
    ai_tool_parameters,
    api_keys,
    audit_entries,
    confirmations,
    connection_credentials,
    connection_sign_ins,
    conversation_shares,
    conversations,
    custom_tools,
    dashboards,
    datasets,
    directory_members,
    directory_users,
    events,
    feedback,
    files,
    gateway_containers,
    idempotency_keys,
    identities,
    journal,
    login_limits,
    mcp_tasks,
    message_words,
    messages,
    news,
    news_heads,
    notice_addresses,
    notices,
    one_time_links,
    presence,
    replies,
    reservations,
    result_cache,
    schedule_runs,
    schedules,
    sessions,
    shares,
    stand_ins,
    studies,
    tool_calls,
    turns,
    user_agents,
    users,
)

SECRET = frozenset(
    {"password_hash", "key_hash", "token_hash", "token", "sealed", "id_token", "state", "answer"}
)
"""What no export holds: it would open something."""

STAYS = {
    "organisations": "the organisation's own",
    "directory_groups": "groups of the organisation's directory; who was in them goes",
    "agents": "the organisation's own",
    "ai_tool_registry": "the installation's own",
    "audit_heads": "numbers and hashes",
    "audit_entries": "what entries say is erased; that they were there, with their hashes, is not",
    "connections": "the organisation's own",
    "connection_tools": "the organisation's own; of who decided, the number",
    "replies": "what was used and what it cost: numbers, by the number of a row without a name",
    "usage_heads": "numbers",
    "usage_days": "the same, added up by day",
    "usage_times": "the same: how many took so long",
    "blobs": "hashes of files; one that no row names any more goes, with its bytes",
    "blob_pieces": "the bytes of those files",
    "pack_files": "what packs keep for an organisation",
    "installation_keys": "the installation's own",
    "processes": "the installation's own",
    "provider_probes": "the installation's own",
    "experiments": "the organisation's own",
    "control_limits": "the organisation's own; of who set them, the number",
}
"""Tables that an erasure leaves alone, and why."""
KEPT_WORDS = {
    "users": "the row stays, without address, name and password: costs and audit count by it",
}


@dataclass(frozen=True)
class Subject:
    """Whose data it is."""

    id: int
    organisation_id: int
    email: str


def _theirs(who: Subject) -> dict[Table, ColumnElement[bool]]:
    """Where a person's rows are, in the order in which they can be removed."""
    asked = select(conversations.c.id).where(conversations.c.user_id == who.id)
    ours = select(turns.c.id).where(turns.c.conversation_id.in_(asked))
    held = select(gateway_containers.c.id).where(gateway_containers.c.user_id == who.id)
    made = select(custom_tools.c.id).where(custom_tools.c.owner_id == who.id)
    said = select(messages.c.id).where(messages.c.conversation_id.in_(asked))
    boards = select(dashboards.c.id).where(dashboards.c.user_id == who.id)
    timed = select(literal(CALLS) + schedule_runs.c.id).where(schedule_runs.c.user_id == who.id)
    mine: dict[Table, ColumnElement[bool]] = {
        table: or_(*(table.c.owner_id.in_(owners) for owners in (ours, held, timed)))
        for table in (tool_calls, journal)
    }
    # Calls outside a turn are kept under the name of whatever made them: the audit knows whose.
    asked_for = select(audit_entries.c.number).where(
        audit_entries.c.organisation_id == who.organisation_id,
        audit_entries.c.person_id == who.id,
    )
    mine[tool_calls] |= (tool_calls.c.organisation_id == who.organisation_id) & (
        tool_calls.c.audit_ref.in_(asked_for)
    )
    mine |= {
        events: events.c.turn_id.in_(ours),
        feedback: (feedback.c.user_id == who.id) | feedback.c.message_id.in_(said),
        datasets: datasets.c.conversation_id.in_(asked),
        message_words: message_words.c.message_id.in_(said),
        messages: messages.c.conversation_id.in_(asked),
        turns: turns.c.conversation_id.in_(asked) | (turns.c.user_id == who.id),
        conversation_shares: conversation_shares.c.conversation_id.in_(asked),
        shares: (shares.c.created_by == who.id) | shares.c.dashboard_id.in_(boards),
        ai_tool_parameters: ai_tool_parameters.c.tool_id.in_(made),
        custom_tools: custom_tools.c.owner_id == who.id,
        ai_tool_config: ai_tool_config.c.scope.in_(("user", "own"))
        & (ai_tool_config.c.subject == str(who.id)),
        stand_ins: (stand_ins.c.person_id == who.id) | (stand_ins.c.stand_in_id == who.id),
        login_limits: or_(
            login_limits.c.subject.in_((f"password:{who.id}", f"notices:{who.id}")),
            login_limits.c.subject.like(f"pair:% {account_mark(who.email)}"),
        ),
    }
    for table in (
        schedule_runs, schedules, notices, notice_addresses, presence, news, news_heads,
        idempotency_keys, confirmations, mcp_tasks, files, gateway_containers, reservations,
        dashboards, studies, conversations, connection_credentials,
        connection_sign_ins, one_time_links, user_agents, directory_members, directory_users,
        identities, sessions, api_keys,
    ):  # fmt: skip
        mine[table] = table.c.user_id == who.id
    return mine


REMOVED = frozenset(table.name for table in _theirs(Subject(0, 0, ""))) | {result_cache.name}
"""Tables whose rows of the person go."""


def counted(db: Connection, who: Subject) -> dict[str, int]:
    """How many rows there are of them, by table."""
    found = {
        table.name: int(
            db.execute(select(func.count()).select_from(table).where(where)).scalar_one()
        )
        for table, where in _theirs(who).items()
    }
    return {name: count for name, count in found.items() if count}


def exported(db: Connection, who: Subject) -> dict[str, list[JSONObject]]:
    """Every row of theirs, by table, without what would open something; their account first."""
    found = {users.name: _rows(db, users, users.c.id == who.id)}
    for table, where in {**_theirs(who), replies: replies.c.user_id == who.id}.items():
        if rows := _rows(db, table, where):
            found[table.name] = rows
    return found


def _rows(db: Connection, table: Table, where: ColumnElement[bool]) -> list[JSONObject]:
    columns = [column for column in table.c if column.name not in SECRET]
    return [dict(row._mapping) for row in db.execute(select(*columns).where(where))]


def kept(db: Connection, who: Subject) -> dict[str, str]:
    """What of theirs is a file: where it is kept, by the name it has in an export."""
    asked = select(conversations.c.id).where(conversations.c.user_id == who.id)
    mine: list[Any] = list(db.execute(select(files).where(files.c.user_id == who.id)))
    sets: list[Any] = list(
        db.execute(select(datasets).where(datasets.c.conversation_id.in_(asked)))
    )
    found = {f"files/{row.id}/{PurePath(row.name).name}": ref(row.path) for row in mine}
    return found | {
        f"datasets/{row.id}/{row.table_name}.duckdb": DatasetRow(**row._mapping).ref for row in sets
    }


def containers(db: Connection, who: Subject) -> list[str]:
    """The containers that clients of theirs hold."""
    mine = gateway_containers.c.user_id == who.id
    return list(db.execute(select(gateway_containers.c.id).where(mine)).scalars())


def remove(db: Connection, who: Subject) -> dict[str, int]:
    """Remove all of it; the account's row stays, and says nothing any more. How many rows went."""
    gone = counted(db, who)
    # Before their rows: a tool that asks about it later would find the person's.
    decided = confirmations.c.decided_by == who.id
    db.execute(update(confirmations).where(decided).values(decision_reason=None))
    for table, where in _theirs(who).items():
        db.execute(delete(table).where(where))
    # Kept answers do not say whose question they were.
    db.execute(delete(result_cache).where(result_cache.c.organisation_id == who.organisation_id))
    words.forget_gone(db)
    people.forget_account(db, who.id)
    people.touch_settings(db, who.organisation_id)
    return gone

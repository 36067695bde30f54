"""Every table. Migrations create them; a test proves that both agree."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, Column, Index, Integer, MetaData, Table, UniqueConstraint, false
from sqlalchemy import text as sql

from bancada.domain.agents import AgentFields
from bancada.store.columns import (
    columns_of,
    content,
    flag,
    json,
    large,
    moment,
    number,
    real,
    text,
    to,
    to_text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _id() -> Column[int]:
    return Column("id", Integer, primary_key=True, autoincrement=True)


# ---------------------------------------------------------------------------- people

organisations = Table(
    "organisations",
    metadata,
    _id(),
    text("name", unique=True),
    json("settings"),
    number("settings_version", server_default=sql("1")),
    real("monthly_budget_usd"),
    moment("created_at"),
)

users = Table(
    "users",
    metadata,
    _id(),
    to("organisation_id", "organisations.id"),
    text("email", unique=True),
    text("name"),
    text("role"),
    text("language"),
    # Whether they chose it; until then their browser's is used.
    flag("language_chosen", server_default=false()),
    text("password_hash", nullable=True),
    flag("is_active"),
    real("monthly_budget_usd"),
    moment("created_at"),
    Index(None, "organisation_id"),
)

api_keys = Table(
    "api_keys",
    metadata,
    _id(),
    to("user_id", "users.id", cascade=True),
    text("name"),
    text("prefix"),
    text("key_hash", unique=True),
    number("made_by", nullable=True),
    moment("created_at"),
    moment("last_used_at", nullable=True),
    moment("revoked_at", nullable=True),
    # None: whatever their person may do.
    json("scopes", server_default=sql("'[]'")),
    moment("expires_at", nullable=True),
    number("agent_id", nullable=True),
    # What it may use at the gateway; none: as much as its person may.
    number("requests_per_minute", nullable=True),
    number("tokens_per_minute", nullable=True),
    real("monthly_budget_usd"),
    # The first of the keys that were made in place of each other; none: this one.
    number("line_id", nullable=True),
)

sessions = Table(
    "sessions",
    metadata,
    text("id", primary_key=True),
    to("user_id", "users.id", cascade=True),
    text("how"),
    text("user_agent"),
    text("address"),
    # Which refresh cookie is the current one; nothing where the session has none.
    number("generation", nullable=True),
    moment("rotated_at", nullable=True),
    moment("created_at"),
    moment("last_seen_at"),
    moment("expires_at"),
    moment("ended_at", nullable=True),
    text("ended_by", nullable=True),
    # The provider that was signed in with, and its word on who it was, sealed: it asks for it
    # again when its own session is to be ended.
    text("provider", nullable=True),
    text("id_token", nullable=True),
    Index(None, "user_id"),
)

identities = Table(
    "identities",
    metadata,
    _id(),
    to("user_id", "users.id", cascade=True),
    text("issuer"),
    text("subject"),
    text("provider"),
    moment("created_at"),
    UniqueConstraint("issuer", "subject"),
    Index(None, "user_id"),
)

directory_users = Table(
    "directory_users",
    metadata,
    to("user_id", "users.id", cascade=True, primary_key=True),
    text("user_name"),
    text("external_id", nullable=True),
    json("attributes"),
    moment("created_at"),
    moment("changed_at"),
    # The directory took them away: for it they are not there any more.
    moment("removed_at", nullable=True),
)

directory_groups = Table(
    "directory_groups",
    metadata,
    _id(),
    to("organisation_id", "organisations.id", cascade=True),
    text("display_name"),
    text("external_id", nullable=True),
    moment("created_at"),
    moment("changed_at"),
    Index(None, "organisation_id"),
)

directory_members = Table(
    "directory_members",
    metadata,
    to("group_id", "directory_groups.id", cascade=True, primary_key=True),
    to("user_id", "users.id", cascade=True, primary_key=True),
    Index(None, "user_id"),
)

one_time_links = Table(
    "one_time_links",
    metadata,
    text("token_hash", primary_key=True),
    text("purpose"),
    to("user_id", "users.id", nullable=True, cascade=True),
    moment("expires_at"),
    moment("used_at", nullable=True),
)

login_limits = Table(
    "login_limits",
    metadata,
    text("subject", primary_key=True),
    # When every failure will have been forgotten: each moves it further off.
    moment("until"),
)

# ---------------------------------------------------------------------------- agents and tools

agents = Table(
    "agents",
    metadata,
    _id(),
    to("organisation_id", "organisations.id"),
    *columns_of(AgentFields),
    flag("is_active"),
    moment("created_at"),
    UniqueConstraint("organisation_id", "name"),
)

user_agents = Table(
    "user_agents",
    metadata,
    to("user_id", "users.id", cascade=True, primary_key=True),
    to("agent_id", "agents.id", cascade=True, primary_key=True),
)

ai_tool_registry = Table(
    "ai_tool_registry",
    metadata,
    text("name", primary_key=True),
    text("pack", nullable=True),
    flag("is_present"),
    # What an administrator chose; nothing where the tool's own word stands.
    flag("is_enabled", nullable=True),
    text("permission_level", nullable=True),
    json("confirmation", nullable=True),
    json("allowed_callers", nullable=True),
    number("cache_seconds", nullable=True),
    json("budget", nullable=True),
)

ai_tool_config = Table(
    "ai_tool_config",
    metadata,
    _id(),
    to("organisation_id", "organisations.id", cascade=True),
    text("scope"),
    text("subject"),
    text("tool"),
    flag("is_enabled", nullable=True),
    text("permission_level", nullable=True),
    json("confirmation", nullable=True),
    json("allowed_callers", nullable=True),
    number("cache_seconds", nullable=True),
    json("budget", nullable=True),
    UniqueConstraint("organisation_id", "scope", "subject", "tool"),
)

custom_tools = Table(
    "custom_tools",
    metadata,
    _id(),
    to("organisation_id", "organisations.id", cascade=True),
    to("owner_id", "users.id", nullable=True, cascade=True),
    text("name"),
    number("version"),
    flag("is_current"),
    text("kind"),
    text("description"),
    text("category"),
    text("effect"),
    text("permission_level"),
    flag("requires_confirmation"),
    json("allowed_callers"),
    json("definition"),
    to("created_by", "users.id"),
    moment("created_at"),
    # Not one constraint: what is null differs from everything, and the organisation's have no owner.
    Index(
        "uq_custom_tools_of_organisation",
        "organisation_id",
        "name",
        "version",
        unique=True,
        sqlite_where=sql("owner_id IS NULL"),
        postgresql_where=sql("owner_id IS NULL"),
    ),
    Index("uq_custom_tools_of_owner", "owner_id", "name", "version", unique=True),
)

ai_tool_parameters = Table(
    "ai_tool_parameters",
    metadata,
    to("tool_id", "custom_tools.id", cascade=True, primary_key=True),
    number("position", primary_key=True),
    text("name"),
    text("type"),
    text("description"),
    flag("is_required"),
    json("default_value", nullable=True),
    json("constraints"),
)

# ---------------------------------------------------------------------------- the gate

audit_heads = Table(
    "audit_heads",
    metadata,
    to("organisation_id", "organisations.id", primary_key=True),
    number("number"),
    text("hash"),
)

audit_entries = Table(
    "audit_entries",
    metadata,
    to("organisation_id", "organisations.id", primary_key=True),
    number("number", primary_key=True),
    number("ref"),
    text("kind"),
    moment("at"),
    number("person_id", nullable=True),
    text("conversation_id", nullable=True),
    text("turn_id", nullable=True),
    text("call_id"),
    text("tool"),
    # What usage is counted by; the body says the same, and is what the hash covers.
    number("agent_id", nullable=True),
    text("caller", nullable=True),
    text("outcome", nullable=True),
    real("duration_ms"),
    number("size", nullable=True),
    flag("cached", nullable=True),
    # What administration it is about; none for calls.
    text("category", nullable=True),
    text("body"),
    text("hash"),
    # What was said, of which the body holds a hash; none where there was nothing, or it was erased.
    text("content", nullable=True),
    Index(None, "organisation_id", "ref"),
    Index(None, "organisation_id", "person_id", "tool", "at"),
    Index(None, "organisation_id", "turn_id"),
)
# Calls are many and administration is little: only the little is in it, and calls pay nothing.
Index(
    "ix_audit_entries_administration",
    audit_entries.c.organisation_id,
    audit_entries.c.category,
    audit_entries.c.number,
    sqlite_where=audit_entries.c.category.is_not(None),
    postgresql_where=audit_entries.c.category.is_not(None),
)

confirmations = Table(
    "confirmations",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("approver_role", nullable=True),
    text("approver", nullable=True),
    # Addresses of those who are told of it where they are; none: whoever may decide it.
    json("tell", nullable=True),
    text("conversation_id", nullable=True),
    text("turn_id", nullable=True),
    number("agent_id", nullable=True),
    text("call_id"),
    text("tool"),
    json("input"),
    text("input_hash"),
    json("caller"),
    text("reason"),
    # Which rules a yes covers, and everything that will run then.
    json("rules", nullable=True),
    json("steps", nullable=True),
    # Set where it is not the call that is decided, but something its tool asks in the middle of it.
    json("question", nullable=True),
    text("status"),
    number("decided_by", nullable=True),
    number("decided_for", nullable=True),
    moment("decided_at", nullable=True),
    text("decision_reason", nullable=True),
    json("edited_input", nullable=True),
    text("remember", nullable=True),
    moment("created_at"),
    moment("expires_at"),
    moment("reminded_at", nullable=True),
    moment("used_at", nullable=True),
    json("result", nullable=True),
    # Who runs it, where it has no turn.
    text("taken_by", nullable=True),
    number("audit_ref"),
    Index(None, "organisation_id", "status"),
    Index(None, "turn_id", "call_id"),
    Index(None, "user_id", "status"),
)

connections = Table(
    "connections",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    text("name"),
    # Whether the operator's configuration brings it, or an administrator added it.
    text("origin"),
    text("url", nullable=True),
    text("headers", nullable=True),
    # Whose sign-in calls are made with: nobody's, one for all, each person's own.
    text("credentials"),
    flag("is_enabled"),
    text("status"),
    text("detail"),
    number("failures"),
    moment("looked_at", nullable=True),
    moment("ok_at", nullable=True),
    moment("retry_at", nullable=True),
    json("server"),
    # What is open to it belongs to one revision: after a change it is opened anew, in every process.
    number("revision"),
    moment("created_at"),
    UniqueConstraint("organisation_id", "name"),
)

connection_tools = Table(
    "connection_tools",
    metadata,
    _id(),
    to_text("connection_id", "connections.id", cascade=True),
    to("organisation_id", "organisations.id", cascade=True),
    text("remote_name"),
    text("name"),
    json("offered"),
    # What somebody looked at and enabled: this, and never what is offered now, is what a model reads.
    json("approved", nullable=True),
    text("state"),
    text("problem"),
    text("permission_level"),
    text("effect"),
    text("confirm"),
    json("allowed_callers"),
    number("version"),
    number("decided_by", nullable=True),
    moment("decided_at", nullable=True),
    UniqueConstraint("connection_id", "remote_name"),
    UniqueConstraint("organisation_id", "name"),
)

connection_credentials = Table(
    "connection_credentials",
    metadata,
    _id(),
    to_text("connection_id", "connections.id", cascade=True),
    # None: everybody's.
    to("user_id", "users.id", nullable=True, cascade=True),
    text("sealed"),
    moment("updated_at"),
    Index(None, "connection_id", "user_id"),
)

connection_sign_ins = Table(
    "connection_sign_ins",
    metadata,
    text("id", primary_key=True),
    to_text("connection_id", "connections.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("state", nullable=True),
    text("answer", nullable=True),
    text("outcome", nullable=True),
    moment("created_at"),
    Index(None, "state"),
)

stand_ins = Table(
    "stand_ins",
    metadata,
    _id(),
    to("organisation_id", "organisations.id", cascade=True),
    to("person_id", "users.id", cascade=True),
    to("stand_in_id", "users.id", cascade=True),
    moment("created_at"),
    moment("until"),
    moment("ended_at", nullable=True),
    Index(None, "stand_in_id"),
    Index(None, "person_id"),
)

result_cache = Table(
    "result_cache",
    metadata,
    text("key", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    text("tool"),
    json("outcome"),
    moment("expires_at"),
    Index(None, "tool"),
)

# ---------------------------------------------------------------------------- the record

conversations = Table(
    "conversations",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    to("agent_id", "agents.id"),
    text("title"),
    text("mode"),
    flag("is_listed"),
    number("experiment_id", nullable=True),
    text("variant", nullable=True),
    json("settings"),
    moment("created_at"),
    moment("updated_at"),
    # Where its person keeps it: at the top of their list, or out of it.
    moment("pinned_at", nullable=True),
    moment("archived_at", nullable=True),
    Index(None, "user_id", "updated_at"),
)

turns = Table(
    "turns",
    metadata,
    text("id", primary_key=True),
    to_text("conversation_id", "conversations.id", cascade=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    number("agent_id"),
    text("status"),
    text("model"),
    json("settings"),
    number("iterations"),
    # Whose it is to work on; the epoch is another with every owner.
    text("owner", nullable=True),
    number("epoch", server_default=sql("0")),
    # Only for processes from before there were epochs.
    moment("heartbeat_at", nullable=True),
    moment("started_at"),
    moment("ended_at", nullable=True),
    # The turn it follows. Turns that follow the same one are versions of one question, and those of
    # the branch that is not chosen stand aside: kept, and seen by no model.
    text("parent_id", nullable=True),
    flag("aside", server_default=false()),
    Index(None, "conversation_id", "started_at"),
    Index(None, "status"),
)

messages = Table(
    "messages",
    metadata,
    text("id", primary_key=True),
    to_text("conversation_id", "conversations.id", cascade=True),
    text("turn_id", nullable=True),
    number("position"),
    text("role"),
    text("kind"),
    json("content"),
    json("metadata"),
    moment("created_at"),
    UniqueConstraint("conversation_id", "position"),
    Index(None, "turn_id"),
)

# The words of messages that people read. The index over them is each database's own.
message_words = Table(
    "message_words",
    metadata,
    _id(),
    to_text("message_id", "messages.id", cascade=True, unique=True),
    text("words"),
)

events = Table(
    "events",
    metadata,
    to_text("turn_id", "turns.id", cascade=True, primary_key=True),
    number("n", primary_key=True),
    text("type"),
    text("data"),
)

replies = Table(
    "replies",
    metadata,
    _id(),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    number("agent_id"),
    text("conversation_id"),
    text("turn_id"),
    text("model"),
    number("input_tokens"),
    number("output_tokens"),
    number("cache_read_tokens"),
    number("cache_write_tokens"),
    real("cost_usd"),
    flag("is_estimated"),
    text("stop_reason"),
    real("duration_ms"),
    moment("at"),
    # The key by which it was asked for; none: a turn of the workbench's own.
    number("key_id", nullable=True),
    # In which step it was added to the days of usage; none: not yet.
    number("batch", nullable=True),
    Index(None, "organisation_id", "at"),
    Index(None, "organisation_id", "batch"),
    Index(None, "user_id", "at"),
    Index(None, "key_id", "at"),
    Index(None, "turn_id"),
    Index(None, "conversation_id"),
)

# How far an organisation's days of usage reach: the last entry of the audit, the last step.
usage_heads = Table(
    "usage_heads",
    metadata,
    to("organisation_id", "organisations.id", cascade=True, primary_key=True),
    number("number"),
    number("batch"),
)


def _day_of_usage() -> tuple[Column[Any], ...]:
    """A day (since 1970, UTC) of one tool, person, … ; of everything where it is by day."""
    return (
        to("organisation_id", "organisations.id", cascade=True, primary_key=True),
        text("by", primary_key=True),
        number("day", primary_key=True, autoincrement=False),
        text("value", primary_key=True),
    )


usage_days = Table(
    "usage_days",
    metadata,
    *_day_of_usage(),
    large("calls"),
    large("failures"),
    large("refusals"),
    large("cache_hits"),
    large("saved"),
    large("replies"),
    large("questions"),
    large("input_tokens"),
    large("output_tokens"),
    large("cache_read_tokens"),
    large("cache_write_tokens"),
    real("cost_usd", nullable=False),
)

# How many calls or replies took so long.
usage_times = Table(
    "usage_times",
    metadata,
    *_day_of_usage(),
    text("what", primary_key=True),
    Column("tenths", BigInteger, primary_key=True, autoincrement=False),
    large("count"),
)

tool_calls = Table(
    "tool_calls",
    metadata,
    # A turn, or a container of the gateway; the name is what processes of 0.1.0 know.
    text("turn_id", key="owner_id", primary_key=True),
    text("call_id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    text("tool"),
    json("caller"),
    text("effect"),
    text("state"),
    json("outcome", nullable=True),
    number("audit_ref"),
    moment("started_at"),
    moment("ended_at", nullable=True),
    flag("outside", nullable=True),
)

journal = Table(
    "journal",
    metadata,
    # A turn, or a container of the gateway; the name is what processes of 0.1.0 know.
    text("turn_id", key="owner_id", primary_key=True),
    text("code_id", primary_key=True),
    number("n", primary_key=True),
    text("kind"),
    json("body"),
)

gateway_containers = Table(
    "gateway_containers",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    number("key_id", nullable=True),
    # What code in it may call, in short: it stays the same while the container lives.
    text("functions"),
    moment("created_at"),
    moment("expires_at"),
    # Whose its code is now, of all processes: whoever had it before may write nothing more.
    text("held_by", nullable=True),
    # A request has it until then; in the past: when it was last used.
    moment("held_until"),
    Index(None, "user_id"),
    Index(None, "expires_at"),
)

# What replies under way may cost; one whose process has died lapses.
reservations = Table(
    "reservations",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    number("key_id", nullable=True),
    real("usd", nullable=False),
    moment("held_until"),
    Index(None, "organisation_id"),
    Index(None, "user_id"),
)

files = Table(
    "files",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("conversation_id", nullable=True),
    text("name"),
    text("media_type"),
    number("size"),
    text("path"),
    moment("created_at"),
    # `waiting` for the question that it was sent for, or `sent` with it; none: code or a tool made it.
    text("attached", nullable=True),
    json("measures", nullable=True),
    Index(None, "conversation_id"),
    Index(None, "path"),
)

# Files that never change, by their place; `datasets`, `files` and `pack_files` name them in `path`.
blobs = Table(
    "blobs",
    metadata,
    text("place", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    text("sha256"),
    large("size"),
    moment("created_at"),
    UniqueConstraint("organisation_id", "sha256"),
)

# Their bytes, where the database is the store. No foreign key: bytes may outlive their row.
blob_pieces = Table(
    "blob_pieces",
    metadata,
    text("place", primary_key=True),
    number("number", primary_key=True),
    content("content"),
)

# What packs keep for an organisation, by a name of their own.
pack_files = Table(
    "pack_files",
    metadata,
    to("organisation_id", "organisations.id", cascade=True, primary_key=True),
    text("pack", primary_key=True),
    text("name", primary_key=True),
    text("path"),
    text("version"),
    moment("changed_at"),
    Index(None, "path"),
)

# Keys of the installation that every process must share; on SQLite they are in the data folder.
installation_keys = Table(
    "installation_keys",
    metadata,
    text("name", primary_key=True),
    text("value"),
    moment("created_at"),
)

mcp_tasks = Table(
    "mcp_tasks",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("tool"),
    json("input"),
    number("agent_id", nullable=True),
    text("status"),
    text("confirmation_id", nullable=True),
    json("inquiries"),
    json("answers"),
    json("result", nullable=True),
    json("error", nullable=True),
    text("owner"),
    moment("beat_at"),
    moment("created_at"),
    moment("updated_at"),
    moment("expires_at"),
    Index(None, "user_id"),
    Index(None, "expires_at"),
)

datasets = Table(
    "datasets",
    metadata,
    text("id", primary_key=True),
    to_text("conversation_id", "conversations.id", cascade=True),
    text("file_name"),
    text("table_name"),
    text("path"),
    text("version"),
    number("size"),
    json("summary"),
    moment("created_at"),
    UniqueConstraint("conversation_id", "table_name"),
    Index(None, "path"),
)

feedback = Table(
    "feedback",
    metadata,
    to_text("message_id", "messages.id", cascade=True, primary_key=True),
    to("user_id", "users.id", cascade=True, primary_key=True),
    number("value"),
    text("comment", nullable=True),
    moment("at"),
    # What was wrong with the answer, of the reasons a page offers.
    json("reasons", nullable=True),
)

news_heads = Table(
    "news_heads",
    metadata,
    to("user_id", "users.id", cascade=True, primary_key=True),
    number("number"),
)

news = Table(
    "news",
    metadata,
    to("user_id", "users.id", cascade=True, primary_key=True),
    number("number", primary_key=True),
    json("data"),
    moment("at"),
    Index(None, "at"),
)

notice_addresses = Table(
    "notice_addresses",
    metadata,
    text("id", primary_key=True),
    to("user_id", "users.id", cascade=True),
    text("channel"),
    text("sealed"),
    # The address as its owner is shown it: without its secrets.
    text("shown"),
    json("kinds"),
    number("failures"),
    text("problem", nullable=True),
    # Nothing goes there any more, until its owner has tried it again.
    moment("dead_at", nullable=True),
    moment("ok_at", nullable=True),
    moment("created_at"),
    Index(None, "user_id"),
)

notices = Table(
    "notices",
    metadata,
    _id(),
    to("user_id", "users.id", cascade=True),
    to_text("address_id", "notice_addresses.id", cascade=True),
    text("kind"),
    # The confirmation or the turn; what an alarm is about stands in `says`.
    text("subject"),
    json("says", nullable=True),
    moment("created_at"),
    moment("due_at"),
    number("attempts"),
    # Who is at work on it, and since when.
    text("owner", nullable=True),
    moment("claimed_at", nullable=True),
    moment("ended_at", nullable=True),
    text("outcome", nullable=True),
    Index(None, "ended_at", "due_at"),
)

presence = Table(
    "presence",
    metadata,
    to("user_id", "users.id", cascade=True, primary_key=True),
    # A page of theirs is open somewhere until then, at least.
    moment("until"),
)

processes = Table(
    "processes",
    metadata,
    text("name", primary_key=True),
    # The number of the advisory lock that it holds for as long as its session stands.
    number("lock"),
    moment("heartbeat_at"),
)

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    to("user_id", "users.id", cascade=True, primary_key=True),
    text("key", primary_key=True),
    text("request"),
    text("subject"),
    # Who is at work on it, until there is an answer.
    text("owner"),
    moment("heartbeat_at"),
    json("answer", nullable=True),
    moment("created_at"),
    Index(None, "created_at"),
)

# ---------------------------------------------------------------------------- dashboards

dashboards = Table(
    "dashboards",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("conversation_id", nullable=True),
    text("titulo"),
    text("html", nullable=True),
    json("items"),
    flag("outside"),
    moment("created_at"),
    moment("updated_at"),
    json("filter", nullable=True),
    number("refresh_minutes", nullable=True),
    Index(None, "user_id"),
)

shares = Table(
    "shares",
    metadata,
    text("token_hash", primary_key=True),
    to_text("dashboard_id", "dashboards.id", cascade=True),
    to("created_by", "users.id", cascade=True),
    moment("created_at"),
    moment("revoked_at", nullable=True),
    Index(None, "dashboard_id"),
)

conversation_shares = Table(
    "conversation_shares",
    metadata,
    to_text("conversation_id", "conversations.id", cascade=True, primary_key=True),
    text("token"),
    # The last turn that readers see, and of it the last event: one that failed may go on later. Links
    # from before this was kept have none.
    text("turn_id"),
    moment("at"),
    number("last_event", nullable=True),
    text("title", nullable=True),
    UniqueConstraint("token"),
)

# ---------------------------------------------------------------------------- studies

control_limits = Table(
    "control_limits",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    text("name"),
    text("chart"),
    json("parameters"),
    json("origin"),
    # Not a foreign key: limits stay the organisation's when whoever set them is gone.
    number("set_by"),
    moment("set_at"),
    UniqueConstraint("organisation_id", "name"),
)

studies = Table(
    "studies",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("name"),
    text("tool"),
    json("input"),
    text("conversation_id", nullable=True),
    flag("shared"),
    moment("created_at"),
    moment("updated_at"),
    UniqueConstraint("user_id", "name"),
    Index(None, "organisation_id"),
)

# ---------------------------------------------------------------------------- schedules

schedules = Table(
    "schedules",
    metadata,
    text("id", primary_key=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("title"),
    json("does"),
    text("cron"),
    text("time_zone"),
    flag("catch_up"),
    json("alarms"),
    json("proposal", nullable=True),
    # None: it is paused, or its time never comes again.
    moment("next_at", nullable=True),
    moment("paused_at", nullable=True),
    moment("created_at"),
    moment("updated_at"),
    Index(None, "user_id"),
    Index(None, "next_at"),
)

schedule_runs = Table(
    "schedule_runs",
    metadata,
    text("id", primary_key=True),
    to_text("schedule_id", "schedules.id", cascade=True),
    to("organisation_id", "organisations.id", cascade=True),
    to("user_id", "users.id", cascade=True),
    text("reason"),
    moment("due_at"),
    number("missed"),
    text("status"),
    # The process at work on it; another epoch each time it changes hands.
    text("owner", nullable=True),
    number("epoch"),
    text("conversation_id", nullable=True),
    text("turn_id", nullable=True),
    json("says"),
    json("found"),
    text("confirmation_id", nullable=True),
    moment("started_at"),
    moment("ended_at", nullable=True),
    # A time is due once.
    UniqueConstraint("schedule_id", "due_at"),
    Index(None, "schedule_id", "started_at"),
    Index(None, "status"),
    Index(None, "user_id"),
)

# ---------------------------------------------------------------------------- providers

provider_probes = Table(
    "provider_probes",
    metadata,
    text("provider", primary_key=True),
    text("model", primary_key=True),
    json("found"),
    moment("asked_at"),
)

# ---------------------------------------------------------------------------- experiments

experiments = Table(
    "experiments",
    metadata,
    _id(),
    to("organisation_id", "organisations.id", cascade=True),
    to("agent_id", "agents.id", cascade=True),
    text("name"),
    json("variants"),
    flag("is_running"),
    moment("created_at"),
    moment("ended_at", nullable=True),
)

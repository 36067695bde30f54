"""The house as it was released; every name follows the one convention below."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_tables = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def upgrade() -> None:
    _tables.create_all(op.get_bind(), checkfirst=False)


# Written out here, not taken from the store: what was released is not changed by what comes after.


def _table(name: str, *parts: sa.schema.SchemaItem) -> None:
    sa.Table(name, _tables, *parts)


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer, primary_key=True, autoincrement=True)


def _text(name: str, *, nullable: bool = False, **says: Any) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=nullable, **says)


def _number(name: str, *, nullable: bool = False, **says: Any) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=nullable, **says)


def _real(name: str, *, nullable: bool = False) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=nullable)


def _flag(name: str, *, nullable: bool = False) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=nullable)


def _to(name: str, target: str, *, ondelete: str | None = None, **says: Any) -> sa.Column[int]:
    kept = {"nullable": False} | says
    return sa.Column(name, sa.Integer, sa.ForeignKey(target, ondelete=ondelete), **kept)


def _to_text(name: str, target: str, *, ondelete: str | None = None, **says: Any) -> sa.Column[str]:
    kept = {"nullable": False} | says
    return sa.Column(name, sa.Text, sa.ForeignKey(target, ondelete=ondelete), **kept)


_table(
    "ai_tool_registry",
    _text("name", primary_key=True),
    _text("pack", nullable=True),
    _flag("is_present"),
    _flag("is_enabled", nullable=True),
    _text("permission_level", nullable=True),
    _text("confirmation", nullable=True),
    _text("allowed_callers", nullable=True),
    _number("cache_seconds", nullable=True),
    _text("budget", nullable=True),
    _real("first_seen_at"),
)

_table(
    "journal",
    _text("turn_id", primary_key=True),
    _text("code_id", primary_key=True),
    _number("n", primary_key=True),
    _text("kind"),
    _text("body"),
)

_table(
    "login_failures",
    _id(),
    _text("subject"),
    _real("at"),
    sa.Index(None, "subject", "at"),
)

_table(
    "organisations",
    _id(),
    _text("name", unique=True),
    _text("settings"),
    _number("settings_version", server_default=sa.text("1")),
    _real("monthly_budget_usd", nullable=True),
    _real("created_at"),
)

_table(
    "agents",
    _id(),
    _to("organisation_id", "organisations.id"),
    _text("name"),
    _text("description"),
    _text("system_prompt"),
    _text("tools"),
    _text("starters"),
    _text("model", nullable=True),
    _number("max_iterations"),
    _number("max_history"),
    _number("max_tokens"),
    _text("code"),
    _flag("last_answer"),
    _text("effort", nullable=True),
    _text("mode"),
    _flag("is_active"),
    _real("created_at"),
    sa.UniqueConstraint("organisation_id", "name"),
)

_table(
    "ai_tool_config",
    _id(),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _text("scope"),
    _text("subject"),
    _text("tool"),
    _flag("is_enabled", nullable=True),
    _text("permission_level", nullable=True),
    _text("confirmation", nullable=True),
    _text("allowed_callers", nullable=True),
    _number("cache_seconds", nullable=True),
    _text("budget", nullable=True),
    _real("updated_at"),
    sa.UniqueConstraint("organisation_id", "scope", "subject", "tool"),
)

_table(
    "audit_entries",
    _to("organisation_id", "organisations.id", primary_key=True),
    _number("number", primary_key=True),
    _number("ref"),
    _text("kind"),
    _real("at"),
    _number("person_id", nullable=True),
    _text("conversation_id", nullable=True),
    _text("turn_id", nullable=True),
    _text("call_id"),
    _text("tool"),
    _text("body"),
    _text("hash"),
    sa.Index(None, "organisation_id", "person_id", "tool", "at"),
    sa.Index(None, "organisation_id", "ref"),
    sa.Index(None, "organisation_id", "turn_id"),
)

_table(
    "audit_heads",
    _to("organisation_id", "organisations.id", primary_key=True),
    _number("number"),
    _text("hash"),
)

_table(
    "result_cache",
    _text("key", primary_key=True),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _text("tool"),
    _text("outcome"),
    _real("created_at"),
    _real("expires_at"),
    sa.Index(None, "tool"),
)

_table(
    "tool_calls",
    _text("turn_id", primary_key=True),
    _text("call_id", primary_key=True),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _text("tool"),
    _text("caller"),
    _text("effect"),
    _text("state"),
    _text("outcome", nullable=True),
    _number("audit_ref"),
    _real("started_at"),
    _real("ended_at", nullable=True),
)

_table(
    "users",
    _id(),
    _to("organisation_id", "organisations.id"),
    _text("email", unique=True),
    _text("name"),
    _text("role"),
    _text("language"),
    _text("password_hash", nullable=True),
    _flag("is_active"),
    _real("monthly_budget_usd", nullable=True),
    _real("created_at"),
    sa.Index(None, "organisation_id"),
)

_table(
    "api_keys",
    _id(),
    _to("user_id", "users.id", ondelete="CASCADE"),
    _text("name"),
    _text("prefix"),
    _text("key_hash", unique=True),
    _real("created_at"),
    _real("last_used_at", nullable=True),
    _real("revoked_at", nullable=True),
)

_table(
    "confirmations",
    _text("id", primary_key=True),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("user_id", "users.id", ondelete="CASCADE"),
    _text("approver_role", nullable=True),
    _text("conversation_id", nullable=True),
    _text("turn_id", nullable=True),
    _number("agent_id", nullable=True),
    _text("call_id"),
    _text("tool"),
    _text("input"),
    _text("input_hash"),
    _text("caller"),
    _text("reason"),
    _text("status"),
    _number("decided_by", nullable=True),
    _real("decided_at", nullable=True),
    _text("decision_reason", nullable=True),
    _text("edited_input", nullable=True),
    _text("remember", nullable=True),
    _real("created_at"),
    _real("expires_at"),
    _real("used_at", nullable=True),
    _text("result", nullable=True),
    _number("audit_ref"),
    sa.Index(None, "organisation_id", "status"),
    sa.Index(None, "turn_id", "call_id"),
    sa.Index(None, "user_id", "status"),
)

_table(
    "conversations",
    _text("id", primary_key=True),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("user_id", "users.id", ondelete="CASCADE"),
    _to("agent_id", "agents.id"),
    _text("title"),
    _text("mode"),
    _number("experiment_id", nullable=True),
    _text("variant", nullable=True),
    _text("settings"),
    _real("created_at"),
    _real("updated_at"),
    sa.Index(None, "user_id", "updated_at"),
)

_table(
    "custom_tools",
    _id(),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("owner_id", "users.id", nullable=True, ondelete="CASCADE"),
    _text("name"),
    _number("version"),
    _flag("is_current"),
    _text("kind"),
    _text("description"),
    _text("category"),
    _text("effect"),
    _text("permission_level"),
    _flag("requires_confirmation"),
    _text("allowed_callers"),
    _text("definition"),
    _to("created_by", "users.id"),
    _real("created_at"),
    sa.UniqueConstraint("organisation_id", "name", "version"),
)

_table(
    "dashboards",
    _text("id", primary_key=True),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("user_id", "users.id", ondelete="CASCADE"),
    _text("conversation_id", nullable=True),
    _text("titulo"),
    _text("html", nullable=True),
    _text("items"),
    _real("created_at"),
    _real("updated_at"),
    sa.Index(None, "user_id"),
)

_table(
    "experiments",
    _id(),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("agent_id", "agents.id", ondelete="CASCADE"),
    _text("name"),
    _text("variants"),
    _flag("is_running"),
    _real("created_at"),
    _real("ended_at", nullable=True),
)

_table(
    "files",
    _text("id", primary_key=True),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("user_id", "users.id", ondelete="CASCADE"),
    _text("conversation_id", nullable=True),
    _text("name"),
    _text("media_type"),
    _number("size"),
    _text("path"),
    _real("created_at"),
    sa.Index(None, "conversation_id"),
)

_table(
    "one_time_links",
    _text("token_hash", primary_key=True),
    _text("purpose"),
    _to("user_id", "users.id", nullable=True, ondelete="CASCADE"),
    _real("expires_at"),
    _real("used_at", nullable=True),
)

_table(
    "replies",
    _id(),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("user_id", "users.id", ondelete="CASCADE"),
    _number("agent_id"),
    _text("conversation_id"),
    _text("turn_id"),
    _text("model"),
    _number("input_tokens"),
    _number("output_tokens"),
    _number("cache_read_tokens"),
    _number("cache_write_tokens"),
    _real("cost_usd", nullable=True),
    _flag("is_estimated"),
    _text("stop_reason"),
    _real("duration_ms", nullable=True),
    _real("at"),
    sa.Index(None, "conversation_id"),
    sa.Index(None, "organisation_id", "at"),
    sa.Index(None, "turn_id"),
    sa.Index(None, "user_id", "at"),
)

_table(
    "user_agents",
    _to("user_id", "users.id", primary_key=True, ondelete="CASCADE"),
    _to("agent_id", "agents.id", primary_key=True, ondelete="CASCADE"),
)

_table(
    "ai_tool_parameters",
    _to("tool_id", "custom_tools.id", primary_key=True, ondelete="CASCADE"),
    _number("position", primary_key=True),
    _text("name"),
    _text("type"),
    _text("description"),
    _flag("is_required"),
    _text("default_value", nullable=True),
    _text("constraints"),
)

_table(
    "datasets",
    _text("id", primary_key=True),
    _to_text("conversation_id", "conversations.id", ondelete="CASCADE"),
    _text("file_name"),
    _text("table_name"),
    _text("path"),
    _text("version"),
    _number("size"),
    _text("summary"),
    _real("created_at"),
    sa.UniqueConstraint("conversation_id", "table_name"),
)

_table(
    "messages",
    _text("id", primary_key=True),
    _to_text("conversation_id", "conversations.id", ondelete="CASCADE"),
    _text("turn_id", nullable=True),
    _number("position"),
    _text("role"),
    _text("kind"),
    _text("content"),
    _text("metadata"),
    _real("created_at"),
    sa.UniqueConstraint("conversation_id", "position"),
    sa.Index(None, "turn_id"),
)

_table(
    "shares",
    _text("token_hash", primary_key=True),
    _to_text("dashboard_id", "dashboards.id", ondelete="CASCADE"),
    _to("created_by", "users.id", ondelete="CASCADE"),
    _real("created_at"),
    _real("revoked_at", nullable=True),
    sa.Index(None, "dashboard_id"),
)

_table(
    "turns",
    _text("id", primary_key=True),
    _to_text("conversation_id", "conversations.id", ondelete="CASCADE"),
    _to("organisation_id", "organisations.id", ondelete="CASCADE"),
    _to("user_id", "users.id", ondelete="CASCADE"),
    _number("agent_id"),
    _text("status"),
    _text("model"),
    _text("settings"),
    _number("iterations"),
    _number("event_floor"),
    _text("owner", nullable=True),
    _real("heartbeat_at", nullable=True),
    _real("started_at"),
    _real("ended_at", nullable=True),
    sa.Index(None, "conversation_id", "started_at"),
    sa.Index(None, "status"),
)

_table(
    "events",
    _to_text("turn_id", "turns.id", primary_key=True, ondelete="CASCADE"),
    _number("n", primary_key=True),
    _text("type"),
    _text("data"),
)

_table(
    "feedback",
    _to_text("message_id", "messages.id", primary_key=True, ondelete="CASCADE"),
    _to("user_id", "users.id", primary_key=True, ondelete="CASCADE"),
    _number("value"),
    _text("comment", nullable=True),
    _real("at"),
)

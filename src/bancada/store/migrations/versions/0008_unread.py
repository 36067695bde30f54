"""Columns that were written and that nothing read."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

UNREAD = (
    ("turns", "event_floor"),
    ("ai_tool_registry", "first_seen_at"),
    ("ai_tool_config", "updated_at"),
    ("result_cache", "created_at"),
)


def upgrade() -> None:
    for table, column in UNREAD:
        op.drop_column(table, column)

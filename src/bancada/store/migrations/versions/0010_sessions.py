"""A sign-in is a row; keys have scopes and an end; failures are counted by one row a subject."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("how", sa.Text(), nullable=False),
        sa.Column("user_agent", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=True),
        sa.Column("rotated_at", sa.Double(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("last_seen_at", sa.Double(), nullable=False),
        sa.Column("expires_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.Column("ended_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_sessions_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"])
    op.add_column(
        "api_keys", sa.Column("scopes", sa.Text(), nullable=False, server_default=sa.text("'[]'"))
    )
    op.add_column("api_keys", sa.Column("expires_at", sa.Double(), nullable=True))
    op.add_column("api_keys", sa.Column("agent_id", sa.Integer(), nullable=True))
    op.create_table(
        "login_limits",
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("subject", name=op.f("pk_login_limits")),
    )
    op.drop_table("login_failures")

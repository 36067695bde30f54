"""A key has limits, and a reply knows by which key it was asked for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_keys", sa.Column("requests_per_minute", sa.Integer(), nullable=True))
    op.add_column("api_keys", sa.Column("tokens_per_minute", sa.Integer(), nullable=True))
    op.add_column("api_keys", sa.Column("monthly_budget_usd", sa.Double(), nullable=True))
    op.add_column("replies", sa.Column("key_id", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_replies_key_id_at"), "replies", ["key_id", "at"])

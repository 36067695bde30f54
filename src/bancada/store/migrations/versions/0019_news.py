"""People are told of what waits for them and of their turns, each by numbers of their own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "news_heads",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_news_heads_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_news_heads")),
    )
    op.create_table(
        "news",
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_news_user_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("user_id", "number", name=op.f("pk_news")),
    )
    op.create_index(op.f("ix_news_at"), "news", ["at"])


def downgrade() -> None:
    op.drop_table("news")
    op.drop_table("news_heads")

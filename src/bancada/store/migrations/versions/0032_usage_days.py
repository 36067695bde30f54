"""Usage is added up by day; what was there before is added by the server, step by step."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

SUMS = (
    "calls",
    "failures",
    "refusals",
    "cache_hits",
    "saved",
    "replies",
    "questions",
    "input_tokens",
    "output_tokens",
    "cache_read_tokens",
    "cache_write_tokens",
)


def _table(name: str, *columns: sa.Column[Any], key: tuple[str, ...]) -> None:
    op.create_table(
        name,
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisations.id"],
            name=op.f(f"fk_{name}_organisation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("organisation_id", *key, name=op.f(f"pk_{name}")),
    )


def _day() -> list[sa.Column[Any]]:
    return [
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
    ]


def upgrade() -> None:
    op.add_column("replies", sa.Column("batch", sa.Integer(), nullable=True))
    op.create_index(
        op.f("ix_replies_organisation_id_batch"), "replies", ["organisation_id", "batch"]
    )
    _table(
        "usage_heads",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        key=(),
    )
    _table(
        "usage_days",
        *_day(),
        *(sa.Column(name, sa.BigInteger(), nullable=False) for name in SUMS),
        sa.Column("cost_usd", sa.Double(), nullable=False),
        key=("by", "day", "value"),
    )
    _table(
        "usage_times",
        *_day(),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("tenths", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        key=("by", "day", "value", "what", "tenths"),
    )


def downgrade() -> None:
    for name in ("usage_times", "usage_days", "usage_heads"):
        op.drop_table(name)
    op.drop_index(op.f("ix_replies_organisation_id_batch"), "replies")
    op.drop_column("replies", "batch")

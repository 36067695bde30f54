"""Money set aside for replies that are under way."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reservations",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key_id", sa.Integer(), nullable=True),
        sa.Column("usd", sa.Double(), nullable=False),
        sa.Column("held_until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisations.id"],
            name=op.f("fk_reservations_organisation_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["users.id"],
            name=op.f("fk_reservations_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reservations")),
    )
    op.create_index(op.f("ix_reservations_organisation_id"), "reservations", ["organisation_id"])
    op.create_index(op.f("ix_reservations_user_id"), "reservations", ["user_id"])
    # Keys made in place of others share what those had made; nobody knows that of older ones.
    op.add_column("api_keys", sa.Column("line_id", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("api_keys", "line_id")
    op.drop_table("reservations")

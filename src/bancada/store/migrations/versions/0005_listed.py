"""A conversation that a program began for one question is in no list."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("is_listed", sa.Boolean(), nullable=False, server_default=sa.true())
        )
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.alter_column("is_listed", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("conversations", schema=None) as batch_op:
        batch_op.drop_column("is_listed")

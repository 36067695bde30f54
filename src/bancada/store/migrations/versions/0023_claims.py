"""A client's container is held by one request at a time, whichever process serves it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("gateway_containers") as table:
        table.add_column(sa.Column("held_by", sa.Text(), nullable=True))
        table.add_column(sa.Column("held_until", sa.Double(), nullable=False, server_default="0"))
    op.execute("UPDATE gateway_containers SET held_until = created_at")
    with op.batch_alter_table("gateway_containers") as table:
        table.alter_column("held_until", server_default=None)
    op.create_index(op.f("ix_gateway_containers_expires_at"), "gateway_containers", ["expires_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_gateway_containers_expires_at"), "gateway_containers")
    with op.batch_alter_table("gateway_containers") as table:
        table.drop_column("held_until")
        table.drop_column("held_by")

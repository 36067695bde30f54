"""Dashboards say whether their HTML was written with text from outside in view."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("dashboards", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("outside", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    with op.batch_alter_table("dashboards", schema=None) as batch_op:
        batch_op.alter_column("outside", server_default=None)
    # Nobody noted what the model had read when it wrote these. A page of a conversation that is
    # gone, or that holds anything from outside now, counts as written with it in view.
    op.execute(
        "UPDATE dashboards SET outside = true WHERE html IS NOT NULL AND ("
        "conversation_id IS NULL "
        "OR NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = dashboards.conversation_id) "
        "OR EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = dashboards.conversation_id "
        "AND (m.kind = 'upload' OR m.metadata LIKE '%\"outside\"\\:true%')))"
    )

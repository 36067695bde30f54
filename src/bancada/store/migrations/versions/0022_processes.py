"""Who is alive, and who may write for a turn: processes, and the epochs of turns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "processes",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("lock", sa.Integer(), nullable=False),
        sa.Column("heartbeat_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_processes")),
    )
    # Processes of the version before do not know it, and go on beginning turns meanwhile.
    op.add_column(
        "turns", sa.Column("epoch", sa.Integer(), nullable=False, server_default=sa.text("0"))
    )
    op.add_column("confirmations", sa.Column("taken_by", sa.Text(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("confirmations", schema=None) as batch_op:
        batch_op.drop_column("taken_by")
    with op.batch_alter_table("turns", schema=None) as batch_op:
        batch_op.drop_column("epoch")
    op.drop_table("processes")

"""Where a shared conversation ends: at an event of its last turn, under the title of that moment."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("conversation_shares", sa.Column("last_event", sa.Integer(), nullable=True))
    op.add_column("conversation_shares", sa.Column("title", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("conversation_shares", "title")
    op.drop_column("conversation_shares", "last_event")

"""Why an answer got a thumb down, of a few reasons."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("feedback", sa.Column("reasons", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("feedback", "reasons")

"""Images and documents that people send with a question."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("files", sa.Column("attached", sa.Text(), nullable=True))
    op.add_column("files", sa.Column("measures", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("files", "measures")
    op.drop_column("files", "attached")

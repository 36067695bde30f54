"""A tool may ask its person something in the middle of a call: the question waits like a call."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("confirmations", sa.Column("question", sa.Text(), nullable=True))

"""Whether a person chose their language, or has what the account began with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    column: sa.Column[bool] = sa.Column(
        "language_chosen", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("users", column)


def downgrade() -> None:
    op.drop_column("users", "language_chosen")

"""What a dashboard is filtered by, and how often a page that shows it refreshes it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("dashboards", sa.Column("filter", sa.Text(), nullable=True))
    op.add_column("dashboards", sa.Column("refresh_minutes", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("dashboards", "refresh_minutes")
    op.drop_column("dashboards", "filter")

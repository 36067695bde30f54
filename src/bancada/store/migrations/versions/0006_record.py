"""The audit also holds administration, and results say whether they came from outside."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("audit_entries", sa.Column("category", sa.Text(), nullable=True))
    administration = sa.text("category IS NOT NULL")
    op.create_index(
        "ix_audit_entries_administration",
        "audit_entries",
        ["organisation_id", "category", "number"],
        sqlite_where=administration,
        postgresql_where=administration,
    )
    op.add_column("tool_calls", sa.Column("outside", sa.Boolean(), nullable=True))
    # Nobody noted where older results came from; what is not known counts as from outside.
    op.execute(
        "UPDATE messages SET metadata = CASE WHEN metadata = '{}' THEN '{\"outside\"\\:true}' "
        "ELSE '{\"outside\"\\:true,' || substr(metadata, 2) END WHERE kind = 'results'"
    )

"""What entries of the audit say stands beside them: it can be erased, and the chain still verifies.

Entries that are there keep their words in their body, which their hash covers.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("audit_entries", sa.Column("content", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("audit_entries", "content")

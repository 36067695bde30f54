"""A person's own tool takes its name from nobody: names are apart by owner."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("custom_tools", schema=None) as batch_op:
        batch_op.drop_constraint("uq_custom_tools_organisation_id_name_version", type_="unique")
    op.create_index(
        "uq_custom_tools_of_organisation",
        "custom_tools",
        ["organisation_id", "name", "version"],
        unique=True,
        sqlite_where=sa.text("owner_id IS NULL"),
        postgresql_where=sa.text("owner_id IS NULL"),
    )
    op.create_index(
        "uq_custom_tools_of_owner", "custom_tools", ["owner_id", "name", "version"], unique=True
    )

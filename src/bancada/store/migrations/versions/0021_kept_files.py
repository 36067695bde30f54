"""Files that never change are named by their hash; keys that every process shares."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _keep_old_names()
    op.create_table(
        "blobs",
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisations.id"],
            name=op.f("fk_blobs_organisation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("place", name=op.f("pk_blobs")),
        sa.UniqueConstraint(
            "organisation_id", "sha256", name=op.f("uq_blobs_organisation_id_sha256")
        ),
    )
    op.create_table(
        "blob_pieces",
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("place", "number", name=op.f("pk_blob_pieces")),
    )
    if op.get_bind().dialect.name == "postgresql":
        # Data sets are compressed already; trying again costs more than it saves.
        op.execute("ALTER TABLE blob_pieces ALTER COLUMN content SET STORAGE EXTERNAL")
    op.create_table(
        "pack_files",
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("pack", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisations.id"],
            name=op.f("fk_pack_files_organisation_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("organisation_id", "pack", "name", name=op.f("pk_pack_files")),
    )
    op.create_index(op.f("ix_pack_files_path"), "pack_files", ["path"])
    op.create_index(op.f("ix_files_path"), "files", ["path"])
    op.create_index(op.f("ix_datasets_path"), "datasets", ["path"])
    op.create_table(
        "installation_keys",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_installation_keys")),
    )


def _keep_old_names() -> None:
    """For a while 0018 gave two columns new names, which processes of the version before do not know."""
    inspector = sa.inspect(op.get_bind())
    for table in ("journal", "tool_calls"):
        if any(column["name"] == "owner_id" for column in inspector.get_columns(table)):
            op.execute(f"ALTER TABLE {table} RENAME COLUMN owner_id TO turn_id")


def downgrade() -> None:
    op.drop_table("installation_keys")
    op.drop_index(op.f("ix_datasets_path"), "datasets")
    op.drop_index(op.f("ix_files_path"), "files")
    op.drop_table("pack_files")
    op.drop_table("blob_pieces")
    op.drop_table("blobs")

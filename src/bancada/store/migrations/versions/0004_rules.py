"""A confirmation says which rules a yes covers, what will run, and who may not decide; stand-ins."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("confirmations", schema=None) as batch_op:
        batch_op.add_column(sa.Column("approver", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("rules", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("steps", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("decided_for", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("reminded_at", sa.Double(), nullable=True))
    op.create_table(
        "stand_ins",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("stand_in_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["organisation_id"],
            ["organisations.id"],
            name=op.f("fk_stand_ins_organisation_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["person_id"], ["users.id"], name=op.f("fk_stand_ins_person_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["stand_in_id"],
            ["users.id"],
            name=op.f("fk_stand_ins_stand_in_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_stand_ins")),
    )
    with op.batch_alter_table("stand_ins", schema=None) as batch_op:
        batch_op.create_index(op.f("ix_stand_ins_person_id"), ["person_id"], unique=False)
        batch_op.create_index(op.f("ix_stand_ins_stand_in_id"), ["stand_in_id"], unique=False)

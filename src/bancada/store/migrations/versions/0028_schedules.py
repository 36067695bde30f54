"""What is done by the clock, and every time that it was."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def _to(table: str, column: str, of: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [of], name=op.f(f"fk_{table}_{column}"), ondelete="CASCADE"
    )


def upgrade() -> None:
    op.create_table(
        "schedules",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("does", sa.Text(), nullable=False),
        sa.Column("cron", sa.Text(), nullable=False),
        sa.Column("time_zone", sa.Text(), nullable=False),
        sa.Column("catch_up", sa.Boolean(), nullable=False),
        sa.Column("alarms", sa.Text(), nullable=False),
        sa.Column("proposal", sa.Text(), nullable=True),
        sa.Column("next_at", sa.Double(), nullable=True),
        sa.Column("paused_at", sa.Double(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        _to("schedules", "organisation_id", "organisations.id"),
        _to("schedules", "user_id", "users.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedules")),
    )
    op.create_index(op.f("ix_schedules_user_id"), "schedules", ["user_id"])
    op.create_index(op.f("ix_schedules_next_at"), "schedules", ["next_at"])
    op.create_table(
        "schedule_runs",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("schedule_id", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("due_at", sa.Double(), nullable=False),
        sa.Column("missed", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("conversation_id", sa.Text(), nullable=True),
        sa.Column("turn_id", sa.Text(), nullable=True),
        sa.Column("says", sa.Text(), nullable=False),
        sa.Column("found", sa.Text(), nullable=False),
        sa.Column("confirmation_id", sa.Text(), nullable=True),
        sa.Column("started_at", sa.Double(), nullable=False),
        sa.Column("ended_at", sa.Double(), nullable=True),
        _to("schedule_runs", "schedule_id", "schedules.id"),
        _to("schedule_runs", "organisation_id", "organisations.id"),
        _to("schedule_runs", "user_id", "users.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_schedule_runs")),
        sa.UniqueConstraint(
            "schedule_id", "due_at", name=op.f("uq_schedule_runs_schedule_id_due_at")
        ),
    )
    for columns in (["schedule_id", "started_at"], ["status"], ["user_id"]):
        op.create_index(op.f(f"ix_schedule_runs_{'_'.join(columns)}"), "schedule_runs", columns)


def downgrade() -> None:
    op.drop_table("schedule_runs")
    op.drop_table("schedules")

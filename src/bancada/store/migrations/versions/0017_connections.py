"""Servers of others: what they offer, what of it is in use, and how they are signed in to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "connections",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("headers", sa.Text(), nullable=True),
        sa.Column("credentials", sa.Text(), nullable=False),
        sa.Column("is_enabled", sa.Boolean(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("looked_at", sa.Double(), nullable=True),
        sa.Column("ok_at", sa.Double(), nullable=True),
        sa.Column("retry_at", sa.Double(), nullable=True),
        sa.Column("server", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Double(), nullable=False),
        _to("connections", "organisation_id", "organisations.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connections")),
        sa.UniqueConstraint(
            "organisation_id", "name", name=op.f("uq_connections_organisation_id_name")
        ),
    )
    op.create_table(
        "connection_tools",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("connection_id", sa.Text(), nullable=False),
        sa.Column("organisation_id", sa.Integer(), nullable=False),
        sa.Column("remote_name", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("offered", sa.Text(), nullable=False),
        sa.Column("approved", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=False),
        sa.Column("permission_level", sa.Text(), nullable=False),
        sa.Column("effect", sa.Text(), nullable=False),
        sa.Column("confirm", sa.Text(), nullable=False),
        sa.Column("allowed_callers", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("decided_by", sa.Integer(), nullable=True),
        sa.Column("decided_at", sa.Double(), nullable=True),
        _to("connection_tools", "connection_id", "connections.id"),
        _to("connection_tools", "organisation_id", "organisations.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connection_tools")),
        sa.UniqueConstraint(
            "connection_id",
            "remote_name",
            name=op.f("uq_connection_tools_connection_id_remote_name"),
        ),
        sa.UniqueConstraint(
            "organisation_id", "name", name=op.f("uq_connection_tools_organisation_id_name")
        ),
    )
    op.create_table(
        "connection_credentials",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("connection_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("updated_at", sa.Double(), nullable=False),
        _to("connection_credentials", "connection_id", "connections.id"),
        _to("connection_credentials", "user_id", "users.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connection_credentials")),
    )
    op.create_index(
        op.f("ix_connection_credentials_connection_id_user_id"),
        "connection_credentials",
        ["connection_id", "user_id"],
    )
    op.create_table(
        "connection_sign_ins",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("connection_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Double(), nullable=False),
        _to("connection_sign_ins", "connection_id", "connections.id"),
        _to("connection_sign_ins", "user_id", "users.id"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_connection_sign_ins")),
    )
    op.create_index(op.f("ix_connection_sign_ins_state"), "connection_sign_ins", ["state"])


def _to(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [target], name=name, ondelete="CASCADE")

"""Usage can be counted from the audit: agent, caller, outcome, duration, size and cache as columns."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

BATCH = 1000


def upgrade() -> None:
    with op.batch_alter_table("audit_entries", schema=None) as batch_op:
        batch_op.add_column(sa.Column("agent_id", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("caller", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("outcome", sa.Text(), nullable=True))
        batch_op.add_column(sa.Column("duration_ms", sa.Double(), nullable=True))
        batch_op.add_column(sa.Column("size", sa.Integer(), nullable=True))
        batch_op.add_column(sa.Column("cached", sa.Boolean(), nullable=True))
    _fill()


def _fill() -> None:
    """What the entries there are say already; their bodies, and so their hashes, stay."""
    entries = sa.table(
        "audit_entries",
        *(
            sa.column(name)
            for name in (
                "organisation_id", "number", "body", "caller", "outcome", "duration_ms", "size", "cached",
            )
        ),
    )  # fmt: skip
    db = op.get_bind()
    last = (0, 0)
    while True:
        rows = db.execute(
            sa.select(entries.c.organisation_id, entries.c.number, entries.c.body)
            .where(sa.tuple_(entries.c.organisation_id, entries.c.number) > sa.tuple_(*last))
            .order_by(entries.c.organisation_id, entries.c.number)
            .limit(BATCH)
        ).all()
        if not rows:
            return
        for row in rows:
            db.execute(
                sa.update(entries)
                .where(
                    entries.c.organisation_id == row.organisation_id,
                    entries.c.number == row.number,
                )
                .values(**_facts(json.loads(row.body)))
            )
        last = (rows[-1].organisation_id, rows[-1].number)


def _facts(body: dict[str, object]) -> dict[str, object]:
    caller = body.get("caller")
    name = None
    if isinstance(caller, dict):
        direct = caller.get("type", "direct") == "direct"
        name = str(caller.get("via") or "model") if direct else "code"
    return {
        "caller": name,
        "outcome": body.get("outcome"),
        "duration_ms": body.get("duration_ms"),
        "size": body.get("size"),
        "cached": body.get("cached"),
    }

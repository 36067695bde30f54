"""Turns follow one another in branches: what was asked again in other words is kept beside."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

# Of a question that was put differently before, the words are gone: nothing follows that turn.
_SAID = "EXISTS (SELECT 1 FROM messages m WHERE m.turn_id = {}.id)"
_BEFORE = f"""
UPDATE turns SET parent_id = (
    SELECT p.id FROM turns p
    WHERE p.conversation_id = turns.conversation_id
      AND (p.started_at < turns.started_at OR (p.started_at = turns.started_at AND p.id < turns.id))
      AND {_SAID.format("p")}
    ORDER BY p.started_at DESC, p.id DESC LIMIT 1
)
"""  # noqa: S608 - our own words
_ASIDE = f"UPDATE turns SET aside = true WHERE NOT {_SAID.format('turns')}"  # noqa: S608


def upgrade() -> None:
    op.add_column("turns", sa.Column("parent_id", sa.Text(), nullable=True))
    aside: sa.Column[bool] = sa.Column(
        "aside", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("turns", aside)
    op.execute(_BEFORE)
    op.execute(_ASIDE)


def downgrade() -> None:
    for name in ("aside", "parent_id"):
        op.drop_column("turns", name)

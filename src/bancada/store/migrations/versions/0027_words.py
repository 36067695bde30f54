"""Conversations can be pinned and archived, and found by the words of their messages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from bancada.domain.json import loads
from bancada.store.columns import clean
from bancada.store.words import MOST_CHARS, SAID, said_in, words_of

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

AT_ONCE = 500


def upgrade() -> None:
    for name in ("pinned_at", "archived_at"):
        op.add_column("conversations", sa.Column(name, sa.Double(), nullable=True))
    op.create_table(
        "message_words",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("words", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["message_id"],
            ["messages.id"],
            name=op.f("fk_message_words_message_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_message_words")),
        sa.UniqueConstraint("message_id", name=op.f("uq_message_words_message_id")),
    )
    _fill()
    if op.get_bind().dialect.name == "sqlite":
        _index_of_sqlite()
    else:
        op.execute(
            "CREATE INDEX found_words ON message_words USING gin (to_tsvector('simple', words))"
        )


def _index_of_sqlite() -> None:
    """FTS5 beside the table, which has the words themselves; triggers keep both alike, also where a
    row goes because its message does."""
    op.execute(
        "CREATE VIRTUAL TABLE found_words USING fts5"
        "(words, content='message_words', content_rowid='id', tokenize='unicode61')"
    )
    added = "INSERT INTO found_words(rowid, words) VALUES (new.id, new.words);"
    taken = (
        "INSERT INTO found_words(found_words, rowid, words) VALUES ('delete', old.id, old.words);"
    )
    for event, does in (("INSERT", added), ("DELETE", taken), ("UPDATE", taken + " " + added)):
        op.execute(
            f"CREATE TRIGGER found_words_{event.lower()} AFTER {event} ON message_words "
            f"BEGIN {does} END"
        )
    op.execute("INSERT INTO found_words(found_words) VALUES ('rebuild')")


def _fill() -> None:
    """The words of what was said before."""
    db = op.get_bind()
    messages = sa.table(
        "messages", *(sa.column(name) for name in ("id", "kind", "content", "metadata"))
    )
    words = sa.table("message_words", sa.column("message_id"), sa.column("words"))
    last = ""
    while True:
        rows = db.execute(
            sa.select(messages)
            .where(messages.c.id > last, messages.c.kind.in_(SAID))
            .order_by(messages.c.id)
            .limit(AT_ONCE)
        ).all()
        if not rows:
            return
        last = rows[-1].id
        found = (
            (row.id, words_of(said_in(row.kind, loads(row.content), loads(row[3]))[:MOST_CHARS]))
            for row in rows
        )
        kept = [{"message_id": id, "words": clean(" ".join(said))} for id, said in found if said]
        if kept:
            db.execute(sa.insert(words), kept)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE found_words")
    op.drop_table("message_words")
    for name in ("pinned_at", "archived_at"):
        op.drop_column("conversations", name)

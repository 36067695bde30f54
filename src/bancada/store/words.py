"""The words of messages, by which a person finds again what was said.

What is kept are words only, without case and accents and in one form for both databases; each finds
them in its own way (SQLite FTS5, Postgres `tsvector`). They are written with their message and go
with it. What is shown comes from the message itself.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Integer,
    bindparam,
    column,
    false,
    func,
    insert,
    or_,
    select,
    table,
    text,
)

from bancada.domain.intents import plain
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block, text_of
from bancada.store.columns import clean
from bancada.store.hot import Hot
from bancada.store.tables import conversations, message_words, messages, turns

INDEX = "found_words"
"""What the databases themselves keep: a table of FTS5 and its shadows, an index of Postgres."""
SAID = frozenset({"question", "upload", "reply"})
"""The kinds of messages that people read."""
MOST_CHARS = 100_000
"""As much of a message is found again: Postgres keeps no more than a megabyte of words of one text."""
LONGEST = 64
BEFORE, AFTER = 48, 132
"""How much of a message is shown around what was found."""

IN_BRANCH = or_(turns.c.id.is_(None), turns.c.aside.is_(false()))
"""Of a message whose turn was joined: it stands in the branch that its person chose."""

_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"[*`#|>~\[\]\s]+")
_ADD = Hot(
    insert(message_words).values(message_id=bindparam("m"), words=bindparam("w")), ["m", "w"]
)


def words_of(written: str) -> list[str]:
    return [word[:LONGEST] for word in _WORD.findall(plain(written))]


def said_in(kind: str, content: list[Block], metadata: JSONObject) -> str:
    """What a person reads of a message: of a question what they typed, of a reply its text."""
    if kind not in SAID:
        return ""
    return str(metadata.get("text") or text_of(content))


def keep(db: Connection, id: str, kind: str, content: list[Block], metadata: JSONObject) -> None:
    """The words of a message that was just written, in the same transaction."""
    if words := words_of(said_in(kind, content, metadata)[:MOST_CHARS]):
        _ADD(db, id, clean(" ".join(words)))


def forget_gone(db: Connection) -> None:
    """Write the index anew without what was deleted; FTS5 only marks it until it happens to tidy up."""
    if db.dialect.name == "sqlite":
        db.execute(text("INSERT INTO found_words(found_words) VALUES ('optimize')"))


def holds(db: Connection, wanted: list[str]) -> ColumnElement[bool]:
    """Whether a row of `message_words` has all of these words, or longer ones that begin so."""
    if db.dialect.name == "sqlite":
        query = " AND ".join(f'"{word}"*' for word in wanted)
        index = table(INDEX, column("rowid", Integer), column(INDEX))
        matching = select(index.c.rowid).where(index.c[INDEX].op("MATCH")(query))
        return message_words.c.id.in_(matching)
    query = " & ".join(f"{word}:*" for word in wanted)
    kept = func.to_tsvector(text("'simple'"), message_words.c.words)
    return kept.op("@@")(func.to_tsquery(text("'simple'"), query))


@dataclass(frozen=True)
class Piece:
    """A stretch of a message, and whether it is what was looked for."""

    text: str
    hit: bool


@dataclass(frozen=True, kw_only=True)
class Passage:
    """Where in a conversation the words were found."""

    message_id: str
    turn_id: str | None
    role: str
    pieces: list[Piece]


def passages(db: Connection, user_id: int, wanted: list[str], ids: list[str]) -> dict[str, Passage]:
    """The newest message with these words of each of these conversations of the person's."""
    newest = (
        select(func.max(messages.c.position).label("position"), messages.c.conversation_id)
        .join(message_words, message_words.c.message_id == messages.c.id)
        .join(conversations, conversations.c.id == messages.c.conversation_id)
        .outerjoin(turns, turns.c.id == messages.c.turn_id)
        .where(conversations.c.user_id == user_id, messages.c.conversation_id.in_(ids))
        .where(holds(db, wanted), IN_BRANCH)
        .group_by(messages.c.conversation_id)
        .subquery()
    )
    query = select(messages).join(
        newest,
        (newest.c.conversation_id == messages.c.conversation_id)
        & (newest.c.position == messages.c.position),
    )
    return {row.conversation_id: _passage(row, wanted) for row in db.execute(query)}


def _passage(row: Any, wanted: list[str]) -> Passage:
    said = clean(said_in(row.kind, row.content, row.metadata))
    return Passage(
        message_id=row.id, turn_id=row.turn_id, role=row.role, pieces=excerpt(said, wanted)
    )


def excerpt(said: str, wanted: list[str]) -> list[Piece]:
    """The text around the first word that was looked for, each such word apart."""
    line = _MARKUP.sub(" ", unicodedata.normalize("NFC", said)).strip()
    hits = [match.span() for match in _WORD.finditer(line) if _is_hit(match[0], wanted)]
    first = hits[0][0] if hits else 0
    start, end = _cut(line, first - BEFORE, first + AFTER)
    pieces: list[Piece] = []
    at = start
    for low, high in hits:
        if high > end:
            break
        pieces += [Piece(line[at:low], False), Piece(line[low:high], True)]
        at = high
    pieces.append(Piece(line[at:end], False))
    shown = [piece for piece in pieces if piece.text]
    if start > 0:
        shown.insert(0, Piece("… ", False))
    return shown if end == len(line) else [*shown, Piece(" …", False)]


def _is_hit(word: str, wanted: list[str]) -> bool:
    return any(part.startswith(tuple(wanted)) for part in words_of(word))


def _cut(line: str, start: int, end: int) -> tuple[int, int]:
    """The same stretch, begun and ended at a space where one is near."""
    if start > 0:
        start = max(start, line.find(" ", start, start + 20) + 1)
    if end < len(line):
        end = max(line.rfind(" ", end - 20, end), end - 20)
    return max(start, 0), min(end, len(line))

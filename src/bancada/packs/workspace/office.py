"""The pack's own database: what can be searched, and what people wrote.

One SQLite file in the pack's folder. Documents, employees and sales are loaded when their
files change; tasks and announcements belong to an organisation and stay.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bancada import JSONObject, ToolFailed, plain
from bancada.packs.workspace.contents import Contents, Document, Employee, Sale

TABLES = """
CREATE TABLE IF NOT EXISTS loaded (version TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS employees (
    id TEXT PRIMARY KEY, name TEXT, title TEXT, role TEXT, department TEXT, location TEXT,
    hired_on TEXT
);
CREATE TABLE IF NOT EXISTS sales (month TEXT, region TEXT, product TEXT, units INTEGER, revenue REAL);
CREATE TABLE IF NOT EXISTS documents (
    id TEXT PRIMARY KEY, title TEXT, category TEXT, format TEXT, size_mb REAL, author TEXT,
    filed_on TEXT, text TEXT, keywords TEXT
);
CREATE VIRTUAL TABLE IF NOT EXISTS document_words USING fts5(
    title, text, keywords, content='documents', tokenize='unicode61 remove_diacritics 2'
);
CREATE TABLE IF NOT EXISTS tasks (
    id INTEGER PRIMARY KEY AUTOINCREMENT, organisation_id INTEGER NOT NULL,
    title TEXT NOT NULL, description TEXT, assignee TEXT, due_date TEXT, priority TEXT NOT NULL,
    status TEXT NOT NULL, created_by TEXT NOT NULL, created_at REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS announcements (
    id INTEGER PRIMARY KEY AUTOINCREMENT, organisation_id INTEGER NOT NULL,
    title TEXT NOT NULL, message TEXT NOT NULL, audience TEXT NOT NULL,
    sent_by TEXT NOT NULL, sent_at REAL NOT NULL
);
"""

TITLE_WEIGHT, TEXT_WEIGHT, KEYWORD_WEIGHT = 8.0, 1.0, 2.0
"""How much a word counts where it is found."""


NOTHING_OF_YOURS = (
    "Your organisation has no documents, employees or sales here; the operator names a folder with "
    "them in [packs.workspace] of bancada.toml."
)


def singular(word: str) -> str:
    """A word without its plural: `managers` and `manager` are one role."""
    return word[:-1] if len(word) > 3 and word.endswith("s") else word


class Office:
    """Reads and writes the pack's file; every call opens it anew, so any thread may ask."""

    def __init__(self, path: Path, home: int) -> None:
        """`home` is the organisation whose documents, employees and sales are in the file."""
        self.path = path
        self.home = home
        self.version = ""

    def must_be_home(self, organisation_id: int) -> None:
        """Others have tasks and announcements here, and nothing to look in."""
        if organisation_id != self.home:
            raise ToolFailed(NOTHING_OF_YOURS)

    def prepare(self, contents: Contents) -> None:
        """Make the tables, and load what changed since the last start."""
        with self._open() as db:
            db.execute("PRAGMA journal_mode=WAL")
            db.executescript(TABLES)
            db.execute("BEGIN IMMEDIATE")
            self.version = contents.version
            row = db.execute("SELECT version FROM loaded").fetchone()
            if row is not None and row["version"] == self.version:
                return
            for table in ("loaded", "documents", "employees", "sales"):
                db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
            _insert(db, "documents", Document, contents.documents)
            _insert(db, "employees", Employee, contents.employees)
            _insert(db, "sales", Sale, contents.sales)
            db.execute("INSERT INTO document_words(document_words) VALUES ('rebuild')")
            db.execute("INSERT INTO loaded VALUES (?)", (self.version,))

    def holds(self, contents: Contents) -> bool:
        """Whether exactly these rows were loaded before."""
        if not self.path.is_file():
            return False
        with self._open() as db:
            db.executescript(TABLES)
            row = db.execute("SELECT version FROM loaded").fetchone()
            return row is not None and row["version"] == contents.version

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """A connection, and one transaction for those who begin it; closed either way."""
        db = sqlite3.connect(self.path, timeout=30, isolation_level=None)
        db.row_factory = sqlite3.Row
        try:
            yield db
            if db.in_transaction:
                db.execute("COMMIT")
        finally:
            db.close()

    def check(self) -> float:
        """Milliseconds one question takes; raises `sqlite3.Error` where the file is unusable."""
        began = time.perf_counter()
        with self._open() as db:
            db.execute("SELECT count(*) FROM loaded").fetchone()
        return (time.perf_counter() - began) * 1000

    # ------------------------------------------------------------------ documents

    def search(
        self, query: str, *, category: str | None, filed_after: str | None, limit: int
    ) -> tuple[list[sqlite3.Row], int, bool]:
        """Documents, best first; how many there are; whether every word was found in each."""
        words = re.findall(r"\w+", plain(query))
        with self._open() as db:
            for joint in (" AND ", " OR "):
                match = joint.join(_term(word) for word in words)
                rows = self._matching(db, match, category, filed_after)
                if rows:
                    return rows[:limit], len(rows), joint == " AND "
        return [], 0, True

    @staticmethod
    def _matching(
        db: sqlite3.Connection, match: str, category: str | None, filed_after: str | None
    ) -> list[sqlite3.Row]:
        if not match:
            return []
        return db.execute(
            """
            SELECT documents.*, snippet(document_words, 1, '', '', '…', 24) AS excerpt
            FROM document_words JOIN documents ON documents.rowid = document_words.rowid
            WHERE document_words MATCH :match
              AND (:category IS NULL OR lower(category) = lower(:category))
              AND (:after IS NULL OR filed_on >= :after)
            ORDER BY bm25(document_words, :title, :text, :keywords), documents.id
            """,
            {
                "match": match,
                "category": category,
                "after": filed_after,
                "title": TITLE_WEIGHT,
                "text": TEXT_WEIGHT,
                "keywords": KEYWORD_WEIGHT,
            },
        ).fetchall()

    def categories(self) -> list[str]:
        with self._open() as db:
            rows = db.execute("SELECT DISTINCT category FROM documents ORDER BY 1")
            return [row["category"] for row in rows]

    # ------------------------------------------------------------------ people

    def employees(self, organisation_id: int) -> list[sqlite3.Row]:
        if organisation_id != self.home:
            return []
        with self._open() as db:
            return db.execute("SELECT * FROM employees ORDER BY name, id").fetchall()

    def employee(self, name: str, organisation_id: int) -> str:
        """The full name of the one employee who is meant; the name itself where none are known."""
        people = [row["name"] for row in self.employees(organisation_id)]
        wanted = plain(name).strip()
        found = [one for one in people if plain(one) == wanted] or [
            one for one in people if wanted in plain(one).split()
        ]
        if len(found) == 1 or not people:
            return found[0] if found else name
        if not found:
            raise ToolFailed(f"Nobody here is called {name!r}. getEmployeeList shows who is.")
        raise ToolFailed(f"{name!r} may be {' or '.join(found)}: give the full name.")

    # ------------------------------------------------------------------ sales

    def months(self) -> list[str]:
        with self._open() as db:
            return [
                row["month"] for row in db.execute("SELECT DISTINCT month FROM sales ORDER BY 1")
            ]

    def sales(self, first: str, last: str, by: str) -> list[sqlite3.Row]:
        """Units and revenue from one month to another, by `month`, `region` or `product`."""
        assert by in ("month", "region", "product")
        order = "key" if by == "month" else "revenue DESC, key"
        with self._open() as db:
            return db.execute(
                f"SELECT {by} AS key, sum(units) AS units, sum(revenue) AS revenue FROM sales "  # noqa: S608 - one of three words
                f"WHERE month BETWEEN ? AND ? GROUP BY {by} ORDER BY {order}",
                (first, last),
            ).fetchall()

    # ------------------------------------------------------------------ what people write

    def add_task(self, organisation_id: int, **task: Any) -> JSONObject:
        row = {**task, "organisation_id": organisation_id, "status": "open"}
        return _task(self._add("tasks", {**row, "created_at": time.time()}))

    def tasks(self, organisation_id: int, *, assignee: str | None, limit: int) -> list[JSONObject]:
        """The organisation's tasks, the newest first."""
        with self._open() as db:
            rows = db.execute(
                "SELECT * FROM tasks WHERE organisation_id = ? AND (? IS NULL OR assignee = ?) "
                "ORDER BY id DESC LIMIT ?",
                (organisation_id, assignee, assignee, limit),
            )
            return [_task(row) for row in rows]

    def add_announcement(self, organisation_id: int, **announcement: Any) -> JSONObject:
        row = {**announcement, "organisation_id": organisation_id, "sent_at": time.time()}
        return _announcement(self._add("announcements", row))

    def announcements(self, organisation_id: int, *, limit: int) -> list[JSONObject]:
        with self._open() as db:
            rows = db.execute(
                "SELECT * FROM announcements WHERE organisation_id = ? ORDER BY id DESC LIMIT ?",
                (organisation_id, limit),
            )
            return [_announcement(row) for row in rows]

    def _add(self, table: str, row: dict[str, Any]) -> sqlite3.Row:
        names = ", ".join(row)
        places = ", ".join(f":{name}" for name in row)
        with self._open() as db:
            added: sqlite3.Row = db.execute(
                f"INSERT INTO {table} ({names}) VALUES ({places}) RETURNING *",  # noqa: S608 - our own names
                row,
            ).fetchone()
            return added


def _insert(db: sqlite3.Connection, table: str, kind: type[Any], rows: Sequence[Any]) -> None:
    names = ", ".join(field.name for field in fields(kind))
    places = ", ".join("?" for _ in fields(kind))
    values = [tuple(_kept(value) for value in astuple(row)) for row in rows]
    try:
        db.executemany(f"INSERT INTO {table} ({names}) VALUES ({places})", values)  # noqa: S608 - our own names
    except sqlite3.IntegrityError as error:
        raise ToolFailed(f"{table}.csv: two rows have the same id ({error}).") from error


def _kept(value: Any) -> Any:
    return value if isinstance(value, str | int | float) else value.isoformat()


def _term(word: str) -> str:
    """One word of a query: long ones find their other endings too."""
    stem = singular(word)
    return f'"{stem}"*' if len(stem) > 3 else f'"{word}"'


def _written(row: sqlite3.Row, letter: str, id: str, at: str) -> JSONObject:
    """What somebody wrote, with the id and the moment as people read them."""
    shown = dict(row)
    del shown["organisation_id"]
    number, moment = shown.pop("id"), datetime.fromtimestamp(shown[at], UTC)
    return {id: f"{letter}-{number:04}"} | shown | {at: moment.isoformat(timespec="seconds")}


def _task(row: sqlite3.Row) -> JSONObject:
    return _written(row, "T", "task_id", "created_at")


def _announcement(row: sqlite3.Row) -> JSONObject:
    return _written(row, "A", "announcement_id", "sent_at")

"""What is kept of a person, table by table; and a chain that verifies when their words are gone."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import Connection, select, text, update

from bancada.domain.json import dumps, loads
from bancada.store import audit, erasures, people, personal
from bancada.store.audit import chained
from bancada.store.columns import CleanText, JSONText
from bancada.store.database import Database
from bancada.store.tables import audit_entries, audit_heads, metadata

WORDS_THAT_STAY = {
    "organisations": {"name", "settings"},
    "directory_groups": {"display_name", "external_id"},
    "agents": {
        "name", "description", "system_prompt", "tools", "starters", "model", "mode", "code", "effort",
    },
    "ai_tool_registry": {
        "name", "pack", "permission_level", "confirmation", "allowed_callers", "budget",
    },
    "audit_heads": {"hash"},
    # `content` is erased, and of older entries all but the facts in `body`; the rest are ids that
    # lead nowhere any more, names of tools, and words of ours.
    "audit_entries": {
        "kind", "conversation_id", "turn_id", "call_id", "tool", "caller", "outcome", "category",
        "body", "hash", "content",
    },
    "connections": {
        "id", "name", "origin", "url", "headers", "credentials", "status", "detail", "server",
    },
    "connection_tools": {
        "connection_id", "remote_name", "name", "offered", "approved", "state", "problem",
        "permission_level", "effect", "confirm", "allowed_callers",
    },
    "replies": {"conversation_id", "turn_id", "model", "stop_reason"},
    "usage_heads": set(),
    "usage_days": {"by", "value"},
    "usage_times": {"by", "value", "what"},
    "blobs": {"place", "sha256"},
    "blob_pieces": {"place"},
    "pack_files": {"pack", "name", "path", "version"},
    "installation_keys": {"name", "value"},
    "processes": {"name"},
    "provider_probes": {"provider", "model", "found"},
    "experiments": {"name", "variants"},
    # `origin` says which data: a table, columns, a period.
    "control_limits": {"id", "name", "chart", "parameters", "origin"},
    # Emptied: `test_an_erased_person` looks.
    "users": {"email", "name", "role", "language", "password_hash"},
}  # fmt: skip
"""Every column with words in a table whose rows stay. A new one must be looked at, and put here, or
what it holds of a person be erased."""


def test_every_table_is_erased_from_or_stays_for_a_reason() -> None:
    tables = set(metadata.tables)
    stays = set(personal.STAYS) | set(personal.KEPT_WORDS)
    assert personal.REMOVED | stays == tables
    assert not personal.REMOVED & stays
    assert all(personal.STAYS.values())


def test_every_column_with_words_in_a_table_that_stays_was_looked_at() -> None:
    for name in set(personal.STAYS) | set(personal.KEPT_WORDS):
        words = {
            column.name
            for column in metadata.tables[name].c
            if isinstance(column.type, CleanText | JSONText)
        }
        assert words == WORDS_THAT_STAY[name], name


# ---------------------------------------------------------------------------- the chain

ANA, RUI = 5, 6


def _entry(db: Connection, organisation: int, person_id: int | None, **says: Any) -> int:
    return audit.append(
        db,
        organisation,
        "started",
        at=time.time(),
        person_id=person_id,
        conversation_id="c1",
        turn_id="t1",
        call_id="call",
        tool="apagar",
        says={"caller": {"type": "direct", "via": None}, "agent_id": 1, **says},
    )


def _made_older(db: Connection, number: int) -> None:
    """Let the last entry be as earlier versions wrote it: all it says is in its body."""
    row = db.execute(select(audit_entries).where(audit_entries.c.number == number)).one()
    body = {**loads(row.body), **loads(row.content)[1]}
    del body["content"]
    previous = audit.GENESIS
    if number > 1:
        before = select(audit_entries.c.hash).where(audit_entries.c.number == number - 1)
        previous = str(db.execute(before).scalar())
    hashed = chained(previous, dumps(body))
    at = update(audit_entries).where(audit_entries.c.number == number)
    db.execute(at.values(body=dumps(body), content=None, hash=hashed))
    db.execute(update(audit_heads).values(hash=hashed))


def _tell(db: Connection, organisation: int, taken: Any, rewritten: Any) -> None:
    audit.append(
        db,
        organisation,
        "changed",
        at=time.time(),
        person_id=None,
        conversation_id=None,
        turn_id=None,
        call_id="",
        tool="",
        says={
            "category": "people",
            "action": "person_erased",
            "erased": taken,
            "rewritten": rewritten,
        },
    )


@pytest.fixture
async def organisation(database: Database) -> int:
    """A chain with entries of two people, some of them from before."""
    org = await database.run(people.first_organisation)
    for n in range(3):
        said = {"person": "ana@x.pt", "arguments": {"q": f"old{n} secret"}}
        await database.run(_made_older, await database.run(_entry, org, ANA, **said))
    await database.run(_entry, org, ANA, person="ana@x.pt", arguments={"q": "secret"})
    await database.run(_entry, org, RUI, person="rui@x.pt", arguments={"q": "his own"})
    await database.run(_entry, org, RUI, person="rui@x.pt", arguments={"to": "ana@x.pt"})
    assert (await database.read(audit.verify, org)).ok
    return org


def _erase(db: Connection, organisation: int) -> None:
    for taken, rewritten in list(erasures.erase(db, organisation, ANA, "ana@x.pt")):
        _tell(db, organisation, taken, rewritten)


async def _all(database: Database) -> str:
    rows = await database.read(lambda db: [str(row) for row in db.execute(select(audit_entries))])
    return "\n".join(rows)


async def test_what_entries_say_is_erased_and_the_chain_verifies(
    database: Database, organisation: int
) -> None:
    hashes = select(audit_entries.c.hash).order_by(audit_entries.c.number)
    before = await database.read(lambda db: list(db.execute(hashes).scalars()))
    await database.run(_erase, organisation)
    left = await _all(database)
    assert "secret" not in left
    assert "ana@x.pt" not in left
    assert "his own" in left
    verdict = await database.read(audit.verify, organisation)
    assert verdict.ok, verdict
    # The hashes are what they were: heads that were signed before still fit.
    after = await database.read(lambda db: list(db.execute(hashes).scalars()))
    assert after[: len(before)] == before
    # A second time there is nothing left to take.
    assert await database.read(erasures.count, organisation, ANA, "ana@x.pt") == 0
    lines = await database.read(audit.export, organisation)
    assert [line.get("is_erased", False) for line in lines] == [True] * 4 + [False, True, False]
    assert {line["tool"] for line in lines[:6]} == {"apagar"}


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ("UPDATE audit_entries SET content = NULL WHERE number = 5", "taken away"),
        ("UPDATE audit_entries SET content = '[\"s\",{}]' WHERE number = 5", "said was changed"),
        ("UPDATE audit_entries SET outcome = 'ok' WHERE number = 2", "outcome was changed"),
        ("UPDATE audit_entries SET tool = 'ler' WHERE number = 4", "tool was changed"),
        (
            "UPDATE audit_entries SET body = replace(body, 'apagar', 'ler'), tool = 'ler' "
            "WHERE number = 2",
            "was changed",
        ),
        (
            "UPDATE audit_entries SET body = replace(body, '[4,4]', '[4,5]') WHERE number = 7",
            "was changed",
        ),
    ],
)
async def test_an_erasure_hides_no_other_change(
    database: Database, organisation: int, change: str, what: str
) -> None:
    await database.run(_erase, organisation)
    await database.run(lambda db: db.execute(text(change)))
    verdict = await database.read(audit.verify, organisation)
    assert not verdict.ok
    assert what in (verdict.what or "")


async def test_words_cannot_be_guessed_from_what_is_left(
    database: Database, organisation: int
) -> None:
    await database.run(_entry, organisation, ANA, person="ana@x.pt", arguments={"q": "secret"})
    query = select(audit_entries.c.body).where(audit_entries.c.number.in_((4, 7)))
    bodies = await database.read(lambda db: [loads(one) for one in db.execute(query).scalars()])
    assert len({body["content"] for body in bodies}) == 2

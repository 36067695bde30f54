"""A person's data: handed over whole, and erased everywhere.

What the audit chain says of them goes too; that something happened, when, and its hash stay, and
the chain verifies as before.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy import Connection

import bancada
from bancada.domain.errors import Conflict, NotFound
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Person
from bancada.engine.accounts import change_account
from bancada.engine.workbench import Workbench
from bancada.gate.administration import Via, note
from bancada.store import audit, conversations, erasures, people, personal, turns
from bancada.store.blobs.cache import HeldFile
from bancada.store.blobs.keeping import dropped
from bancada.store.blobs.place import BlobMissing
from bancada.store.compacting import compact
from bancada.store.personal import Subject

FORMAT = 1


@dataclass(frozen=True)
class Erased:
    """What went, or would go."""

    rows: dict[str, int] = field(default_factory=dict)
    files: int = 0
    audit_entries: int = 0
    """How many of them say nothing any more."""
    compacted: bool = True
    """Whether the database's own files were written anew; if not, deleted pages may still be in them."""


def _subject(person: Person) -> Subject:
    return Subject(person.id, person.organisation_id, person.email)


# ---------------------------------------------------------------------------- export


async def export(bench: Workbench, person: Person, to: Path, *, by: Person, via: Via) -> JSONObject:
    """Write everything of a person to a zip file, readable by its owner alone; its manifest."""
    who = _subject(person)
    tables = await bench.database.run(personal.exported, who)
    lines = await bench.database.run(_audit_lines, who)
    held = await _held(bench, who)
    manifest = await asyncio.to_thread(_write, to, who, tables, lines, held)
    await bench.database.run(_note_export, person, by, via)
    return manifest


async def _held(bench: Workbench, who: Subject) -> dict[str, HeldFile | None]:
    """Their files, there for as long as they are held; none for what is missing."""
    found: dict[str, HeldFile | None] = {}
    for name, place in (await bench.database.read(personal.kept, who)).items():
        try:
            found[name] = await bench.blobs.hold(place)
        except BlobMissing:
            found[name] = None
    return found


def _note_export(db: Connection, person: Person, by: Person, via: Via) -> None:
    note(db, by, "person_exported", person, via=via)


def _audit_lines(db: Connection, who: Subject) -> list[JSONObject]:
    found: list[JSONObject] = []
    before: int | None = None
    while page := audit.calls(db, who.organisation_id, person_id=who.id, before=before, limit=500):
        found += page
        before = page[-1]["id"]
    return found


def _write(
    to: Path,
    who: Subject,
    tables: dict[str, list[JSONObject]],
    lines: list[JSONObject],
    held: dict[str, HeldFile | None],
) -> JSONObject:
    parts: dict[str, JSONObject] = {}
    missing: list[str] = []
    to.unlink(missing_ok=True)
    handle = os.open(to, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w+b") as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:

        def add(name: str, content: bytes, **says: int) -> None:
            archive.writestr(name, content)
            hashed = hashlib.sha256(content).hexdigest()
            parts[name] = {"bytes": len(content), "sha256": hashed, **says}

        for table, rows in tables.items():
            add(f"tables/{table}.json", dumps(rows).encode(), rows=len(rows))
        add("audit.jsonl", "".join(f"{dumps(line)}\n" for line in lines).encode(), rows=len(lines))
        for name, one in held.items():
            if one is None:
                missing.append(name)
            else:
                add(name, one.path.read_bytes())
        manifest: JSONObject = {
            "format": FORMAT,
            "bancada": bancada.__version__,
            "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
            "person": {"id": who.id, "email": who.email},
            "parts": parts,
            "missing": missing,
        }
        archive.writestr("manifest.json", dumps(manifest))
    return manifest


# ---------------------------------------------------------------------------- erasure


async def would_erase(bench: Workbench, person: Person) -> Erased:
    """What would go; nothing is changed."""
    who = _subject(person)
    kept = await bench.database.read(personal.kept, who)
    return Erased(
        await bench.database.read(personal.counted, who),
        len(kept),
        await bench.database.read(_audit_count, who),
    )


async def shut_out(bench: Workbench, person: Person, *, by: Person, via: Via) -> None:
    """Take every access away, and end what runs: nothing of theirs is written after this."""
    held = await bench.database.run(_shut_out, person, by, via)
    for conversation_id, runs in held:
        if runs:
            with suppress(Conflict, NotFound):  # it may end by itself meanwhile
                await bench.conversations.stop(person, conversation_id)
        await bench.forget(conversation_id)
    for container in await bench.database.read(personal.containers, _subject(person)):
        await bench.jail.end_of(container)


def _shut_out(db: Connection, person: Person, by: Person, via: Via) -> list[tuple[str, bool]]:
    people.hold_organisation(db, person.organisation_id)
    keep_an_administrator(db, person)
    change_account(db, person, {"is_active": False}, by=by, via=via)
    return [(id, turns.is_unfinished(db, id)) for id in conversations.ids_of_person(db, person.id)]


async def erase(bench: Workbench, person: Person, *, by: Person, via: Via) -> Erased:
    """Remove what is kept of a person, and what the audit says of them. Can be done again where it
    was cut short: until the last step the account is there, and shut."""
    found = await would_erase(bench, person)
    await shut_out(bench, person, by=by, via=via)
    entries, gone = await bench.database.run(_erase, person, by, via)
    # Where this is cut short, the next sweep finds that nothing names them.
    await bench.blobs.erase(gone)
    return Erased(found.rows, found.files, entries, await compact(bench.database))


def remove_rows(db: Connection, person: Person) -> list[str]:
    """Remove what rows keep of a person; returns the files that go with them."""
    who = _subject(person)
    places = personal.kept(db, who).values()
    personal.remove(db, who)
    return dropped(db, places)


def _erase(db: Connection, person: Person, by: Person, via: Via) -> tuple[int, list[str]]:
    who = _subject(person)
    gone = remove_rows(db, person)
    count = 0
    for organisation_id in audit.organisations_with_entries(db):
        theirs = organisation_id == who.organisation_id
        parts = list(erasures.erase(db, organisation_id, who.id, who.email))
        for taken, rewritten in parts or ([([], {})] if theirs else []):
            note(
                db,
                by,
                "person_erased",
                "",
                id=who.id,
                organisation_id=organisation_id,
                via=via,
                erased=taken,
                rewritten=rewritten,
            )
            count += len(rewritten) + sum(last - first + 1 for first, last in taken)
    return count, gone


def _audit_count(db: Connection, who: Subject) -> int:
    return sum(
        erasures.count(db, organisation_id, who.id, who.email)
        for organisation_id in audit.organisations_with_entries(db)
    )


def check_erasable(db: Connection, person: Person) -> None:
    """Somebody must be left who administrates; what commands act as is nobody."""
    if not people.is_account(person):
        raise NotFound("no_person")
    keep_an_administrator(db, person)


def keep_an_administrator(db: Connection, person: Person) -> None:
    """Refuse to take the last one away. Whoever then does holds the organisation first: of two
    administrators who take each other away, both would find one left."""
    administrators = {
        one.id
        for one in people.accounts_of(db, person.organisation_id)
        if one.role == "admin" and one.is_active
    }
    if administrators == {person.id}:
        raise Conflict("last_administrator")

"""What was cut off the end of a chain, or written anew, is noticed by the heads that were signed."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, delete, text, update

from bancada.gate.heads import HEADS_FILE, KEY_FILE, Heads
from bancada.store import audit, people
from bancada.store.audit import Verdict
from bancada.store.database import Database
from bancada.store.tables import audit_entries, audit_heads


def add(db: Connection, organisation_id: int, says: str = "one more") -> int:
    return audit.append(
        db,
        organisation_id,
        "changed",
        at=1_700_000_000.0,
        person_id=1,
        conversation_id=None,
        turn_id=None,
        call_id="",
        tool="",
        says={"category": "people", "about": says},
    )


class Installation:
    """A database, a data folder, and one organisation whose audit has five entries."""

    def __init__(self, database: Database, folder: Path, organisation: int) -> None:
        self.database = database
        self.folder = folder
        self.heads = Heads(folder)
        self.organisation = organisation

    async def grow(self, count: int, says: str = "one more") -> None:
        for _ in range(count):
            await self.database.run(add, self.organisation, says)

    async def sign(self) -> int:
        return await self.heads.write(self.database)

    async def cut(self, left: int) -> None:
        """Take the end away so that the chain itself cannot tell: entries, and the head row."""

        def cutting(db: Connection) -> None:
            entries, head = audit_entries.c, audit_heads.c
            db.execute(delete(audit_entries).where(entries.number > left))
            digest = db.execute(text(f"SELECT hash FROM audit_entries WHERE number = {left}"))
            db.execute(
                update(audit_heads)
                .where(head.organisation_id == self.organisation)
                .values(number=left, hash=digest.scalar_one())
            )

        await self.database.run(cutting)

    async def verdict(self, file: Path | None = None) -> tuple[Verdict, tuple[str, ...]]:
        """As a fresh process sees it."""
        heads = Heads(self.folder)
        read = heads.read() if file is None else heads.check(file)
        found = await self.database.read(
            audit.verify, self.organisation, read.of(self.organisation)
        )
        return found, read.problems


@pytest.fixture
async def installation(database: Database, tmp_path: Path) -> Installation:
    organisation = await database.run(people.first_organisation)
    made = Installation(database, tmp_path, organisation)
    await made.grow(5)
    return made


async def test_a_chain_that_goes_on_fits_what_was_signed(installation: Installation) -> None:
    assert await installation.sign() == 1
    await installation.grow(3)
    assert await installation.sign() == 1
    assert await installation.sign() == 0
    await installation.grow(1)

    found, problems = await installation.verdict()

    assert (found.ok, found.checked, problems) == (True, 9, ())
    assert len(installation.heads.file.read_text().splitlines()) == 2


async def test_an_end_that_was_cut_off_is_noticed(installation: Installation) -> None:
    await installation.sign()
    await installation.cut(3)
    unaware = await installation.database.read(audit.verify, installation.organisation)
    assert unaware.ok

    found, _ = await installation.verdict()

    assert (found.ok, found.first_bad) == (False, 4)
    assert "5 entries were signed" in str(found.what)


async def test_an_end_that_was_cut_off_and_written_anew_is_noticed(
    installation: Installation,
) -> None:
    await installation.grow(1)
    await installation.sign()
    await installation.grow(4)
    await installation.sign()
    await installation.cut(8)
    await installation.grow(6, says="another story")

    found, _ = await installation.verdict()

    assert (found.ok, found.first_bad) == (False, 10)
    assert "after 6 were written anew" in str(found.what)


async def test_a_whole_chain_that_is_gone_is_noticed(installation: Installation) -> None:
    await installation.sign()

    def clear(db: Connection) -> None:
        db.execute(delete(audit_entries))
        db.execute(delete(audit_heads))

    await installation.database.run(clear)

    found, _ = await installation.verdict()
    assert (found.ok, found.first_bad) == (False, 1)


async def test_a_chain_that_went_back_is_not_signed(
    installation: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    await installation.sign()
    await installation.cut(3)
    again = Heads(installation.folder)

    assert await again.write(installation.database) == 0
    assert "run `bancada audit verify`" in caplog.text


def _forged(change: dict[str, Any]) -> Callable[[str], str]:
    return lambda line: json.dumps({**json.loads(line), **change})


@pytest.mark.parametrize(
    "forge",
    [
        _forged({"number": 3}),
        _forged({"hash": "0" * 64}),
        _forged({"organisation_id": 2}),
        _forged({"at": 0.0}),
        _forged({"signature": base64.b64encode(b"0" * 64).decode()}),
        _forged({"signature": None}),
        lambda line: line[: len(line) // 2],
        lambda line: "[]",
    ],
    ids=["number", "hash", "organisation", "at", "signature", "none", "cut", "other"],
)
async def test_a_forged_head_is_noticed(
    installation: Installation, forge: Callable[[str], str]
) -> None:
    await installation.sign()
    file = installation.heads.file
    file.write_text(forge(file.read_text().strip()) + "\n")

    _, problems = await installation.verdict()

    assert len(problems) == 1
    assert "line 1: the signature does not fit" in problems[0]


async def test_heads_signed_with_another_key_are_noticed(
    installation: Installation, tmp_path: Path
) -> None:
    """Who rewrote everything, the key included, does not fit a copy kept elsewhere."""
    await installation.sign()
    copy = tmp_path / "elsewhere.jsonl"
    shutil.copy(installation.heads.file, copy)
    await installation.cut(3)
    for name in (KEY_FILE, HEADS_FILE):
        (installation.folder / name).unlink()
    await Heads(installation.folder).write(installation.database)
    assert (await installation.verdict()) == (
        Verdict(installation.organisation, True, 3),
        (),
    )

    _, problems = await installation.verdict(copy)

    assert "the signature does not fit" in problems[0]


async def test_a_copy_kept_elsewhere_tells_what_the_file_here_no_longer_does(
    installation: Installation, tmp_path: Path
) -> None:
    await installation.sign()
    copy = tmp_path / "elsewhere.jsonl"
    shutil.copy(installation.heads.file, copy)
    await installation.cut(3)
    installation.heads.file.write_text("")

    assert (await installation.verdict())[0].ok
    found, _ = await installation.verdict(copy)
    assert (found.ok, found.first_bad) == (False, 4)


@pytest.mark.parametrize("gone", [HEADS_FILE, KEY_FILE])
async def test_a_file_that_was_taken_away_is_noticed(installation: Installation, gone: str) -> None:
    await installation.sign()
    (installation.folder / gone).unlink()

    _, problems = await installation.verdict()

    assert f"{gone} is gone" in problems[0]


async def test_the_key_is_its_owners_and_heads_are_in_the_log(
    installation: Installation, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", "bancada.audit"):
        await installation.sign()

    for name in (KEY_FILE, HEADS_FILE):
        assert (installation.folder / name).stat().st_mode & 0o777 == 0o600
    line = installation.heads.file.read_text().strip()
    assert f"audit head {line}" in caplog.text
    assert (installation.folder / KEY_FILE).read_text() not in caplog.text


async def test_two_signers_of_one_folder_keep_each_others_lines(installation: Installation) -> None:
    other = Heads(installation.folder)
    await installation.sign()
    await installation.grow(1)
    await other.write(installation.database)
    await installation.grow(1)
    await installation.sign()

    found, problems = await installation.verdict()

    assert (found.ok, problems) == (True, ())
    numbers = [json.loads(line)["number"] for line in installation.heads.file.open()]
    assert numbers == [5, 6, 7]


async def test_a_quick_look_begins_at_the_last_signed_head(installation: Installation) -> None:
    await installation.sign()
    await installation.grow(3)
    signed = Heads(installation.folder).read().of(installation.organisation)
    quick = partial(audit.verify, recent=True)

    found = await installation.database.read(quick, installation.organisation, signed)
    assert (found.ok, found.checked) == (True, 4)

    change = update(audit_entries).where(audit_entries.c.number == 7).values(tool="other")
    await installation.database.run(lambda db: db.execute(change))
    found = await installation.database.read(quick, installation.organisation, signed)
    assert (found.ok, found.first_bad) == (False, 7)

"""Keys that every process shares: from the database on Postgres, carried over from the folder once."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from bancada.domain.errors import SettingsError
from bancada.store.database import Database, open_database
from bancada.store.installation_keys import agree_on_sealing, note_sealing, shared_key
from bancada.store.tables import installation_keys
from bancada.store.vault import Vault, is_sealed

OURS = Vault(lambda: ["a key of at least thirty-two bytes, ours"])
OTHER = Vault(lambda: ["a key of at least thirty-two bytes, other"])


def stored(db: Connection) -> str:
    return str(db.execute(select(installation_keys.c.value)).scalar_one())


@pytest.fixture
async def shared(postgres_url: str) -> Database:
    return open_database(postgres_url)


async def test_two_machines_with_two_folders_have_one_key(shared: Database, tmp_path: Path) -> None:
    one = await shared_key(shared, None, tmp_path / "one" / "jwt-secret", lambda: b"one's")
    two = await shared_key(shared, None, tmp_path / "two" / "jwt-secret", lambda: b"two's")
    assert one == two == b"one's"


async def test_a_folders_key_is_carried_over_once_and_told(
    shared: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "jwt-secret").write_text("from the folder")
    with caplog.at_level(logging.WARNING):
        found = await shared_key(shared, None, tmp_path / "jwt-secret", lambda: b"new")
    assert found == b"from the folder"
    assert "jwt-secret is in the database from now on" in caplog.text
    caplog.clear()
    assert await shared_key(shared, None, tmp_path / "jwt-secret", lambda: b"new") == found
    assert caplog.text == ""
    (tmp_path / "jwt-secret").write_text("another")
    assert await shared_key(shared, None, tmp_path / "jwt-secret", lambda: b"new") == found
    assert "is not used: the database has another key" in caplog.text


async def test_it_is_sealed_with_the_configured_key_and_only_that_opens_it(
    shared: Database, tmp_path: Path
) -> None:
    file = tmp_path / "audit-key"
    plain = await shared_key(shared, None, file, lambda: b"plain")
    assert await shared.read(stored) == "plain"
    assert await shared_key(shared, OURS, file, lambda: b"new") == plain
    assert is_sealed(await shared.read(stored))
    assert await shared_key(shared, OURS, file, lambda: b"new") == plain
    for wrong, says in ((None, "not set"), (OTHER, "another BANCADA_SECRET_KEY")):
        with pytest.raises(SettingsError, match=says):
            await shared_key(shared, wrong, file, lambda: b"new")


async def test_a_second_machine_with_a_sealing_key_of_its_own_is_refused(shared: Database) -> None:
    await shared.run(agree_on_sealing, OURS, configured=False)
    await shared.run(agree_on_sealing, OURS, configured=False)
    with pytest.raises(SettingsError, match="set BANCADA_SECRET_KEY, the same on every machine"):
        await shared.run(agree_on_sealing, OTHER, configured=False)
    rotated = Vault(lambda: ["a new key of at least thirty-two bytes", *OURS._keys()])
    await shared.run(note_sealing, rotated)
    with pytest.raises(SettingsError):
        await shared.run(agree_on_sealing, OURS, configured=False)
    # What the operator says counts: from now on every machine needs it.
    await shared.run(agree_on_sealing, OTHER, configured=True)
    with pytest.raises(SettingsError):
        await shared.run(agree_on_sealing, rotated, configured=False)
    await shared.close()

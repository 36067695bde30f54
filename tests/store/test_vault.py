"""Secrets of organisations are sealed where they lie, and open only where they belong."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from sqlalchemy import Connection, select, text

from bancada import jobs
from bancada.domain.errors import Invalid, SettingsError
from bancada.engine.workbench import open_workbench
from bancada.settings import Settings, load_settings
from bancada.store import people
from bancada.store.tables import organisations
from bancada.store.vault import KEY_FILE, Vault, new_key, opened_settings, vault_of

LONG = "k" * 32


def test_a_secret_opens_for_its_organisation_and_its_name_only() -> None:
    vault = Vault(lambda: [LONG])
    sealed = vault.seal("hush", 1, "TOKEN")

    assert "hush" not in sealed
    assert vault.open(sealed, 1, "TOKEN") == "hush"
    assert vault.seal("hush", 1, "TOKEN") != sealed
    for organisation_id, name in ((2, "TOKEN"), (1, "OTHER")):
        with pytest.raises(Invalid, match=f"The secret {name} cannot be opened"):
            vault.open(sealed, organisation_id, name)


def test_a_secret_whose_key_is_gone_is_told(tmp_path: Path) -> None:
    sealed = Vault(lambda: [LONG]).seal("hush", 1, "TOKEN")

    with pytest.raises(Invalid, match="the key that sealed it is not here"):
        vault_of(tmp_path, []).open(sealed, 1, "TOKEN")


def test_a_running_process_goes_on_with_a_key_that_another_exchanged(tmp_path: Path) -> None:
    running = vault_of(tmp_path, [])
    before = running.seal("hush", 1, "A")
    new_key(tmp_path)

    assert running.open(before, 1, "A") == "hush"
    assert not running.seals_as_now(before)
    assert vault_of(tmp_path, []).open(running.seal("new", 1, "B"), 1, "B") == "new"
    assert stat.S_IMODE((tmp_path / KEY_FILE).stat().st_mode) == 0o600


def _kept(db: Connection) -> str:
    return str(db.execute(select(text("settings")).select_from(organisations)).scalar_one())


def _give(db: Connection) -> None:
    row = people.all_organisations(db)[0]
    people.change_organisation(db, row.id, settings={"secrets": {"CRM": "hush-hush"}})


def _settings(folder: Path, **given: str) -> Settings:
    return load_settings(data=folder, environment=given, password_cost=1)


async def test_what_stood_in_plain_text_is_sealed_at_the_next_start_and_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bench = await open_workbench(_settings(tmp_path))
    await bench.database.run(_give)
    await bench.close()

    bench = await open_workbench(_settings(tmp_path))
    kept = await bench.database.read(_kept)
    row = (await bench.database.read(people.all_organisations))[0]
    opened = opened_settings(bench.vault, row.id, row.settings)
    await bench.close()

    assert "hush" not in kept
    assert "1 secrets of organisations stood in plain text" in caplog.text
    assert opened["secrets"] == {"CRM": "hush-hush"}


async def test_a_rotation_seals_everything_with_the_new_key(tmp_path: Path) -> None:
    bench = await open_workbench(_settings(tmp_path))
    await bench.database.run(_give)
    await bench.close()
    bench = await open_workbench(_settings(tmp_path))
    before = await bench.database.read(_kept)

    assert await jobs.rotate_secrets(bench) == 1

    after = await bench.database.read(_kept)
    row = (await bench.database.read(people.all_organisations))[0]
    assert before != after
    assert opened_settings(bench.vault, row.id, row.settings)["secrets"] == {"CRM": "hush-hush"}
    assert bench.vault.seals_as_now(row.settings["secrets"]["CRM"])
    await bench.close()


async def test_configured_keys_are_exchanged_with_the_first_of_them(tmp_path: Path) -> None:
    bench = await open_workbench(_settings(tmp_path, BANCADA_SECRET_KEY="a" * 40))
    await bench.database.run(_give)
    await bench.close()
    bench = await open_workbench(_settings(tmp_path, BANCADA_SECRET_KEY="a" * 40))
    await bench.close()
    both = _settings(tmp_path, BANCADA_SECRET_KEY=f"{'b' * 40},{'a' * 40}")
    bench = await open_workbench(both)
    assert await jobs.rotate_secrets(bench) == 1
    await bench.close()

    bench = await open_workbench(_settings(tmp_path, BANCADA_SECRET_KEY="b" * 40))
    row = (await bench.database.read(people.all_organisations))[0]
    assert opened_settings(bench.vault, row.id, row.settings)["secrets"] == {"CRM": "hush-hush"}
    assert not (tmp_path / KEY_FILE).exists()
    await bench.close()


@pytest.mark.parametrize("name", ["JWT_SECRET", "BANCADA_SECRET_KEY"])
def test_a_short_secret_is_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(SettingsError, match="a secret has at least 32 bytes"):
        _settings(tmp_path, **{name: "x" * 31})
    _settings(tmp_path, **{name: "x" * 32})


def others(folder: Path) -> list[str]:
    """What somebody else could reach in the data folder, `run` aside."""
    found = [folder, *(p for p in folder.rglob("*") if "run" not in p.relative_to(folder).parts)]
    return [str(path) for path in found if path.lstat().st_mode & 0o077]


async def test_a_data_folder_that_others_could_read_is_closed_at_the_next_start(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "data"
    bench = await open_workbench(_settings(folder))
    await bench.close()
    (folder / "files" / "old").mkdir(parents=True, exist_ok=True)
    (folder / "files" / "old" / "a.csv").write_text("a")
    assert others(folder)

    bench = await open_workbench(_settings(folder))
    await bench.close()
    assert not [path for path in others(folder) if "old" in path]
    assert not folder.stat().st_mode & 0o077

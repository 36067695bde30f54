"""`bancada backup` and `restore`: the whole installation in one file, taken while it runs.

Files come before the database: they are written before a row names them and removed after it is
gone, so whatever the copy of the database names was there. What was added in between follows.
The archive is whole only if every part fits its hash in the manifest, and is named so only then.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from sqlalchemy import make_url

import bancada
from bancada.domain.errors import SettingsError
from bancada.domain.json import JSONObject, dumps, loads
from bancada.engine.signing import signing_keys
from bancada.gate.heads import Heads
from bancada.settings import Settings
from bancada.store import audit, datasets, files, pack_files
from bancada.store.blobs.folder import FolderStore
from bancada.store.blobs.keeping import EARLIER, open_blobs
from bancada.store.blobs.keeping import FOLDER as BLOBS
from bancada.store.database import open_database
from bancada.store.dump import (
    copy_sqlite,
    dump_postgres,
    is_empty_postgres,
    is_sqlite,
    load_postgres,
)
from bancada.store.upgrade import HEAD, revision_at, revisions, upgrade

FORMAT = 1
MANIFEST = "manifest.json"
DATABASE = "database"
FOLDER = "data"
CHUNK = 1 << 20
PASSING = ("run", "serve.lock", "uploads", "cache")
"""What is at the top of the data folder only for as long as a server runs."""
BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a file; a copy of the file has it all."""


@dataclass
class BackupContents:
    """What a backup holds."""

    path: Path
    parts: dict[str, JSONObject] = field(default_factory=dict)
    missing: list[str] = field(default_factory=list)
    """Files that rows name and that were removed while the backup was made."""
    elsewhere: int = 0
    """Files that rows name and that are in a store of their own, not in the archive."""


@dataclass(frozen=True)
class Restored:
    """What was put back, and how its audit stands."""

    parts: int
    chains: list[audit.Verdict]
    problems: tuple[str, ...]


# ---------------------------------------------------------------------------- making one


def backup(settings: Settings, path: Path) -> BackupContents:
    """Write everything to `path`, readable by its owner alone; raises rather than leave half."""
    at = asyncio.run(revision_at(settings.url))
    if at != HEAD:
        raise SettingsError(
            f"The database is at {at or 'nothing'}; run `bancada db upgrade` for {HEAD} first."
        )
    if path.exists():
        raise SettingsError(f"{path} is there already; choose another name.")
    part = path.with_name(f"{path.name}.part")
    try:
        # New each time: what an interrupted one left may have been readable by others.
        part.unlink(missing_ok=True)
        with (
            os.fdopen(os.open(part, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b") as file,
            tempfile.TemporaryDirectory(dir=path.absolute().parent, prefix=".backup-") as scratch,
        ):
            made = BackupContents(path)
            with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
                _write(settings, archive, made, Path(scratch))
            file.flush()
            os.fsync(file.fileno())
        _checked(part)
        part.rename(path)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        part.unlink(missing_ok=True)
    return made


def _write(settings: Settings, archive: ZipFile, made: BackupContents, scratch: Path) -> None:
    _add_folder(settings, archive, made, scratch)
    manifest: dict[str, Any] = {
        "format": FORMAT,
        "bancada": bancada.__version__,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "revision": HEAD,
        "database": "sqlite" if settings.url.startswith("sqlite") else "postgresql",
        "files": settings.file_store,
    }
    if manifest["database"] == "sqlite":
        copy_sqlite(_sqlite_path(settings), scratch / DATABASE)
        _add(archive, made, DATABASE, scratch / DATABASE)
        named = asyncio.run(_named(scratch / DATABASE))
    else:
        tables = scratch / "tables"
        tables.mkdir()
        manifest["tables"] = asyncio.run(dump_postgres(settings.url, tables))
        named = _named_in(tables, manifest["tables"])
        for name in manifest["tables"]:
            _add(archive, made, f"{DATABASE}/{name}", tables / name)
    # Added since the first look, before the copy of the database was taken.
    _add_folder(settings, archive, made, scratch)
    _tell_missing(settings, made, named)
    manifest |= {"parts": made.parts, "missing": made.missing, "elsewhere": made.elsewhere}
    archive.writestr(MANIFEST, dumps(manifest))


def _tell_missing(settings: Settings, made: BackupContents, named: list[str]) -> None:
    """What rows name and the archive does not hold: gone, or kept in a store of its own."""
    store = FolderStore(settings.data / BLOBS)
    outside = 0
    for ref in sorted(set(named)):
        if not ref.startswith(EARLIER):
            if settings.file_store != "folder":
                outside += 1
                continue
            ref = store.local(ref).relative_to(settings.data).as_posix()
        if f"{FOLDER}/{ref}" not in made.parts:
            made.missing.append(ref)
    # Those in the database came with it.
    made.elsewhere = 0 if settings.file_store == "postgres" else outside


async def _named(database_file: Path) -> list[str]:
    """The files that rows of this copy name."""
    database = open_database(f"sqlite:///{database_file}")
    try:
        return [
            *await database.read(datasets.refs),
            *await database.read(files.refs),
            *await database.read(pack_files.refs),
        ]
    finally:
        await database.close()


def _named_in(tables: Path, columns: dict[str, list[str]]) -> list[str]:
    """The same, of rows as Postgres wrote them; a path holds no character that it would escape."""
    found = []
    for table in ("datasets", "files", "pack_files"):
        at = columns[table].index("path")
        with (tables / table).open(encoding="utf-8", newline="\n") as rows:
            paths = [row.split(chr(9))[at] for row in rows]
        found += [path if "/" in path else f"{table}/{path}" for path in paths]
    return found


def _add_folder(settings: Settings, archive: ZipFile, made: BackupContents, scratch: Path) -> None:
    """Every file of the data folder that is not in the archive yet."""
    for path in _kept(settings):
        name = f"{FOLDER}/{path.relative_to(settings.data).as_posix()}"
        if name in made.parts:
            continue
        try:
            if is_sqlite(path):
                copy = scratch / "copy"
                copy_sqlite(path, copy)
                _add(archive, made, name, copy)
                copy.unlink()
            else:
                _add(archive, made, name, path)
        except FileNotFoundError:
            continue  # Removed since it was listed: nothing that is kept names it.


def _kept(settings: Settings) -> Iterator[Path]:
    database = _sqlite_path(settings) if settings.url.startswith("sqlite") else None
    for place, folders, names in os.walk(settings.data):
        top = Path(place) == settings.data
        folders[:] = sorted(
            one for one in folders if not (one.startswith(".") or (top and one in PASSING))
        )
        for name in sorted(names):
            path = Path(place, name)
            passing = name.startswith(".") or name.endswith(BESIDE) or (top and name in PASSING)
            if not passing and path.is_file() and not (database and path.samefile(database)):
                yield path


def _add(archive: ZipFile, made: BackupContents, name: str, path: Path) -> None:
    """Put a file into the archive, with the hash of exactly what was put there."""
    with path.open("rb") as source:
        # What is only ever added to may be in the middle of a line.
        whole = _whole_lines(source) if path.suffix == ".jsonl" else None
        info = ZipInfo(name)
        info.compress_type = ZIP_DEFLATED
        with archive.open(info, "w", force_zip64=True) as out:
            made.parts[name] = _copied(source, out, whole)


def _whole_lines(source: IO[bytes]) -> int:
    size = source.seek(0, os.SEEK_END)
    source.seek(max(0, size - CHUNK))
    tail = source.read(size - source.tell())
    source.seek(0)
    return size - (len(tail) - tail.rfind(b"\n") - 1) if tail else 0


def _copied(source: IO[bytes], out: IO[bytes], most: int | None = None) -> JSONObject:
    digest, size = hashlib.sha256(), 0
    while chunk := source.read(CHUNK if most is None else min(CHUNK, most - size)):
        digest.update(chunk)
        size += len(chunk)
        out.write(chunk)
    return {"size": size, "sha256": digest.hexdigest()}


# ---------------------------------------------------------------------------- putting one back


def restore(settings: Settings, path: Path) -> Restored:
    """Put an archive back where nothing is yet; every part is checked before anything is kept."""
    manifest = _checked(path)
    if manifest["revision"] not in revisions():
        raise SettingsError(
            f"{path} was made by a newer Bancada ({manifest['bancada']}, database revision "
            f"{manifest['revision']}; this one knows {HEAD}). Restore it with that version."
        )
    kind = "sqlite" if settings.url.startswith("sqlite") else "postgresql"
    if manifest["database"] != kind:
        raise SettingsError(
            f"{path} holds a {manifest['database']} database, and BANCADA_DATABASE_URL names {kind}."
        )
    kept = manifest.get("files", "folder")
    if kept != settings.file_store:
        raise SettingsError(
            f"{path} was made where files are kept in {kept}, and BANCADA_FILES says "
            f"{settings.file_store}. Restore with BANCADA_FILES={kept}; `bancada files move` moves them."
        )
    _must_be_empty(settings, kind)
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    scratch = Path(tempfile.mkdtemp(dir=settings.data, prefix=".restoring-"))
    try:
        with ZipFile(path) as archive:
            for name in manifest["parts"]:
                _extract(archive, name, scratch)
        if kind == "sqlite":
            target = _sqlite_path(settings)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(scratch / DATABASE, target)
        else:
            asyncio.run(_load(settings.url, scratch / DATABASE, manifest))
        for one in sorted((scratch / FOLDER).iterdir()) if (scratch / FOLDER).is_dir() else ():
            one.rename(settings.data / one.name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return asyncio.run(_verified(settings, manifest))


async def _load(url: str, folder: Path, manifest: JSONObject) -> None:
    database = open_database(url)
    try:
        await upgrade(database, manifest["revision"])
        await load_postgres(url, folder, manifest["tables"])
    finally:
        await database.close()


def _must_be_empty(settings: Settings, kind: str) -> None:
    if settings.data.is_dir() and any(settings.data.iterdir()):
        raise SettingsError(f"{settings.data} is not empty; restore into a new folder with --data.")
    if kind == "sqlite" and _sqlite_path(settings).exists():
        raise SettingsError(f"{_sqlite_path(settings)} is there already.")
    if kind == "postgresql" and not asyncio.run(is_empty_postgres(settings.url)):
        raise SettingsError("The database that BANCADA_DATABASE_URL names is not empty.")


async def _verified(settings: Settings, manifest: JSONObject) -> Restored:
    """Bring what was restored to this version, look for every file, and walk its audit against the
    signed heads."""
    database = open_database(settings.url)
    try:
        await upgrade(database)
        keys = await signing_keys(settings, database)
        heads = await asyncio.to_thread(Heads(settings.data, key=keys.audit).read)
        known = await database.read(audit.organisations_with_entries)
        chains = [
            await database.read(audit.verify, id, heads.of(id))
            for id in sorted({*known, *heads.by_organisation})
        ]
        gone = await open_blobs(settings, database).missing()
    finally:
        await database.close()
    problems = list(heads.problems)
    if len(gone) > len(manifest["missing"]):
        problems.append(f"{len(gone)} files that rows name are not in {settings.file_store}.")
    return Restored(len(manifest["parts"]), chains, tuple(problems))


def _checked(path: Path) -> JSONObject:
    """The manifest of an archive whose every part is there and as it was."""
    try:
        with ZipFile(path) as archive:
            manifest: JSONObject = loads(archive.read(MANIFEST).decode())
            if manifest.get("format") != FORMAT:
                raise SettingsError(f"{path} has a form that this Bancada does not know.")
            for name, says in manifest["parts"].items():
                with archive.open(name) as part, open(os.devnull, "wb") as nowhere:
                    if _copied(part, nowhere) != says:
                        raise SettingsError(f"{path} is damaged: {name} is not as it was.")
    except (BadZipFile, KeyError, ValueError, EOFError, OSError) as error:
        raise SettingsError(f"{path} is no whole backup: {error}") from error
    return manifest


def _extract(archive: ZipFile, name: str, folder: Path) -> None:
    inside = PurePosixPath(name)
    if inside.is_absolute() or ".." in inside.parts:
        raise SettingsError(f"The backup holds a part with a name that leads elsewhere: {name}")
    target = folder / inside
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (
        archive.open(name) as part,
        os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out,
    ):
        shutil.copyfileobj(part, out, CHUNK)


def _sqlite_path(settings: Settings) -> Path:
    return Path(make_url(settings.url).database or "")

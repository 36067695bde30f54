"""Where the graph is kept: whole versions in folders, and one small file that names the current.

    graph-1f3a…/graph.lbug  names.sqlite  edges.npz  schema.json
    current

A version never changes once it is named. An import builds the next one aside and then replaces
`current`, in one step; a running server sees it at its next question.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bancada.packs.graph.schema import Schema

CURRENT = "current"
ABANDONED_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Version:
    """One whole graph on disk."""

    folder: Path

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def database(self) -> Path:
        return self.folder / "graph.lbug"

    @property
    def names(self) -> Path:
        return self.folder / "names.sqlite"

    @property
    def edges(self) -> Path:
        return self.folder / "edges.npz"

    @property
    def schema_file(self) -> Path:
        return self.folder / "schema.json"

    def read_schema(self) -> Schema:
        return Schema.of(json.loads(self.schema_file.read_text(encoding="utf-8")))


def current(folder: Path) -> Version | None:
    """The version in use, if there is one."""
    try:
        name = (folder / CURRENT).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    version = Version(folder / name)
    return version if version.schema_file.is_file() else None


@contextmanager
def aside(folder: Path) -> Iterator[Path]:
    """A place to build the next version; gone afterwards unless it was published."""
    folder.mkdir(parents=True, exist_ok=True)
    _sweep(folder)
    place = Path(tempfile.mkdtemp(prefix="building-", dir=folder))
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)


def _sweep(folder: Path) -> None:
    """Remove what an import left behind that was killed on its way."""
    for place in folder.glob("building-*"):
        if time.time() - place.stat().st_mtime > ABANDONED_SECONDS:
            shutil.rmtree(place, ignore_errors=True)


def publish(built: Path, folder: Path) -> Version:
    """Make what was built the current version; the one before stays for those still reading it."""
    before = current(folder)
    name = f"graph-{_digest(built)}"
    target = folder / name
    if not target.exists():
        built.chmod(0o755)
        built.rename(target)
    pointer = folder / f"{CURRENT}.{os.getpid()}"
    pointer.write_text(name, encoding="utf-8")
    pointer.replace(folder / CURRENT)
    for other in folder.glob("graph-*"):
        if other.name not in (name, before and before.name):
            shutil.rmtree(other, ignore_errors=True)
    return Version(target)


def _digest(built: Path) -> str:
    """A name for these very bytes: whoever remembers answers by version sees every import."""
    digest = hashlib.sha256()
    for file in sorted(built.iterdir()):
        with file.open("rb") as source:
            digest.update(hashlib.file_digest(source, "sha256").digest())
    return digest.hexdigest()[:16]

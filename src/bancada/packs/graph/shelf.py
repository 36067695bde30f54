"""Where the graph is kept: whole versions in folders, and one small file that names the current.

    graph-1f3a…/graph.lbug  names.sqlite  edges.npz  schema.json  about.json
    current

Each organisation has a folder of its own.

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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bancada import JSONObject
from bancada.packs.graph.containment import Hierarchy
from bancada.packs.graph.schema import Schema

CURRENT = "current"
ABANDONED_SECONDS = 24 * 3600


@dataclass(frozen=True)
class About:
    """What is known of a graph beside what is in it."""

    name: str
    hierarchy: Hierarchy
    demo: bool = False
    """Made here, for the demo: its text is ours, not somebody's from outside."""

    def as_json(self) -> JSONObject:
        return {"name": self.name, "demo": self.demo, **self.hierarchy.as_json()}

    @staticmethod
    def of(shape: JSONObject) -> About:
        return About(shape["name"], Hierarchy.of(shape), shape["demo"])


@dataclass(frozen=True)
class GraphVersion:
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

    @property
    def about_file(self) -> Path:
        return self.folder / "about.json"

    def read_about(self) -> About | None:
        """None of a version that an earlier release made."""
        try:
            return About.of(json.loads(self.about_file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None

    def read_schema(self) -> Schema:
        return Schema.of(json.loads(self.schema_file.read_text(encoding="utf-8")))


def current(folder: Path) -> GraphVersion | None:
    """The version in use, if there is one."""
    try:
        name = (folder / CURRENT).read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    version = GraphVersion(folder / name)
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


def publish(built: Path, folder: Path) -> GraphVersion:
    """Make what was built the current version; the one before stays for those still reading it."""
    before = current(folder)
    name = f"graph-{_digest(built)}"
    target = folder / name
    if not target.exists():
        built.chmod(0o700)
        built.rename(target)
    pointer = folder / f"{CURRENT}.{os.getpid()}"
    pointer.write_text(name, encoding="utf-8")
    pointer.replace(folder / CURRENT)
    for other in folder.glob("graph-*"):
        if other.name not in (name, before and before.name):
            shutil.rmtree(other, ignore_errors=True)
    return GraphVersion(target)


def of_organisation(folder: Path, organisation_id: int) -> Path:
    """Where an organisation's graph is kept, within the pack's folder."""
    return folder / str(organisation_id)


def adopt(folder: Path, organisation_id: int) -> None:
    """A graph from before organisations had their own becomes this organisation's.

    Two processes may start at once: the pointer moves last, and who finds it gone is done.
    """
    pointer, home = folder / CURRENT, of_organisation(folder, organisation_id)
    if not pointer.is_file() or (home / CURRENT).exists():
        return
    home.mkdir(exist_ok=True)
    with suppress(FileNotFoundError):
        name = pointer.read_text(encoding="utf-8").strip()
        if (folder / name).is_dir():
            (folder / name).rename(home / name)
        pointer.rename(home / CURRENT)


def change(folder: Path, about: About) -> GraphVersion | None:
    """The current graph again, with something else said about it; none where there is none.

    It is a version of its own: whoever remembers answers by version forgets them.
    """
    version = current(folder)
    if version is None:
        return None
    with aside(folder) as place:
        for file in (version.database, version.names, version.edges, version.schema_file):
            os.link(file, place / file.name)
        GraphVersion(place).about_file.write_text(json.dumps(about.as_json()), encoding="utf-8")
        return publish(place, folder)


def imported_at(folder: Path) -> datetime | None:
    """When the current version became so."""
    try:
        return datetime.fromtimestamp((folder / CURRENT).stat().st_mtime, UTC)
    except FileNotFoundError:
        return None


def _digest(built: Path) -> str:
    """A name for these very bytes: whoever remembers answers by version sees every import."""
    digest = hashlib.sha256()
    for file in sorted(built.iterdir()):
        with file.open("rb") as source:
            digest.update(hashlib.file_digest(source, "sha256").digest())
    return digest.hexdigest()[:16]

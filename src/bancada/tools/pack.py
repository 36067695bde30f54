"""A pack: tools, agents, intents and demo data that arrive together, by entry point.

The entry point (group `bancada.packs`) names a function `build(services) -> Pack`. What a
pack needs beyond its own code is handed to it there; the protocols below are all of it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from bancada.domain.agents import Agent
from bancada.domain.calls import Outcome
from bancada.domain.intents import Intent
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Language, Person
from bancada.domain.studies import FrozenLimits, KeptStudy
from bancada.domain.tables import ColumnType, Words
from bancada.tools.offerings import PackPrompt, PackResource
from bancada.tools.tool import Tool, ToolContext

LANGUAGES: tuple[Language, ...] = ("pt", "en")
"""In which order a pack writes its words."""


@dataclass(frozen=True, kw_only=True)
class PythonRun:
    """What code printed, and how it ended."""

    stdout: str
    stderr: str
    return_code: int
    timed_out: bool = False
    files: tuple[JSONObject, ...] = ()


class Jail(Protocol):
    """Untrusted code: a program, or a query that a model wrote."""

    @property
    def missing(self) -> str | None:
        """Why there is no jail on this machine; none when there is one."""

    async def python(self, code: str, *, context: ToolContext, seconds: float) -> PythonRun:
        """Run a program in a fresh container with the conversation's data sets as files."""

    async def evaluate(
        self,
        harness: str,
        input: JSONObject,
        *,
        key: str,
        files: Mapping[str, Path],
        seconds: float,
        max_bytes: int = 4_000_000,
        context: ToolContext | None = None,
    ) -> JSON:
        """Run our `harness` on hostile `input`, in a warm container per `key`; return its `result`.

        Its place counts for the person and organisation of `context`.

        `files` appear read-only under `/data`. Raises `ToolFailed` with a sentence for the
        model when the harness raised, ran out of time or memory, or answered too much.
        """


class Datasets(Protocol):
    """The tables a conversation may query."""

    async def query(
        self,
        context: ToolContext,
        sql: str,
        *,
        tables: Mapping[str, Path] | None = None,
        limit: int = 200,
    ) -> JSONObject:
        """Read-only SQL over the conversation's data sets, the packs' tables, and `tables` beside
        them (DuckDB files by table name).

        Returns `{columns, rows, total_rows, truncated}`, and `notes` (`{code, line, parts, text}`)
        where the query names a column whose cells were read by a guess.
        """

    async def compute(
        self,
        context: ToolContext,
        harness: str,
        input: JSONObject,
        *,
        seconds: float = 30.0,
        max_bytes: int = 1_000_000,
    ) -> JSON:
        """Run our `harness` in the jail, beside the tables that `query` reads: `opened(input)` gives
        a DuckDB connection to them, `input["versions"]` which contents they have. What it leaves in `result` comes back. Whether the person may
        query is not asked here: a tool asks by calling `consultar_dados` first.
        """


class Dashboards(Protocol):
    """Where dashboards are kept."""

    async def keep(self, context: ToolContext, *, titulo: str, html: str) -> JSONObject:
        """Keep model-written HTML; returns `{id, url, titulo}`."""


class StudyShelf(Protocol):
    """What is kept of studies by name. Everything is asked for as the person of a call; what cannot
    be done raises `ToolFailed` with a sentence in their language."""

    async def freeze(
        self,
        context: ToolContext,
        name: str,
        *,
        chart: str,
        parameters: JSONObject,
        origin: JSONObject,
        replace: bool = False,
    ) -> FrozenLimits:
        """Keep limits for the whole organisation; a name that is taken is not overwritten unless
        they replace it, by whoever set it or an administrator."""

    async def limits(self, context: ToolContext, name: str) -> FrozenLimits:
        """The organisation's limits of this name."""

    async def all_limits(self, context: ToolContext) -> Sequence[FrozenLimits]:
        """The organisation's limits, by name."""

    async def unfreeze(self, context: ToolContext, name: str) -> FrozenLimits:
        """Remove limits, for everybody; only who set them or an administrator may."""

    async def save(
        self,
        context: ToolContext,
        name: str,
        *,
        tool: str,
        input: JSONObject,
        shared: bool = False,
        replace: bool = False,
    ) -> KeptStudy:
        """Keep a call of a tool that reads as a study of the person's."""

    async def studies(self, context: ToolContext) -> Sequence[KeptStudy]:
        """The person's own, and those that others of the organisation share."""

    async def run(self, context: ToolContext, which: str) -> tuple[KeptStudy, Outcome]:
        """Make a study again, by its id or name, with the person's rights as they are now."""

    async def remove(self, context: ToolContext, which: str) -> KeptStudy:
        """Remove one of the person's own."""


class KeptFolders(Protocol):
    """Folders that a pack keeps for organisations and that every machine has. Asked from threads."""

    @property
    def shared(self) -> bool:
        """Whether other machines hand out versions too; if not, this one's folder has them all."""

    def newest(self, organisation_id: int, name: str) -> str | None:
        """The version that was kept last under this name; none: nobody has handed any out."""

    def bring(self, organisation_id: int, name: str, target: Path) -> None:
        """Put the files of that version into an empty folder."""

    def keep(self, organisation_id: int, name: str, version: str, folder: Path) -> None:
        """Hand out the files of a folder as this version, from now on."""


@dataclass(frozen=True, kw_only=True)
class TableReading:
    """What was read of a table that an organisation keeps in a database of its own."""

    source: JSONObject
    """Which table of which database, as the organisation's settings say."""
    columns: tuple[str, ...]
    """By the names that were asked for."""
    kinds: tuple[ColumnType, ...]
    rows: Sequence[Sequence[JSON]]
    """In order of the newest column, oldest first; days and moments as ISO text."""
    version: str
    """A hash of the contents: the same rows have the same, whenever and wherever they are read."""
    read_at: float
    cut: bool = False
    """Whether there are more rows than are read; these are the newest."""


class OrganisationTables(Protocol):
    """Tables that organisations keep in databases of their own, in place of a pack's."""

    @property
    def possible(self) -> bool:
        """Whether the operator named a database for anybody at all."""

    def offer(self, name: str, *, columns: Sequence[str], needs: str, newest: str) -> None:
        """Say, when the pack is built, that a table of its own may be chosen elsewhere.

        `columns` are what is read where the settings say nothing of columns, as far as the table
        has them; it must have `needs`; of too many rows those are read that come last by `newest`.
        """

    async def read(
        self,
        organisation_id: int,
        name: str,
        *,
        last: TableReading | None = None,
        person: Person | None = None,
    ) -> TableReading | None:
        """The table that the organisation chose under this name; none: it chose none.

        `last` comes back itself while it is fresh. Raises `ToolFailed` with a sentence for the person.
        """


class Services(Protocol):
    """What the installation offers a pack when it is built."""

    @property
    def folder(self) -> Path:
        """A folder of the pack's own, inside the data folder; it exists."""

    @property
    def kept(self) -> KeptFolders:
        """What of that folder every machine must have."""

    @property
    def demo(self) -> bool:
        """Whether the demo is on: bring data to show."""

    @property
    def first_organisation(self) -> int:
        """Whose the demo's data are, and what was kept before organisations had their own."""

    @property
    def jail(self) -> Jail:
        """Where untrusted code and queries run."""

    @property
    def datasets(self) -> Datasets:
        """The tables that may be queried."""

    @property
    def dashboards(self) -> Dashboards:
        """Where dashboards are kept."""

    @property
    def studies(self) -> StudyShelf:
        """Limits and studies that are kept by name."""

    @property
    def own_tables(self) -> OrganisationTables:
        """Tables of organisations' own databases."""

    @property
    def settings(self) -> Mapping[str, str]:
        """Settings of this pack: the `[packs.<name>]` table of `bancada.toml`."""


@dataclass(frozen=True, kw_only=True)
class PackTable:
    """A table that a pack brings."""

    name: str
    file: Callable[[], Path | None]
    """Its DuckDB file as it is now, asked for at each query; none where there is none."""
    words: Mapping[str, Words] = field(default_factory=dict)
    """What people call its columns, by their names in the file, the name to show first."""
    values: Mapping[str, Words] = field(default_factory=dict)
    """What people call its values, where that is not what stands in the cells."""
    row: Mapping[Language, tuple[str, str]] = field(default_factory=dict)
    """The word for a row, one and several."""
    kind: str = ""
    """The column that says what kind of thing a row is."""
    organisation_id: int | None = None
    """Whose table it is: to others it does not exist. None: everybody's."""
    fetch: Callable[[int, Person | None], Awaitable[Path | None]] | None = None
    """An organisation's own file, which comes before `file`: by the organisation's id, for whoever
    asks. None: it has none of its own. `ToolFailed`: it has, and it cannot be read."""


def table_version(file: Path) -> JSONObject:
    """Which contents a table's file has, and since when: `{version, at}`. Every answer that comes
    from one file says the same."""
    kept = file.stat()
    told = f"{file.name}:{kept.st_mtime_ns}:{kept.st_size}"
    at = datetime.fromtimestamp(kept.st_mtime, UTC).isoformat(timespec="seconds")
    return {"version": hashlib.sha256(told.encode()).hexdigest()[:12], "at": at}


@dataclass(frozen=True, kw_only=True)
class Pack:
    """What one pack brings."""

    name: str
    tools: Sequence[Tool] = ()
    names: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """What people call its tools, in Portuguese and in English; a tool may also bring its own."""
    in_words: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """One call of a tool in words, `{argument}` where an argument stands, in the same languages."""
    agents: Sequence[Agent] = ()
    """Created when missing, in demo mode; afterwards they belong to the administrator."""
    intents: Sequence[Intent] = ()
    starters: Callable[[Person, Sequence[str]], Sequence[str]] | None = None
    """Questions to begin with, for a person and an agent with these tools: shown for an agent that
    has none of its own. It may read files, so it is asked from a thread."""
    evaluation: Path | None = None
    """Scripted conversations with expectations, which `bancada eval` plays by the pack's name."""
    needs: Sequence[str] = ()
    """Packs whose tools its agents and intents use; `doctor` and the log say which are missing."""
    tables: Sequence[PackTable] = ()
    """What queries and code may read beside the files of a conversation."""
    resources: Sequence[PackResource] = ()
    """Documents that a person's MCP clients may read."""
    prompts: Sequence[PackPrompt] = ()
    """Ways to begin that a person's MCP clients show."""
    widgets: Mapping[str, Callable[[JSONObject], JSONObject]] = field(default_factory=dict)
    """By kind of widget: data that a client brings, as the pack's own tools would show them, or
    `ToolFailed` with what is wrong with them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools", [self._spoken(tool) for tool in self.tools])

    def _spoken(self, tool: Tool) -> Tool:
        names, words = self.names.get(tool.name), self.in_words.get(tool.name)
        return replace(
            tool,
            names=tool.names if names is None else dict(zip(LANGUAGES, names, strict=True)),
            in_words=tool.in_words if words is None else dict(zip(LANGUAGES, words, strict=True)),
        )

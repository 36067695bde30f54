"""A .csv or .xlsx becomes one read-only DuckDB file.

This is the work itself, done in a process of its own (`worker.py`, started by `process.py`):
the file comes from outside, and may be damaged, huge or hostile.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import duckdb

from bancada.data import statistics, table, textfile, workbook
from bancada.data.limits import DEFAULT_LIMITS, IngestLimits
from bancada.data.names import shown, stem, table_name
from bancada.data.notes import Notes
from bancada.data.problems import DataProblem, size_text
from bancada.data.table import Bench, Table
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Language

PREVIEW_ROWS = 10
HEAD_ROWS = 100

Progress = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Ingested:
    """A finished data set: where it is, which version it is, and what it holds."""

    path: Path
    sha256: str
    bytes: int
    summary: JSONObject
    """What the web's data card shows and `summary.message` puts into words."""
    head: list[list[JSON]]
    """The first hundred rows, for an agent that cannot query."""
    peak_memory: int = 0
    """Bytes that the worker held at most; zero where there was no worker."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table in the file; the first is the data set's own name."""
        return tuple(each["table"] for each in self.summary["tables"])


def ingest(
    source: Path,
    filename: str,
    target_folder: Path,
    *,
    name: str,
    taken: Collection[str] = (),
    limits: IngestLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    language: Language = "pt",
) -> Ingested:
    """Build `<target_folder>/<name>.duckdb` from a file; raises `DataProblem` when it cannot be.

    Must run with a working folder of its own as the current one: scraps are written there.
    """
    tell = progress or (lambda _: None)
    filename = shown(filename)
    extension = Path(filename).suffix.lower()
    if extension not in (".csv", ".xlsx"):
        raise DataProblem("wrong_type", name=filename)
    size = source.stat().st_size
    if size > limits.bytes:
        raise DataProblem(
            "too_large", name=filename, size=size_text(size), limit=size_text(limits.bytes)
        )
    scraps = Path.cwd()
    built = scraps / "built.duckdb"
    with _database(built, limits) as db:
        bench = Bench(db=db, folder=scraps, limits=limits, name=filename)
        build = _from_csv if extension == ".csv" else _from_workbook
        with _watched(db, scraps / table.COPY, size, lambda part: tell(0.1 + 0.7 * part)):
            tables, notes = build(bench, source, filename, set(taken), lambda p: tell(0.1 * p))
        summary = _summary(db, filename, tables, notes, language, lambda p: tell(0.8 + 0.15 * p))
        head = statistics.first_rows(db, tables[0][0], HEAD_ROWS)
        db.execute("CHECKPOINT")
    digest = _sha256(built)
    # Readers only ever see a whole file: it gets its name once it is closed and read-only.
    os.chmod(built, 0o444)
    path = target_folder / f"{name}.duckdb"
    os.replace(built, path)
    tell(1.0)
    return Ingested(path=path, sha256=digest, bytes=path.stat().st_size, summary=summary, head=head)


_Built = tuple[list[tuple[Table, str | None]], Notes]
"""Tables with the sheets they came from, and what is to be said of the file as a whole."""


def _from_csv(
    bench: Bench, source: Path, filename: str, taken: set[str], progress: Progress
) -> _Built:
    if workbook.looks_like_workbook(source):
        raise DataProblem("is_workbook", name=filename)
    linked = bench.folder / "source.csv"
    linked.symlink_to(source.resolve())
    text = textfile.as_utf8(linked, bench.folder / "utf8.csv", name=filename, progress=progress)
    own = table_name(stem(filename), taken)
    rejected = table_name(f"{own}_rejected", taken | {own})
    return [(table.from_csv(bench, text.path, own, rejected), None)], Notes()


def _from_workbook(
    bench: Bench, source: Path, filename: str, taken: set[str], progress: Progress
) -> _Built:
    workbook.check(source, bench.limits, name=filename)
    progress(1.0)
    notes = Notes()
    built: list[tuple[Table, str | None]] = []
    used = set(taken)
    own = stem(filename)
    sheets = workbook.sheets(source, name=filename)
    only_header: DataProblem | None = None
    for sheet in islice(sheets, bench.limits.sheets):
        wanted = table_name(f"{own}_{sheet.name}" if built else own, used)
        rejected = table_name(f"{wanted}_rejected", used | {wanted})
        try:
            made = table.from_records(bench, sheet.records, wanted, rejected)
        except DataProblem as problem:
            # A sheet with headings and no rows is left out like an empty one, if others have rows.
            if problem.code != "only_header":
                raise
            only_header, made = problem, None
        if made is None:
            notes.add("empty_sheet", sheet=sheet.name)
            continue
        used |= {wanted} | ({rejected} if made.rejected else set())
        built.append((made, sheet.name))
    if left := [sheet.name for sheet in sheets]:
        notes.add("sheets_left_out", limit=bench.limits.sheets, sheets=", ".join(left)[:200])
    if not built:
        raise only_header or DataProblem("empty", name=filename)
    return built, notes


def _summary(
    db: duckdb.DuckDBPyConnection,
    filename: str,
    tables: list[tuple[Table, str | None]],
    notes: Notes,
    language: Language,
    progress: Progress,
) -> JSONObject:
    described = []
    problems = notes.told(language)
    for index, (each, sheet) in enumerate(tables):
        about = statistics.describe(
            db,
            each,
            rows=PREVIEW_ROWS,
            progress=lambda part, index=index: progress((index + part) / len(tables)),
        )
        told = each.notes.told(language)
        if sheet is not None and len(tables) > 1:
            told = [{**note, "sheet": sheet} for note in told]
        problems = [*told, *problems]
        described.append({**about, "sheet": sheet, "rejected": each.rejected})
    return {"name": filename, **described[0], "problems": problems, "tables": described}


@contextmanager
def _database(path: Path, limits: IngestLimits) -> Iterator[duckdb.DuckDBPyConnection]:
    db = duckdb.connect(
        str(path),
        config={
            "memory_limit": f"{limits.memory // 1024}KiB",
            "threads": limits.threads,
            "temp_directory": str(path.parent / "spill"),
            "max_temp_directory_size": f"{limits.disk // 1024}KiB",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "python_enable_replacements": "false",
        },
    )
    try:
        db.execute("SET TimeZone = 'UTC'")
        db.execute("SET enable_progress_bar = true")
        db.execute("SET enable_progress_bar_print = false")
        yield db
    finally:
        db.close()


@contextmanager
def _watched(
    db: duckdb.DuckDBPyConnection, copy: Path, size: int, tell: Progress
) -> Iterator[None]:
    """Tell a few times a second how far the running statement is, or the regular copy."""
    finished = threading.Event()

    def watch() -> None:
        furthest = 0.0
        while not finished.wait(0.2):
            copied = 0.0
            with suppress(OSError):  # not begun, or used up
                copied = copy.stat().st_size / max(size, 1)
            furthest = max(furthest, min(1.0, db.query_progress() / 100), min(copied / 2, 0.5))
            tell(furthest)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

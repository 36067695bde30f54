"""A .csv or .xlsx becomes one read-only DuckDB file.

This is the work itself, done inside the wall (`worker.py`, opened by `process.py`): the file
comes from outside, and may be damaged, huge or hostile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from bancada.data import statistics, table, textfile, workbook
from bancada.data.limits import DEFAULT_LIMITS, IngestLimits
from bancada.data.names import shown, stem, table_name
from bancada.data.notes import Notes
from bancada.data.problems import DataProblem, size_text
from bancada.data.table import Bench, FinishedTable
from bancada.data.workbook import Book, Sheet
from bancada.domain.json import JSON, JSONObject

MADE = "built.duckdb"
"""The file as it is called where it is built."""
PREVIEW_ROWS = 10
HEAD_ROWS = 100
_MAX_LISTED = 300
"""Characters of a list of sheets in a sentence."""

Progress = Callable[[float], None]


@dataclass(frozen=True, kw_only=True)
class Built:
    """What was read of a file; the data set itself lies in the current folder as `MADE`."""

    summary: JSONObject
    head: list[list[JSON]]


def build(
    source: Path,
    filename: str,
    *,
    taken: Collection[str] = (),
    limits: IngestLimits = DEFAULT_LIMITS,
    progress: Progress | None = None,
    sheet: str | None = None,
) -> Built:
    """Build `MADE` in the current folder from a file; raises `DataProblem` when it cannot be.

    Must run with a working folder of its own as the current one: scraps are written there.
    """
    tell = progress or (lambda _: None)
    filename = shown(filename)
    extension = Path(filename).suffix.lower()
    if extension not in (".csv", ".xlsx"):
        raise DataProblem("wrong_type", name=filename)
    if sheet is not None and extension == ".csv":
        raise DataProblem("no_sheets", name=filename)
    size = source.stat().st_size
    if size > limits.bytes:
        raise DataProblem(
            "too_large", name=filename, size=size_text(size), limit=size_text(limits.bytes)
        )
    scraps = Path.cwd()
    with _database(scraps / MADE, limits) as db:
        bench = Bench(db=db, folder=scraps, limits=limits, name=filename)
        with _watched(db, scraps / table.COPY, size, lambda part: tell(0.1 + 0.7 * part)):
            if extension == ".csv":
                built = _from_csv(bench, source, set(taken), lambda p: tell(0.1 * p))
            else:
                built = _from_workbook(bench, source, set(taken), sheet, lambda p: tell(0.1 * p))
        summary = _summary(db, filename, built, lambda p: tell(0.8 + 0.15 * p))
        head = statistics.first_rows(db, built.tables[0][0], HEAD_ROWS)
        db.execute("CHECKPOINT")
    tell(1.0)
    return Built(summary=summary, head=head)


@dataclass(frozen=True)
class _Tables:
    """Tables with the sheets they came from, and what is to be said of the file as a whole."""

    tables: list[tuple[FinishedTable, str | None]] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    sheets: Sequence[Sheet] = ()
    """Every sheet of a workbook, read or not."""


def _from_csv(bench: Bench, source: Path, taken: set[str], progress: Progress) -> _Tables:
    if workbook.looks_like_workbook(source):
        raise DataProblem("is_workbook", name=bench.name)
    linked = bench.folder / "source.csv"
    linked.symlink_to(source.resolve())
    text = textfile.as_utf8(linked, bench.folder / "utf8.csv", name=bench.name, progress=progress)
    own = table_name(stem(bench.name), taken)
    rejected = table_name(f"{own}_rejected", taken | {own})
    return _Tables([(table.from_csv(bench, text, own, rejected), None)])


def _from_workbook(
    bench: Bench, source: Path, taken: set[str], wanted: str | None, progress: Progress
) -> _Tables:
    workbook.check(source, bench.limits, name=bench.name)
    progress(1.0)
    book = Book(source, name=bench.name)
    built = _Tables(sheets=book.sheets)
    if wanted is not None:
        _read_one(bench, book, built, taken, wanted)
    else:
        _read_all(bench, book, built, taken)
    return built


def _read_one(bench: Bench, book: Book, built: _Tables, taken: set[str], wanted: str) -> None:
    """The sheet that was asked for by its name."""
    sheet = book.find(wanted)
    if sheet is None:
        raise DataProblem(
            "no_sheet", name=bench.name, sheet=wanted[:100], sheets=_listed(book.sheets)
        )
    _read(bench, book, built, taken, sheet, f"{stem(bench.name)}_{sheet.name}")
    if not built.tables:
        raise DataProblem("empty_sheet", name=bench.name, sheet=sheet.name)
    if others := [each for each in book.sheets if each is not sheet]:
        built.notes.add("other_sheets", sheet=sheet.name, sheets=_listed(others))


def _read_all(bench: Bench, book: Book, built: _Tables, taken: set[str]) -> None:
    """Every visible sheet; the hidden ones where no other has rows."""
    visible = [sheet for sheet in book.sheets if not sheet.hidden]
    hidden = [sheet for sheet in book.sheets if sheet.hidden]
    used = set(taken)
    only_header: DataProblem | None = None
    for group in (visible, hidden):
        for sheet in group[: bench.limits.sheets]:
            own = stem(bench.name)
            name = f"{own}_{sheet.name}" if built.tables else own
            only_header = _read(bench, book, built, used, sheet, name) or only_header
        if left := group[bench.limits.sheets :]:
            built.notes.add("sheets_left_out", limit=bench.limits.sheets, sheets=_listed(left))
        if built.tables:
            break
    if not built.tables:
        raise only_header or DataProblem("empty", name=bench.name)
    if hidden:
        code = "hidden_sheets" if group is visible else "hidden_read"
        built.notes.add(code, sheets=_listed(hidden))


def _read(
    bench: Bench, book: Book, built: _Tables, used: set[str], sheet: Sheet, name: str
) -> DataProblem | None:
    """Add a sheet's table. One without rows is noted, and the problem with it returned."""
    wanted = table_name(name, used)
    rejected = table_name(f"{wanted}_rejected", used | {wanted})
    try:
        made = table.from_sheet(bench, book.read(sheet), wanted, rejected)
    except DataProblem as problem:
        if problem.code != "only_header":
            raise
        built.notes.add("heading_sheet", sheet=sheet.name, text=problem.wording.parts["text"])
        return problem
    if made is None:
        built.notes.add("empty_sheet", sheet=sheet.name)
        return None
    used |= {wanted} | ({rejected} if made.rejected else set())
    built.tables.append((made, sheet.name))
    return None


def _listed(sheets: Sequence[Sheet]) -> str:
    text = ", ".join(sheet.name for sheet in sheets)
    return text if len(text) <= _MAX_LISTED else f"{text[: _MAX_LISTED - 1]}…"


def _summary(
    db: duckdb.DuckDBPyConnection, filename: str, built: _Tables, progress: Progress
) -> JSONObject:
    described: list[JSONObject] = []
    for index, (each, sheet) in enumerate(built.tables):
        about = statistics.describe(
            db,
            each,
            rows=PREVIEW_ROWS,
            progress=lambda part, index=index: progress((index + part) / len(built.tables)),
        )
        notes = [note.as_json() for note in each.notes.all()]
        described.append({**about, "sheet": sheet, "rejected": each.rejected, "notes": notes})
    read = {each["sheet"]: each["table"] for each in described}
    return {
        "name": filename,
        **described[0],
        "notes": [note.as_json() for note in built.notes.all()],
        "tables": described,
        "sheets": [
            {"name": sheet.name, "hidden": sheet.hidden, "table": read.get(sheet.name)}
            for sheet in built.sheets
        ],
    }


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
        # It compares every expression with every other: seconds, where there are hundreds.
        db.execute("SET disabled_optimizers = 'common_subexpressions'")
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

"""The ingest as the server runs it: inside the wall, bounded, watched and cleaned up after."""

from __future__ import annotations

import asyncio
import os
import stat

import duckdb
import pytest

from bancada.data.limits import IngestLimits
from tests.data.desk import Room
from tests.data.sheets import packed

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_file_is_whole_read_only_and_known_by_its_hash(room: Room) -> None:
    made = await room.send("defeitos.csv", "id,tipo\n1,lixo\n")
    assert [path.name for path in room.kept.iterdir()] == ["made.duckdb"]
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o400
    assert made.bytes == made.path.stat().st_size
    assert len(made.sha256) == 64
    with duckdb.connect(str(made.path), read_only=True) as db:
        assert db.execute("SELECT * FROM defeitos").fetchall() == [(1, "lixo")]


async def test_progress_is_told_and_only_grows(room: Room) -> None:
    told: list[float] = []
    text = "n,x\n" + "".join(f"{n},{n % 7}\n" for n in range(300_000))
    await room.send("a.csv", text, progress=told.append)
    assert len(told) >= 4
    assert told == sorted(told)
    assert told[-1] == 1.0


async def test_a_cancelled_upload_leaves_nothing(room: Room) -> None:
    started = asyncio.Event()
    text = "n,x\n" + "".join(f"{n},{n % 7}\n" for n in range(400_000))
    upload = asyncio.create_task(room.send("a.csv", text, progress=lambda _: started.set()))
    await started.wait()
    upload.cancel()
    with pytest.raises(asyncio.CancelledError):
        await upload
    assert list(room.kept.iterdir()) == []


async def test_the_worker_sees_none_of_our_environment(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A worker that heeded this would fail before its first word.
    monkeypatch.setenv("PYTHONSTARTUP", "/nonexistent")
    monkeypatch.setenv("PYTHONHOME", "/nonexistent")
    assert (await room.send("a.csv", "a,b\n1,2\n")).summary["rows"] == 1


@pytest.mark.parametrize("filename", ["a.txt", "a.xls", "a.csv.exe", "a", "a.parquet", ".csv"])
async def test_other_types_are_refused(room: Room, filename: str) -> None:
    problem = await room.refused(filename, "a,b\n1,2\n")
    assert problem.code == "wrong_type"
    assert problem.status == 400
    assert ".csv" in problem.wording.told("pt")
    assert ".csv" in problem.wording.told("en")


@pytest.mark.parametrize(
    "content", [b"", b"\n\n", b"   \r\n", b"\xef\xbb\xbf", b"\xff\xfe", b";;\n;;\n"]
)
async def test_an_empty_file_is_refused(room: Room, content: bytes) -> None:
    assert (await room.refused("a.csv", content)).code == "empty"


async def test_a_heading_alone_is_refused(room: Room) -> None:
    assert (await room.refused("a.csv", "id,tipo\n")).code == "only_header"


@pytest.mark.parametrize(
    "content",
    [b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40, b"\x7fELF" + bytes(500), os.urandom(5000)],
    ids=["png", "elf", "noise"],
)
async def test_a_binary_named_csv_is_refused(room: Room, content: bytes) -> None:
    assert (await room.refused("a.csv", content)).code == "not_text"


async def test_a_workbook_named_csv_is_refused_with_advice(room: Room) -> None:
    problem = await room.refused("a.csv", packed({"xl/workbook.xml": "<workbook/>"}))
    assert problem.code == "is_workbook"
    assert ".xlsx" in problem.wording.told("pt")


async def test_a_file_over_the_size_limit_is_refused(room: Room) -> None:
    problem = await room.refused("a.csv", "a,b\n" + "1,2\n" * 1000, limits=IngestLimits(bytes=1024))
    assert problem.code == "too_large"
    assert problem.status == 413
    assert "1 KB" in problem.wording.told("pt")


async def test_too_many_columns_are_refused(room: Room) -> None:
    text = ",".join(f"c{n}" for n in range(1500)) + "\n" + ",".join("1" for _ in range(1500))
    assert (await room.refused("a.csv", text)).code == "too_many_columns"


@pytest.mark.parametrize("tail", ["", "3,4,5\n"], ids=["clean", "ragged"])
async def test_too_many_rows_are_refused(room: Room, tail: str) -> None:
    text = "a,b\n" + "1,2\n" * 2000 + tail
    assert (await room.refused("a.csv", text, limits=IngestLimits(rows=1000))).code == (
        "too_many_rows"
    )


async def test_a_line_without_end_is_refused(room: Room) -> None:
    assert (await room.refused("a.csv", "a,b\n" + "x" * 3_000_000)).code == "line_too_long"


async def test_an_ingest_that_takes_too_long_is_killed(room: Room) -> None:
    text = "n,x\n" + "".join(f"{n},{n % 7}\n" for n in range(400_000))
    problem = await room.refused("a.csv", text, limits=IngestLimits(seconds=0.2))
    assert problem.code == "too_slow"
    assert "0.2" in problem.wording.told("pt")


async def test_an_ingest_that_needs_too_much_memory_is_stopped(room: Room) -> None:
    text = "n,x\n" + "".join(f"{n},{n % 7}\n" for n in range(300_000))
    little = IngestLimits(memory=8 * 1024 * 1024)
    problem = await room.refused("a.csv", text, limits=little)
    assert problem.code == "too_heavy"


async def test_a_sheet_that_claims_the_whole_grid_is_stopped(room: Room) -> None:
    name = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    far = f'<worksheet {name}><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row></sheetData></worksheet>'  # fmt: skip
    related = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    content = packed(
        {
            "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "_rels/.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{related}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
            "xl/workbook.xml": f'<workbook {name} xmlns:r="{related}"><sheets><sheet name="F" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}"><Relationship Id="r1" Type="{related}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
            "xl/worksheets/sheet1.xml": far,
        }
    )
    assert (await room.refused("a.xlsx", content)).code in ("too_heavy", "too_many_columns")

"""Files made to hurt their reader, and a reader that was taken over: neither gets any further."""

from __future__ import annotations

import io
import os
import socket
import stat
import subprocess
import sys
import textwrap
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from bancada.data import process
from bancada.data.limits import IngestLimits
from bancada.data.problems import DataProblem
from tests.data.desk import Room
from tests.data.sheets import packed, workbook

pytestmark = pytest.mark.asyncio(loop_scope="session")

MB = 1 << 20
LITTLE = IngestLimits(seconds=20, unpacked_bytes=32 * MB, disk=48 * MB, memory=64 * MB)
FINE = "id,tipo\n1,lixo\n2,gordura\n"
GOOD = workbook({"F": [["id", "nome"], [1, "a"], [2, "b"]]})


def changed(**parts: str | bytes) -> bytes:
    """A workbook that is well made but for these parts."""
    with zipfile.ZipFile(io.BytesIO(GOOD)) as package:
        every = {name: package.read(name) for name in package.namelist()}
    named = {"sheet": "xl/worksheets/sheet1.xml", "book": "xl/workbook.xml"}
    every |= {named.get(name, name): _bytes(content) for name, content in parts.items()}
    return packed(every)


def _bytes(content: str | bytes) -> bytes:
    return content if isinstance(content, bytes) else content.encode()


_NS = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sheet(inside: str, before: str = "") -> str:
    return (
        f"<?xml version='1.0'?>{before}<worksheet {_NS}><sheetData>{inside}</sheetData></worksheet>"
    )


def _laughs() -> bytes:
    lines = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 10))
    before = f"<!DOCTYPE worksheet [<!ENTITY l0 'lol'>{lines}]>"
    cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&l9;</t></is></c></row>'
    return changed(sheet=sheet(cell, before))


def _strangers_entity() -> bytes:
    before = "<!DOCTYPE worksheet [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
    cell = '<row r="1"><c r="A1" t="inlineStr"><is><t>&x;</t></is></c></row>' * 2
    return changed(sheet=sheet(cell, before))


def _linked() -> bytes:
    """A part that is a symbolic link, as some archivers write them."""
    file = io.BytesIO(GOOD)
    with zipfile.ZipFile(file, "a") as package:
        link = zipfile.ZipInfo("xl/worksheets/sheet9.xml")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        package.writestr(link, "/etc/passwd")
    return file.getvalue()


def _overlapping() -> bytes:
    """Many names in the directory for one and the same megabyte."""
    file = io.BytesIO(GOOD)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/a", bytes(4 * MB))
        one = package.getinfo("xl/a")
        for number in range(200):
            same = zipfile.ZipInfo(f"xl/a{number}")
            for name in ("header_offset", "CRC", "compress_size", "file_size", "compress_type"):
                setattr(same, name, getattr(one, name))
            package.filelist.append(same)
            package.NameToInfo[same.filename] = same
    return file.getvalue()


def _outside_names() -> bytes:
    return changed(**{"../../../../tmp/escaped": "x", "/tmp/escaped": "x", "xl/../../x": "x"})


FILES: dict[str, tuple[str, Callable[[], str | bytes]]] = {
    "a zip bomb": ("a.xlsx", lambda: changed(sheet=b" " * (64 * MB))),
    "overlapping parts": ("a.xlsx", _overlapping),
    "a billion laughs": ("a.xlsx", _laughs),
    "an entity from the machine": ("a.xlsx", _strangers_entity),
    "a link inside the zip": ("a.xlsx", _linked),
    "names that lead out of the zip": ("a.xlsx", _outside_names),
    "tags nested without end": ("a.xlsx", lambda: changed(sheet=sheet("<row>" * 300_000))),
    "a cell of thirty megabytes": (
        "a.xlsx",
        lambda: changed(
            sheet=sheet(
                f'<row r="1"><c r="A1" t="inlineStr"><is><t>{"x" * (30 * MB)}</t></is></c></row>'
            )
        ),
    ),
    "twenty thousand sheets": (
        "a.xlsx",
        lambda: changed(
            book=f"<workbook {_NS} xmlns:r='http://schemas.openxmlformats.org/officeDocument/2006/"
            "relationships'><sheets>"
            + "".join(f'<sheet name="S{n}" sheetId="{n}" r:id="r1"/>' for n in range(1, 20_000))
            + "</sheets></workbook>"
        ),
    ),
    "strings that are not there": (
        "a.xlsx",
        lambda: changed(
            sheet=sheet('<row r="1"><c r="A1" t="s"><v>4000000000</v></c></row>' * 2),
            **{"xl/sharedStrings.xml": f'<sst {_NS} count="4000000000" uniqueCount="4000000000"/>'},
        ),
    ),
    "a million merged cells": (
        "a.xlsx",
        lambda: changed(
            sheet=sheet('<row r="1"><c r="A1"><v>1</v></c></row>').replace(
                "</worksheet>",
                "<mergeCells>" + '<mergeCell ref="A1:XFD1048576"/>' * 100_000 + "</mergeCells></worksheet>",
            )
        ),
    ),
    "a million columns": ("a.csv", lambda: ",".join(["c"] * 1_000_000) + "\n" + "," * 999_999 + "\n"),
    "one line of forty megabytes": ("a.csv", lambda: "a,b\n" + "x" * (40 * MB)),
    "a quote that never closes": ("a.csv", lambda: 'a,b\n1,"' + "x\n" * 500_000),
    "a cell full of delimiters": ("a.csv", lambda: "a,b\n" + '"' + "," * 900_000 + '",1\n'),
    "text that says it is UTF-16": ("a.csv", lambda: b"\xff\xfe" + b"\x00\xd8" * 2_000_000),
    "a gigabyte that is not there": ("a.xlsx", lambda: GOOD[:-22] + GOOD[-22:].replace(b"\x00", b"\xff")),
}  # fmt: skip


@pytest.mark.parametrize("attempt", FILES)
async def test_a_file_made_to_hurt_is_refused_or_read_within_bounds(
    room: Room, attempt: str
) -> None:
    name, made = FILES[attempt]
    with suppress(DataProblem):
        read = await room.send(name, made(), limits=LITTLE)
        assert "root:" not in str(read.summary)
        read.path.unlink()
    assert list(room.kept.iterdir()) == []
    assert not Path("/tmp/escaped").exists()
    assert (await room.send("fine.csv", FINE)).summary["rows"] == 2


# ---------------------------------------------------------------------------- a reader taken over

HONEST = """
from bancada.data.worker import read
result = read(input, tell)
"""
ESCAPES = {
    "reads a secret of the server": "print(open('{secret}').read()); ESCAPED()",
    "reads other data sets": "import os; os.listdir('{kept}'); ESCAPED()",
    "reads the environment": "open('/proc/self/environ').read(); ESCAPED()",
    "writes beside the data sets": "open('{kept}/x.duckdb', 'w').close(); ESCAPED()",
    "changes the file it was given": "open(input['source'], 'r+b').write(b'x'); ESCAPED()",
    "connects to the server": "import socket; socket.create_connection(('127.0.0.1', {port}), 2); ESCAPED()",
    "starts a program": "import subprocess; subprocess.run(['/bin/true'], check=True); ESCAPED()",
    "signals the server": "import os; os.kill({pid}, 0); ESCAPED()",
    "opens its output to everybody": "import os; os.chown('.', 0, 0); ESCAPED()",
}  # fmt: skip
"""Each is tried before the file is read, inside and, to see that it could, outside."""


def _filled(code: str, room: Room, port: int) -> str:
    secret = room.folder / "secret"
    secret.write_text("canary")
    secret.chmod(0o666)
    room.kept.mkdir(exist_ok=True)
    places = {"secret": secret, "kept": room.kept, "port": port, "pid": os.getpid()}
    for name, value in places.items():
        code = code.replace("{" + name + "}", str(value))
    return code


@pytest.mark.parametrize("attempt", ESCAPES)
async def test_a_reader_that_was_taken_over_reaches_nothing(
    room: Room, attempt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        code = _filled(ESCAPES[attempt], room, listening.getsockname()[1])
        hostile = (
            "def ESCAPED(): input['filename'] = 'ESCAPED.csv'\n"
            f"try:\n    {code}\nexcept (OSError, ImportError): pass\n{HONEST}"
        )
        monkeypatch.setattr(process, "_READ", hostile)
        made = await room.send("fine.csv", FINE)
    assert made.summary["name"] == "fine.csv"
    assert [path.name for path in room.kept.iterdir()] == ["made.duckdb"]


@pytest.mark.skipif(os.getuid() != 0, reason="some attempts succeed for root alone")
@pytest.mark.parametrize("attempt", ESCAPES)
async def test_outside_the_wall_it_would(room: Room, attempt: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        code = _filled(ESCAPES[attempt], room, listening.getsockname()[1])
        source = room.folder / "received"
        source.write_text(FINE)
        program = f"input = {{'source': {str(source)!r}}}\ndef ESCAPED(): print('ESCAPED')\n{code}"
        ran = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, cwd=room.folder
        )
    (room.kept / "x.duckdb").unlink(missing_ok=True)
    assert "ESCAPED" in ran.stdout, ran.stderr


TAKEN_OVER = {
    "a link in the data set's place": """
        import os
        os.unlink('built.duckdb'); os.symlink('/etc/passwd', 'built.duckdb')
    """,
    "a folder in the data set's place": """
        import os
        os.unlink('built.duckdb'); os.mkdir('built.duckdb')
    """,
    "no data set": "import os; os.unlink('built.duckdb')",
    "a link in the folder's place": """
        import os
        os.rename(os.getcwd(), os.getcwd() + '.old'); os.symlink('/etc', os.path.join('..', 'output'))
    """,
    "another's table": """
        import json
        told = json.loads(result); told['done']['summary']['tables'][0]['table'] = 'reserved'
        result = json.dumps(told)
    """,
    "a table's name that is SQL": """
        import json
        told = json.loads(result); told['done']['summary']['tables'][0]['table'] = 'x"; DROP'
        result = json.dumps(told)
    """,
    "another file's name": """
        import json
        told = json.loads(result); told['done']['summary']['name'] = 'contas.csv'
        result = json.dumps(told)
    """,
    "words in place of figures": """
        import json
        told = json.loads(result); told['done']['summary']['rows'] = 'muitas'
        result = json.dumps(told)
    """,
    "a problem nobody knows": """
        import json
        result = json.dumps(dict(problem=dict(code='x', parts=dict())))
    """,
    "an answer that is none": "result = [1]",
    "no JSON": "result = '{'",
    "an answer without end": "result = 'x' * (80 << 20)",
    "progress without end": "while True: tell(0.5)",
    "progress that is none": "tell(7.0)",
    "memory without end": "kept = [bytearray(64 << 20) for _ in range(200)]",
    "a file without end": """
        with open('big', 'wb') as file:
            while True: file.write(bytes(1 << 20))
    """,
    "files without end": """
        for number in range(1_000_000): open(str(number), 'w').close()
    """,
    "a full disk": """
        import time
        for number in range(64):
            with open(str(number), 'wb') as file: file.write(bytes(4 << 20))
        time.sleep(10)
    """,
    "folders within folders": """
        import os, time
        for _ in range(1500): os.mkdir('d'); os.chdir('d')
        time.sleep(10)
    """,
    "time without end": "while True: pass",
    "its own end": "import os; os._exit(0)",
    "a crash": "import ctypes; ctypes.string_at(8)",
}


@pytest.mark.parametrize("attempt", TAKEN_OVER)
async def test_what_a_taken_over_reader_leaves_is_not_believed(
    room: Room, attempt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostile = HONEST + textwrap.dedent(TAKEN_OVER[attempt])
    monkeypatch.setattr(process, "_READ", hostile)
    monkeypatch.setattr(process, "_MAX_ANSWER", 8 * MB)
    limits = IngestLimits(seconds=3, disk=64 * MB, memory=64 * MB)
    problem = await room.refused("fine.csv", FINE, taken=("reserved",), limits=limits)
    assert problem.code in ("corrupt", "too_heavy", "too_slow")


async def test_nothing_is_written_to_a_data_set_once_it_is_taken(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader's threads go on after its answer, until they are ended; then the file is looked at."""
    late = """
        import threading
        file = open('built.duckdb', 'r+b', buffering=0)
        def go_on():
            while True: file.seek(0); file.write(b'late')
        for _ in range(8): threading.Thread(target=go_on, daemon=True).start()
    """
    monkeypatch.setattr(process, "_READ", HONEST + textwrap.dedent(late))
    made = await room.send("fine.csv", FINE)
    before = made.path.read_bytes()
    assert room.sandbox.containers() == []
    assert made.path.read_bytes() == before
    assert made.bytes == len(before)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o400
    assert made.path.stat().st_uid == os.getuid()


async def test_there_are_enough_attempts() -> None:
    assert len(FILES) + len(ESCAPES) + len(TAKEN_OVER) >= 45

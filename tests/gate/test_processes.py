"""Several processes at one database: no row is lost, the chain is whole, nobody is locked out."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from tempfile import TemporaryFile

import pytest

from bancada.store.database import open_database
from bancada.store.upgrade import HEAD, revision
from tests.forks import forked
from tests.house import House


async def run(program: str, *arguments: str) -> tuple[str, str]:
    """Run a module in another process; what it said, on both streams."""
    with TemporaryFile() as errors:
        process = await forked(program, *arguments, stdout=asyncio.subprocess.PIPE, stderr=errors)
        out = await process.said()
        errors.seek(0)
        err = errors.read()
    assert await process.wait() == 0, err.decode()
    return out.decode(), err.decode()


async def hammered(house: House, url: str, *, processes: int, calls: int) -> None:
    """Let them all call at once, then look at what is there."""
    names = [f"p{n}" for n in range(processes)]
    ids = (str(house.organisation_id), str(house.ana.id))

    said = await asyncio.gather(
        *(run("tests.gate.hammer", url, *ids, str(calls), name) for name in names)
    )

    codes: Counter[str] = Counter()
    for out, err in said:
        codes.update(json.loads(out))
        assert "locked" not in err
        assert err == ""
    missing = len(range(2, calls, 3))
    assert codes == {"ok": (calls - missing) * processes, "unknown_tool": missing * processes}
    verdict = await house.verify()
    assert verdict.ok, verdict
    lines = await house.lines()
    assert Counter(line["call_id"] for line in lines) == Counter(
        f"{name}_{n}" for name in names for n in range(calls)
    )
    assert Counter(line["state"] for line in lines) == {
        "ended": codes["ok"],
        "refused": codes["unknown_tool"],
    }
    entries = [entry["number"] for line in lines for entry in line["entries"]]
    assert sorted(entries) == list(range(1, len(entries) + 1))


async def test_two_processes_hammer_one_database(house: House, database_url: str) -> None:
    await hammered(house, database_url, processes=2, calls=90)


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_four_processes_hammer_one_database_for_long(house: House, database_url: str) -> None:
    await hammered(house, database_url, processes=4, calls=3000)


async def test_processes_that_start_at_once_on_a_new_database_all_start(empty_url: str) -> None:
    said = await asyncio.gather(*(run("tests.gate.start", empty_url) for _ in range(3)))

    assert len({out for out, _ in said}) == 1, "they found the same person"
    database = open_database(empty_url)
    assert await revision(database) == HEAD
    await database.close()

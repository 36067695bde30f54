"""Data: counting defects against reading the file at each call, and uploads against pandas.

`python -m bench.data` prints ratios; each baseline is measured in the same run. The rows of
the large log are drawn at random over two years, forty operators and sixty racks, so hardly
any two are alike: the worst case for counts that are kept by combination.
"""

from __future__ import annotations

import asyncio
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from bench._figures import figure
from bench._wall import walled

from bancada import Person, Tool, ToolContext
from bancada.data.process import OpenSandbox, ingest_file
from bancada.packs.quality import DEMO
from bancada.packs.quality.counting import counting_tools
from bancada.packs.quality.defects import Defects
from bancada.packs.quality.logs import Logs
from bancada.packs.quality.sources import LogFiles


class NoTables:
    """No organisation has a log of its own in a database."""

    possible = False

    def offer(self, name: str, **how: Any) -> None:
        pass

    async def read(self, organisation_id: int, name: str, **how: Any) -> None:
        return None


def large_log(path: Path, rows: int) -> None:
    """A log of many rows, drawn from a seed."""
    chance, log = np.random.default_rng(2026), pd.read_csv(DEMO)
    days = np.datetime64("2025-01-01") + chance.integers(0, 730, rows)
    frame = pd.DataFrame(
        {
            "id": np.arange(1, rows + 1),
            "data": days.astype(str),
            "turno": chance.choice(log["turno"].unique(), rows),
            "operador": chance.choice([f"op{n:02}" for n in range(40)], rows),
            "tipo_defeito": chance.choice(log["tipo_defeito"].unique(), rows),
            "material": chance.choice(log["material"].unique(), rows),
            "rack": chance.choice([f"R{n:02}" for n in range(60)], rows),
            "posicao": chance.integers(1, 9, rows),
        },
        columns=log.columns,
    )
    frame.to_csv(path, index=False)


async def median_ms(once: Callable[[], Awaitable[Any]], times: int) -> float:
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        await once()
        taken.append(1000 * (time.perf_counter() - start))
    return statistics.median(taken)


async def counting(log: Path, folder: Path, *, times: int, reads: int, aim: float) -> None:
    """`contar_defeitos` on resident data against `pandas.read_csv` and a count at each call."""
    logs = Logs(Defects(LogFiles(log), folder), 1, NoTables(), folder)
    tool = next(one for one in counting_tools(logs) if one.name == "contar_defeitos")
    start = time.perf_counter()
    told = await call(tool)
    first = 1000 * (time.perf_counter() - start)
    ours = {name: told[name] for name in ("total", "por_tipo")}

    async def read_and_count() -> dict[str, Any]:
        found = pd.read_csv(log)["tipo_defeito"].value_counts()
        return {"total": int(found.sum()), "por_tipo": {k: int(n) for k, n in found.items()}}

    assert ours == await read_and_count(), "the two ways must agree"
    shifts = iter(range(10_000_000))

    async def filtered() -> Any:
        # A new period each time: nothing here can be an answer kept from before.
        day = np.datetime64("2025-01-01") + next(shifts) % 700
        return await call(tool, turno="noite", data_inicio=str(day))

    pandas_ms = await median_ms(read_and_count, reads)
    whole_ms = await median_ms(lambda: call(tool), times)
    some_ms = await median_ms(filtered, times)
    print(f"{ours['total']:>9,} rows  pandas.read_csv + count  {pandas_ms:9.3f} ms")
    print(f"{'':>14}  first call (reads the log) {first:6.1f} ms")
    for name, ms in (("contar_defeitos()", whole_ms), ("contar_defeitos(filters)", some_ms)):
        ratio = pandas_ms / ms
        verdict = "ok" if ratio >= aim else "MISSED"
        print(f"{'':>14}  {name:<25} {ms:8.3f} ms  {ratio:8.1f}x  (aim {aim:g}x: {verdict})")
        what = f"{name}, {ours['total']:,} rows"
        figure(what, ms, pandas_ms, peer="pandas.read_csv and count", unit="ms", aim=1 / aim)


SUMMARY = """
import sys
import pandas as pd
frame = pd.read_csv(sys.argv[1])
frame.head(10).to_csv(index=False), frame.head(100).to_csv(index=False)
frame.describe().to_string()
for name in frame.select_dtypes(include=["object", "string"]).columns[:5]:
    frame[name].value_counts().head(5).to_dict()
status = open("/proc/self/status").read()
peak = int(status.split("VmHWM:")[1].split()[0]) / 1024
print(peak, len(frame))
"""


async def uploading(wall: OpenSandbox, log: Path, folder: Path, *, times: int) -> None:
    """An upload, to the typed DuckDB file and its summary, against pandas making the summary.

    Pandas is a process started for the purpose, ours a container forked behind the wall; ours
    leaves a file that can be queried, pandas leaves nothing. Peaks are of resident memory.
    """
    ours: list[tuple[float, ...]] = []
    theirs: list[tuple[float, ...]] = []
    for number in range(times):
        start = time.perf_counter()
        made = await ingest_file(wall, log, "large.csv", folder, name=f"upload{number}")
        ours.append((time.perf_counter() - start, made.peak_memory / 2**20))
        start = time.perf_counter()
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", SUMMARY, str(log)), stdout=asyncio.subprocess.PIPE
        )
        said, _ = await child.communicate()
        peak, rows = map(float, said.split())
        theirs.append((time.perf_counter() - start, peak))
        assert made.summary["rows"] == rows, "the two ways must agree"
    size, kept = log.stat().st_size / 2**20, made.bytes / 2**20
    print(f"upload of {rows:,.0f} rows ({size:.0f} MB): file kept {kept:.0f} MB")
    found = {"pandas, summary only": _medians(theirs), "ours, data set + summary": _medians(ours)}
    for name, (seconds, peak) in found.items():
        print(f"{'':>14}  {name:<25} {seconds:6.2f} s  peak {peak:5.0f} MB")
    peer = "pandas, summary only"
    figure(
        f"an upload of {rows:,.0f} rows",
        _medians(ours)[0],
        _medians(theirs)[0],
        peer=peer,
        unit="s",
    )
    figure("… its peak memory", _medians(ours)[1], _medians(theirs)[1], peer=peer, unit="MB")
    ratios = (a / b for a, b in zip(_medians(ours), _medians(theirs), strict=True))
    print(f"{'':>14}  ratios                    {'  '.join(f'{ratio:6.2f}' for ratio in ratios)}")


def _medians(measured: list[tuple[float, ...]]) -> list[float]:
    return [statistics.median(column) for column in zip(*measured, strict=True)]


async def call(tool: Tool, **input: Any) -> Any:
    assert tool.validator.problem(input) is None
    return await tool.run(_context(), input)


def _context() -> ToolContext:
    async def nobody(name: str, input: dict[str, Any]) -> Any:
        raise AssertionError(name)

    person = Person(id=1, organisation_id=1, email="b@b", name="b", role="operador")
    return ToolContext(person=person, call_id="b", call=nobody)


async def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small.csv"), Path(folder, "large.csv")
        shutil.copyfile(DEMO, small)
        large_log(large, 2_000_000)
        await counting(small, Path(folder), times=500, reads=200, aim=2)
        await counting(large, Path(folder), times=50, reads=3, aim=50)
        async with walled() as wall:
            await uploading(wall, large, Path(folder), times=3)


if __name__ == "__main__":
    asyncio.run(main())

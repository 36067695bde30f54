"""Run an ingest in a process that can be killed, and hear how far it is."""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection
from dataclasses import asdict
from pathlib import Path

import bancada
from bancada.data.ingest import Ingested
from bancada.data.limits import DEFAULT_LIMITS, IngestLimits
from bancada.data.names import shown
from bancada.data.problems import DataProblem
from bancada.domain.json import JSONObject, dumps, loads

logger = logging.getLogger(__name__)

_MAX_LINE = 64 * 1024 * 1024
"""The last line carries the summary; wide tables have long ones."""


_SCRAPS = ".ingest-"


def sweep(target_folder: Path) -> None:
    """Remove what ingests left behind when the server died; call it before the first one."""
    for scraps in target_folder.glob(f"{_SCRAPS}*"):
        shutil.rmtree(scraps, ignore_errors=True)


async def ingest_file(
    source: Path,
    filename: str,
    target_folder: Path,
    *,
    name: str,
    taken: Collection[str] = (),
    limits: IngestLimits = DEFAULT_LIMITS,
    progress: Callable[[float], None] | None = None,
    sheet: str | None = None,
) -> Ingested:
    """Turn `source` into `<target_folder>/<name>.duckdb`; see `ingest.ingest`.

    Nothing of a failed, cancelled or killed ingest is left behind.
    """
    filename = shown(filename)
    # Beside the target, so that the finished file can be renamed into place.
    scraps = tempfile.mkdtemp(prefix=_SCRAPS, dir=target_folder)
    job = {
        "source": str(source),
        "target_folder": str(target_folder),
        "scraps": scraps,
        "filename": filename,
        "name": name,
        "taken": sorted(taken),
        "sheet": sheet,
        "limits": asdict(limits),
    }
    try:
        done = await _work(job, filename, limits, progress or (lambda _: None))
    finally:
        # In a thread, and shielded: a cancelled upload must clean up too.
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, scraps, ignore_errors=True))
    return Ingested(
        path=Path(done["path"]),
        sha256=done["sha256"],
        bytes=done["bytes"],
        summary=done["summary"],
        head=done["head"],
        peak_memory=done["peak_memory"],
    )


async def _work(
    job: JSONObject, filename: str, limits: IngestLimits, progress: Callable[[float], None]
) -> JSONObject:
    worker = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-P", "-s", "-m", "bancada.data.worker"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(),
        limit=_MAX_LINE,
    )
    try:
        async with asyncio.timeout(limits.seconds):
            said, trace = await _talk(worker, job, progress)
    except TimeoutError:
        raise DataProblem("too_slow", name=filename, seconds=f"{limits.seconds:g}") from None
    finally:
        if worker.returncode is None:
            worker.kill()
            await worker.wait()
    if said is not None and "done" in said:
        done: JSONObject = said["done"]
        return done
    if said is not None and "problem" in said:
        raise DataProblem.of(said["problem"])
    # A signal is the kernel enforcing a bound, or a library giving up on one.
    logger.warning("ingest of %r ended with %s: %s", filename, worker.returncode, trace[-2000:])
    ended_by_signal = worker.returncode is None or worker.returncode < 0
    raise DataProblem("too_heavy" if ended_by_signal else "corrupt", name=filename)


async def _talk(
    worker: asyncio.subprocess.Process, job: JSONObject, progress: Callable[[float], None]
) -> tuple[JSONObject | None, str]:
    """Send the job, follow its progress, return its last word and what it complained of."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    assert worker.stderr is not None
    complaints = asyncio.create_task(worker.stderr.read())
    try:
        worker.stdin.write(dumps(job).encode())
        worker.stdin.close()
        last: JSONObject | None = None
        async for line in worker.stdout:
            said = loads(line)
            if "progress" in said:
                progress(said["progress"])
            else:
                last = said
        await worker.wait()
        return last, (await complaints).decode(errors="replace")
    finally:
        complaints.cancel()


def _environment() -> dict[str, str]:
    """What the worker needs to start, and none of our secrets."""
    kept = {key: os.environ[key] for key in ("PATH", "LANG", "SYSTEMROOT") if key in os.environ}
    package = Path(bancada.__file__).resolve().parents[1]
    return {**kept, "PYTHONPATH": str(package), "MALLOC_ARENA_MAX": "2"}

"""Have a file read inside the wall, hear how far it is, and take over what was made."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from bancada.data import scraps, told
from bancada.data.ingest import MADE
from bancada.data.limits import DEFAULT_LIMITS, IngestLimits
from bancada.data.names import shown
from bancada.data.problems import DataProblem
from bancada.data.shapes import Profile
from bancada.domain.json import JSON, JSONObject, loads
from bancada.sandbox import (
    Container,
    ContainerEnded,
    EvaluationFailed,
    EvaluationTimedOut,
    Limits,
    ReadOnlyFile,
    Sandbox,
    SandboxError,
    TooManyContainers,
)

logger = logging.getLogger(__name__)

OpenSandbox = Callable[[], Awaitable[Sandbox]]
"""The sandbox, started if it was not."""
_MB = 1 << 20
_MAX_ANSWER = 64 * _MB
"""Its summary; wide tables have long ones."""
_PARTIAL = ".ingest-"
_SOURCE = "source"
_WATCH_SECONDS = 0.2
_READ = "from bancada.data.worker import read\nresult = read(input, tell)"
_PROFILE = "from bancada.data.worker import profiles\nresult = profiles(input)"
_PROFILE_SECONDS = 60.0


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
    """Bytes that the reader held at most, the libraries it shares included."""

    @property
    def tables(self) -> tuple[str, ...]:
        """Every table in the file; the first is the data set's own name."""
        return tuple(each["table"] for each in self.summary["tables"])


async def ingest_file(
    open_sandbox: OpenSandbox,
    source: Path,
    filename: str,
    target_folder: Path,
    *,
    name: str,
    taken: Collection[str] = (),
    limits: IngestLimits = DEFAULT_LIMITS,
    progress: Callable[[float], None] | None = None,
    sheet: str | None = None,
    belongs_to: str | None = None,
) -> Ingested:
    """Turn `source` into `<target_folder>/<name>.duckdb`; see `ingest.build`.

    Nothing of a failed, cancelled or killed ingest is left behind.
    """
    filename = shown(filename)
    path, partial = target_folder / f"{name}.duckdb", target_folder / f"{_PARTIAL}{name}"
    bounds = Limits(
        memory_mb=limits.process_memory // _MB,
        disk_mb=limits.disk // _MB,
        cpu_seconds=int(limits.seconds * limits.threads) + 5,
        nice=5,  # chats come first
    )
    job = {
        "filename": filename,
        "taken": sorted(taken),
        "sheet": sheet,
        "limits": asdict(limits),
    }
    try:
        async with _inside(
            open_sandbox, source, bounds, on_disk=True, belongs_to=belongs_to
        ) as container:
            done = await _read(container, job, limits, progress or (lambda _: None))
            assert container.disk is not None
            await asyncio.to_thread(scraps.take, container.disk, "output", MADE, partial)
        summary, head, peak = told.believed(done, filename, taken, limits)
        digest, size = await asyncio.to_thread(scraps.settled, partial, limits.disk)
        # Readers only ever see a whole file: it gets its name last.
        partial.rename(path)
    except (told.Unbelievable, OSError) as error:
        logger.warning("what was read of %r is not to be believed: %s", filename, error)
        raise DataProblem("corrupt", name=filename) from None
    finally:
        await asyncio.shield(asyncio.to_thread(scraps.discard, partial))
    return Ingested(
        path=path, sha256=digest, bytes=size, summary=summary, head=head, peak_memory=peak
    )


async def profiles_of(
    open_sandbox: OpenSandbox, path: Path, tables: Sequence[str]
) -> tuple[Profile, ...]:
    """What a kept file says of its tables: it was made of a stranger's bytes, and is read inside."""
    async with _inside(open_sandbox, path, Limits()) as container:
        job = {"source": f"{container.data_folder}/{_SOURCE}", "tables": list(tables)}
        try:
            said = await container.evaluate(
                _PROFILE, job, seconds=_PROFILE_SECONDS, max_bytes=_MAX_ANSWER
            )
            return told.believed_profiles(loads(said), len(tables))
        except (SandboxError, told.Unbelievable, TypeError, ValueError) as error:
            logger.warning("the tables of %s cannot be read: %s", path.name, error)
            raise DataProblem("corrupt", name=path.name) from None


@asynccontextmanager
async def _inside(
    open_sandbox: OpenSandbox,
    source: Path,
    limits: Limits,
    *,
    on_disk: bool = False,
    belongs_to: str | None = None,
) -> AsyncIterator[Container]:
    """A container with the file in it, ended and gone when this is left."""
    try:
        sandbox = await open_sandbox()
        container = await sandbox.open(
            [ReadOnlyFile(source, _SOURCE)],
            limits=limits,
            on_disk=on_disk,
            belongs_to=belongs_to,
        )
    except TooManyContainers:
        raise DataProblem("busy") from None
    except SandboxError as error:
        logger.warning("files cannot be read: %s", error)
        raise DataProblem("no_wall") from None
    try:
        yield container
    finally:
        await asyncio.shield(container.end())


async def _read(
    container: Container,
    job: JSONObject,
    limits: IngestLimits,
    progress: Callable[[float], None],
) -> JSON:
    """What it read; raises `DataProblem`, whoever found it."""
    name = job["filename"]
    watching = asyncio.create_task(_watch(container, limits.disk))
    try:
        said = await container.evaluate(
            _READ,
            {**job, "source": f"{container.data_folder}/{_SOURCE}"},
            seconds=limits.seconds,
            max_bytes=_MAX_ANSWER,
            progress=progress,
        )
        answer = loads(said)
        if "problem" in answer:
            raise told.believed_problem(answer["problem"])
        return answer["done"]
    except EvaluationTimedOut:
        raise DataProblem("too_slow", name=name, seconds=f"{limits.seconds:g}") from None
    except ContainerEnded:
        # The kernel enforced a bound, or we did, or a library gave up on one.
        raise DataProblem("too_heavy", name=name) from None
    except EvaluationFailed as failure:
        logger.warning("reading %r failed: %s", name, failure)
        heavy = failure.type == "MemoryError"
        raise DataProblem("too_heavy" if heavy else "corrupt", name=name) from None
    except (KeyError, TypeError, ValueError):
        raise told.Unbelievable("not an answer") from None
    finally:
        watching.cancel()


async def _watch(container: Container, bytes: int) -> None:
    """End it when it fills its folder with more than it may."""
    folder = container.disk
    assert folder is not None
    before = scraps.free(folder)
    while container.alive:
        await asyncio.sleep(_WATCH_SECONDS)
        try:
            over = await asyncio.to_thread(scraps.overfull, folder, bytes, before)
        except (OSError, RecursionError):
            over = True  # folders so deep that nobody can look
        if over:
            logger.warning("an upload filled the disk, and was ended")
            await container.end()

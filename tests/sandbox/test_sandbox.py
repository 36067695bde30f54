"""Opening, bounding, listing, expiring and ending containers; the zygote's death and return."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest
import pytest_asyncio

from bancada.sandbox import (
    ContainerEnded,
    NoSandbox,
    ReadOnlyFile,
    Sandbox,
    SandboxError,
    TierReport,
    TooManyContainers,
    probe,
    start_sandbox,
)
from bancada.sandbox.tiers import TIERS

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(loop_scope="session", params=TIERS)
async def small(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Sandbox]:
    """A sandbox of two places and no libraries, for tests that break or fill it."""
    started = Sandbox(
        request.param,
        tmp_path / "run",
        max_containers=2,
        idle_seconds=60,
        open_seconds=0.2,
        libraries=(),
    )
    try:
        await (await started.open()).end()
    except SandboxError as error:
        await started.close()
        pytest.skip(str(error))
    yield started
    await started.close()


async def test_a_full_sandbox_refuses_after_a_while(small: Sandbox) -> None:
    await small.open()
    await small.open()

    with pytest.raises(TooManyContainers) as refused:
        await small.open()
    assert refused.value.error_code == "too_many_requests"


async def test_whoever_waits_gets_the_place_that_is_freed(small: Sandbox) -> None:
    small.open_seconds = 30
    first, _ = await small.open(), await small.open()
    waiting = asyncio.create_task(small.open())
    await asyncio.sleep(0)
    await first.end()

    assert (await (await waiting).run("print(1)")).stdout == "1\n"


async def test_places_are_given_back_however_a_container_ends(small: Sandbox) -> None:
    for code in ("import os; os._exit(1)", "while True: pass", "import os; os.close(3)", "x = 1"):
        container = await small.open()
        await container.run(code, seconds=0.3)
        await container.end()
        await container.end()
    with pytest.raises(ValueError, match="not a plain file name"):
        await small.open([ReadOnlyFile(Path(__file__), "../up")])

    one, two = await small.open(), await small.open()
    assert one.alive
    assert two.alive


async def test_an_opening_that_is_cancelled_leaves_nothing(small: Sandbox) -> None:
    for _ in range(6):
        opening = asyncio.create_task(small.open())
        await asyncio.sleep(0.002)
        opening.cancel()
        await asyncio.gather(opening, return_exceptions=True)
        if not opening.cancelled():
            await opening.result().end()

    small.open_seconds = 30
    one, two = await small.open(), await small.open()
    assert (await one.run("print(1)")).stdout == (await two.run("print(1)")).stdout
    assert len(small.containers()) == 2


async def test_containers_are_listed_found_and_ended_by_id(small: Sandbox) -> None:
    container = await small.open(id="container_1")
    assert small.find("container_1") is container
    [info] = small.containers()
    assert info.id == "container_1"
    assert info.pid == container.pid
    assert not info.busy
    assert info.created_at <= datetime.now(UTC) < info.expires_at

    running = asyncio.create_task(container.run("while True: pass"))
    while not small.containers()[0].busy:
        await asyncio.sleep(0)
    assert await small.end("container_1")

    assert (await running).error_code == "unavailable"
    assert small.containers() == []
    assert not await small.end("container_1")
    with pytest.raises(ContainerEnded):
        await container.run("1")


async def test_an_id_is_used_by_one_container_at_a_time(small: Sandbox) -> None:
    container = await small.open(id="one")
    with pytest.raises(ValueError, match="open already"):
        await small.open(id="one")
    with pytest.raises(ValueError, match="not a container id"):
        await small.open(id="../one")
    await container.end()

    assert (await small.open(id="one")).alive


async def test_an_idle_container_expires_and_a_used_one_does_not(small: Sandbox) -> None:
    small.idle_seconds = 0.5
    idle, used = await small.open(), await small.open()
    gone = asyncio.Event()
    idle.when_gone(gone.set)
    first = used.expires_at
    deadline = datetime.now(UTC) + timedelta(seconds=20)
    while not gone.is_set() and datetime.now(UTC) < deadline:
        await used.run("pass")
        await asyncio.sleep(0.05)

    assert not idle.alive
    assert used.alive
    assert used.expires_at > first


async def test_a_running_cell_does_not_expire(small: Sandbox) -> None:
    small.idle_seconds = 0.2
    container = await small.open()

    result = await container.run("import time; time.sleep(0.6); print('done')")

    assert result.stdout == "done\n"


async def test_a_dead_zygote_is_replaced_unnoticed(small: Sandbox) -> None:
    before = small.zygote_pid
    assert before is not None
    os.kill(before, signal.SIGKILL)

    container = await small.open()

    assert (await container.run("print('back')")).stdout == "back\n"
    assert small.zygote_pid != before


async def test_openings_at_the_moment_of_the_crash_succeed(small: Sandbox) -> None:
    small.open_seconds = 30
    assert small.zygote_pid is not None
    os.kill(small.zygote_pid, signal.SIGSTOP)
    openings = [asyncio.create_task(small.open()) for _ in range(2)]
    await asyncio.sleep(0.05)
    os.kill(small.zygote_pid, signal.SIGKILL)

    for container in await asyncio.gather(*openings):
        assert (await container.run("print(1)")).stdout == "1\n"


async def test_closing_ends_every_process_and_clears_the_folder(small: Sandbox) -> None:
    container = await small.open([ReadOnlyFile(Path(__file__), "x.py")])
    assert small.zygote_pid is not None
    processes = [psutil.Process(container.pid), psutil.Process(small.zygote_pid)]

    await small.close()

    _, left = psutil.wait_procs(processes, timeout=10)
    assert left == []
    assert list(small.folder.parent.iterdir()) == []
    with pytest.raises(SandboxError, match="closed"):
        await small.open()


async def test_the_zygote_ends_with_its_server(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys, pathlib, time\n"
        "from bancada.sandbox.jail import Sandbox\n"
        "async def main():\n"
        "    sandbox = Sandbox(sys.argv[1], pathlib.Path(sys.argv[2]), max_containers=1,\n"
        "        idle_seconds=60, open_seconds=1, libraries=())\n"
        "    container = await sandbox.open()\n"
        "    print(sandbox.zygote_pid, container.pid, flush=True)\n"
        "    await container.run('while True: pass', seconds=60)\n"
        "asyncio.run(main())\n"
    )
    import sys

    tier = next((report.tier for report in probe() if report.available), None)
    if tier is None:
        pytest.skip("no tier here")
    command = [sys.executable, "-c", program, tier, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        processes = [psutil.Process(int(pid)) for pid in server.stdout.readline().split()]
        server.kill()

    _, left = psutil.wait_procs(processes, timeout=10)
    assert left == []

    # What the killed server left in its run folder is cleared by the next one.
    assert len(list(tmp_path.iterdir())) == 1
    sandbox = await start_sandbox(tmp_path, tier=tier)
    assert list(tmp_path.iterdir()) == [sandbox.folder]  # type: ignore[attr-defined]
    await sandbox.close()


async def test_a_tier_that_does_not_exist_says_so(tmp_path: Path) -> None:
    with pytest.raises(NoSandbox, match="no such tier") as refused:
        await start_sandbox(tmp_path, tier="chroot")
    assert refused.value.reports[0].tier == "chroot"


async def test_the_best_tier_is_taken(tmp_path: Path) -> None:
    reports = probe()
    assert [report.tier for report in reports] == list(TIERS)
    best = next((report for report in reports if report.available), None)
    if best is None:
        assert all(report.reason for report in reports)
        return
    sandbox = await start_sandbox(tmp_path)
    assert sandbox.tier == best.tier
    await sandbox.close()


async def test_a_missing_tier_is_reported_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "plan9")

    assert probe() == [TierReport(tier, False, "needs Linux, this is plan9") for tier in TIERS]


async def test_files_appear_under_their_names_whatever_their_mode(
    small: Sandbox, tmp_path: Path
) -> None:
    open_file, closed_file = tmp_path / "open.csv", tmp_path / "closed.csv"
    open_file.write_text("open")
    closed_file.write_text("closed")
    open_file.chmod(0o644)
    closed_file.chmod(0o600)
    container = await small.open(
        [ReadOnlyFile(open_file, "a.csv"), ReadOnlyFile(closed_file, "dados produção.csv")]
    )
    assert (await container.run("print(open('/data/a.csv').read())")).stdout == "open\n"
    code = f"print(open({container.data_folder!r} + '/dados produção.csv').read())"
    assert (await container.run(code)).stdout == "closed\n"

    assert closed_file.stat().st_mode & 0o777 == 0o600
    assert open_file.stat().st_mode & 0o777 == 0o644


async def test_a_new_version_of_a_file_is_what_the_next_container_sees(
    small: Sandbox, tmp_path: Path
) -> None:
    file = tmp_path / "data.csv"
    for text in ("first", "second"):
        replaced = tmp_path / "new"
        replaced.write_text(text)
        replaced.chmod(0o600)
        replaced.rename(file)
        container = await small.open([ReadOnlyFile(file, "data.csv")])
        assert (await container.run("print(open('/data/data.csv').read())")).stdout == f"{text}\n"
        await container.end()


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\0b", "x" * 201])
async def test_names_that_are_not_plain_are_refused(
    name: str, small: Sandbox, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match="not a plain file name"):
        await small.open([ReadOnlyFile(Path(__file__), name)])


async def test_two_files_of_one_name_are_refused(small: Sandbox) -> None:
    with pytest.raises(ValueError, match="two files of one name"):
        await small.open([ReadOnlyFile(Path(__file__), "a")] * 2)


async def test_many_containers_at_once_each_keep_their_own_state(sandbox: Sandbox) -> None:
    async def one(number: int) -> str:
        container = await sandbox.open()
        await container.run(f"x = {number}")
        result = await container.run("print(x)")
        await container.end()
        return result.stdout

    assert await asyncio.gather(*map(one, range(20))) == [f"{n}\n" for n in range(20)]

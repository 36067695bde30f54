"""A container leaves nothing behind, and takes no more than its share."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from bancada.sandbox import Limits, ReadOnlyFile, Sandbox, shelf

pytestmark = pytest.mark.asyncio(loop_scope="session")


def _below(pid: int) -> list[int]:
    """The children of a process, and theirs."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            number, parent = entry.read_text().rsplit(")", 1)[1].split()[1], entry.parent.name
        except OSError:
            continue
        if int(number) == pid:
            found += [int(parent), *_below(int(parent))]
    return found


def _mounts() -> int:
    return len(Path("/proc/self/mountinfo").read_text().splitlines())


async def test_nothing_is_left_of_a_container(sandbox: Sandbox, tmp_path: Path) -> None:
    given = tmp_path / "given.csv"
    given.write_text("a\n1\n")
    mounts, memory = _mounts(), sorted(os.listdir("/dev/shm"))
    before = sorted(path.name for path in sandbox.folder.iterdir() if path.name != "copies")
    assert sandbox.zygote_pid is not None
    processes = set(_below(sandbox.zygote_pid))
    container = await sandbox.open([ReadOnlyFile(given, "given.csv")], on_disk=True)
    code = """
        import os, threading, time
        for n in range(50): open(str(n), 'w').write('x' * 1000)
        for n in range(40): os.makedirs('/'.join(['d'] * (n + 1)), exist_ok=True)
        for _ in range(8): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    """
    assert (await container.run(textwrap.dedent(code))).return_code == 0
    pid, disk = container.pid, container.disk
    assert disk is not None
    assert disk.is_dir()
    await container.end()
    assert not Path(f"/proc/{pid}").exists()
    assert set(_below(sandbox.zygote_pid)) <= processes
    assert sorted(p.name for p in sandbox.folder.iterdir() if p.name != "copies") == before
    assert (_mounts(), sorted(os.listdir("/dev/shm"))) == (mounts, memory)


SERVER = """
import asyncio, sys
from pathlib import Path
from bancada.sandbox import ReadOnlyFile, start_sandbox

async def main():
    sandbox = await start_sandbox(Path(sys.argv[1]), tier=sys.argv[2])
    given = Path(sys.argv[1]) / "given"
    given.write_text("x")
    for _ in range(2):
        container = await sandbox.open([ReadOnlyFile(given, "given")], on_disk=True)
        asyncio.ensure_future(container.run("while True: pass", seconds=600))
    await asyncio.sleep(0.5)
    print(sandbox.zygote_pid, *(one.pid for one in sandbox.containers()), flush=True)
    await asyncio.sleep(600)

asyncio.run(main())
"""


async def test_a_server_that_is_killed_leaves_no_process_and_the_next_clears_its_folders(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    command = [sys.executable, "-c", SERVER, str(tmp_path), sandbox.tier]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        line = await asyncio.to_thread(server.stdout.readline)
        pids = [int(pid) for pid in line.split()]
        assert len(pids) == 3
        server.send_signal(signal.SIGKILL)
    until = time.monotonic() + 20
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < until:
        await asyncio.sleep(0.05)
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    assert len(list(tmp_path.glob("jail-*"))) == 1
    after = shelf.Shelf(tmp_path)
    assert list(tmp_path.glob("jail-*")) == [after.folder]
    after.close()
    assert list(tmp_path.glob("jail-*")) == []


async def test_folders_nested_without_end_are_removed(tmp_path: Path) -> None:
    top = at = tmp_path / "deep"
    top.mkdir()
    here = os.getcwd()
    os.chdir(at)
    try:
        for _ in range(1200):
            os.mkdir("d")
            os.chdir("d")
        Path("file").touch()
    finally:
        os.chdir(here)
    (top / "out").symlink_to(tmp_path)
    shelf.clear(top)
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------------------- shares

GREED = {
    "threads": """
        import threading, time
        threading.stack_size(1 << 16)
        try:
            for _ in range(3000): threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
        except RuntimeError: pass
    """,
    "descriptors": """
        import os
        kept = []
        try:
            while True: kept.append(os.pipe())
        except OSError: pass
    """,
    "memory": """
        kept = []
        try:
            while True: kept.append(bytearray(8 << 20))
        except MemoryError: pass
    """,
    "files": """
        try:
            for n in range(10000): open(str(n), 'w').close()
        except OSError: pass
    """,
    "forks": """
        import os
        for _ in range(500):
            try: os.fork()
            except OSError: pass
    """,
}


@pytest.mark.parametrize("what", GREED)
async def test_a_neighbour_does_not_notice_who_takes_all_of_something(
    sandbox: Sandbox, what: str
) -> None:
    greedy = await sandbox.open(limits=Limits(memory_mb=256))
    code = textwrap.dedent(GREED[what]) + "\nprint('held')\nimport time\ntime.sleep(6)"
    taking = asyncio.create_task(greedy.run(code, seconds=30))
    await asyncio.sleep(1.5)
    neighbour = await sandbox.open()
    ordinary = """
        import os, threading
        done = []
        workers = [threading.Thread(target=done.append, args=(n,)) for n in range(16)]
        for one in workers: one.start()
        for one in workers: one.join()
        pipes = [os.pipe() for _ in range(40)]
        room = bytearray(200 << 20)
        with open('note.txt', 'w') as file: file.write('x')
        print(len(done))
    """
    result = await neighbour.run(textwrap.dedent(ordinary))
    await greedy.end()
    await taking
    await neighbour.end()
    assert (result.stdout, result.stderr) == ("16\n", "")


async def test_a_hog_of_the_processor_leaves_others_theirs(sandbox: Sandbox) -> None:
    """As many threads as it may have, none of which rests, beside one that only counts."""
    if Path("/proc/sys/kernel/sched_autogroup_enabled").read_text().strip() != "1":
        pytest.skip("this kernel shares the processor out among threads")
    hog = await sandbox.open()
    spin = """
        import hashlib, threading
        def spin():
            while True: hashlib.pbkdf2_hmac('sha256', b'x', b'y', 200_000)
        for _ in range(40): threading.Thread(target=spin, daemon=True).start()
        spin()
    """
    hogging = asyncio.create_task(hog.run(textwrap.dedent(spin), seconds=60))
    await asyncio.sleep(1)
    other = await sandbox.open()
    count = """
        import time
        began, used = time.monotonic(), time.process_time()
        while time.monotonic() - began < 3: sum(range(1000))
        print((time.process_time() - used) / (time.monotonic() - began))
    """
    share = float((await other.run(textwrap.dedent(count))).stdout)
    await hog.end()
    await hogging
    await other.end()
    assert share > 0.12, "two processors among forty-two threads would be less than 0.05"


async def test_more_threads_than_may_be_are_not_had_in_any_tier(sandbox: Sandbox) -> None:
    container = await sandbox.open(limits=Limits(threads=20))
    result = await container.run(textwrap.dedent(GREED["threads"]) + "\ntime.sleep(5)\nprint('on')")
    await container.end()
    if sandbox.tier == "ns":
        assert result.stdout == "on\n"
    else:
        assert result.ended == "threads"
        assert "more than 20 threads" in result.stderr

"""No way out: every attempt fails in every tier, and the sandbox is none the worse for it."""

from __future__ import annotations

import asyncio
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from bancada.sandbox import Container, Limits, ReadOnlyFile, Sandbox
from tests.sandbox.attempts import ATTEMPTS, Attempt
from tests.sandbox.greed import KERNEL

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Host:
    """What a server has around it that code must not reach."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tail = secrets.token_hex(8)
        self.secret = folder / "secret.txt"
        self.secret.write_text(f"canary-{self.tail}")
        self.data = folder / "data.csv"
        self.data.write_text("a,b\n1,2\n")
        for file in (self.secret, self.data):
            file.chmod(0o666)
        self.marker = folder / "marker"
        self.abstract = f"bancada-{self.tail}"
        self._tcp = socket.create_server(("127.0.0.1", 0))
        self._unix = socket.socket(socket.AF_UNIX)
        self._unix.bind(f"/tmp/{self.abstract}.sock")
        self._unix.listen()
        self._abstract = socket.socket(socket.AF_UNIX)
        self._abstract.bind(f"\0{self.abstract}")
        self._abstract.listen()
        self._datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._datagrams.bind(f"\0{self.abstract}.datagrams")
        self.sleeper = subprocess.Popen(["sleep", "600"])

    def fill(self, code: str, **places: object) -> str:
        places = {
            "secret": self.secret,
            "secret_value": f"canary-{self.tail}",
            "secret_tail": self.tail,
            "data": self.data,
            "marker": self.marker,
            "port": self._tcp.getsockname()[1],
            "unix": f"/tmp/{self.abstract}.sock",
            "abstract": self.abstract,
            "host_pid": os.getpid(),
            "zygote": self.sleeper.pid,
            "other_pid": self.sleeper.pid,
            "other_file": self.data,
            "run_folder": self.folder,
            **places,
        }
        for name, value in places.items():
            code = code.replace("{" + name + "}", str(value))
        return code

    def close(self) -> None:
        for one in (self._tcp, self._unix, self._abstract, self._datagrams):
            one.close()
        os.unlink(f"/tmp/{self.abstract}.sock")
        self.sleeper.kill()
        self.sleeper.wait()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    host = Host(tmp_path_factory.mktemp("host"))
    os.environ["BANCADA_TEST_SECRET"] = f"canary-{host.tail}"
    yield host
    del os.environ["BANCADA_TEST_SECRET"]
    host.close()


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def other(sandbox: Sandbox, host: Host) -> AsyncIterator[Container]:
    """A neighbour with a file of its own."""
    container = await sandbox.open([ReadOnlyFile(host.secret, "theirs.txt")])
    yield container
    await container.end()


@pytest.mark.parametrize("attempt", ATTEMPTS, ids=lambda attempt: attempt.name)
async def test_the_walls_hold(
    attempt: Attempt, sandbox: Sandbox, host: Host, other: Container
) -> None:
    run_folder = sandbox.folder
    theirs = next(run_folder.glob(f"{other.id}-*")) / "theirs.txt"
    container = await sandbox.open([ReadOnlyFile(host.data, "data.csv")])
    zygote = sandbox.zygote_pid
    pids = {info.id: info.pid for info in sandbox.containers()}
    code = host.fill(
        attempt.code,
        data=f"{container.data_folder}/data.csv",
        zygote=zygote,
        other_pid=pids[other.id],
        other_file=theirs,
        run_folder=run_folder,
    )

    result = await container.run(code, seconds=20)
    await container.end()

    assert "ESCAPED" not in result.stdout  # a traceback may quote the line that prints it
    assert "SyntaxError" not in result.stderr
    assert not list(host.folder.glob("marker*"))
    assert sandbox.zygote_pid == zygote
    assert other.alive
    fresh = await sandbox.open()
    assert (await fresh.run("print('well')")).stdout == "well\n"
    await fresh.end()


@pytest.mark.parametrize("attempt", KERNEL, ids=lambda attempt: attempt.name)
async def test_the_kernel_holds_nothing_that_is_not_counted(
    attempt: Attempt, sandbox: Sandbox
) -> None:
    container = await sandbox.open(limits=Limits(memory_mb=64))

    result = await container.run(attempt.code, seconds=20)
    await container.end()

    assert "ESCAPED" not in result.stdout
    assert "SyntaxError" not in result.stderr


@pytest.mark.skipif(os.getuid() != 0, reason="some attempts succeed for root alone")
@pytest.mark.parametrize(
    "attempt",
    [one for one in (*ATTEMPTS, *KERNEL) if one.plain],
    ids=lambda attempt: attempt.name,
)
async def test_without_walls_the_same_attempt_succeeds(attempt: Attempt, host: Host) -> None:
    code = host.fill(attempt.code)
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, cwd=host.folder
    )
    for left in host.folder.glob("marker*"):
        left.rmdir() if left.is_dir() else left.unlink()
    Path(f"{host.secret}.link").unlink(missing_ok=True)
    if "ESCAPED" not in ended.stdout and re.search(r"PermissionError|not allowed", ended.stderr):
        pytest.skip("this machine forbids it to root as well")
    assert "ESCAPED" in ended.stdout, ended.stderr


async def test_there_are_enough_attempts_and_no_name_twice() -> None:
    every = [*ATTEMPTS, *KERNEL]
    assert len({attempt.name for attempt in every}) == len(every) >= 120


async def test_with_namespaces_even_names_and_numbers_are_its_own(sandbox: Sandbox) -> None:
    if sandbox.tier != "ns":
        pytest.skip("names and numbers are the machine's in this tier")
    container = await sandbox.open()
    code = (
        "import os\nprint(os.uname().nodename, os.getpid(), os.getuid(), os.path.exists('/proc'))"
    )

    assert (await container.run(code)).stdout == "container 1 1000 False\n"
    await container.end()


async def test_code_that_ignores_every_signal_is_killed(container: Container) -> None:
    code = """
        import signal
        for number in signal.valid_signals():
            try: signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError): pass
        while True:
            try:
                while True: pass
            except BaseException: pass
    """
    result = await container.run(_flat(code), seconds=0.5)

    assert result.error_code == "execution_time_exceeded"
    assert not container.alive


async def test_a_container_cannot_change_what_another_sees(sandbox: Sandbox) -> None:
    one, two = await sandbox.open(), await sandbox.open()
    await one.run("import builtins, pandas\npandas.DataFrame = None\nbuiltins.len = None\nx = 1")

    result = await two.run("import pandas\nprint(pandas.DataFrame, len('ab'), 'x' in globals())")

    assert result.stdout == "<class 'pandas.DataFrame'> 2 False\n"
    await one.end()
    await two.end()


async def test_files_of_one_container_are_not_in_another(sandbox: Sandbox) -> None:
    one, two = await sandbox.open(), await sandbox.open()
    await one.run("open('note.txt', 'w').write('x')")

    result = await two.run("print(open('note.txt').read())")

    assert "FileNotFoundError" in result.stderr
    await one.end()
    await two.end()


async def test_a_thread_left_behind_does_not_run_between_cells(container: Container) -> None:
    await container.run(
        _flat("""
        import threading, time
        ticks = 0
        def count():
            global ticks
            while True:
                ticks += 1
                time.sleep(0.001)
        threading.Thread(target=count, daemon=True).start()
    """)
    )
    before = int((await container.run("print(ticks)")).stdout)
    await asyncio.sleep(0.3)
    after = int((await container.run("print(ticks)")).stdout)

    assert after - before < 100


async def test_memory_is_bounded(container: Container) -> None:
    result = await container.run("kept = [bytearray(64 << 20) for _ in range(64)]")

    assert "MemoryError" in result.stderr


@pytest.mark.parametrize(
    "code",
    [
        "import mmap; mmap.mmap(-1, 8 << 30)",
        "import numpy; numpy.ones((1 << 31,), dtype='f8')",
        "x = 'a' * (6 << 30)",
        "import duckdb; duckdb.sql('select list(r) from range(2000000000) t(r)').fetchall()",
    ],
    ids=["mapped", "numpy", "string", "duckdb"],
)
async def test_large_allocations_fail_and_the_sandbox_goes_on(code: str, sandbox: Sandbox) -> None:
    container = await sandbox.open()

    result = await container.run(code, seconds=20)

    assert result.return_code != 0
    await container.end()
    fresh = await sandbox.open()
    assert (await fresh.run("print(1)")).return_code == 0
    await fresh.end()


async def test_a_crash_ends_one_container_and_no_other(sandbox: Sandbox) -> None:
    one, two = await sandbox.open(), await sandbox.open()

    result = await one.run("import ctypes; ctypes.string_at(8)")

    assert result.ended == "crash"
    assert result.return_code != 0
    assert (await two.run("print('here')")).stdout == "here\n"
    await two.end()


async def test_disk_is_bounded(container: Container) -> None:
    code = """
        written = 0
        try:
            for number in range(100):
                with open(f'fill{number}', 'wb') as file:
                    for _ in range(16):
                        written += file.write(bytes(1 << 20))
        except (OSError, MemoryError) as error:
            print('stopped', written >> 20)
        else:
            print('unbounded')
    """
    result = await container.run(_flat(code), seconds=60)

    assert "unbounded" not in result.stdout
    if result.stdout:
        assert int(result.stdout.split()[1]) < 1200


async def test_a_sparse_file_is_bounded_too(container: Container) -> None:
    code = """
        import os
        os.ftruncate(os.open('big', os.O_CREAT | os.O_RDWR), 50 << 30)
        print('grown')
    """
    result = await container.run(_flat(code))

    assert result.return_code == 1
    assert "grown" not in result.stdout


async def test_the_number_of_files_is_bounded(container: Container) -> None:
    code = """
        import os, tempfile
        folder = tempfile.mkdtemp()
        for number in range(20000):
            os.close(os.open(f'{folder}/{number}', os.O_CREAT | os.O_WRONLY))
        print('unbounded')
    """
    result = await container.run(_flat(code), seconds=30)

    assert "unbounded" not in result.stdout
    assert result.return_code != 0


async def test_threads_are_bounded(container: Container) -> None:
    code = """
        import threading, time
        threading.stack_size(1 << 16)
        started = 0
        try:
            for _ in range(5000):
                threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
                started += 1
        except RuntimeError:
            pass
        print(started)
    """
    result = await container.run(_flat(code), seconds=30)

    assert int(result.stdout or 0) < 1200


async def test_open_descriptors_are_bounded(container: Container) -> None:
    result = await container.run("import os\nkept = [os.pipe() for _ in range(5000)]\nprint('all')")

    assert "all" not in result.stdout


async def test_floods_of_output_are_cut_and_then_ended(container: Container) -> None:
    result = await container.run(
        "import sys\nwhile True:\n print('x' * 100000)\n sys.stderr.write('y' * 1000)", seconds=30
    )

    assert result.ended == "output"
    assert len(result.stdout) == 5000
    assert len(result.stderr) <= 2000


async def test_a_closed_line_ends_the_container(container: Container) -> None:
    result = await container.run("import os; os.close(3)\nwhile True: pass", seconds=20)

    assert result.ended == "crash"


async def test_containers_die_with_the_zygote(sandbox: Sandbox) -> None:
    """Last here: it replaces the zygote the other tests share."""
    container = await sandbox.open()
    running = asyncio.create_task(container.run("while True: pass", seconds=30))
    while not container.busy:
        await asyncio.sleep(0)
    assert sandbox.zygote_pid is not None
    os.kill(sandbox.zygote_pid, signal.SIGKILL)

    result = await running

    assert result.ended == "crash"
    assert not container.alive


def _flat(code: str) -> str:
    import textwrap

    return textwrap.dedent(code)

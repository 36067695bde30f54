"""What nobody has used for long goes, with its files; what is in use, and the audit, stay."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select, update

from bancada.engine.retention import DAY
from bancada.model.scripted import calls, says
from bancada.store import audit
from bancada.store.tables import (
    conversations,
    datasets,
    events,
    files,
    journal,
    messages,
    tool_calls,
)
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.engine.harness import Harness


@tool
async def look() -> str:
    """Look."""
    return "a secret"


def aged(db: Connection, days: float) -> None:
    db.execute(update(conversations).values(updated_at=time.time() - days * DAY))


def rows(db: Connection, *tables: Any) -> int:
    return sum(len(db.execute(select(table)).all()) for table in tables)


def with_a_data_set(db: Connection, id: str) -> None:
    db.execute(
        datasets.insert().values(
            id="d1",
            conversation_id=id,
            file_name="a.csv",
            table_name="a",
            path="d1.duckdb",
            version="",
            size=1,
            summary={"rows": 1},
            created_at=0.0,
        )
    )


async def asked(agent: Harness) -> Path:
    """A conversation with a question, a call and a data set; where the data set is."""
    agent.model.will(calls("look"), says("Done."))
    await agent.run("Go")
    await agent.bench.database.run(with_a_data_set, agent.conversation_id)
    path = agent.bench.settings.data / "datasets" / "d1.duckdb"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"data")
    return path


async def test_a_dry_run_names_what_would_go_and_changes_nothing(
    open_anywhere: Open,
) -> None:
    agent = await open_anywhere(look)
    kept = agent.bench.retention
    path = await asked(agent)
    database = agent.bench.database
    assert await kept.due(30) == []
    await database.run(aged, 31)
    [due] = await kept.due(30)
    assert (due.id, due.datasets) == (agent.conversation_id, 1)
    assert await kept.due(32) == []
    assert await database.read(rows, conversations, datasets) == 2
    assert path.exists()


async def test_what_is_due_goes_with_its_rows_and_files_and_the_audit_tells(
    open_anywhere: Open,
) -> None:
    agent = await open_anywhere(look)
    kept = agent.bench.retention
    path = await asked(agent)
    database = agent.bench.database
    await database.run(aged, 31)
    [gone] = await kept.remove(30, via="terminal")
    assert gone.id == agent.conversation_id
    left = (conversations, datasets, messages, events, tool_calls, journal, files)
    assert await database.read(rows, *left) == 0
    assert not path.exists()
    told = [
        line
        for line in await database.read(audit.export, agent.me.organisation_id)
        if line.get("about") == "conversation"
    ]
    assert [(line["about_id"], line["removed_after_days"]) for line in told] == [(gone.id, 30)]
    assert (await database.read(audit.verify, agent.me.organisation_id)).ok


async def test_a_conversation_that_waits_for_a_person_is_in_use(
    open_anywhere: Open,
) -> None:
    @tool(confirm="always")
    async def pay() -> str:
        """Pay."""
        return "paid"

    agent = await open_anywhere(pay)
    kept = agent.bench.retention
    agent.model.will(calls("pay"), says("Done."))
    await agent.run("Go")
    await agent.bench.database.run(aged, 400)
    assert await kept.due(30) == []
    assert await kept.remove(30, via="terminal") == []
    assert await agent.bench.database.read(rows, conversations) == 1

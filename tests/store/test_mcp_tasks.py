"""Tasks of MCP clients in the record: one process has a task at a time, and one person sees it."""

from __future__ import annotations

from typing import Any

from bancada.store import mcp_tasks, people
from bancada.store.database import Database
from bancada.store.mcp_tasks import McpTask

NOW = 1_800_000_000.0


async def kept(database: Database, **changed: Any) -> McpTask:
    def add(db: Any) -> McpTask:
        organisation = people.first_organisation(db)
        found = people.people_of(db, organisation)
        person = (
            found[0]
            if found
            else people.add_person(
                db,
                organisation_id=organisation,
                email="ana@example.com",
                name="Ana",
                role="operador",
            )
        )
        usual = {
            "id": "t1",
            "organisation_id": organisation,
            "user_id": person.id,
            "tool": "look",
            "input": {"a": 1},
            "agent_id": None,
            "status": "working",
            "owner": "one",
            "beat_at": NOW,
            "created_at": NOW,
            "updated_at": NOW,
            "expires_at": NOW + 60,
        }
        task = McpTask(**{**usual, **changed})
        mcp_tasks.add(db, task)
        return task

    return await database.run(add)


async def test_a_task_is_read_back_as_it_was_kept(database: Database) -> None:
    task = await kept(database, answers={"name": {"action": "accept", "content": {"name": "é"}}})

    assert await database.read(mcp_tasks.owned, "t1", task.user_id, NOW) == task
    assert await database.read(mcp_tasks.owned, "t1", task.user_id + 1, NOW) is None
    assert await database.read(mcp_tasks.owned, "t1", task.user_id, NOW + 61) is None


async def test_of_several_that_move_a_task_one_does(database: Database) -> None:
    await kept(database)
    taken = {"owner": "two", "beat_at": NOW + 1}

    moved = [
        await database.run(mcp_tasks.move, "t1", "one", "working", NOW + 1, **taken)
        for _ in range(2)
    ]

    assert moved == [True, False]


async def test_a_process_is_told_what_it_still_has(database: Database) -> None:
    task = await kept(database)
    await kept(database, id="t2")
    await database.run(mcp_tasks.move, "t2", "one", "working", NOW, status="cancelled")

    assert await database.run(mcp_tasks.beat, "one", NOW + 5) == {"t1"}
    assert await database.read(mcp_tasks.unfinished, task.user_id) == 1


async def test_a_task_whose_time_is_over_makes_room(database: Database) -> None:
    task = await kept(database)
    await kept(database, id="t2", created_at=NOW + 100, expires_at=NOW + 200)

    assert await database.read(mcp_tasks.owned, "t1", task.user_id, NOW) is None

"""Files that wait for a question: one that is asked keeps them, time takes the others."""

from __future__ import annotations

from sqlalchemy import Connection

from bancada.store import files, people
from bancada.store.database import Database


async def test_what_a_question_took_does_not_wait_any_more(database: Database) -> None:
    def add(db: Connection) -> None:
        person = people.local_person(db)
        for id in ("asked", "left", "made"):
            files.add(
                db,
                id=id,
                organisation_id=person.organisation_id,
                user_id=person.id,
                conversation_id="talk",
                name=f"{id}.png",
                media_type="image/png",
                size=1,
                path=f"1/{id}",
                attached=None if id == "made" else "waiting",
                measures={"width": 2},
            )

    await database.run(add)

    taken = await database.run(files.send, "talk", ["left?", "asked", "made"])
    gone = await database.run(files.remove_waiting, 1e12)

    assert [(row.id, row.measures) for row in taken] == [("asked", {"width": 2})]
    assert gone == ["1/left"]
    assert await database.run(files.send, "talk", ["left"]) == []
    assert await database.run(files.remove_waiting, 1e12) == []

"""What was said is found again, on both kinds of database, and only for as long as it is there."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select

from bancada.domain.agents import Agent
from bancada.domain.messages import text_block
from bancada.store import agents, conversations, messages, people, words
from bancada.store.database import Database, open_database
from bancada.store.tables import conversations as conversation_rows
from bancada.store.tables import message_words
from bancada.store.tables import messages as message_rows
from bancada.store.upgrade import MIGRATIONS, revisions, upgrade


def _begin(db: Connection) -> tuple[int, str]:
    organisation = people.add_organisation(db, "Norte")
    person = people.add_person(
        db, organisation_id=organisation, email="ana@norte.pt", name="Ana", role="operador"
    )
    agent = agents.add_agent(db, organisation, Agent(name="A", system_prompt="."))
    assert agent.id is not None
    made = conversations.add(db, organisation_id=organisation, user_id=person.id, agent_id=agent.id)
    return person.id, made.id


def _say(db: Connection, conversation: str, said: str, kind: Any = "reply") -> str:
    role: Any = "assistant" if kind == "reply" else "user"
    return messages.append(db, conversation, role=role, kind=kind, content=[text_block(said)]).id


def _found(db: Connection, person: int, wanted: str) -> list[str]:
    """The passages, each hit in brackets."""
    return [
        "".join(f"[{piece.text}]" if piece.hit else piece.text for piece in each.passage.pieces)
        for each in conversations.of_person(db, person, search=wanted)
        if each.passage is not None
    ]


async def test_words_are_found_without_case_and_accents_and_by_how_they_begin(
    database: Database,
) -> None:
    person, conversation = await database.run(_begin)
    await database.run(_say, conversation, "A **máquina 7** da linha São João parou às 14:30.")

    async def found(wanted: str) -> list[str]:
        return await database.read(_found, person, wanted)

    shown = "A [máquina] 7 da linha São João parou às 14:30."
    assert await found("MAQUINA") == [shown]
    assert await found("sao joao") == ["A máquina 7 da linha [São] [João] parou às 14:30."]
    assert await found("máq") == [shown]
    assert await found("máquina 8") == []
    for nothing in ('"', "'", "a OR b", "NEAR(", "*", "quina", "& | !", "%"):
        assert await found(nothing) == [], nothing
    assert await found("parou & 14:30") == ["A máquina 7 da linha São João [parou] às [14]:[30]."]


async def test_only_the_passage_around_the_word_is_shown(database: Database) -> None:
    person, conversation = await database.run(_begin)
    await database.run(_say, conversation, "antes " * 200 + "agulha" + " depois" * 200)

    (shown,) = await database.read(_found, person, "agulha")

    assert "[agulha]" in shown
    assert shown.startswith("… antes")
    assert shown.endswith("depois …")
    assert len(shown) < 200


async def test_what_tools_answered_and_what_is_gone_is_not_found(database: Database) -> None:
    person, conversation = await database.run(_begin)
    said = await database.run(_say, conversation, "uma agulha")
    await database.run(_say, conversation, "outra agulha", "results")
    assert len(await database.read(_found, person, "agulha")) == 1

    await database.run(messages.drop, said)
    assert await database.read(_found, person, "agulha") == []
    await database.run(_say, conversation, "mais uma agulha")
    await database.run(conversations.remove, conversation)
    assert await database.run(lambda db: db.execute(select(message_words)).all()) == []


def _of_long_ago(db: Connection) -> int:
    """A conversation as it was written before its words were kept."""
    organisation = people.add_organisation(db, "Norte")
    person = people.add_person(
        db, organisation_id=organisation, email="ana@norte.pt", name="Ana", role="operador"
    )
    agent = agents.add_agent(db, organisation, Agent(name="A", system_prompt="."))
    row = {
        "id": "c1", "organisation_id": organisation, "user_id": person.id, "agent_id": agent.id,
        "title": "", "mode": "model", "is_listed": True, "settings": {}, "created_at": 1, "updated_at": 1,
    }  # fmt: skip
    db.execute(insert(conversation_rows).values(**row))
    for n, said in enumerate(("uma agulha", "", "\U0001f600")):
        row = {
            "id": f"m{n}", "conversation_id": "c1", "position": n, "role": "assistant", "kind": "reply",
            "content": [text_block(said)], "metadata": {}, "created_at": 1,
        }  # fmt: skip
        db.execute(insert(message_rows).values(**row))
    return person.id


async def test_what_was_said_before_there_was_an_index_is_found(empty_url: str) -> None:
    database = open_database(empty_url)
    (ours,) = (MIGRATIONS / "versions").glob("*_words.py")
    await upgrade(database, revisions()[revisions().index(ours.name[:4]) - 1])
    person = await database.run(_of_long_ago)

    await upgrade(database)

    assert await database.read(_found, person, "agulha") == ["uma [agulha]"]
    await database.close()


async def test_a_very_long_message_is_found_by_its_beginning(database: Database) -> None:
    person, conversation = await database.run(_begin)
    many = " ".join(f"palavra{n}" for n in range(100_000))
    await database.run(_say, conversation, f"agulha {many}")
    assert len(await database.read(_found, person, "agulha")) == 1
    assert await database.read(_found, person, "palavra99999") == []


def test_a_word_is_the_same_word_however_it_is_written() -> None:
    assert words.words_of("É_e\u0301 ﬁm 3.14") == ["e", "e", "fim", "3", "14"]

"""The chain: whatever is changed, removed or reordered is named, and a missing tail is seen."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import Connection, delete, insert, select, update

from bancada.store import audit, calls, people
from bancada.store.audit import GENESIS, Verdict, chained
from bancada.store.database import Database
from bancada.store.tables import audit_entries, audit_heads

ENTRIES = 8


def _append(db: Connection, organisation_id: int, kind: str, ref: int | None, **says: Any) -> int:
    return audit.append(
        db,
        organisation_id,
        kind,  # type: ignore[arg-type]
        at=1_800_000_000.25,
        person_id=1,
        conversation_id="c1",
        turn_id="t1",
        call_id="toolu_1",
        tool="look",
        ref=ref,
        says=says,
    )


@pytest.fixture
async def chain(database: Database) -> int:
    """An organisation whose chain has eight entries: four calls."""
    organisation_id = await database.run(people.add_organisation, "Fábrica")
    for number in range(ENTRIES // 2):
        ref = await database.run(
            _append, organisation_id, "started", None, arguments={"n": number, "ç": "é"}
        )
        await database.run(_append, organisation_id, "ended", ref, outcome="ok")
    return organisation_id


async def verdict(database: Database, organisation_id: int) -> Verdict:
    return await database.read(audit.verify, organisation_id)


async def tamper(database: Database, statement: Any) -> None:
    await database.run(lambda db: db.execute(statement))


def entry(organisation_id: int, number: int) -> Any:
    return (audit_entries.c.organisation_id == organisation_id) & (audit_entries.c.number == number)


async def test_a_chain_that_nobody_touched_is_whole(database: Database, chain: int) -> None:
    assert await verdict(database, chain) == Verdict(chain, True, ENTRIES)


async def test_a_chain_without_entries_is_whole(database: Database) -> None:
    organisation_id = await database.run(people.add_organisation, "Nova")

    assert await verdict(database, organisation_id) == Verdict(organisation_id, True, 0)


async def test_organisations_have_chains_of_their_own(database: Database, chain: int) -> None:
    other = await database.run(people.add_organisation, "Outra")
    first = await database.run(_append, other, "refused", None)
    await tamper(database, update(audit_entries).where(entry(chain, 2)).values(body="{}"))

    assert first == 1
    assert (await verdict(database, other)).ok
    assert not (await verdict(database, chain)).ok
    assert await database.read(audit.organisations_with_entries) == [chain, other]


@pytest.mark.parametrize("number", [1, 4, ENTRIES])
@pytest.mark.parametrize(
    "change",
    [
        {"body": "{}"},
        {"hash": "0" * 64},
        {"kind": "refused"},
        {"ref": 99},
        {"at": 1.0},
        {"person_id": 2},
        {"person_id": None},
        {"conversation_id": "c2"},
        {"turn_id": None},
        {"call_id": "toolu_2"},
        {"tool": "other"},
    ],
    ids=lambda change: next(iter(change)),
)
async def test_a_changed_entry_is_named(
    database: Database, chain: int, number: int, change: dict[str, Any]
) -> None:
    await tamper(database, update(audit_entries).where(entry(chain, number)).values(**change))

    found = await verdict(database, chain)

    assert (found.ok, found.first_bad, found.checked) == (False, number, number - 1)
    assert str(number) in str(found.what)


@pytest.mark.parametrize("number", [1, 4])
async def test_a_removed_entry_is_named(database: Database, chain: int, number: int) -> None:
    await tamper(database, delete(audit_entries).where(entry(chain, number)))

    found = await verdict(database, chain)

    assert (found.ok, found.first_bad) == (False, number)
    assert "missing" in str(found.what)


@pytest.mark.parametrize("left", [0, 3, ENTRIES - 1])
async def test_a_missing_tail_is_seen(database: Database, chain: int, left: int) -> None:
    await tamper(database, delete(audit_entries).where(audit_entries.c.number > left))

    found = await verdict(database, chain)

    assert (found.ok, found.first_bad) == (False, left + 1)
    assert "missing" in str(found.what)


async def test_an_entry_that_was_removed_and_the_rest_moved_up_is_named(
    database: Database, chain: int
) -> None:
    await tamper(database, delete(audit_entries).where(entry(chain, 4)))
    for number in range(5, ENTRIES + 1):
        moved = update(audit_entries).where(entry(chain, number)).values(number=number - 1)
        await tamper(database, moved)

    assert (await verdict(database, chain)).first_bad == 4


@pytest.mark.parametrize("number", [1, 4, ENTRIES, ENTRIES + 1])
async def test_an_inserted_entry_is_named(database: Database, chain: int, number: int) -> None:
    """With a hash that fits what stands before it, and the rest moved down to make room."""

    def insert_at(db: Connection) -> None:
        mine = audit_entries.c.organisation_id == chain
        rows = {row.number: row for row in db.execute(select(audit_entries).where(mine))}
        for later in range(ENTRIES, number - 1, -1):
            db.execute(update(audit_entries).where(entry(chain, later)).values(number=later + 1))
        copied = dict(rows[min(number, ENTRIES)]._mapping)
        previous = rows[number - 1].hash if number > 1 else GENESIS
        body = copied["body"].replace('"look"', '"see"')
        assert body != copied["body"]
        copied |= {"number": number, "body": body, "tool": "see"}
        copied["hash"] = chained(previous, body)
        copied.pop("id", None)
        db.execute(insert(audit_entries).values(**copied))

    await database.run(insert_at)

    found = await verdict(database, chain)
    assert (found.ok, found.first_bad) == (False, min(number + 1, ENTRIES + 1))


@pytest.mark.parametrize(("one", "other"), [(2, 3), (1, ENTRIES), (3, 5)])
async def test_reordered_entries_are_named(
    database: Database, chain: int, one: int, other: int
) -> None:
    for before, after in ((one, 1000), (other, one), (1000, other)):
        moved = update(audit_entries).where(entry(chain, before)).values(number=after)
        await tamper(database, moved)

    assert (await verdict(database, chain)).first_bad == one


async def test_an_entry_forged_with_its_own_hash_does_not_fit_what_follows(
    database: Database, chain: int
) -> None:
    def forge(db: Connection, number: int) -> None:
        rows = {
            row.number: row
            for row in db.execute(
                select(audit_entries).where(audit_entries.c.organisation_id == chain)
            )
        }
        previous = rows[number - 1].hash if number > 1 else GENESIS
        body = rows[number].body.replace('"look"', '"see"')
        changed = update(audit_entries).where(entry(chain, number))
        db.execute(changed.values(body=body, tool="see", hash=chained(previous, body)))

    await database.run(forge, 3)

    found = await verdict(database, chain)
    assert (found.ok, found.first_bad) == (False, 4)


async def test_a_forged_last_entry_does_not_fit_the_head(database: Database, chain: int) -> None:
    def forge(db: Connection) -> None:
        before = db.execute(select(audit_entries.c.hash).where(entry(chain, ENTRIES - 1))).scalar()
        last = db.execute(select(audit_entries).where(entry(chain, ENTRIES))).one()
        body = last.body.replace('"ok"', '"no"')
        changed = update(audit_entries).where(entry(chain, ENTRIES))
        db.execute(changed.values(body=body, outcome="no", hash=chained(str(before), body)))

    await database.run(forge)

    found = await verdict(database, chain)
    assert (found.ok, found.first_bad) == (False, ENTRIES)
    assert "head" in str(found.what)


async def test_a_missing_head_is_seen(database: Database, chain: int) -> None:
    await tamper(database, delete(audit_heads).where(audit_heads.c.organisation_id == chain))

    found = await verdict(database, chain)

    assert (found.ok, found.first_bad) == (False, ENTRIES)
    assert "head" in str(found.what)


async def test_a_chain_removed_whole_is_seen_where_calls_remember_it(database: Database) -> None:
    organisation = await database.run(people.first_organisation)
    await database.run(remembered_call, organisation)
    await tamper(database, delete(audit_entries))
    await tamper(database, delete(audit_heads))

    found = await verdict(database, organisation)

    assert not found.ok
    assert found.first_bad == 1
    assert organisation in await database.run(audit.organisations_with_entries)


def remembered_call(db: Connection, organisation: int) -> None:
    """A call of a turn, as the gate writes it: its audit entry and its own row."""
    number = audit.append(
        db,
        organisation,
        "started",
        at=1.0,
        person_id=None,
        conversation_id=None,
        turn_id="t1",
        call_id="c1",
        tool="measure",
        says={},
    )
    calls.begin(
        db,
        owner_id="t1",
        call_id="c1",
        organisation_id=organisation,
        tool="measure",
        caller={"type": "direct"},
        effect="read",
        audit_ref=number,
        at=1.0,
    )


async def test_a_head_put_back_is_seen(database: Database, chain: int) -> None:
    def put_back(db: Connection) -> None:
        old = db.execute(select(audit_entries).where(entry(chain, 4))).one()
        changed = update(audit_heads).where(audit_heads.c.organisation_id == chain)
        db.execute(changed.values(number=4, hash=old.hash))

    await database.run(put_back)

    assert not (await verdict(database, chain)).ok


async def test_the_export_has_one_line_a_call_in_the_order_they_began(database: Database) -> None:
    organisation_id = await database.run(people.add_organisation, "Fábrica")
    first = await database.run(_append, organisation_id, "started", None, arguments={"n": 1})
    second = await database.run(_append, organisation_id, "asked", None, outcome="waiting")
    refused = await database.run(_append, organisation_id, "refused", None, outcome="forbidden")
    await database.run(_append, organisation_id, "started", second, decision="approved")
    await database.run(_append, organisation_id, "ended", first, outcome="ok", error=None)
    await database.run(_append, organisation_id, "ended", second, outcome="timeout", error="slow")

    lines = await database.read(audit.export, organisation_id)

    assert [(line["id"], line["state"], line["outcome"]) for line in lines] == [
        (first, "ended", "ok"),
        (second, "ended", "timeout"),
        (refused, "refused", "forbidden"),
    ]
    assert [[e["kind"] for e in line["entries"]] for line in lines] == [
        ["started", "ended"],
        ["asked", "started", "ended"],
        ["refused"],
    ]
    assert lines[0]["arguments"] == {"n": 1}
    assert lines[1]["decision"] == "approved"


async def test_the_newest_calls_are_found_by_what_they_were(database: Database) -> None:
    organisation_id = await database.run(people.add_organisation, "Fábrica")

    def note(db: Connection, tool: str, person: int, at: float) -> int:
        return audit.append(
            db,
            organisation_id,
            "refused",
            at=at,
            person_id=person,
            conversation_id=None,
            turn_id=f"t{person}",
            call_id="x",
            tool=tool,
            says={},
        )

    for at in range(6):
        await database.run(note, "ab"[at % 2], at // 3, float(at))

    async def numbers(**how: Any) -> list[int]:
        lines = await database.read(audit.calls, organisation_id, **how)
        return [line["id"] for line in lines]

    assert await numbers() == [6, 5, 4, 3, 2, 1]
    assert await numbers(limit=2) == [6, 5]
    assert await numbers(before=5, limit=2) == [4, 3]
    assert await numbers(tool="a") == [5, 3, 1]
    assert await numbers(person_id=0, tool="b") == [2]
    assert await numbers(turn_id="t1") == [6, 5, 4]
    assert await numbers(since=1.0, until=3.0) == [3, 2]


async def test_entries_from_everywhere_at_once_make_one_chain(database: Database) -> None:
    organisation_id = await database.run(people.add_organisation, "Fábrica")

    numbers = await asyncio.gather(
        *(database.run(_append, organisation_id, "refused", None) for _ in range(60))
    )

    assert sorted(numbers) == list(range(1, 61))
    assert await verdict(database, organisation_id) == Verdict(organisation_id, True, 60)


async def test_an_entry_goes_when_its_transaction_goes(database: Database, chain: int) -> None:
    def fail(db: Connection) -> None:
        _append(db, chain, "refused", None)
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        await database.run(fail)

    assert await verdict(database, chain) == Verdict(chain, True, ENTRIES)

"""The registry remembers what an administrator chose, whatever the packs do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bancada.domain.errors import NotFound
from bancada.store import people, tool_settings
from bancada.store.database import Database
from bancada.store.tool_settings import CHOICES

CHOSEN: dict[str, Any] = {
    "is_enabled": False,
    "permission_level": "admin",
    "confirmation": {"when": {"field": "a", "op": "==", "value": 1}},
    "allowed_callers": ["direct"],
    "cache_seconds": 7,
    "budget": {"calls": 1, "per": "day"},
}


async def choices(database: Database, name: str) -> dict[str, Any]:
    row = (await database.read(tool_settings.registry))[name]
    return {choice: getattr(row, choice) for choice in CHOICES}


async def test_a_new_tool_arrives_without_any_choice(database: Database) -> None:
    await database.run(tool_settings.reconcile, {"look": "tests"})

    row = (await database.read(tool_settings.registry))["look"]

    assert (row.pack, bool(row.is_present)) == ("tests", True)
    assert await choices(database, "look") == dict.fromkeys(CHOICES)


@pytest.mark.parametrize(
    "starts",
    [
        [{"look": "tests"}],
        [{}],
        [{}, {}, {"look": "tests"}],
        [{"look": "other"}],
        [{"other": "tests"}, {"look": None}],
    ],
    ids=["the same", "gone", "gone and back", "another pack", "no pack"],
)
async def test_a_start_never_forgets_what_was_chosen(
    database: Database, starts: list[dict[str, str | None]]
) -> None:
    await database.run(tool_settings.reconcile, {"look": "tests"})
    await database.run(tool_settings.change_registry, "look", **CHOSEN)

    for present in starts:
        await database.run(tool_settings.reconcile, present)

    assert await choices(database, "look") == CHOSEN
    row = (await database.read(tool_settings.registry))["look"]
    assert bool(row.is_present) == ("look" in starts[-1])


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    starts=st.lists(
        st.dictionaries(st.sampled_from("abc"), st.sampled_from(["p", "q", None])), max_size=6
    )
)
async def test_no_order_of_starts_forgets_a_choice(
    database: Database, starts: list[dict[str, str | None]]
) -> None:
    await database.run(tool_settings.reconcile, dict.fromkeys("abc", "p"))
    for name in "abc":
        await database.run(tool_settings.change_registry, name, cache_seconds=ord(name))

    for present in starts:
        await database.run(tool_settings.reconcile, present)

    for name in "abc":
        assert (await choices(database, name))["cache_seconds"] == ord(name)


async def test_a_tool_nobody_knows_cannot_be_changed(database: Database) -> None:
    with pytest.raises(NotFound):
        await database.run(tool_settings.change_registry, "missing", is_enabled=False)


async def version(database: Database, organisation_id: int) -> int:
    return int((await database.read(people.organisation, organisation_id)).settings_version)


async def test_a_change_is_seen_by_every_process_at_its_next_call(database: Database) -> None:
    """The version is what a gate's memory is compared with."""
    one = await database.run(people.add_organisation, "A")
    other = await database.run(people.add_organisation, "B")
    await database.run(tool_settings.reconcile, {"look": "tests"})
    before = (await version(database, one), await version(database, other))

    await database.run(tool_settings.change_setting, one, "role", "admin", "look", is_enabled=False)
    between = (await version(database, one), await version(database, other))
    await database.run(tool_settings.change_registry, "look", is_enabled=False)
    after = (await version(database, one), await version(database, other))

    assert between[0] > before[0]
    assert between[1] == before[1]
    assert after[0] > between[0]
    assert after[1] > between[1]


async def test_a_start_with_nothing_new_changes_no_version(database: Database) -> None:
    one = await database.run(people.add_organisation, "A")
    await database.run(tool_settings.reconcile, {"look": "tests"})
    before = await version(database, one)

    await database.run(tool_settings.reconcile, {"look": "tests"})

    assert await version(database, one) == before


async def test_a_level_left_with_no_word_is_removed(database: Database) -> None:
    one = await database.run(people.add_organisation, "A")
    where = (one, "user", "1", "look")
    await database.run(tool_settings.change_setting, *where, is_enabled=False, cache_seconds=3)

    await database.run(tool_settings.change_setting, *where, is_enabled=None)
    row = await database.read(tool_settings.setting, *where)
    assert row is not None
    assert (row.is_enabled, row.cache_seconds) == (None, 3)

    await database.run(tool_settings.change_setting, *where, cache_seconds=None)
    assert await database.read(tool_settings.setting, *where) is None
    assert await database.read(tool_settings.settings_of, one) == []

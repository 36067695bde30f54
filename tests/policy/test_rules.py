"""The levels resolved: the global word replaces the tool's own, narrower ones only restrict."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from pydantic import TypeAdapter

from bancada import Invalid, tool
from bancada.domain.calls import CODE_CALLER
from bancada.domain.shapes import fitted
from bancada.policy.rules import (
    LEVELS,
    AskRule,
    Budget,
    Confirmation,
    Level,
    LevelSetting,
    resolve,
)

NARROW: tuple[Level, ...] = ("organisation", "role", "agent", "user", "own")


def make(**says: Any) -> Any:
    @tool(**says)
    async def work(amount: int = 0) -> str:
        """Work."""
        return ""

    return work


def word(level: Level, **says: Any) -> LevelSetting:
    return LevelSetting(level=level, **says)


def test_a_tool_nobody_spoke_of_is_as_it_says_itself() -> None:
    work = make(permission_level="responsavel", allowed_callers=[CODE_CALLER], cache_seconds=9)

    rules = resolve(work, [])

    assert (rules.is_enabled, rules.permission_level) == (True, "responsavel")
    assert (rules.allowed_callers, rules.cache_seconds) == ((CODE_CALLER,), 9)
    assert (rules.own_confirmation, rules.asks, rules.budgets) == (True, (), ())


@pytest.mark.parametrize("switches", list(product([None, True, False], repeat=len(LEVELS))))
def test_enabled_is_the_and_of_all_levels_and_names_the_widest_that_said_no(
    switches: tuple[bool | None, ...],
) -> None:
    words = [
        word(level, is_enabled=said)
        for level, said in zip(LEVELS, switches, strict=True)
        if said is not None
    ]

    rules = resolve(make(), reversed(words))

    refusing = [level for level, said in zip(LEVELS, switches, strict=True) if said is False]
    assert rules.is_enabled is not bool(refusing)
    assert rules.disabled_at == (refusing[0] if refusing else None)


@pytest.mark.parametrize(
    ("own", "globally", "narrower", "expected"),
    [
        # The global word replaces the tool's, up or down.
        ("operador", None, None, "operador"),
        ("operador", "admin", None, "admin"),
        ("admin", "operador", None, "operador"),
        # A narrower one may raise it, never lower it.
        ("operador", None, "responsavel", "responsavel"),
        ("admin", None, "operador", "admin"),
        ("admin", "responsavel", "operador", "responsavel"),
        ("operador", "responsavel", "admin", "admin"),
    ],
)
@pytest.mark.parametrize("level", NARROW)
def test_the_permission_level_is_the_strictest_below_the_global_one(
    own: Any, globally: Any, narrower: Any, expected: str, level: Level
) -> None:
    words = [word("global", permission_level=globally), word(level, permission_level=narrower)]

    assert resolve(make(permission_level=own), words).permission_level == expected


@pytest.mark.parametrize(
    ("own", "globally", "narrower", "expected"),
    [
        (["direct"], None, None, ["direct"]),
        (["direct"], [CODE_CALLER], None, [CODE_CALLER]),
        (["direct"], ["direct", CODE_CALLER], [CODE_CALLER], [CODE_CALLER]),
        (["direct"], None, [CODE_CALLER], []),
        (["direct", CODE_CALLER], None, ["direct"], ["direct"]),
        (["direct"], None, ["direct", CODE_CALLER], ["direct"]),
        (["direct"], None, [], []),
        (["direct"], [], ["direct"], []),
    ],
)
@pytest.mark.parametrize("level", NARROW)
def test_callers_are_those_that_every_level_allows(
    own: Any, globally: Any, narrower: Any, expected: list[str], level: Level
) -> None:
    words = [word("global", allowed_callers=globally), word(level, allowed_callers=narrower)]

    assert list(resolve(make(allowed_callers=own), words).allowed_callers) == expected


@pytest.mark.parametrize(
    ("own", "globally", "narrower", "expected"),
    [(0, None, None, 0), (60, None, 10, 10), (10, None, 60, 10), (0, 60, None, 60), (60, 0, 30, 0)],
)
@pytest.mark.parametrize("level", NARROW)
def test_caching_is_the_shortest_below_the_global_one(
    own: int, globally: Any, narrower: Any, expected: int, level: Level
) -> None:
    words = [word("global", cache_seconds=globally), word(level, cache_seconds=narrower)]

    assert resolve(make(cache_seconds=own), words).cache_seconds == expected


def test_every_budget_counts() -> None:
    wide, narrow = {"calls": 9, "per": "day"}, {"calls": 1, "per": "hour"}

    rules = resolve(make(), [word("user", budget=narrow), word("global", budget=wide)])

    assert rules.budgets == (wide, narrow)


@pytest.mark.parametrize(
    ("own", "globally", "narrower", "reasons"),
    [
        # The tool's own word stands until the global level says something.
        ("never", None, None, []),
        ("always", None, None, ["tool"]),
        ("always", "never", None, []),
        ("never", "always", None, ["global"]),
        ("always", "always", None, ["global"]),
        # A narrower "never" changes nothing; an "always" adds a reason.
        ("always", None, "never", ["tool"]),
        ("never", None, "always", ["narrow"]),
        ("always", "never", "always", ["narrow"]),
        ("never", "always", "never", ["global"]),
        ("always", None, "always", ["tool", "narrow"]),
    ],
)
@pytest.mark.parametrize("level", NARROW)
@pytest.mark.parametrize("spelt", [{}, {"always": True, "never": False}])
def test_who_asks_first(
    own: Any, globally: Any, narrower: Any, reasons: list[str], level: Level, spelt: Any
) -> None:
    work = make(confirm=own)
    words = [
        word("global", confirmation=spelt.get(globally, globally)),
        word(level, confirmation=spelt.get(narrower, narrower)),
    ]

    rules = resolve(work, words)

    expected = [level if reason == "narrow" else reason for reason in reasons]
    assert [rule.level for rule in rules.reasons_to_ask(work, {})] == expected


@pytest.mark.parametrize(("amount", "asks"), [(100, False), (101, True)])
def test_a_condition_asks_only_where_it_holds(amount: int, asks: bool) -> None:
    work = make()
    when = {"field": "amount", "op": ">", "value": 100}
    chosen = {"when": when, "approver_role": "admin", "remember": False}

    rules = resolve(work, [word("role", confirmation=chosen)])

    expected = [AskRule("role", when=when, approver_role="admin", remember=False)] if asks else []
    assert rules.reasons_to_ask(work, {"amount": amount}) == expected


CONFIRMATION = TypeAdapter[Any](Confirmation | None)
BUDGET = TypeAdapter[Any](Budget | None)


@pytest.mark.parametrize(
    "confirmation",
    [
        None,
        True,
        False,
        "always",
        "never",
        {},
        {"approver_role": "admin"},
        {"remember": False},
        {"when": {"field": "a", "op": "present", "value": True}},
    ],
)
def test_a_confirmation_that_means_something_is_taken(confirmation: Any) -> None:
    fitted(CONFIRMATION, confirmation)

    resolve(make(), [word("global", confirmation=confirmation)])


@pytest.mark.parametrize(
    "confirmation",
    [
        "sometimes",
        7,
        [],
        {"who": "admin"},
        {"approver_role": "boss"},
        {"remember": "yes"},
        {"when": {"field": "a"}},
    ],
)
def test_a_confirmation_that_means_nothing_is_refused(confirmation: Any) -> None:
    with pytest.raises(Invalid):
        fitted(CONFIRMATION, confirmation)


@pytest.mark.parametrize(
    "budget",
    [None, {"calls": 0, "per": "minute"}, {"calls": 5, "per": "month", "by": "organisation"}],
)
def test_a_budget_that_can_be_counted_is_taken(budget: Any) -> None:
    fitted(BUDGET, budget)


@pytest.mark.parametrize(
    "budget",
    [
        5,
        {},
        {"calls": 5},
        {"calls": -1, "per": "day"},
        {"calls": True, "per": "day"},
        {"calls": 1.5, "per": "day"},
        {"calls": 1, "per": "week"},
        {"calls": 1, "per": "day", "by": "team"},
        {"calls": 1, "per": "day", "usd": 3},
    ],
)
def test_a_budget_that_cannot_be_counted_is_refused(budget: Any) -> None:
    with pytest.raises(Invalid):
        fitted(BUDGET, budget)

"""The one promise, over rules, defaults, edits and chains: nothing runs that a rule would have asked
about, unless somebody whom that rule names said yes.

What the gate should have done is worked out here a second time, from the rules and the record of
decisions alone, each time that money really moves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bancada.domain.calls import Outcome, Waiting
from bancada.domain.errors import Problem
from bancada.domain.json import JSONObject
from bancada.domain.people import Person, reaches
from bancada.gate.deciding import PersonsDecision, decide
from bancada.store import confirmations
from bancada.tools.tool import tool
from tests.custom.workshop import Workshop, parameter
from tests.house import House

amounts = st.sampled_from([1, 50, 100, 101, 500])
conditions = st.none() | st.builds(
    lambda op, value: {"field": "amount", "op": op, "value": value},
    st.sampled_from([">", "<=", "==", "!="]),
    amounts,
)
rules = st.sampled_from([None, "never", "always"]) | st.fixed_dictionaries(
    {
        "when": conditions,
        "approver_role": st.sampled_from([None, "operador", "responsavel", "admin"]),
        "approver": st.sampled_from([None, "other"]),
        "remember": st.booleans(),
    }
)
people_ = st.sampled_from(["rui", "rui", "eva", "ana"])
calls = st.tuples(
    st.just("call"),
    people_,
    st.sampled_from(["pay", "once", "twice", "picked", "nested"]),
    st.none() | amounts,
    st.sampled_from(["c1", "c1", "c2"]),
)
decisions = st.tuples(
    st.just("decide"), people_, st.integers(0, 3), st.none() | st.none() | amounts, st.booleans()
)
runs = st.tuples(st.just("run"), st.integers(0, 3))
changes = st.tuples(
    st.just("rule"), st.sampled_from(["global", "organisation", "role"]), rules, st.booleans()
)
redefinitions = st.tuples(st.just("redefine"), amounts)
episodes = st.tuples(calls, decisions, st.none() | changes | redefinitions, runs, st.none() | calls)
stories = st.tuples(
    st.lists(changes, min_size=1, max_size=3), st.lists(episodes, min_size=2, max_size=6)
).map(lambda both: [*both[0], *(one for episode in both[1] for one in episode if one)])

_numbers = count(1)


@dataclass
class World:
    """A house whose `pay` is watched, with chains that lead to it in every way there is."""

    workshop: Workshop
    running: dict[str, Any] = field(default_factory=dict)
    """The call under way: who made it, in which conversation, with which confirmation."""
    rules: dict[str, Any] = field(default_factory=dict)
    waiting: list[tuple[str, str, JSONObject, str, str, str]] = field(default_factory=list)
    approved: list[tuple[str, str, JSONObject, str, str, str]] = field(default_factory=list)
    moved: int = 0
    story: int = 0

    @property
    def house(self) -> House:
        return self.workshop.house

    def person(self, name: str) -> Person:
        found: Person = getattr(self.house, name)
        return found

    async def open(self) -> None:
        @tool(effect="write")
        async def pay(amount: int = 500) -> str:
            """Pay."""
            await self.check(amount)
            return f"paid {amount}"

        @tool
        async def pick(amount: int = 101) -> int:
            """Pick an amount: nobody knows which before it ran."""
            return amount

        await self.house.add(pay, pick)
        await self.workshop.settings(custom_tools="admins")
        given = parameter("amount", "integer", default_value=101)
        for name, steps in {
            "once": [{"tool": "pay", "input": {"amount": "{amount}"}}],
            "twice": [
                {"tool": "pay", "input": {"amount": "{amount}"}},
                {"tool": "pay", "input": {}},
            ],
            "picked": [
                {"name": "chosen", "tool": "pick", "input": {"amount": "{amount}"}},
                {"tool": "pay", "input": {"amount": "{chosen}"}},
            ],
            "nested": [
                {"name": "chosen", "tool": "pick", "input": {"amount": "{amount}"}},
                {"tool": "once", "input": {"amount": "{chosen}"}},
            ],
        }.items():
            await self.workshop.define(
                name,
                "composed",
                {"steps": steps},
                given,
                effect="write",
                requires_confirmation=False,
            )

    # ------------------------------------------------------------------ what must never happen

    async def check(self, amount: int) -> None:
        """Money moves: every rule that holds for it has the word of somebody it names."""
        self.moved += 1
        asker = self.person(self.running["by"])
        for rule in self.in_force(asker):
            if rule["when"] is not None and not _holds(rule["when"], amount):
                continue
            words = await self.words(asker, remembered=rule["remember"])
            named = [one for one in words if self.names(rule, asker, one)]
            assert named, f"{amount} was paid by {asker.name} against {rule}"

    def in_force(self, asker: Person) -> list[JSONObject]:
        levels = ["global", "organisation", f"role:{asker.role}"]
        said = [self.rules.get(level) for level in levels]
        whole = {"when": None, "approver_role": None, "approver": None, "remember": True}
        return [whole if rule == "always" else rule for rule in said if rule not in (None, "never")]

    async def words(self, asker: Person, *, remembered: bool) -> list[Person]:
        """Who said yes to this call or, where that may be, to the tool for the conversation."""
        found = [self.running.get("confirmation")]
        if remembered:
            always = await self.house.database.read(
                confirmations.remembered, self.running["within"], asker.id, self.running["tool"]
            )
            found += [one.id for one in always]
        stored = [
            await self.house.database.read(confirmations.find, id) for id in found if id is not None
        ]
        by = {person.id: person for person in (self.house.ana, self.house.rui, self.house.eva)}
        return [by[one.decided_by] for one in stored if one and one.decided_by is not None]

    def names(self, rule: JSONObject, asker: Person, approver: Person) -> bool:
        if rule["approver"] == "other" and approver.id == asker.id:
            return False
        role = rule["approver_role"]
        return role is None or reaches(approver.role, role)

    # ------------------------------------------------------------------ what people do

    async def call(self, by: str, name: str, amount: int | None, within: str) -> None:
        id = f"call_{next(_numbers)}"
        input = {} if amount is None else {"amount": amount}
        await self.make(by, name, input, f"{within}-{self.story}", id, None)

    async def make(
        self,
        by: str,
        name: str,
        input: JSONObject,
        within: str,
        id: str,
        confirmation: str | None,
    ) -> None:
        self.running = {"by": by, "within": within, "tool": name, "confirmation": confirmation}
        ended = await self.house.call(
            name,
            input,
            by=self.person(by),
            id=id,
            conversation_id=within,
            confirmation_id=confirmation,
        )
        assert not (isinstance(ended, Outcome) and "unexpectedly" in str(ended.content)), ended
        if isinstance(ended, Waiting):
            self.waiting.append((ended.confirmation_id, by, input, within, id, name))

    async def decide(self, by: str, place: int, edited: int | None, remember: bool) -> None:
        if not self.waiting:
            return
        one = self.waiting.pop(place % len(self.waiting))
        decision = PersonsDecision(
            approve=True,
            input=None if edited is None else {"amount": edited},
            remember="conversation" if remember else None,
        )
        try:
            await self.house.database.run(
                decide, self.house.gate.context(), self.person(by), one[0], decision
            )
        except Problem:
            self.waiting.append(one)  # not theirs to decide
        else:
            self.approved.append(one)

    async def run(self, place: int) -> None:
        """An approved call is made: perhaps at once, perhaps after the rules have changed."""
        if self.approved:
            confirmation, by, input, within, id, name = self.approved.pop(
                place % len(self.approved)
            )
            await self.make(by, name, input, within, id, confirmation)

    async def rule(self, level: str, rule: Any, lower: bool) -> None:
        if level == "global":
            self.rules["global"] = rule
            await self.house.choose("pay", confirmation=rule)
        else:
            subject = "" if level == "organisation" else ("operador" if lower else "responsavel")
            self.rules[level if not subject else f"{level}:{subject}"] = rule
            await self.house.choose_at(level, subject, "pay", confirmation=rule)

    async def redefine(self, amount: int) -> None:
        """The inner chain pays something else from now on."""
        steps = [
            {"tool": "pay", "input": {"amount": amount}},
            {"tool": "pick", "input": {"amount": "{amount}"}},
        ]
        await self.workshop.desk.change(self.house.eva, "once", {"definition": {"steps": steps}})

    async def live(self, story: list[tuple[Any, ...]]) -> None:
        for what, *how in story:
            await getattr(self, what)(*how)


def _holds(when: JSONObject, amount: int) -> bool:
    value = when["value"]
    return {
        ">": amount > value,
        "<=": amount <= value,
        "==": amount == value,
        "!=": amount != value,
    }[when["op"]]


@pytest.fixture
async def world(sqlite_house: House) -> World:
    made = World(Workshop(sqlite_house))
    await made.open()
    return made


calm = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


async def lived(world: World, story: list[tuple[Any, ...]]) -> None:
    """One story after another in the same house, in conversations of its own."""
    world.waiting.clear()
    world.approved.clear()
    for level, lower in (("global", True), ("organisation", True), ("role", True), ("role", False)):
        await world.rule(level, None, lower)
    world.story += 1
    await world.live(story)


@settings(max_examples=100, deadline=None, suppress_health_check=calm, phases=[Phase.generate])
@given(story=stories)
async def test_nothing_runs_that_a_rule_would_have_asked_about(
    world: World, story: list[tuple[Any, ...]]
) -> None:
    await lived(world, story)


@pytest.mark.long
@pytest.mark.timeout(900)
@settings(max_examples=2_000, deadline=None, suppress_health_check=calm, phases=[Phase.generate])
@given(story=stories)
async def test_nothing_runs_that_a_rule_would_have_asked_about_in_thousands_of_stories(
    world: World, story: list[tuple[Any, ...]]
) -> None:
    await lived(world, story)


async def test_the_promise_is_tried_on_money_that_moves(world: World) -> None:
    """The stories above would prove nothing in a house where nothing is ever paid."""
    await world.live(
        [
            (
                "rule",
                "global",
                {"when": None, "approver_role": "admin", "approver": "other", "remember": True},
                True,
            ),
            ("call", "rui", "nested", None, "c1"),
            ("decide", "eva", 0, 50, True),
            ("run", 0),
            ("call", "rui", "nested", 1, "c1"),
            ("rule", "global", "never", True),
            ("call", "ana", "twice", 1, "c1"),
        ]
    )

    assert world.moved == 4

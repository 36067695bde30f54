"""Composed tools through the gate: every step audited, one confirmation for all."""

from __future__ import annotations

from typing import Any

import pytest

from bancada.domain.errors import Invalid, ToolFailed
from bancada.domain.json import JSONObject
from bancada.store import agents
from bancada.tools.tool import tool
from tests.custom.workshop import Workshop, parameter
from tests.house import House, kinds

done: list[str] = []


async def calls_of(house: House) -> list[JSONObject]:
    """The lines of calls, without those that say how the tools came to be."""
    return [line for line in await house.lines() if kinds(line) != ["changed"]]


@pytest.fixture(autouse=True)
def _nothing_done() -> None:
    done.clear()


@tool
async def search(query: str) -> dict[str, Any]:
    """Search."""
    return {"found": [{"title": f"About {query}"}], "total": 1}


@tool(outside_content=True)
async def fetch(query: str) -> str:
    """Fetch text from outside."""
    return f"outside: {query}"


@tool(effect="write", confirm="always")
async def file_task(title: str) -> dict[str, str]:
    """File a task."""
    done.append(title)
    return {"id": "T-1"}


@tool(effect="write")
async def note(text: str) -> str:
    """Note something."""
    done.append(text)
    return "noted"


@tool(effect="write", confirm=lambda input: input["amount"] > 100)
async def pay(amount: int) -> str:
    """Pay."""
    done.append(f"paid {amount}")
    return "paid"


@tool
async def broken() -> str:
    """Never works."""
    raise ToolFailed("The machine is off.")


@tool(parallel=False)
async def alone() -> str:
    """Runs alone."""
    return "alone"


@pytest.fixture
async def shop(workshop: Workshop) -> Workshop:
    await workshop.house.add(search, fetch, file_task, note, pay, broken, alone)
    return workshop


def step(tool: str, name: str | None = None, **input: Any) -> JSONObject:
    return {"tool": tool, "input": input, **({"name": name} if name else {})}


FILE_WHAT_IS_FOUND = {
    "steps": [
        step("search", "docs", query="{topic}"),
        step("file_task", "task", title="Read {docs.found.0.title}"),
    ],
    "result": {"task": "{task.id}", "documents": "{docs.total}"},
}


async def test_steps_are_filled_from_arguments_and_earlier_results(
    shop: Workshop, house: House
) -> None:
    definition = {
        "steps": [
            step("search", "first", query="{topic}"),
            step("search", "second", query="{first.found.0.title}, again"),
        ],
        "result": {"title": "{second.found.0.title}", "n": "{first.total}"},
    }
    await shop.define("twice", "composed", definition, parameter("topic"))
    got = await house.result("twice", {"topic": "paint"})
    assert got.value == {"title": "About About paint, again", "n": 1}


async def test_without_a_result_the_last_steps_answer_is_the_answer(
    shop: Workshop, house: House
) -> None:
    await shop.define("one", "composed", {"steps": [step("search", query="x")]})
    assert (await house.result("one")).value == {"found": [{"title": "About x"}], "total": 1}


async def test_every_step_leaves_its_own_line_and_says_whose_it_is(
    shop: Workshop, house: House
) -> None:
    await shop.define(
        "twice", "composed", {"steps": [step("search", query="a"), step("fetch", query="b")]}
    )
    await house.result("twice", id="call_outer")
    outer, first, second = await calls_of(house)
    assert [line["tool"] for line in (outer, first, second)] == ["twice", "search", "fetch"]
    assert all(kinds(line) == ["started", "ended"] for line in (outer, first, second))
    for line in (first, second):
        assert line["caller"] == {"type": "direct", "tool_id": "call_outer", "via": "composed"}
    assert (await house.verify()).ok


async def test_the_whole_is_confirmed_once_before_it_starts(shop: Workshop, house: House) -> None:
    await shop.define(
        "file",
        "composed",
        FILE_WHAT_IS_FOUND,
        parameter("topic"),
        effect="write",
        requires_confirmation=False,
    )
    waiting = await house.waits("file", {"topic": "paint"}, id="c1")
    assert [line["tool"] for line in await calls_of(house)] == ["file"]
    assert await house.decide(waiting, "approved")
    got = await house.result(
        "file", {"topic": "paint"}, id="c1", confirmation_id=waiting.confirmation_id
    )
    assert got.value == {"task": "T-1", "documents": 1}
    assert done == ["Read About paint"]
    assert [line["decision"] for line in await calls_of(house)] == [
        "approved",
        "allowed",
        "allowed",
    ]


async def test_within_a_turn_the_same_once(shop: Workshop, house: House) -> None:
    await shop.define("file", "composed", FILE_WHAT_IS_FOUND, parameter("topic"), effect="write")
    waiting = await house.waits("file", {"topic": "paint"}, id="c1", turn_id="t1")
    assert await house.decide(waiting, "approved")
    got = await house.result("file", {"topic": "paint"}, id="c1", turn_id="t1")
    assert not got.is_error, got.content
    assert done == ["Read About paint"]


async def test_a_rejected_chain_runs_no_step(shop: Workshop, house: House) -> None:
    await shop.define("file", "composed", FILE_WHAT_IS_FOUND, parameter("topic"), effect="write")
    waiting = await house.waits("file", {"topic": "paint"}, id="c1", turn_id="t1")
    assert await house.decide(waiting, "rejected", reason="not now")
    got = await house.result("file", {"topic": "paint"}, id="c1", turn_id="t1")
    assert got.code == "rejected"
    assert done == []
    assert len(await calls_of(house)) == 1


async def test_a_chain_that_asks_nobody_runs_at_once(shop: Workshop, house: House) -> None:
    await shop.define(
        "noting",
        "composed",
        {"steps": [step("search", "docs", query="x"), step("note", text="{docs.total}")]},
        effect="write",
        requires_confirmation=False,
    )
    assert (await house.result("noting")).code == "failed"  # a number is no text
    await shop.desk.change(
        house.eva,
        "noting",
        {
            "definition": {
                "steps": [step("search", "d", query="x"), step("note", text="n {d.total}")]
            }
        },
    )
    assert not (await house.result("noting")).is_error
    assert done == ["n 1"]


async def test_a_condition_counts_where_the_steps_input_is_known(
    shop: Workshop, house: House
) -> None:
    await shop.define(
        "pay_up",
        "composed",
        {"steps": [step("pay", amount="{amount}")]},
        parameter("amount", "integer"),
        effect="write",
        requires_confirmation=False,
    )
    assert not (await house.result("pay_up", {"amount": 5})).is_error
    await house.waits("pay_up", {"amount": 500})
    assert done == ["paid 5"]


async def test_a_condition_on_what_is_not_known_yet_asks(shop: Workshop, house: House) -> None:
    await shop.define(
        "pay_found",
        "composed",
        {"steps": [step("search", "docs", query="x"), step("pay", amount="{docs.total}")]},
        effect="write",
        requires_confirmation=False,
    )
    await house.waits("pay_found")
    assert done == []


async def test_a_rule_of_the_organisation_on_a_step_asks_and_names_who_decides(
    shop: Workshop, house: House
) -> None:
    await shop.define(
        "noting",
        "composed",
        {"steps": [step("note", text="x")]},
        effect="write",
        requires_confirmation=False,
    )
    await house.choose_at("organisation", "", "note", confirmation={"approver_role": "admin"})
    waiting = await house.waits("noting")
    assert (await house.confirmation(waiting)).approver_role == "admin"


async def test_text_from_outside_in_one_step_makes_a_later_write_ask(
    shop: Workshop, house: House
) -> None:
    definition = {"steps": [step("fetch", "page", query="x"), step("note", text="{page}")]}
    await shop.define("keep", "composed", definition, effect="write", requires_confirmation=False)
    assert (await house.waits("keep")).reason == "outside_content"
    await shop.settings(outside_content_writes="allow")
    assert not (await house.result("keep")).is_error


async def test_chains_of_chains_are_confirmed_once_too(shop: Workshop, house: House) -> None:
    await shop.define(
        "file", "composed", FILE_WHAT_IS_FOUND, parameter("topic"), effect="write",
        requires_confirmation=False,
    )  # fmt: skip
    await shop.define(
        "outer", "composed", {"steps": [step("file", topic="paint")]}, effect="write",
        requires_confirmation=False,
    )  # fmt: skip
    waiting = await house.waits("outer", id="c1")
    assert await house.decide(waiting, "approved")
    got = await house.result("outer", id="c1", confirmation_id=waiting.confirmation_id)
    assert got.value == {"task": "T-1", "documents": 1}
    assert [line["tool"] for line in await calls_of(house)] == [
        "outer", "file", "search", "file_task",
    ]  # fmt: skip


async def test_depth_is_bounded_and_circles_are_refused(shop: Workshop, house: House) -> None:
    await shop.define("c1", "composed", {"steps": [step("search", query="x")]})
    for n in (2, 3, 4):
        await shop.define(f"c{n}", "composed", {"steps": [step(f"c{n - 1}")]})
    assert not (await house.result("c4")).is_error
    with pytest.raises(Invalid, match="levels deep"):
        await shop.define("c5", "composed", {"steps": [step("c4")]})
    with pytest.raises(Invalid, match="without end"):
        await shop.desk.change(house.eva, "c1", {"definition": {"steps": [step("c3")]}})


async def test_the_first_step_that_fails_ends_the_chain(shop: Workshop, house: House) -> None:
    await shop.define(
        "noting",
        "composed",
        {"steps": [step("broken", "b"), step("note", text="never")]},
        effect="write",
        requires_confirmation=False,
    )
    got = await house.result("noting")
    assert got.is_error
    assert "Step b (broken) failed: The machine is off." in str(got.content)
    assert done == []


async def test_a_step_the_person_may_not_call_hides_the_chain(shop: Workshop, house: House) -> None:
    await shop.define("looking", "composed", {"steps": [step("search", query="x")]})
    await house.choose("search", permission_level="admin")
    refused = await house.result("looking", by=house.ana)
    assert refused.is_error
    assert "may not use search" in str(refused.content)
    assert not (await house.result("looking", by=house.eva)).is_error


async def test_a_step_that_is_switched_off_or_gone_is_said(shop: Workshop, house: House) -> None:
    await shop.define("inner", "composed", {"steps": [step("search", query="x")]})
    await shop.define("outer", "composed", {"steps": [step("inner")]})
    await shop.desk.retire(house.eva, "inner")
    got = await house.result("outer")
    assert got.code == "disabled"
    assert "inner" in str(got.content)


async def test_a_step_that_runs_alone_makes_the_whole_run_alone_and_does_not_block_it(
    shop: Workshop, house: House
) -> None:
    await shop.define("quiet", "composed", {"steps": [step("alone")]})
    got = await house.result("quiet", turn_id="t1", id="a")
    assert got.content == "alone"
    made = house.registry.find("quiet", house.ana)
    assert made is not None
    assert made.parallel is False


async def test_an_agents_chain_may_use_tools_the_agent_does_not_have(
    shop: Workshop, house: House
) -> None:
    await shop.define("looking", "composed", {"steps": [step("search", query="x")]})
    agent = await house.agent("Ajudante", "looking")
    assert not (await house.result("looking", agent=agent)).is_error
    assert (await house.result("search", {"query": "x"}, agent=agent)).code == "disabled"


async def test_a_persons_own_chain_reaches_what_their_agents_have_and_no_further(
    workshop: Workshop,
) -> None:
    house = workshop.house
    await house.add(note, search)
    await workshop.settings(custom_tools="users")
    theirs = await house.agent("Theirs", "note")
    await house.database.run(agents.grant, house.ana.id, theirs.id)
    steps = [{"tool": "note", "input": {"text": "mine"}}]
    outside = [{"tool": "search", "input": {"query": "x"}}]

    with pytest.raises(Invalid, match="search"):
        await workshop.define(
            "peek", "composed", {"steps": outside}, by=house.ana, own=True, effect="read"
        )
    await workshop.define(
        "jot", "composed", {"steps": steps}, by=house.ana, own=True, effect="write"
    )
    await house.database.run(
        agents.change_agent, theirs.id, house.organisation_id, tools=("other",)
    )
    waiting = await house.waits("jot", {}, id="call_jot")
    await house.decide(waiting, "approved")
    use = {"id": "call_jot", "confirmation_id": waiting.confirmation_id}
    outcome = await house.result("jot", {}, **use)

    assert "not among the tools of any agent" in str(outcome.content)
    assert done == []

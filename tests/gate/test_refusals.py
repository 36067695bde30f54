"""Every way the gate says no: a code, a sentence for the model, one line in the audit."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from bancada import JSONObject, Tool, ToolContext, tool
from bancada.domain.calls import CODE_CALLER, CODE_CALLERS, Caller, Outcome, ToolCall
from tests.house import House, kinds


@tool
async def count_defects(line: int, shift: str = "day") -> int:
    """Count defects.

    Args:
        line: The line's number.
        shift: Day or night.
    """
    return line * 100


@tool(permission_level="responsavel")
async def stop_line(line: int) -> str:
    """Stop a line."""
    return f"Line {line} is stopped."


@tool(allowed_callers=[CODE_CALLER])
async def only_from_code() -> str:
    """Something code may call."""
    return "called"


CODE = Caller(type=CODE_CALLER, tool_id="srvtoolu_1")


async def refused(house: House, outcome: Outcome, code: str, *words: str) -> None:
    """The call was refused, said so in these words, and left one line with one entry."""
    assert (outcome.code, outcome.is_error) == (code, True)
    assert isinstance(outcome.content, str)
    for word in words:
        assert word in outcome.content
    line = (await house.lines())[-1]
    assert kinds(line) == ["refused"]
    assert line["outcome"] == code
    assert line["id"] == outcome.audit_id
    assert line["error"] == outcome.content


async def test_an_allowed_call_runs_and_leaves_one_line(house: House) -> None:
    await house.add(count_defects)

    outcome = await house.result("count_defects", {"line": 3}, id="toolu_1")

    assert (outcome.content, outcome.value, outcome.is_error) == ("300", 300, False)
    line = await house.only_line()
    assert kinds(line) == ["started", "ended"]
    assert line["id"] == outcome.audit_id
    expected = {
        "call_id": "toolu_1",
        "tool": "count_defects",
        "person": "ana@example.com",
        "role": "operador",
        "arguments": {"line": 3},
        "caller": {"type": "direct"},
        "decision": "allowed",
        "outcome": "ok",
        "size": 3,
        "cached": False,
        "error": None,
    }
    assert {key: line[key] for key in expected} == expected
    assert line["duration_ms"] >= 0


BOOKING = {
    "type": "object",
    "properties": {
        "room": {"type": "string"},
        "day": {"type": "string", "format": "date"},
        "at": {"type": "string", "format": "date-time"},
        "who": {"type": "string", "format": "email"},
        "link": {"type": "string", "format": "uri"},
        "series": {"type": "string", "format": "uuid"},
        "seats": {"type": "integer"},
        "note": {"type": "string"},
        "layout": {"enum": ["", "null", "rows"]},
        "guests": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"name": {"type": "string"}, "badge": {"type": "integer"}},
                "required": ["name"],
            },
        },
    },
    "required": ["room"],
    "additionalProperties": False,
}


async def _book(context: ToolContext, input: JSONObject) -> JSONObject:
    return input


def booking(**how: Any) -> Tool:
    """A tool that answers with the arguments it ran with."""
    return Tool(name="book", description="Book.", input_schema=BOOKING, run=_book, **how)


@pytest.mark.parametrize(
    ("asked", "ran"),
    [
        ({"room": "A", "seats": "null", "note": ""}, {"room": "A"}),
        ({"room": "A", "note": "null", "day": ""}, {"room": "A"}),
        ({"room": "A", "day": "value_null", "note": "nulo"}, {"room": "A"}),
        ({"room": "A", "note": "</parameter>\n<parameter=day>"}, {"room": "A"}),
        ({"room": ""}, {"room": ""}),
        ({"room": "A", "layout": "null"}, {"room": "A", "layout": "null"}),
        (
            {"room": "A", "guests": [{"name": "", "badge": "null"}]},
            {"room": "A", "guests": [{"name": ""}]},
        ),
    ],
)
async def test_an_optional_argument_that_says_null_is_left_out_and_the_audit_has_both(
    house: House, asked: JSONObject, ran: JSONObject
) -> None:
    await house.add(booking())

    outcome = await house.result("book", asked)

    assert outcome.value == ran
    line = await house.only_line()
    assert line["arguments"] == ran
    assert line.get("asked_arguments", ran) == asked
    assert outcome.ran_with == (None if ran == asked else ran)


async def test_what_was_left_out_does_not_spoil_a_call_that_waited_or_was_cut_short(
    house: House,
) -> None:
    await house.add(booking(confirm="always"))
    turn = "t1"
    asked = {"room": "A", "seats": "null"}
    waiting = await house.waits("book", asked, id="toolu_1", turn_id=turn)
    assert waiting.input == {"room": "A"}
    await house.decide(waiting, "approved")

    first = await house.result("book", asked, id="toolu_1", turn_id=turn)
    again = await house.result("book", asked, id="toolu_1", turn_id=turn)

    assert first.value == again.value == {"room": "A"}


@pytest.mark.parametrize(
    ("field", "given", "expected"),
    [
        ("day", "31/01/2026", "a date such as 2026-01-31"),
        ("at", "tomorrow at noon", "a date-time such as 2026-01-31T14:30:00Z"),
        ("who", "Ana", "an email such as ana@example.com"),
        ("link", "example page", "a uri such as https://example.com/page"),
        ("series", "42", "a uuid such as 123e4567-e89b-12d3-a456-426614174000"),
    ],
)
async def test_a_format_is_checked_before_a_person_is_asked(
    house: House, field: str, given: str, expected: str
) -> None:
    await house.add(booking(confirm="always"))

    outcome = await house.result("book", {"room": "A", field: given})

    await refused(house, outcome, "invalid_tool_input", f"'{field}'", expected, given)


async def test_a_tool_that_is_not_there_is_refused_and_the_known_ones_are_named(
    house: House,
) -> None:
    await house.add(count_defects)

    outcome = await house.result("conta_defeitos", {"line": 1})

    await refused(house, outcome, "unknown_tool", "conta_defeitos", "count_defects")


async def test_an_agent_is_told_of_its_own_tools_and_of_no_others(house: House) -> None:
    @tool
    async def pay_salaries() -> str:
        """Pay."""
        return "paid"

    await house.add(count_defects)
    await house.add(pay_salaries)
    agent = await house.agent("Qualidade", "count_defects")

    outcome = await house.result("conta_defeitos", {"line": 1}, agent=agent)

    await refused(house, outcome, "unknown_tool", "count_defects")
    assert "pay_salaries" not in outcome.content


async def test_a_tool_that_this_machine_cannot_run_is_refused_with_the_reason(
    house: House,
) -> None:
    @tool(switched_off="there is no sandbox on this machine")
    async def run_code() -> str:
        """Run code."""
        return "ran"

    await house.add(run_code)

    await refused(house, await house.result("run_code"), "disabled", "no sandbox")


@pytest.mark.parametrize("level", ["global", "organisation", "role", "agent", "user"])
async def test_a_tool_switched_off_at_any_level_is_refused(house: House, level: str) -> None:
    await house.add(count_defects)
    agent = await house.agent("Qualidade", "count_defects")
    subjects = {"organisation": "", "role": "operador", "agent": agent.id, "user": house.ana.id}

    async def switch(is_enabled: bool) -> None:
        if level == "global":
            await house.choose("count_defects", is_enabled=is_enabled)
        else:
            await house.choose_at(level, subjects[level], "count_defects", is_enabled=is_enabled)

    await switch(False)
    await refused(
        house, await house.result("count_defects", {"line": 1}, agent=agent), "disabled", "off"
    )

    await switch(True)
    assert not (await house.result("count_defects", {"line": 1}, agent=agent)).is_error


async def test_what_is_off_for_one_is_on_for_another(house: House) -> None:
    await house.add(count_defects)
    await house.choose_at("user", house.ana.id, "count_defects", is_enabled=False)

    assert (await house.result("count_defects", {"line": 1}, by=house.ana)).code == "disabled"
    assert not (await house.result("count_defects", {"line": 1}, by=house.rui)).is_error


async def test_a_narrower_level_cannot_switch_on_what_a_wider_one_switched_off(
    house: House,
) -> None:
    await house.add(count_defects)
    await house.choose("count_defects", is_enabled=False)
    await house.choose_at("user", house.ana.id, "count_defects", is_enabled=True)

    assert (await house.result("count_defects", {"line": 1})).code == "disabled"


async def test_an_agent_cannot_use_a_tool_that_is_not_its_own(house: House) -> None:
    await house.add(count_defects, stop_line)
    agent = await house.agent("Qualidade", "count_defects")

    outcome = await house.result("stop_line", {"line": 1}, by=house.eva, agent=agent)

    await refused(house, outcome, "disabled", "stop_line", "Qualidade")


async def test_a_role_that_does_not_reach_the_level_is_refused(house: House) -> None:
    await house.add(stop_line)

    outcome = await house.result("stop_line", {"line": 1}, by=house.ana)

    await refused(house, outcome, "forbidden", "Ana", "responsavel", "operador")


async def test_a_role_taken_away_counts_at_the_very_next_call(house: House) -> None:
    await house.add(stop_line)
    assert not (await house.result("stop_line", {"line": 1}, by=house.rui)).is_error

    await house.change(house.rui, role="operador")

    await refused(house, await house.result("stop_line", {"line": 1}, by=house.rui), "forbidden")


async def test_a_disabled_account_may_call_nothing(house: House) -> None:
    await house.add(count_defects)
    assert not (await house.result("count_defects", {"line": 1})).is_error

    await house.change(house.ana, is_active=False)

    await refused(house, await house.result("count_defects", {"line": 1}), "forbidden", "disabled")


async def test_somebody_who_is_not_there_may_call_nothing(house: House) -> None:
    await house.add(count_defects)
    nobody = house.scope()
    gone = type(nobody)(person_id=999_999, organisation_id=house.organisation_id)

    outcome = await house.gate.call(ToolCall(id="x", name="count_defects", input={"line": 1}), gone)

    assert isinstance(outcome, Outcome)
    await refused(house, outcome, "forbidden")


async def test_code_cannot_call_a_tool_that_is_for_the_model_only(house: House) -> None:
    await house.add(count_defects)

    outcome = await house.result("count_defects", {"line": 1}, caller=CODE)

    await refused(house, outcome, "tool_not_allowed", "from code")
    assert (await house.only_line())["caller"] == {"type": CODE_CALLER, "tool_id": "srvtoolu_1"}


async def test_the_model_cannot_call_a_tool_that_is_for_code_only(house: House) -> None:
    await house.add(only_from_code)

    await refused(house, await house.result("only_from_code"), "tool_not_allowed", "directly")


@pytest.mark.parametrize("version", CODE_CALLERS)
async def test_every_version_of_the_code_caller_means_the_same(house: House, version: str) -> None:
    await house.add(only_from_code)

    outcome = await house.result("only_from_code", caller=Caller(type=version, tool_id="s"))

    assert outcome.content == "called"


async def test_a_caller_nobody_knows_is_refused(house: House) -> None:
    await house.add(count_defects, only_from_code)

    for name, input in (("count_defects", {"line": 1}), ("only_from_code", {})):
        outcome = await house.result(name, input, caller=Caller(type="code_execution_19990101"))
        await refused(house, outcome, "tool_not_allowed")


@pytest.mark.parametrize("via", ["panel", "refresh", "keyword", "composed", "terminal"])
async def test_our_own_doors_count_as_direct_and_are_named_in_the_audit(
    house: House, via: Any
) -> None:
    await house.add(count_defects, only_from_code)
    caller = Caller(via=via)

    assert not (await house.result("count_defects", {"line": 1}, caller=caller)).is_error
    assert (await house.result("only_from_code", caller=caller)).code == "tool_not_allowed"
    assert [line["caller"] for line in await house.lines()] == [{"type": "direct", "via": via}] * 2


@pytest.mark.parametrize(
    ("input", "word"),
    [
        ({}, "line"),
        ({"line": "three"}, "line"),
        ({"line": 1, "shift": 2}, "shift"),
        ({"line": 1, "sihft": "day"}, "sihft"),
        ([1], "object"),
        ("line", "object"),
        (7, "object"),
    ],
)
async def test_wrong_arguments_are_refused_by_the_name_of_the_field(
    house: House, input: Any, word: str
) -> None:
    await house.add(count_defects)

    await refused(
        house,
        await house.result("count_defects", input),
        "invalid_tool_input",
        "count_defects",
        word,
    )
    assert (await house.only_line())["arguments"] == input


async def test_a_budget_that_is_used_up_refuses_until_its_window_has_passed(house: House) -> None:
    await house.add(count_defects)
    await house.choose("count_defects", budget={"calls": 2, "per": "hour"})

    for _ in range(2):
        assert not (await house.result("count_defects", {"line": 1})).is_error
        house.clock.advance(60)
    outcome = await house.result("count_defects", {"line": 1})
    await refused(house, outcome, "budget_exceeded", "Ana", "count_defects", "hour")
    assert not (await house.result("count_defects", {"line": 1}, by=house.rui)).is_error

    house.clock.advance(3600)
    assert not (await house.result("count_defects", {"line": 1})).is_error


async def test_a_budget_of_the_organisation_counts_everybody(house: House) -> None:
    await house.add(count_defects)
    await house.choose("count_defects", budget={"calls": 1, "per": "day", "by": "organisation"})

    assert not (await house.result("count_defects", {"line": 1}, by=house.ana)).is_error
    outcome = await house.result("count_defects", {"line": 1}, by=house.rui)

    await refused(house, outcome, "budget_exceeded", "organisation", "day")


async def test_a_refused_call_costs_nothing_of_the_budget(house: House) -> None:
    await house.add(count_defects)
    await house.choose("count_defects", budget={"calls": 1, "per": "minute"})

    assert (await house.result("count_defects", {})).code == "invalid_tool_input"

    assert not (await house.result("count_defects", {"line": 1})).is_error


async def test_calls_at_the_same_moment_cannot_overdraw_a_budget(house: House) -> None:
    await house.add(count_defects)
    await house.choose("count_defects", budget={"calls": 3, "per": "day"})

    outcomes = await asyncio.gather(
        *(house.result("count_defects", {"line": 1}) for _ in range(12))
    )

    assert sorted(o.code or "ran" for o in outcomes) == ["budget_exceeded"] * 9 + ["ran"] * 3
    assert (await house.verify()).ok


async def test_the_steps_are_taken_in_their_order(house: House) -> None:
    """Mend one obstacle after the other: each time the next step is the one that refuses."""

    @tool(permission_level="admin", allowed_callers=[CODE_CALLER], confirm="always", effect="write")
    async def everything(line: int) -> str:
        """Refused for every reason there is."""
        return "ran"

    await house.add(everything)
    await house.choose("everything", is_enabled=False, budget={"calls": 0, "per": "day"})

    async def code(input: Any, **how: Any) -> str | None:
        ended = await house.call("everything", input, id="toolu_1", **how)
        return ended.code if isinstance(ended, Outcome) else "waiting"

    assert await code("?", by=house.ana) == "disabled"
    await house.choose("everything", is_enabled=None)
    assert await code("?", by=house.ana) == "forbidden"
    assert await code("?", by=house.eva) == "tool_not_allowed"
    assert await code("?", by=house.eva, caller=CODE) == "invalid_tool_input"
    assert await code({"line": 1}, by=house.eva, caller=CODE) == "waiting"
    await house.choose("everything", confirmation="never")
    assert await code({"line": 1}, by=house.eva, caller=CODE) == "budget_exceeded"
    await house.choose("everything", budget=None)
    assert await code({"line": 1}, by=house.eva, caller=CODE) is None

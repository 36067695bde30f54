"""The tool list a person's model is given: theirs only, in a stable order, the same bytes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from bancada import tool
from bancada.domain.agents import Agent
from bancada.domain.calls import CODE_CALLER
from bancada.domain.json import dumps
from bancada.domain.people import Person
from bancada.gate.listing import definition
from tests.house import House


@tool(output_description="How many.", examples=[{"line": 1}])
async def count(line: int) -> int:
    """Count defects."""
    return line


@tool(permission_level="responsavel")
async def stop(line: int) -> str:
    """Stop a line."""
    return "stopped"


@tool(permission_level="admin")
async def announce(text: str) -> str:
    """Tell everybody."""
    return text


@tool(allowed_callers=[CODE_CALLER])
async def only_code() -> str:
    """For code."""
    return ""


@tool(switched_off="there is no sandbox")
async def run_code() -> str:
    """Run code."""
    return ""


async def schemas(house: House, by: Person, agent: Agent | None = None) -> list[Any]:
    visible = await house.gate.visible(house.scope(by, agent=agent))
    return [definition(tool) for tool, rules in visible if "direct" in rules.allowed_callers]


async def names(house: House, by: Person, agent: Agent | None = None) -> list[str]:
    return [schema["name"] for schema in await schemas(house, by, agent)]


async def test_a_model_is_not_told_of_the_null_that_leaving_out_means(house: House) -> None:
    @tool
    async def find(
        name: str,
        line: Annotated[int | None, "Which line."] = None,
        state: Literal["open", "closed"] | None = None,
        tags: list[str] | None = None,
        note: str | None = "",
    ) -> str:
        """Find something."""
        return name

    await house.add(find)
    (schema,) = await schemas(house, house.ana)
    assert schema["input_schema"]["properties"] == {
        "name": {"type": "string"},
        "line": {"type": "integer", "description": "Which line."},
        "state": {"enum": ["open", "closed"], "type": "string"},
        "tags": {"type": "array", "items": {"type": "string"}},
        "note": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": ""},
    }
    # It may send one all the same.
    assert find.validator.problem({"name": "x", "line": None, "tags": None}) is None


async def test_a_person_is_offered_what_their_role_reaches(house: House) -> None:
    await house.add(stop, announce, count, only_code, run_code)

    assert await names(house, house.ana) == ["count"]
    assert await names(house, house.rui) == ["count", "stop"]
    assert await names(house, house.eva) == ["announce", "count", "stop"]


async def test_an_agents_tools_come_in_its_own_order(house: House) -> None:
    await house.add(count, stop, announce, only_code)
    agent = await house.agent("Qualidade", "stop", "missing", "only_code", "count")

    assert await names(house, house.rui, agent) == ["stop", "count"]
    assert await names(house, house.ana, agent) == ["count"]


async def test_what_is_switched_off_is_not_offered(house: House) -> None:
    await house.add(count, stop, announce)
    agent = await house.agent("Qualidade", "count", "stop", "announce")

    await house.choose("announce", is_enabled=False)
    await house.choose_at("agent", agent.id, "stop", is_enabled=False)
    await house.choose_at("user", house.rui.id, "count", is_enabled=False)

    assert await names(house, house.eva, agent) == ["count"]
    assert await names(house, house.eva) == ["count", "stop"]
    assert await names(house, house.rui) == ["stop"]


async def test_what_an_administrator_allows_code_only_is_not_offered_directly(
    house: House,
) -> None:
    await house.add(count)
    await house.choose("count", allowed_callers=[CODE_CALLER])

    assert await names(house, house.ana) == []


async def test_nobody_is_offered_anything_without_an_account_that_works(house: House) -> None:
    await house.add(count)
    await house.change(house.ana, is_active=False)

    assert await names(house, house.ana) == []


async def test_the_list_is_the_same_bytes_each_time_and_in_each_process(house: House) -> None:
    await house.add(announce, stop, count)
    first = dumps(await schemas(house, house.eva))

    for _ in range(3):
        assert dumps(await schemas(house, house.eva)) == first
    house.gate = house.another_gate()
    assert dumps(await schemas(house, house.eva)) == first


async def test_a_tool_is_told_as_the_messages_api_wants_it(house: House) -> None:
    await house.add(count)

    assert await schemas(house, house.ana) == [
        {
            "name": "count",
            "description": "Count defects.\n\nReturns: How many.",
            "input_schema": count.input_schema,
            "input_examples": [{"line": 1}],
        }
    ]


async def test_the_list_and_the_gate_agree(house: House) -> None:
    """Nobody is offered what they would be refused, nor refused what they are offered."""
    await house.add(count, stop, announce, only_code, run_code)
    await house.choose_at("role", "responsavel", "count", is_enabled=False)
    inputs = {"count": {"line": 1}, "stop": {"line": 1}, "announce": {"text": ""}}
    for person in (house.ana, house.rui, house.eva):
        offered = await names(house, person)
        for one in house.registry:
            outcome = await house.result(one.name, inputs.get(one.name, {}), by=person)
            assert (not outcome.is_error) == (one.name in offered), (person.name, one.name)

"""Running code is a permission: who may, and who is asked first, is for the organisation to say."""

from __future__ import annotations

from typing import Any

import pytest

from bancada.domain.people import Person
from bancada.store import agents, people, tool_settings
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.engine.harness import Harness

pytestmark = pytest.mark.asyncio(loop_scope="session")


@tool(allowed_callers=("direct", "code_execution_20260120"))
async def ping(server: str) -> str:
    """Whether a server answers."""
    return "yes"


async def somebody(agent: Harness, role: str) -> Person:
    """A person of this role who has the agent."""
    person = await agent.bench.database.run(
        people.add_person,
        organisation_id=agent.me.organisation_id,
        email=f"{role}@example.com",
        name=role,
        role=role,  # type: ignore[arg-type]
        language="en",
    )
    assert agent.agent.id is not None
    await agent.bench.database.run(agents.grant, person.id, agent.agent.id)
    return person


async def rule(agent: Harness, **choices: Any) -> None:
    await agent.bench.database.run(tool_settings.change_registry, "code_execution", **choices)


async def test_an_operator_is_offered_no_code_and_refused_any(open_coder: Open) -> None:
    agent = await open_coder(ping)
    await agent.as_person(await somebody(agent, "operador"))
    agent.model.will_run("print(6 * 7)").will_say("No.")

    turn = await agent.run("?")

    assert [tool["name"] for tool in agent.model.requests[0].tools] == ["ping"]
    assert turn.of("code") == []
    assert turn.one("tool_use")["is_error"]
    (line,) = await agent.audit()
    assert (line["tool"], line["outcome"]) == ("code_execution", "forbidden")


async def test_whoever_reaches_the_level_runs_code(open_coder: Open) -> None:
    agent = await open_coder(ping)
    await agent.as_person(await somebody(agent, "responsavel"))
    agent.model.will_run("print(6 * 7)").will_say("42.")

    turn = await agent.run("?")

    assert turn.one("code")["stdout"] == "42\n"


async def test_an_administrator_may_let_operators_run_code(open_coder: Open) -> None:
    agent = await open_coder(ping)
    await rule(agent, permission_level="operador")
    await agent.as_person(await somebody(agent, "operador"))
    agent.model.will_run("print(1)").will_say("1.")

    assert (await agent.run("?")).one("code")["return_code"] == 0


async def test_a_permission_taken_away_during_a_turn_holds_at_the_next_run(
    open_coder: Open,
) -> None:
    agent = await open_coder(ping)
    await rule(agent, confirmation="always")
    agent.model.will_run("print(1)").will_say("No.")
    turn = await agent.run("?")
    assert turn.status == "waiting"
    await rule(agent, is_enabled=False)

    await agent.decide()
    turn = await agent.to_the_end(turn.turn_id)

    assert "switched off" in turn.one("code")["stderr"]
    assert turn.one("code")["return_code"] == 1


async def test_code_waits_for_a_person_and_runs_as_they_left_it(open_coder: Open) -> None:
    agent = await open_coder(ping)
    await rule(agent, confirmation={"when": {"field": "code", "op": "contains", "value": "ping"}})
    agent.model.will_run("print(await ping('a'))").will_say("Ran.")

    turn = await agent.run("?")
    asked = turn.one("confirmation")
    assert (asked["name"], turn.status) == ("code_execution", "waiting")
    await agent.decide(input={"code": "print(await ping('b'), 'changed')"})
    turn = await agent.to_the_end(turn.turn_id)

    assert turn.one("code")["stdout"] == "yes changed\n"
    assert agent.tools_run == [("ping", {"server": "b"})]
    assert "changed" in agent.model.last_output["stderr"], "the model is told that it was changed"
    line = next(line for line in await agent.audit() if line["tool"] == "code_execution")
    assert line["arguments"] == {"code": "print(await ping('b'), 'changed')"}
    assert line["asked_arguments"] == {"code": "print(await ping('a'))"}


async def test_code_that_nobody_allowed_does_not_run(open_coder: Open) -> None:
    agent = await open_coder(ping)
    await rule(agent, confirmation="always")
    agent.model.will_run("print(1)").will_say("Then not.")

    turn = await agent.run("?")
    await agent.decide("reject", reason="Not today")
    turn = await agent.to_the_end(turn.turn_id)

    assert "Not today" in turn.one("code")["stderr"]
    assert (await agent.audit())[0]["outcome"] == "rejected"


async def test_code_that_is_stopped_has_its_end_in_the_audit(open_coder: Open) -> None:
    agent = await open_coder(ping)
    await rule(agent, confirmation="always")
    agent.model.will_run("print(1)")
    await agent.run("?")

    await agent.stop()

    (line,) = await agent.audit()
    assert line["outcome"] == "rejected"

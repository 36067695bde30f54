"""What a server asks in the middle of a call becomes a question to the person, on either protocol."""

from __future__ import annotations

from typing import Annotated

import pytest
from mcp.server.elicitation import (
    AcceptedElicitation,
    CancelledElicitation,
    DeclinedElicitation,
    ElicitationResult,
)
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult
from pydantic import BaseModel

from bancada.domain.calls import Outcome, Waiting
from bancada.mcp.connections import calling
from bancada.store import confirmations
from tests.house import House
from tests.mcp.connections.booth import Booth, served


class Visit(BaseModel):
    people: int
    lunch: bool = True


class Ran:
    """How often the tool began."""

    begun = 0


def crm(ran: Ran) -> MCPServer:
    server = MCPServer("crm")

    def who(customer: str) -> Elicit[Visit]:
        ran.begun += 1
        return Elicit(f"Who visits {customer}?", Visit)

    async def book(customer: str, said: object) -> str:
        """Book a visit."""
        assert isinstance(said, AcceptedElicitation | DeclinedElicitation | CancelledElicitation)
        return f"booked for {said.data.people}" if said.action == "accept" else said.action

    # Written out: the names are this function's own, which an annotation as text cannot reach.
    book.__annotations__ = {
        "customer": str,
        "said": Annotated[ElicitationResult[Visit], Resolve(who)],
        "return": str,
    }
    who.__annotations__ = {"customer": str, "return": Elicit[Visit]}
    server.add_tool(book)

    return server


async def asked(booth: Booth, house: House, url: str, **says: str) -> Waiting:
    connection = await booth.connect(url)
    assert connection.status == "ok", connection.detail
    await booth.enable(connection, "book", **says)
    return await house.waits("book", {"customer": "Fábrica"}, id="call_1", turn_id="t1")


async def answered(house: House, waiting: Waiting, status: str = "approved") -> None:
    assert waiting.question is not None
    (inquiry,) = waiting.question["inquiries"]
    given = {inquiry["key"]: {"people": 3, "lunch": False}} if status == "approved" else None
    await house.decide(waiting, status, edited_input=given)


async def again(house: House) -> Outcome:
    return await house.result("book", {"customer": "Fábrica"}, id="call_1", turn_id="t1")


@pytest.fixture(params=["2025-11-25", "2026-07-28"])
def old(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the server and we speak the older protocol."""
    if request.param == "2025-11-25":
        monkeypatch.setattr("bancada.mcp.connections.reach.MODE", "legacy")
    return bool(request.param == "2025-11-25")


async def test_the_question_waits_and_the_answer_reaches_the_server(
    booth: Booth, house: House, old: bool
) -> None:
    async with served(crm(ran := Ran())) as url:
        waiting = await asked(booth, house, url)
        assert waiting.question is not None
        assert waiting.question["inquiries"][0]["message"] == "crm: Who visits Fábrica?"

        await answered(house, waiting)
        outcome = await again(house)

        assert outcome.content == "booked for 3"
        assert ran.begun == (1 if old else 2), "an older server's call was still open"
        await booth.close()


async def test_who_does_not_answer_is_told_to_the_server(
    booth: Booth, house: House, old: bool
) -> None:
    async with served(crm(Ran())) as url:
        await answered(house, await asked(booth, house, url), "rejected")

        assert (await again(house)).content == "decline"
        await booth.close()


async def test_the_answer_counts_in_another_process_or_after_a_restart(
    booth: Booth, house: House, old: bool
) -> None:
    async with served(crm(Ran())) as url:
        waiting = await asked(booth, house, url, effect="read")
        await booth.close()
        other = House(house.database, house.organisation_id, house.ana, house.rui, house.eva)
        restarted = Booth(other)

        await answered(house, waiting)

        assert (await again(other)).content == "booked for 3"
        await restarted.close()


async def test_an_older_servers_write_that_lost_its_connection_is_not_made_again(
    booth: Booth, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bancada.mcp.connections.reach.MODE", "legacy")
    async with served(crm(ran := Ran())) as url:
        waiting = await asked(booth, house, url, effect="write")
        await booth.close()  # as a restart would

        await answered(house, waiting)
        outcome = await again(house)

        assert outcome.is_error
        assert "may or may not have happened" in str(outcome.content)
        assert ran.begun == 1


async def test_a_server_that_never_stops_asking_is_stopped(
    booth: Booth, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "MOST_ROUNDS", 2)
    server = MCPServer("crm")

    rounds = iter(range(100))

    @server.tool()
    async def book(customer: str) -> InputRequiredResult:
        """Book a visit."""
        schema = Visit.model_json_schema()
        asks = ElicitRequestFormParams(message=f"And {next(rounds)}?", requested_schema=schema)
        return InputRequiredResult(input_requests={"more": ElicitRequest(params=asks)})

    async with served(server) as url:
        waiting: Waiting | Outcome = await asked(booth, house, url)
        times = 0
        while isinstance(waiting, Waiting):
            times += 1
            await answered(house, waiting)
            waiting = await house.call("book", {"customer": "Fábrica"}, id="call_1", turn_id="t1")

        assert times <= 4
        assert "more than 2 times" in str(waiting.content)
        questions = await house.database.read(confirmations.of_turn, "t1")
        assert all(one.question is not None for one in questions)
        await booth.close()

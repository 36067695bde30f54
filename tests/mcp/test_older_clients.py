"""Clients of before 2026, through the SDK's own: the handshake, and questions in mid-call."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp import Client, types
from mcp.client.streamable_http import streamable_http_client

from bancada import Inquiry, ToolContext, tool
from tests.server.site import Reader, Site

paid: list[int] = []


@tool(effect="write", confirm="always")
async def pay(amount: int) -> str:
    """Pay."""
    paid.append(amount)
    return f"paid {amount}"


@tool
async def greet(ctx: ToolContext) -> str:
    """Greet."""
    schema = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
    answer = (await ctx.ask(Inquiry(key="name", message="Who?", schema=schema)))["name"]
    return f"{answer.action} {answer.content.get('name')}"


Answering = Callable[[Any, types.ElicitRequestParams], Awaitable[types.ElicitResult]]


@asynccontextmanager
async def connected(reader: Reader, answering: Answering | None = None) -> AsyncIterator[Client]:
    headers = {"authorization": reader.client.headers["authorization"]}
    url = str(reader.client.base_url).rstrip("/") + "/mcp"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(
            streamable_http_client(url, http_client=http),
            mode="legacy",
            elicitation_callback=answering,
        ) as client,
    ):
        yield client


def saying(**content: Any) -> Answering:
    async def answer(_: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        return types.ElicitResult(action="accept", content=content)

    return answer


def text_of(result: Any) -> str:
    return str(result.content[0].text)


async def test_a_tools_question_is_put_in_mid_call(site: Site) -> None:
    await site.has_tools(greet)
    async with connected(await site.signs_in("rui"), saying(name="Rui")) as client:
        result = await client.call_tool("greet", {})

    assert text_of(result) == "accept Rui"


async def test_a_client_that_cannot_ask_gets_the_tools_sentence(site: Site) -> None:
    await site.has_tools(greet)
    async with connected(await site.signs_in("rui")) as client:
        result = await client.call_tool("greet", {})

    assert result.is_error
    assert "Who?" in text_of(result)


async def test_a_confirmation_is_put_in_mid_call(site: Site) -> None:
    paid.clear()
    await site.has_tools(pay)
    async with connected(await site.signs_in("rui"), saying(decision="approve")) as client:
        result = await client.call_tool("pay", {"amount": 4})

    assert (text_of(result), paid) == ("paid 4", [4])


async def test_who_decides_on_the_page_first_decides(site: Site) -> None:
    paid.clear()
    await site.has_tools(pay)
    rui = await site.signs_in("rui")
    asked = asyncio.Event()

    async def never(_: Any, params: types.ElicitRequestParams) -> types.ElicitResult:
        asked.set()
        await asyncio.sleep(60)
        return types.ElicitResult(action="cancel")

    async with connected(rui, never) as client:
        calling = asyncio.create_task(client.call_tool("pay", {"amount": 4}))
        await asyncio.wait_for(asked.wait(), 20)
        (waiting,) = (await rui.get("/confirmations")).json()
        await rui.post(f"/confirmations/{waiting['id']}", {"decision": "approve"})
        result = await asyncio.wait_for(calling, 20)

    assert (text_of(result), paid) == ("paid 4", [4])


async def test_a_client_that_can_ask_nobody_is_told_where_it_waits(site: Site) -> None:
    paid.clear()
    await site.has_tools(pay)
    rui = await site.signs_in("rui")
    async with connected(rui) as client:
        result = await client.call_tool("pay", {"amount": 4})

    assert result.is_error
    assert f"{site.address}/#/confirmations" in text_of(result)
    assert len((await rui.get("/confirmations")).json()) == 1

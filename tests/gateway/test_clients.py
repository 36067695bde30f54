"""Clients of others that speak to the vendor work here as they are: LangChain's, pydantic-ai's."""

from __future__ import annotations

from pathlib import Path

from langchain_anthropic import ChatAnthropic
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from tests.gateway.counter import Counter, counter
from tests.gateway.vendor import calls, says

MODEL = "claude-sonnet-5-5"


@tool
def get_weather(city: str) -> str:
    """The weather in a city."""
    return f"Sol em {city}."


async def chat(at: Counter) -> ChatAnthropic:
    _, key = await at.key()
    return ChatAnthropic(
        model_name=MODEL, api_key=key, base_url=at.site.address, max_tokens=100, max_retries=0
    )


async def test_langchain_asks_streams_and_runs_its_tools(folder: Path) -> None:
    asks = says("Vejo.", calls("get_weather", "toolu_9", city="Aveiro"))
    async with counter(folder, says("Sim."), asks, says("Está sol.")) as at:
        plain = await chat(at)
        with_tools = plain.bind_tools([get_weather])

        assert (await plain.ainvoke("Quantos?")).text == "Sim."
        question = HumanMessage("Que tempo faz?")
        pieces = [piece async for piece in with_tools.astream([question])]
        asked = pieces[0]
        for piece in pieces[1:]:
            asked = asked + piece
        assert isinstance(asked, AIMessage)
        [call] = asked.tool_calls
        assert (call["name"], call["args"]) == ("get_weather", {"city": "Aveiro"})
        result = ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"])
        answer = await with_tools.ainvoke([question, asked, result])

        assert answer.text == "Está sol."
        assert answer.usage_metadata is not None
        assert "Sol em Aveiro." in str(at.behind.requests[2]["messages"][-1])
        # It keeps its connections for ever, and offers no way to end them.
        await plain._async_client.close()


async def test_an_agent_of_pydantic_ai_runs_its_tools_and_streams(folder: Path) -> None:
    asks = says(calls("get_weather", "toolu_9", city="Aveiro"))
    async with counter(folder, asks, says("Está sol."), says("Um dois três.")) as at:
        provider = AnthropicProvider(anthropic_client=await at.sdk())
        agent = Agent(AnthropicModel(MODEL, provider=provider))

        @agent.tool_plain
        def get_weather(city: str) -> str:
            """The weather in a city."""
            return f"Sol em {city}."

        assert (await agent.run("Que tempo faz?")).output == "Está sol."
        assert "Sol em Aveiro." in str(at.behind.requests[1]["messages"][-1])
        async with agent.run_stream("Conta.") as told:
            pieces = [piece async for piece in told.stream_text(delta=True, debounce_by=None)]
        assert "".join(pieces) == "Um dois três."

"""pydantic-ai's agent, its events read one by one."""

from __future__ import annotations

from anthropic import AsyncAnthropic
from clock import MODEL, QUESTION, SYSTEM, TOOLS, Turn, report
from pydantic_ai import Agent, PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider


def made(url: str) -> Turn:
    client = AsyncAnthropic(api_key="k", base_url=url, max_retries=0)
    model = AnthropicModel(MODEL, provider=AnthropicProvider(anthropic_client=client))
    agent = Agent(model, instructions=SYSTEM, tools=TOOLS, model_settings={"max_tokens": 1024})

    async def turn() -> int:
        pieces = 0
        async with agent.run_stream_events(QUESTION) as events:
            async for event in events:
                match event:
                    case PartStartEvent(part=TextPart()) | PartDeltaEvent(delta=TextPartDelta()):
                        pieces += 1
        return pieces

    return turn


# The first piece of a part may come with its beginning.
report(made, merges=2)

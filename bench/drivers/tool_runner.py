"""The SDK's own tool runner, streaming."""

from __future__ import annotations

from anthropic import AsyncAnthropic, beta_async_tool
from clock import MODEL, QUESTION, SYSTEM, TOOLS, Turn, report


def made(url: str) -> Turn:
    client = AsyncAnthropic(api_key="k", base_url=url, max_retries=0)
    tools = [beta_async_tool(one) for one in TOOLS]

    async def turn() -> int:
        pieces = 0
        runner = client.beta.messages.tool_runner(
            model=MODEL,
            max_tokens=1024,
            system=SYSTEM,
            tools=tools,
            messages=[{"role": "user", "content": QUESTION}],
            stream=True,
            thread=False,
        )
        async for stream in runner:
            async for event in stream:
                pieces += event.type == "text"
        return pieces

    return turn


report(made)

"""LangChain's agent with its Anthropic client, its events read one by one."""

from __future__ import annotations

from clock import MODEL, QUESTION, SYSTEM, TOOLS, Turn, report
from langchain.agents import create_agent
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool


def made(url: str) -> Turn:
    model = ChatAnthropic(
        model=MODEL, base_url=url, api_key="k", max_tokens=1024, max_retries=0, streaming=True
    )
    agent = create_agent(model, [tool(one) for one in TOOLS], system_prompt=SYSTEM)

    async def turn() -> int:
        pieces = 0
        asked = {"messages": [{"role": "user", "content": QUESTION}]}
        async for event in agent.astream_events(asked, version="v2"):
            if event["event"] != "on_chat_model_stream":
                continue
            said = event["data"]["chunk"].content
            parts = [{"type": "text", "text": said}] if isinstance(said, str) else said
            pieces += sum(bool(one.get("text")) for one in parts if one.get("type") == "text")
        return pieces

    return turn


report(made, merges=2)

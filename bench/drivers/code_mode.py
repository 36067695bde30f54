"""pydantic-ai's code mode: the program runs in Monty, its calls go through the agent."""

from __future__ import annotations

from program import ANSWER, PROGRAM, report
from pydantic_ai import Agent, ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai_harness import CodeMode


def script(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    """Write the program, then say the answer."""
    if len(messages) > 1:
        return ModelResponse(parts=[TextPart(ANSWER)])
    return ModelResponse(parts=[ToolCallPart("run_code", {"code": PROGRAM})])


agent = Agent(FunctionModel(script), capabilities=[CodeMode()])


@agent.tool_plain
async def step(n: int) -> int:
    """The next number."""
    return n + 1


async def turn() -> str:
    result = await agent.run("Add the numbers up.")
    assert result.output == ANSWER
    return str(result.all_messages()[-2])


report(turn)

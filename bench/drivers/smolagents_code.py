"""smolagents' agent that writes code, in its own interpreter: no process apart, no `await`."""

from __future__ import annotations

from typing import Any

from program import ANSWER, PROGRAM, report
from smolagents import ChatMessage, CodeAgent, MessageRole, Model, tool

CODE = PROGRAM.replace("await ", "")


@tool
def step(n: int) -> int:
    """The next number.

    Args:
        n: Any number.
    """
    return n + 1


class Scripted(Model):
    """Writes the program, then ends with the answer."""

    def generate(self, messages: list[Any], *_: Any, **__: Any) -> ChatMessage:
        done = any(message.role == MessageRole.TOOL_RESPONSE for message in messages)
        code = f"final_answer({ANSWER!r})" if done else CODE
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"<code>\n{code}</code>")


async def turn() -> str:
    agent = CodeAgent([step], Scripted(), verbosity_level=0)
    assert agent.run("Add the numbers up.") == ANSWER
    return str(agent.memory.steps[1].observations)


report(turn)

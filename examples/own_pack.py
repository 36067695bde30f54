"""A tool of one's own, with its rule, tried out behind a gate, with an approval and an audit."""

from __future__ import annotations

import asyncio

from bancada import ToolFailed, tool
from bancada.testing import open_workshop


@tool(effect="write", permission_level="responsavel", confirm="always")
async def close_line(line: int, reason: str) -> str:
    """Stop a production line.

    Args:
        line: The line's number.
        reason: Why, in one sentence; it is shown on the line's display.
    """
    if line not in range(1, 9):
        raise ToolFailed(f"There is no line {line}. The lines are 1 to 8.")
    return f"Line {line} is stopped."


async def main() -> None:
    asked = {"line": 3, "reason": "The belt squeaks."}
    async with open_workshop(close_line) as workshop:
        refused = await workshop.result("close_line", asked, by=workshop.ana)
        print("Ana, an operador:", refused.content)
        waiting = await workshop.waits("close_line", asked, by=workshop.rui)
        done = await workshop.approve(waiting, by=workshop.rui)
        print("Rui, once he approved:", done.content)
        for line in await workshop.audit():
            print("audit:", line["person"], line["tool"], line["outcome"])


if __name__ == "__main__":
    asyncio.run(main())

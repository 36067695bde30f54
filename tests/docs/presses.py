"""A pack for a press shop, written by following `docs/tutorial.md` and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from pydantic import Field

from bancada import (
    Agent,
    Intent,
    JSONObject,
    Pack,
    Results,
    Sentence,
    Services,
    Tool,
    ToolContext,
    ToolFailed,
    tool,
)

AGENT = Agent(
    name="Presses",
    description="Reads the counters of the presses and books their maintenance.",
    system_prompt="You look after the presses. Read the counter before you book anything.",
    tools=("read_counter", "book_maintenance"),
    starters=("How many strokes has press 2 made?",),
)


def read_press(sentence: Sentence) -> JSONObject | None:
    return {"press": int(sentence.numbers[0])} if sentence.numbers else None


def tell_strokes(sentence: Sentence, results: Results) -> str:
    words = {"pt": "A prensa {press} fez {strokes} golpes.", "en": "Press {press}: {strokes}."}
    return words[sentence.language].format(**results.value)


COUNTER = Intent(
    name="read_counter",
    phrases={
        "pt": ("Quantos golpes fez a prensa 2?",),
        "en": ("How many strokes has press 2 made?",),
    },
    keywords=("prensa|press",),
    tool="read_counter",
    arguments=read_press,
    tell=tell_strokes,
)


def tools(folder: Path, limit: int) -> tuple[Tool, ...]:
    """The two tools; what is booked is kept in the pack's own folder."""
    counters = {1: 40_000, 2: 125_000}

    @tool(category="data", allowed_callers=("direct", "code_execution_20260120"))
    async def read_counter(ctx: ToolContext, press: int) -> dict[str, int | bool]:
        """Read how many strokes a press has made since its last maintenance.

        Args:
            press: The press's number, 1 or 2.
        """
        if press not in counters:
            raise ToolFailed(f"There is no press {press}. The presses are 1 and 2.")
        return {"press": press, "strokes": counters[press], "is_due": counters[press] > limit}

    @tool(
        category="action",
        effect="write",
        permission_level="responsavel",
        confirm=lambda input: input["hours"] > 4,
        confirm_reason="More than half a shift without the press.",
    )
    async def book_maintenance(
        ctx: ToolContext, press: int, hours: Annotated[int, Field(ge=1, le=24)]
    ) -> dict[str, int | str]:
        """Book the maintenance of a press.

        Args:
            press: The press's number, 1 or 2.
            hours: How long it will stand still.
        """
        seen = await ctx.call("read_counter", {"press": press})
        if seen.is_error:
            raise ToolFailed(f"Not booked. {seen.content}")
        strokes = seen.value["strokes"]
        booked = {"press": press, "hours": hours, "strokes": strokes, "by": ctx.person.name}
        (folder / f"press-{press}.json").write_text(json.dumps(booked), encoding="utf-8")
        return booked

    return read_counter, book_maintenance


def build(services: Services) -> Pack:
    limit = int(services.settings.get("strokes", "100000"))
    return Pack(
        name="presses",
        tools=tools(services.folder, limit),
        agents=(AGENT,),
        intents=(COUNTER,),
    )

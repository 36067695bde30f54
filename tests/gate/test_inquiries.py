"""Tools that ask their person something, say how far they are, and bring more than text."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bancada import Attachment, Inquiry, InquiryAnswer, Result, Tool, ToolContext, tool
from bancada.domain.calls import Caller
from bancada.gate.gate import MAX_MANAGED_BYTES
from bancada.tools.inquiries import AnswerNeeded
from tests.house import House

NAME = Inquiry(
    key="name",
    message="What is your name?",
    schema={"type": "object", "properties": {"name": {"type": "string"}}},
)


@tool
async def greet(ctx: ToolContext) -> str:
    """Greet whoever is there."""
    answers = await ctx.ask(NAME)
    return f"Hello, {answers['name'].content['name']}!"


async def test_a_tool_reads_the_answer_to_its_question(house: House) -> None:
    await house.add(greet)

    async def ask(*questions: Inquiry) -> Mapping[str, InquiryAnswer]:
        return {
            one.key: InquiryAnswer(action="accept", content={"name": "Ana"}) for one in questions
        }

    outcome = await house.result("greet", ask=ask)

    assert outcome.content == "Hello, Ana!"


async def test_where_nobody_can_be_asked_the_tool_fails_in_words(house: House) -> None:
    await house.add(greet)

    outcome = await house.result("greet")

    assert outcome.code == "failed"
    assert "What is your name?" in str(outcome.content)


async def test_a_call_that_ends_in_a_question_is_recorded_as_asked(house: House) -> None:
    await house.add(greet)

    async def later(*questions: Inquiry) -> Mapping[str, InquiryAnswer]:
        raise AnswerNeeded(questions)

    outcome = await house.result("greet", ask=later)

    assert (outcome.is_error, outcome.code) == (True, "asked")
    assert (await house.only_line())["outcome"] == "asked"


async def test_progress_reaches_whoever_listens(house: House) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def listen(done: float, total: float | None = None, message: str | None = None) -> None:
        heard.append((done, total, message))

    @tool
    async def work(ctx: ToolContext) -> str:
        """Work."""
        await ctx.progress(1, 2, "half")
        await ctx.progress(2, 2)
        return "done"

    await house.add(work)

    await house.result("work", progress=listen)
    await house.result("work")

    assert heard == [(1, 2, "half"), (2, 2, None)]


def sounding(text: str | None = None) -> Tool:
    sound = Attachment(kind="audio", media_type="audio/wav", data="UklGRg==")

    @tool
    async def sing() -> Result:
        """Sing."""
        return Result(content=text, value=None if text else {"a": 1}, attachments=(sound,))

    return sing


@pytest.mark.parametrize("text", ["la la", None])
async def test_a_model_is_told_of_a_sound_it_cannot_hear(house: House, text: str | None) -> None:
    await house.add(sounding(text))

    outcome = await house.result("sing")

    assert "audio/wav" in str(outcome.content)
    assert outcome.attachments[0].data == "UklGRg=="


async def test_an_mcp_client_is_handed_the_sound_and_no_note(house: House) -> None:
    await house.add(sounding("la la"))

    outcome = await house.result("sing", caller=Caller(via="mcp"))

    assert outcome.content == "la la"
    assert [one.media_type for one in outcome.attachments] == ["audio/wav"]


async def test_an_mcp_client_gets_the_value_whole_and_the_text_cut(house: House) -> None:
    @tool
    async def rows() -> list[str]:
        """Many rows."""
        return ["row"] * 20_000

    await house.add(rows)

    outcome = await house.result("rows", caller=Caller(via="mcp"))

    assert len(str(outcome.content)) <= 30_000
    assert outcome.value == ["row"] * 20_000


async def test_attachments_count_towards_what_can_be_handed_over(house: House) -> None:
    much = Attachment(kind="resource", media_type="text/plain", uri="x://1", text="a" * 9_000_000)

    @tool
    async def bring() -> Result:
        """Bring too much."""
        return Result(content="here", attachments=(much,))

    await house.add(bring)

    outcome = await house.result("bring", caller=Caller(via="mcp"))

    assert len(much.text or "") > MAX_MANAGED_BYTES
    assert (outcome.is_error, outcome.attachments) == (True, ())

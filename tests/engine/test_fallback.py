"""A provider that does not answer, or may not be asked: who answers instead, and that it is said."""

from __future__ import annotations

import asyncio
from typing import Any

from aiohttp import web

from bancada.model.honours import Honours, ProbeAnswer
from bancada.tools.tool import tool
from tests.engine.conftest import Open
from tests.server.upstream import Stream, calling, saying, upstream

NOBODY = "http://127.0.0.1:9"
QUICK = {"retry_seconds": 0, "retry_attempts": 1}


@tool
async def look(place: str = "here") -> str:
    """Look somewhere."""
    return f"nothing {place}"


def at(address: str, **more: Any) -> dict[str, Any]:
    return {"base_url": address, "models": ["small"], **more}


async def test_the_next_provider_answers_and_the_page_says_why(open_agent: Open) -> None:
    async with upstream(calling("look", "c1"), saying("Nothing.")) as second:
        agent = await open_agent(
            look,
            provider=True,
            settings={
                **QUICK,
                "providers": {"first": at(NOBODY), "second": at(second.address)},
                "fallback": ["second"],
            },
        )

        turn = await agent.run("Look")

    told = turn.one("provider")
    assert (told["provider"], told["instead_of"], told["model"]) == ("second", "first", "small")
    assert told["content"] == "From here on the answer comes from second: first did not answer."
    assert turn.text == "Nothing."
    assert turn.types().count("provider") == 1, "it stays there for the turn"
    replies = [m for m in await agent.messages() if m.kind == "reply"]
    assert {m.metadata["provider"] for m in replies} == {"second"}
    await agent.assert_whole()


async def test_what_was_shown_of_a_broken_reply_is_taken_back_first(open_agent: Open) -> None:
    async def breaks(stream: Stream) -> None:
        await stream.text("Half an ans")
        await asyncio.sleep(0.1)  # a chunk of its own
        await stream.send("error", error={"type": "overloaded_error", "message": "busy"})

    async with upstream(breaks) as first, upstream(saying("Whole.")) as second:
        agent = await open_agent(
            provider=True,
            settings={
                **QUICK,
                "providers": {"first": at(first.address), "second": at(second.address)},
                "fallback": ["second"],
            },
        )
        turn = await agent.run("?")

    types = turn.types()
    assert types.index("again") < types.index("provider")
    assert (await agent.messages())[-1].content == [{"type": "text", "text": "Whole."}]


async def test_in_the_end_the_offline_model_answers(open_agent: Open) -> None:
    agent = await open_agent(
        look,
        provider=True,
        settings={**QUICK, "providers": {"first": at(NOBODY)}, "fallback": ["keyword"]},
    )

    turn = await agent.run("Look")

    assert turn.one("provider")["provider"] == "keyword"
    assert turn.one("provider")["content"].startswith(
        "From here on the answer comes from keyword mode"
    )
    assert turn.status == "done"
    assert turn.text


async def test_without_a_fallback_the_failure_is_told(open_agent: Open) -> None:
    agent = await open_agent(
        provider=True, settings={**QUICK, "providers": {"a": at(NOBODY), "b": at(NOBODY)}}
    )

    turn = await agent.run("?")

    assert turn.types() == ["turn", "error", "done"]


async def test_a_question_that_nobody_takes_is_not_passed_around(open_agent: Open) -> None:
    async def refuses(request: web.Request) -> web.Response:
        error = {"type": "invalid_request_error", "message": "messages: too odd"}
        return web.json_response({"type": "error", "error": error}, status=400)

    app = web.Application()
    app.router.add_post("/v1/messages", refuses)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    async with upstream(saying("Never.")) as second:
        agent = await open_agent(
            provider=True,
            settings={
                **QUICK,
                "providers": {
                    "first": at(f"http://127.0.0.1:{runner.addresses[0][1]}"),
                    "second": at(second.address),
                },
                "fallback": ["second"],
            },
        )
        turn = await agent.run("?")
        assert second.requests == []
    await runner.cleanup()

    assert turn.status == "failed"


async def test_what_came_from_outside_does_not_go_where_it_may_not(open_agent: Open) -> None:
    @tool(outside_content=True)
    async def fetch() -> str:
        """Fetch a page."""
        return "from the web"

    async with upstream(calling("fetch", "c1")) as first, upstream(saying("Read.")) as second:
        settings = {
            **QUICK,
            "providers": {
                "first": at(first.address, outside_data=False),
                "second": at(second.address),
            },
            "fallback": ["second"],
        }
        agent = await open_agent(fetch, provider=True, settings=settings)
        turn = await agent.run("Fetch")

        assert len(first.requests) == 1
        assert "from the web" not in str(first.requests)
        assert "from the web" in str(second.requests)
    assert turn.one("provider")["instead_of"] == "first"
    assert "may not go to first" in turn.one("provider")["content"]
    assert turn.text == "Read."


async def test_where_nobody_may_have_it_the_turn_says_so(open_agent: Open) -> None:
    @tool(outside_content=True)
    async def fetch() -> str:
        """Fetch a page."""
        return "from the web"

    async with upstream(calling("fetch", "c1")) as first:
        providers = {"first": at(first.address, outside_data=False)}
        agent = await open_agent(fetch, provider=True, settings={**QUICK, "providers": providers})
        turn = await agent.run("Fetch")
        assert len(first.requests) == 1

    assert "first" in turn.one("error")["content"]
    await agent.assert_whole()


async def test_thinking_of_another_provider_is_not_sent_along(open_agent: Open) -> None:
    async def thinks(stream: Stream) -> None:
        block = {"type": "thinking", "thinking": "", "signature": ""}
        await stream.send("content_block_start", index=0, content_block=block)
        delta = {"type": "signature_delta", "signature": "signed-by-first"}
        await stream.send("content_block_delta", index=0, delta=delta)
        await stream.send("content_block_stop", index=0)
        stream._blocks = 1
        await stream.text("Yes.")
        await stream.end()

    async def breaks(stream: Stream) -> None:
        raise web.HTTPInternalServerError

    async with upstream(thinks, breaks) as first, upstream(saying("No.")) as second:
        settings = {
            **QUICK,
            "providers": {"first": at(first.address), "second": at(second.address)},
            "fallback": ["second"],
        }
        agent = await open_agent(provider=True, settings=settings)
        await agent.run("One?")
        await agent.run("Two?")

        assert "signed-by-first" in str(first.requests[1])
        assert "signed-by-first" not in str(second.requests)
        assert "Yes." in str(second.requests)


# ---------------------------------------------------------------------------- what a server honours


async def test_a_server_that_ignores_tool_choice_is_asked_for_the_last_answer_without_tools(
    open_agent: Open,
) -> None:
    async with upstream(calling("look", "c1"), saying("Nothing.")) as only:
        agent = await open_agent(
            look, provider=True, max_iterations=1, settings={"providers": {"a": at(only.address)}}
        )
        agent.bench.models.providers.learn(
            "a",
            "small",
            Honours({"tool_choice_none": ProbeAnswer("ignored"), "cache": ProbeAnswer("no")}),
        )
        turn = await agent.run("Look")

        first, last = only.requests
        assert first["tools"]
        assert "tools" not in last
        assert "tool_choice" not in last
        assert "No more tools" in last["messages"][-1]["content"][-1]["text"]
        assert "cache_control" not in str(only.requests)
    assert turn.text == "Nothing."


async def test_a_small_window_gets_short_results(open_agent: Open) -> None:
    @tool
    async def long() -> str:
        """Say much."""
        return "x" * 20_000

    async with upstream(calling("long", "c1"), saying("Much.")) as only:
        providers = {"a": at(only.address, max_context=4000)}
        agent = await open_agent(long, provider=True, settings={"providers": providers})
        await agent.run("?")

        result = only.requests[1]["messages"][-1]["content"][0]["content"]
        assert len(result) < 4000
        assert "20" in result[-400:], "it says how much there is"

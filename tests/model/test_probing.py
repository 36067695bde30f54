"""What a server is found to honour, and what requests hold from then on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from aiohttp import web

from bancada.model.anthropic import AnthropicModel
from bancada.model.honours import Honours
from bancada.model.model import ModelFailed, Reply, Tokens
from bancada.model.probing import probe
from bancada.model.scripted import Line, ScriptedModel
from bancada.model.textcalls import CallsInWords
from tests.model.asking import ask
from tests.model.workshop import asking, calls_of

Behaviour = Callable[[dict[str, Any]], Any]


def message(*content: dict[str, Any], **usage: int) -> dict[str, Any]:
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": list(content),
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 1, **usage},
    }


def words(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


CALL = {"type": "tool_use", "id": "c", "name": "read_gauge", "input": {"name": "north"}}


@dataclass
class Server:
    """Honours everything, but for what a test takes away."""

    without: set[str] = field(default_factory=set)
    calls_as_text: bool = False
    cuts: int = 0
    """How often it closes the connection instead of answering about effort."""
    seen: list[dict[str, Any]] = field(default_factory=list)

    async def answer(self, http: web.Request) -> web.StreamResponse:
        body = await http.json()
        self.seen.append(body)
        if http.path.endswith("count_tokens"):
            if "count_tokens" in self.without:
                raise web.HTTPNotFound
            return web.json_response({"input_tokens": 5})
        if "output_config" in body and self.cuts > 0 and http.transport is not None:
            self.cuts -= 1
            http.transport.close()
        for name in ("thinking", "output_config", "tool_choice"):
            if name in body and name in self.without:
                error = {"type": "invalid_request_error", "message": f"{name}: unknown field"}
                return web.json_response({"type": "error", "error": error}, status=400)
        if body.get("stream") and "streaming" not in self.without:
            response = web.StreamResponse(headers={"content-type": "text/event-stream"})
            await response.prepare(http)
            start = '{"type": "message_start", "message": {"model": "m", "usage": {}}}'
            end = '{"type": "message_stop"}'
            delta = '{"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {}}'
            for data in (start, delta, end):
                await response.write(f"data: {data}\n\n".encode())
            return response
        return web.json_response(self._reply(body))

    def _reply(self, body: dict[str, Any]) -> dict[str, Any]:
        calls = body.get("tools") and body["messages"][-1]["role"] == "user"
        chosen = body.get("tool_choice", {}).get("type")
        if calls and (chosen != "none" or "none" in self.without):
            if self.calls_as_text:
                written = '{"name": "read_gauge", "arguments": {"name": "north"}}'
                return message(words(f"<tool_call>{written}</tool_call>"))
            return message(CALL)
        if "empty" in self.without and len(body["messages"]) > 1:
            return message()
        thought = [{"type": "thinking", "thinking": "…"}] if "thinking" in body else []
        cached = 900 if "system" in body and len(self.seen) > 1 else 0
        return message(*thought, words("yes, red"), cache_read_input_tokens=cached)


@asynccontextmanager
async def serving(server: Server) -> AsyncIterator[AnthropicModel]:
    app = web.Application()
    app.router.add_post("/v1/messages", server.answer)
    app.router.add_post("/v1/messages/count_tokens", server.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    model = AnthropicModel(model="m", base_url=f"http://127.0.0.1:{runner.addresses[0][1]}")
    try:
        yield model
    finally:
        await model.aclose()
        await runner.cleanup()


async def found(server: Server) -> dict[str, str]:
    async with serving(server) as upstream:
        honours = await probe(upstream, "m")
    return {name: one.finds for name, one in honours.found.items()}


async def test_a_server_that_honours_everything_is_found_to() -> None:
    assert set((await found(Server())).values()) == {"yes"}


@pytest.mark.parametrize(
    ("server", "feature", "finds"),
    [
        (Server({"streaming"}), "streaming", "ignored"),
        (Server({"none"}), "tool_choice_none", "ignored"),
        (Server({"tool_choice"}), "tool_choice_none", "no"),
        (Server({"count_tokens"}), "count_tokens", "no"),
        (Server({"thinking"}), "thinking", "no"),
        (Server({"output_config"}), "effort", "no"),
        (Server({"empty"}), "results", "ignored"),
        (Server(calls_as_text=True), "tools", "text"),
    ],
)
async def test_what_it_does_not_honour_is_named(server: Server, feature: str, finds: str) -> None:
    result = await found(server)

    assert result.pop(feature) == finds
    assert set(result.values()) == {"yes"}


async def test_a_server_that_is_not_there_says_nothing_about_itself() -> None:
    model = AnthropicModel(model="m", base_url="http://127.0.0.1:9")
    with pytest.raises(ModelFailed):
        await probe(model, "m")
    await model.aclose()


@pytest.mark.parametrize(("cuts", "finds"), [(1, "yes"), (2, None)])
async def test_a_connection_that_breaks_says_nothing_about_what_was_asked(
    cuts: int, finds: str | None
) -> None:
    result = await found(Server(cuts=cuts))

    assert result.get("effort") == finds
    assert result["thinking"] == "yes"


async def test_the_questions_are_tiny_and_hold_nobodys_data() -> None:
    server = Server()
    await found(server)

    assert len(server.seen) <= 12
    assert all(body.get("max_tokens", 0) <= 60 for body in server.seen)


def test_what_was_found_comes_back_from_where_it_is_kept() -> None:
    kept = {"tools": {"finds": "text", "says": ""}, "unheard_of": {"finds": "yes", "says": ""}}
    honours = Honours.of(kept)

    assert honours.calls_in_words
    assert honours.does("cache"), "what nobody asked about is taken to work"
    assert list(honours.as_json()) == ["tools"]


# ---------------------------------------------------------------------------- calls as words

MARKED = 'I look.\n<tool_call>\n{"name": "contar", "arguments": {"turno": "noite"}}\n</tool_call>'


@pytest.mark.parametrize(
    ("said", "calls"),
    [
        (MARKED, [("contar", {"turno": "noite"})]),
        ('```json\n{"name": "contar", "arguments": {}}\n```', [("contar", {})]),
        ('{"name": "contar", "input": {"turno": "dia"}}', [("contar", {"turno": "dia"})]),
        (
            "<function=contar>\n<parameter=turno>\nnoite\n</parameter>\n</function>",
            [("contar", {"turno": "noite"})],
        ),
        ('{"name": "unknown_tool", "arguments": {}}', []),
        ('An example: {"name": "contar"} is how a call looks.', []),
        ("<tool_call>{not json}</tool_call>", [("tool_call", {})]),
    ],
)
async def test_calls_that_came_as_words_are_calls(said: str, calls: list[Any]) -> None:
    model = CallsInWords(ScriptedModel([said]))

    pieces, reply = await ask(model, asking("?"))

    assert calls_of(reply) == calls
    assert reply.stop_reason == ("tool_use" if calls else "end_turn")
    shown = "".join(getattr(piece, "text", "") for piece in pieces)
    assert shown == ("I look." if said == MARKED else "" if calls else said)


async def test_without_tools_words_stay_words_and_stream() -> None:
    line = Line(content=[{"type": "text", "text": MARKED}], usage=Tokens())
    pieces, reply = await ask(CallsInWords(ScriptedModel([line])), asking("?", tools=()))

    assert isinstance(reply, Reply)
    assert calls_of(reply) == []
    assert "".join(getattr(piece, "text", "") for piece in pieces) == MARKED

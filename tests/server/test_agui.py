"""An agent for clients that speak AG-UI; every event is one of the protocol's own package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ag_ui.core import Event, EventType, RunAgentInput, UserMessage
from pydantic import TypeAdapter

from bancada.domain.events import EVENTS
from bancada.model.model import ModelFailed
from bancada.server.agui import Translator
from bancada.testing import ScriptedModel, calls, says
from bancada.tools.tool import tool
from tests.server.site import Reader, Site, served

EVENT: TypeAdapter[Any] = TypeAdapter(Event)
KNOWN = set(EventType)


@tool(effect="write", confirm="always")
async def pay(amount: int) -> str:
    """Pay."""
    return f"paid {amount}"


@tool
async def look(place: str = "here") -> str:
    """Look."""
    return f"nothing {place}"


def asked(text: str, thread: str = "t-1", run: str = "r-1", **more: Any) -> dict[str, Any]:
    """A request as the protocol's own package writes it."""
    message = UserMessage(id="u1", content=text)
    request = RunAgentInput(thread_id=thread, run_id=run, messages=[message], **more)
    return request.model_dump(by_alias=True, mode="json")


async def runs(reader: Reader, body: dict[str, Any], agent: str = "Teste") -> list[dict[str, Any]]:
    """What a run says, each event read by the protocol's own models, nothing unknown in any."""
    async with reader.client.stream("POST", f"/ag-ui/{agent}", json=body) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"].startswith("text/event-stream")
        lines = [line async for line in response.aiter_lines()]
    events = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    for event in events:
        read = EVENT.validate_python(event)
        assert not read.model_extra, (event, read.model_extra)
    assert_in_order(events)
    return events


def assert_in_order(events: list[dict[str, Any]]) -> None:
    """A run has one beginning and one end, and what is opened is closed before anything else."""
    types = [event["type"] for event in events]
    assert types[0] == "RUN_STARTED"
    assert types[-1] in ("RUN_FINISHED", "RUN_ERROR")
    assert sum(one in ("RUN_FINISHED", "RUN_ERROR") for one in types) == 1
    open_message: str | None = None
    for event in events:
        kind = event["type"]
        if kind in ("TEXT_MESSAGE_START", "REASONING_MESSAGE_START"):
            assert open_message is None
            open_message = event["messageId"]
        elif kind in ("TEXT_MESSAGE_CONTENT", "REASONING_MESSAGE_CONTENT"):
            assert event["messageId"] == open_message
        elif kind in ("TEXT_MESSAGE_END", "REASONING_MESSAGE_END"):
            open_message = None
        elif kind != "REASONING_START":
            assert open_message is None, kind


def text_of(events: list[dict[str, Any]]) -> str:
    return "".join(one["delta"] for one in events if one["type"] == "TEXT_MESSAGE_CONTENT")


async def with_model(site: Site, **says: Any) -> Reader:
    await site.has_tools(pay, look, **says)
    return await site.signs_in("rui")


async def test_a_question_is_answered_with_text_calls_and_state(folder: Path) -> None:
    model = ScriptedModel([calls("look", place="there"), says("Nothing there.")])
    async with served(folder, model=model) as site:
        rui = await with_model(site)
        events = await runs(rui, asked("Look there"))

    types = [event["type"] for event in events]
    assert events[0]["protocolVersion"] == "1.0"
    assert types[1] == "STATE_SNAPSHOT"
    start, args, end, result = [one for one in events if one["type"].startswith("TOOL_CALL")]
    assert (start["toolCallName"], args["delta"]) == ("look", '{"place":"there"}')
    assert start["toolCallId"] == end["toolCallId"] == result["toolCallId"]
    assert result["content"] == "nothing there"
    assert text_of(events) == "Nothing there."
    assert events[-1]["outcome"] == {"type": "success"}
    assert len(events[-1]["usage"]) == 2


async def test_a_thread_goes_on_and_is_nobody_elses(folder: Path) -> None:
    model = ScriptedModel([says("One."), says("Two."), says("Other.")])
    async with served(folder, model=model) as site:
        rui = await with_model(site)
        ana = await site.signs_in("ana")
        first = await runs(rui, asked("first"))
        await runs(rui, asked("second", run="r-2"))
        assert "first" in str(model.requests[1].messages), "the record is the history"
        await runs(ana, asked("third"))
        assert "first" not in str(model.requests[2].messages)
        conversation = first[1]["snapshot"]["conversation_id"]
        theirs = await ana.post("/ag-ui/Teste", asked("?", thread=conversation))
        assert theirs.status_code == 404
        ours = await rui.get(f"/conversations/{conversation}")
        assert ours.json()["title"] == "first"
        other = await rui.post("/ag-ui/Qualidade", asked("?"))
        assert other.status_code == 409


async def test_a_waiting_call_is_an_interrupt_and_a_resume_goes_on(folder: Path) -> None:
    model = ScriptedModel([calls("pay", amount=5), says("Paid.")])
    async with served(folder, model=model) as site:
        rui = await with_model(site)
        waits = await runs(rui, asked("Pay 5"))
        (wanted,) = waits[-1]["outcome"]["interrupts"]
        assert waits[-1]["outcome"]["type"] == "interrupt"
        assert wanted["responseSchema"]["required"] == ["approved"]
        call = next(one for one in waits if one["type"] == "TOOL_CALL_START")
        assert wanted["toolCallId"] == call["toolCallId"]
        answer = {"interruptId": wanted["id"], "status": "resolved", "payload": {"approved": True}}
        body = {**asked("Pay 5", run="r-2"), "resume": [answer]}
        ana = await site.signs_in("ana")
        assert (await ana.post("/ag-ui/Teste", body)).status_code == 404
        odd = {**body, "resume": [{**answer, "payload": "yes"}]}
        assert (await rui.post("/ag-ui/Teste", odd)).status_code == 422
        goes_on = await runs(rui, body)
        again = await rui.post("/ag-ui/Teste", body)

    result = next(one for one in goes_on if one["type"] == "TOOL_CALL_RESULT")
    assert result["content"] == "paid 5"
    assert text_of(goes_on) == "Paid."
    assert goes_on[-1]["outcome"] == {"type": "success"}
    assert goes_on[0]["runId"] == "r-2"
    assert again.status_code == 404, "it is decided"


async def test_a_cancelled_interrupt_is_a_no(folder: Path) -> None:
    model = ScriptedModel([calls("pay", amount=5), says("As you like.")])
    async with served(folder, model=model) as site:
        rui = await with_model(site)
        waits = await runs(rui, asked("Pay 5"))
        (wanted,) = waits[-1]["outcome"]["interrupts"]
        resume = [{"interruptId": wanted["id"], "status": "cancelled"}]
        goes_on = await runs(rui, {**asked("Pay 5", run="r-2"), "resume": resume})

    result = next(one for one in goes_on if one["type"] == "TOOL_CALL_RESULT")
    assert result["metadata"]["is_error"]
    assert "paid" not in result["content"]


async def test_an_error_ends_the_run_in_words(folder: Path) -> None:
    model = ScriptedModel([ModelFailed("invalid_api_key", "401", retryable=False)])
    async with served(folder, model=model) as site:
        rui = await with_model(site)
        events = await runs(rui, asked("?"))

    assert events[-1]["type"] == "RUN_ERROR"
    assert events[-1]["code"] == "invalid_api_key"
    assert events[-1]["message"]


async def test_what_has_no_effect_here_is_said(folder: Path) -> None:
    own = {"name": "theirs", "description": "", "parameters": {}}
    async with served(folder, model=ScriptedModel([says("Hello.")])) as site:
        rui = await with_model(site)
        events = await runs(rui, asked("?", tools=[own], state={"a": 1}))
        image = {"type": "image", "source": {"type": "url", "value": "https://x/y.png"}}
        body = asked("?")
        body["messages"][0]["content"] = [image]
        refused = await rui.post("/ag-ui/Teste", body)
        body["messages"] = []
        nothing = await rui.post("/ag-ui/Teste", body)

    notice = next(one for one in events if one["type"] == "CUSTOM")
    assert notice["value"]["without_effect"] == ["tools", "state"]
    assert (refused.status_code, nothing.status_code) == (422, 422)


async def test_a_key_needs_the_scope_and_its_own_agent(folder: Path) -> None:
    async with served(folder, model=ScriptedModel([says("Hello.")])) as site:
        rui = await with_model(site)
        answers = {}
        for scope in ("chat", "mcp"):
            made = await rui.post("/me/keys", {"name": scope, "scopes": [scope]})
            assert made.status_code == 201, made.text
            client = site.client(**{"x-api-key": made.json()["key"]})
            body = asked("?", thread=scope)
            answers[scope] = (await client.post("/ag-ui/Teste", json=body)).status_code
        nobody = await site.client().post("/ag-ui/Teste", json=asked("?"))

    assert answers == {"chat": 200, "mcp": 403}
    assert nobody.status_code == 401


def test_every_event_of_ours_has_words_there() -> None:
    """Widgets, code, notices: whatever a turn can say is an event that the protocol knows."""
    said = {
        "content": "x",
        "id": "i",
        "tool_use_id": "c",
        "name": "n",
        "input": {},
        "result": {"a": 1},
        "is_error": False,
        "duration_ms": 1.0,
        "reason": "why",
        "expires_at": "2026-01-01",
        "input_tokens": 1,
        "output_tokens": 1,
        "cache_read_tokens": 1,
        "cache_write_tokens": 1,
        "cost_usd": 0.1,
        "estimated": False,
        "model": "m",
        "code": "internal",
        "status": "done",
    }
    for kind in EVENTS:
        translator = Translator(
            "t", "r", "c", "a", "m", [{"id": "1", "role": "user", "content": "?"}]
        )
        told = translator.told({"type": "thinking", "content": "hm"})
        told += translator.told({"type": kind, **said})
        for event in told:
            assert not EVENT.validate_python(event).model_extra, event
        assert len(told) > 4, kind


def test_a_reply_that_starts_over_takes_back_what_was_shown_of_it() -> None:
    history = [{"id": "1", "role": "user", "content": "?"}]
    translator = Translator("t", "r", "c", "a", "m", history)
    translator.told({"type": "text", "content": "Half an ans"})
    told = translator.told({"type": "again", "reason": "it broke off"})

    snapshot = next(one for one in told if one["type"] == "MESSAGES_SNAPSHOT")
    assert snapshot["messages"] == history


async def test_a_question_with_half_a_character_is_refused(site: Site) -> None:
    rui = await site.signs_in("rui")
    message = {"id": "1", "role": "user", "content": "quantos \ud800 há?"}
    body = json.dumps({"threadId": "t", "runId": "r", "messages": [message]})
    headers = {"content-type": "application/json"}

    answer = await rui.client.post("/ag-ui/Qualidade", content=body, headers=headers)

    assert answer.status_code == 422
    assert (await rui.get("/conversations?q=quantos")).json() == []

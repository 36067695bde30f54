"""Programmatic tool calls by the wire: the vendor's SDK before us, code in our sandbox, any model behind."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anthropic
import pytest
from anthropic import AsyncAnthropic
from sqlalchemy import select, update

from bancada.store.tables import audit_entries, gateway_containers, replies
from tests.gateway.counter import Counter, counter
from tests.gateway.vendor import Vendor, calls, runs, says, vendor
from tests.server.site import served

pytestmark = pytest.mark.filterwarnings("error::UserWarning")

NEW = "code_execution_20260120"
CODE = {"type": NEW, "name": "code_execution"}
QUESTION = {"role": "user", "content": "Quanto vendeu cada região?"}


def tool(name: str = "query", callers: tuple[str, ...] = (NEW,), **more: Any) -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"region": {"type": "string"}},
        "required": ["region"],
    }
    shape = {"name": name, "description": "Sales of a region.", "input_schema": schema}
    return {**shape, "allowed_callers": list(callers), **more}


def asking(*messages: Any, tools: list[Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        "model": "claude-sonnet-5-5",
        "max_tokens": 500,
        "tools": [CODE, tool()] if tools is None else tools,
        "messages": [QUESTION, *messages],
        **more,
    }


Answer = Callable[[str, dict[str, Any]], Any]


async def create(client: AsyncAnthropic, stream: bool, **body: Any) -> Any:
    """One request in either form; what comes must fit the SDK's own types."""
    if not stream:
        return await client.messages.create(**body)
    async with client.messages.stream(**body) as told:
        return await told.get_final_message()


async def converse(
    client: AsyncAnthropic,
    answer: Answer,
    *,
    stream: bool = False,
    body: dict[str, Any] | None = None,
    between: Callable[[], Any] | None = None,
) -> list[Any]:
    """As the vendor's guide has it: answer calls and come back, until there are none."""
    body = body or asking()
    said: list[Any] = []
    while True:
        message = await create(client, stream, **body)
        said.append(message)
        if message.stop_reason != "tool_use":
            return said
        if between is not None:
            client = await between() or client
        results = []
        for block in message.content:
            if block.type == "tool_use":
                result = answer(block.name, block.input)
                shape = {"type": "tool_result", "tool_use_id": block.id}
                results.append(
                    {**shape, **(result if isinstance(result, dict) else {"content": result})}
                )
        history = [
            *body["messages"],
            {
                "role": "assistant",
                "content": [b.model_dump(exclude_none=True) for b in message.content],
            },
            {"role": "user", "content": results},
        ]
        body = {**body, "messages": history, "container": message.container.id}


def kinds(message: Any) -> list[str]:
    return [block.type for block in message.content]


SUM = "t = 0\nfor r in ['N', 'S']:\n    t += int(await query({'region': r}))\nprint(t)"


@pytest.mark.parametrize("stream", [False, True])
async def test_code_awaits_the_clients_tools_and_only_its_output_reaches_the_model(
    folder: Path, stream: bool
) -> None:
    async with counter(folder, says("Vejo.", runs(SUM)), says("Ao todo 30.")) as at:
        client = await at.sdk()

        first, second, third = await converse(
            client, lambda name, input: {"N": "10", "S": "20"}[input["region"]], stream=stream
        )

        assert kinds(first) == ["text", "server_tool_use", "tool_use"]
        code, call = first.content[1], first.content[2]
        assert code.id.startswith("srvtoolu_")
        assert (code.name, code.input) == ("code_execution", {"code": SUM})
        assert (call.caller.type, call.caller.tool_id) == (NEW, code.id)
        assert call.input == {"region": "N"}
        assert first.container.id == second.container.id
        assert kinds(second) == ["tool_use"]
        assert (second.usage.input_tokens, second.usage.output_tokens) == (0, 0)
        assert kinds(third) == ["code_execution_tool_result", "text"]
        result = third.content[0]
        assert result.tool_use_id == code.id
        assert (result.content.stdout, result.content.return_code) == ("30\n", 0)
        assert third.stop_reason == "end_turn"
        one, two = at.behind.requests
        assert [each["name"] for each in one["tools"]] == ["code_execution"]
        assert "async def query(region: str) -> str" in one["tools"][0]["description"]
        assert "container" not in one
        printed = two["messages"][-1]["content"][0]
        assert (printed["type"], printed["tool_use_id"]) == ("tool_result", "toolu_code1")
        assert json.loads(printed["content"])["stdout"] == "30\n"
        assert "10" not in json.dumps(two["messages"][:-1])


@pytest.mark.parametrize("stream", [False, True])
async def test_calls_gathered_in_code_come_together(folder: Path, stream: bool) -> None:
    code = (
        "import asyncio\n"
        "got = await asyncio.gather(*(query(region=r) for r in 'abc'))\nprint(sorted(got))"
    )
    async with counter(folder, says(runs(code)), says("Sim.")) as at:
        first, second = await converse(
            await at.sdk(), lambda name, input: input["region"].upper(), stream=stream
        )

        assert kinds(first) == ["server_tool_use", "tool_use", "tool_use", "tool_use"]
        assert second.content[0].content.stdout == "['A', 'B', 'C']\n"


async def test_an_error_in_a_clients_tool_is_raised_in_the_code(folder: Path) -> None:
    code = "try:\n    await query({'region': 'x'})\nexcept Exception as e:\n    print('caught', e)"
    async with counter(folder, says(runs(code)), says("Sim.")) as at:
        *_, last = await converse(
            await at.sdk(), lambda name, input: {"content": "no such region", "is_error": True}
        )

        assert last.content[0].content.stdout == "caught no such region\n"


async def test_code_that_fails_says_so_and_the_model_goes_on(folder: Path) -> None:
    async with counter(folder, says(runs("1/0")), says("Falhou.")) as at:
        [message] = await converse(await at.sdk(), lambda name, input: "")

        assert kinds(message) == ["server_tool_use", "code_execution_tool_result", "text"]
        assert message.content[1].content.return_code == 1
        assert "ZeroDivisionError" in message.content[1].content.stderr
        assert at.behind.requests[1]["messages"][-1]["content"][0]["is_error"] is True


async def test_a_container_is_used_again_with_what_is_in_it(folder: Path) -> None:
    async with counter(
        folder, says(runs("x = 41")), says("Guardado."), says(runs("print(x + 1)")), says("42.")
    ) as at:
        client = await at.sdk()
        [first] = await converse(client, lambda name, input: "")

        [second] = await converse(
            client, lambda name, input: "", body=asking(container=first.container.id)
        )

        assert second.container.id == first.container.id
        assert second.content[1].content.stdout == "42\n"


async def test_code_goes_on_after_a_restart_of_the_server(folder: Path) -> None:
    async with vendor(says(runs(SUM)), says("Ao todo 30.")) as behind:
        settings = {"anthropic_base_url": behind.address}
        restarts = Restarting(folder, behind, settings)
        try:
            client = await restarts.again()
            *_, last = await converse(
                client,
                lambda name, input: {"N": "10", "S": "20"}[input["region"]],
                between=restarts.again,
            )
        finally:
            await restarts.close()

        assert restarts.started == 3
        assert last.content[0].content.stdout == "30\n"
        assert last.content[0].content.stderr == ""


class Restarting:
    """A gateway that is stopped and started again, with one key for all its lives."""

    def __init__(self, folder: Path, behind: Vendor, settings: dict[str, Any]) -> None:
        self.folder, self.behind, self.settings = folder, behind, settings
        self.started = 0
        self._open: Any = None
        self._key = ""

    async def again(self) -> AsyncAnthropic:
        await self.close()
        self._open = served(self.folder, **self.settings)
        at = Counter(await self._open.__aenter__(), self.behind)
        self._key = self._key or (await at.key())[1]
        self.started += 1
        return at.client(self._key)

    async def close(self) -> None:
        if self._open is not None:
            await self._open.__aexit__(None, None, None)
            self._open = None


async def test_state_of_earlier_code_is_there_after_a_restart(folder: Path) -> None:
    answers = [says(runs("x = 41")), says("Guardado."), says(runs("print(x + 1)")), says("42.")]
    async with vendor(*answers) as behind:
        restarts = Restarting(folder, behind, {"anthropic_base_url": behind.address})
        try:
            [first] = await converse(await restarts.again(), lambda name, input: "")
            body = asking(container=first.container.id)
            [second] = await converse(await restarts.again(), lambda name, input: "", body=body)
        finally:
            await restarts.close()

        assert second.content[1].content.stdout == "42\n"
        assert second.content[1].content.stderr == ""


@pytest.mark.parametrize("stream", [False, True])
async def test_code_and_a_direct_call_in_one_reply_keep_their_container(
    folder: Path, stream: bool
) -> None:
    code = "print(await query({'region': 'N'}))"
    reply = says(runs(code), calls("hora", "toolu_h", region="N"))
    async with counter(folder, reply, says("Pronto.")) as at:
        body = asking(tools=[CODE, tool(), tool("hora", ("direct",))])

        first, last = await converse(
            await at.sdk(), lambda name, input: f"{name} ok", stream=stream, body=body
        )

        assert kinds(first) == ["server_tool_use", "tool_use", "tool_use"]
        assert first.container is not None
        assert kinds(last) == ["code_execution_tool_result", "text"]
        results = at.behind.requests[1]["messages"][-1]["content"]
        assert [each["tool_use_id"] for each in results] == ["toolu_code1", "toolu_h"]
        assert results[1]["content"] == "hora ok"


async def test_the_old_version_is_answered_in_its_own_words(folder: Path) -> None:
    old = "code_execution_20250825"
    async with counter(folder, says(runs("print(await query('N'))")), says("Sim.")) as at:
        client = await at.sdk()
        body = asking(tools=[{"type": old, "name": "code_execution"}, tool(callers=(old,))])

        message = await client.beta.messages.create(**body, betas=["advanced-tool-use-2025-11-20"])

        assert message.content[1].caller.type == old


async def test_a_tool_runner_calls_its_tools_from_code(folder: Path) -> None:
    async with counter(folder, says(runs(SUM)), says("Ao todo 30.")) as at:
        client = await at.sdk()

        @anthropic.beta_async_tool(allowed_callers=[NEW])
        async def query(region: str) -> str:
            """Sales of a region."""
            return {"N": "10", "S": "20"}[region]

        runner = client.beta.messages.tool_runner(
            model="claude-sonnet-5-5", max_tokens=500, tools=[CODE, query], messages=[QUESTION]
        )

        last = await runner.until_done()

        assert last.content[-1].text == "Ao todo 30."
        assert last.content[0].content.stdout == "30\n"


async def paused(at: Counter) -> tuple[AsyncAnthropic, Any, dict[str, Any]]:
    """A client whose code waits, and the request that would go on with it."""
    client = await at.sdk()
    message = await client.messages.create(**asking())
    call = message.content[-1]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": "1"}
    content = [block.model_dump(exclude_none=True) for block in message.content]
    body = asking(
        {"role": "assistant", "content": content},
        {"role": "user", "content": [result]},
        container=message.container.id,
    )
    return client, message, body


def with_text(body: dict[str, Any], **_: Any) -> None:
    body["messages"][-1]["content"].append({"type": "text", "text": "e depressa"})


def without_container(body: dict[str, Any], **_: Any) -> None:
    del body["container"]


def unknown_container(body: dict[str, Any], **_: Any) -> None:
    body["container"] = "container_000"


def other_tools(body: dict[str, Any], **_: Any) -> None:
    body["tools"] = [CODE, tool("another")]


def no_tools(body: dict[str, Any], **_: Any) -> None:
    del body["tools"]


def no_answer(body: dict[str, Any], **_: Any) -> None:
    body["messages"][-1]["content"] = []


def strange_answer(body: dict[str, Any], **_: Any) -> None:
    body["messages"][-1]["content"][0]["tool_use_id"] = "toolu_other"


def two_answers(body: dict[str, Any], **_: Any) -> None:
    [answer] = body["messages"][-1]["content"]
    body["messages"][-1]["content"] = [answer, {**answer, "content": "2"}]


def lost_source(body: dict[str, Any], **_: Any) -> None:
    content = body["messages"][1]["content"]
    body["messages"][1]["content"] = [b for b in content if b["type"] != "server_tool_use"]


def picture(body: dict[str, Any], **_: Any) -> None:
    body["messages"][-1]["content"][0]["content"] = [{"type": "image", "source": {}}]


@pytest.mark.parametrize(
    ("spoil", "says_so"),
    [
        (with_text, "only `tool_result` blocks may be sent"),
        (without_container, "container_id is required when there are pending tool uses"),
        (unknown_container, "not found"),
        (other_tools, "have changed"),
        (no_tools, "have changed"),
        (no_answer, "`tool_use` ids were found without `tool_result` blocks immediately after"),
        (strange_answer, "unexpected `tool_use_id` found in `tool_result` blocks: toolu_other"),
        (two_answers, "each tool_use must have a single result"),
        (lost_source, "not found for tool use block"),
        (picture, "must be text"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
async def test_what_cannot_go_on_is_refused_as_the_vendor_does(
    folder: Path, spoil: Callable[..., None], says_so: str
) -> None:
    async with counter(folder, says(runs(SUM)), says("Sim.")) as at:
        client, _, body = await paused(at)
        spoil(body)

        with pytest.raises(anthropic.BadRequestError) as refused:
            await client.messages.create(**body)

        error: Any = refused.value.body
        assert error["error"]["type"] == "invalid_request_error"
        assert says_so in error["error"]["message"]


@pytest.mark.parametrize("person", ["admin", "rui"])
async def test_a_container_that_another_key_made_is_not_there(folder: Path, person: str) -> None:
    async with counter(folder, says(runs(SUM)), says("Sim.")) as at:
        _, _, body = await paused(at)
        another = await at.sdk(person)

        with pytest.raises(anthropic.BadRequestError, match="not found"):
            await another.messages.create(**body)


async def test_a_key_made_in_the_place_of_another_goes_on_with_its_containers(folder: Path) -> None:
    async with counter(folder, says(runs(SUM)), says("Ao todo 2.")) as at:
        _, _, body = await paused(at)
        rui = await at.site.signs_in("rui")
        [old] = (await rui.get("/me/keys")).json()
        new = (await rui.post(f"/me/keys/{old['id']}/rotate", {"hours": 1})).json()["key"]

        message = await at.client(new).messages.create(**body)

        assert message.container.id == body["container"]


async def test_an_expired_container_is_refused(folder: Path) -> None:
    async with counter(folder, says(runs(SUM)), says("Sim.")) as at:
        client, _, body = await paused(at)
        past = update(gateway_containers).values(expires_at=1.0)
        await at.site.bench.database.run(lambda db: db.execute(past))

        with pytest.raises(anthropic.BadRequestError, match="has expired"):
            await client.messages.create(**body)


@pytest.mark.parametrize(
    ("more", "says_so"),
    [
        ({"tools": [CODE, tool(strict=True)]}, "strict"),
        ({"tool_choice": {"type": "tool", "name": "query"}}, "cannot be forced"),
        ({"tool_choice": {"type": "auto", "disable_parallel_tool_use": True}}, "disable_parallel"),
        ({"tools": [tool()]}, "the code execution tool must be among"),
        (
            {"tools": [CODE, tool(input_schema={"oneOf": []})]},
            "tools.1.custom.input_schema.type: Field required",
        ),
        (
            {
                "tools": [
                    CODE,
                    tool(
                        input_schema={
                            "type": "object",
                            "properties": {"a": {"$ref": "#/$defs/n"}},
                            "$defs": {"n": {"properties": {"next": {"$ref": "#/$defs/n"}}}},
                        }
                    ),
                ]
            },
            "Circular $ref detected",
        ),
    ],
)
async def test_tools_that_code_cannot_call_are_refused(
    folder: Path, more: dict[str, Any], says_so: str
) -> None:
    async with counter(folder, says("Sim.")) as at:
        client = await at.sdk()

        with pytest.raises(anthropic.BadRequestError) as refused:
            await client.messages.create(**{**asking(), **more})

        error: Any = refused.value.body
        assert says_so in error["error"]["message"]
        assert at.behind.bodies == []


async def test_who_may_not_run_code_may_not_run_it_here_either(folder: Path) -> None:
    async with counter(folder, says(runs("1")), says("Sim.")) as at:
        client = await at.sdk("ana")

        with pytest.raises(anthropic.PermissionDeniedError):
            await client.messages.create(**asking())


async def test_code_and_the_clients_calls_are_on_record(folder: Path) -> None:
    async with counter(folder, says(runs(SUM)), says("Ao todo 30.")) as at:
        key_id, key = await at.key()
        await converse(at.client(key), lambda name, input: "10")

        database = at.site.bench.database
        entries = await database.read(lambda db: list(db.execute(select(audit_entries))))
        of_calls = [(e.tool, e.kind) for e in entries if e.category is None]
        assert of_calls.count(("client:query", "ended")) == 2
        assert ("code_execution", "started") in of_calls
        assert ("code_execution", "ended") in of_calls
        spent = await database.read(lambda db: list(db.execute(select(replies))))
        assert [row.key_id for row in spent] == [key_id, key_id]


async def test_an_error_of_the_model_behind_reaches_the_client_of_code_too(folder: Path) -> None:
    from tests.gateway.vendor import Fails

    said = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    async with counter(folder, Fails(529, said)) as at:
        client = await at.sdk()

        with pytest.raises(anthropic.APIStatusError) as refused:
            await client.messages.create(**asking())

        assert (refused.value.status_code, refused.value.body) == (529, said)


async def test_a_client_that_is_silent_too_long_is_a_timeout_in_the_code(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bancada.engine.programmatic.TOOL_SECONDS", 0.5)
    code = "try:\n    await query({'region': 'N'})\nexcept TimeoutError as e:\n    print(e)"
    async with counter(folder, says(runs(code)), says("Tarde.")) as at:

        async def late() -> None:
            await asyncio.sleep(2)

        *_, last = await converse(await at.sdk(), lambda name, input: "10", between=late)

        told = last.content[0].content.stdout
        assert told == "Calling tool ['query'] timed out (no response after 0.5s).\n"


async def test_a_continuation_that_is_sent_again_runs_nothing_twice(folder: Path) -> None:
    async with counter(folder, says(runs(SUM)), says("Ao todo 2.")) as at:
        client, _, body = await paused(at)

        once = await client.messages.create(**body)
        again = await client.messages.create(**body)

        assert [b.id for b in once.content] == [b.id for b in again.content]
        assert [b.input for b in again.content] == [{"region": "S"}]

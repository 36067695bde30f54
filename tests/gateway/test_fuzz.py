"""Requests drawn from the SDK's own types, and spoiled ones: whatever comes, nothing of ours breaks."""

from __future__ import annotations

import asyncio
import json
import shutil
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import httpx
import pytest
from anthropic.types import ContentBlockParam, ToolUnionParam
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.gateway.counter import Counter, counter
from tests.gateway.vendor import runs, says

NEW = "code_execution_20260120"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)
IDS = st.sampled_from(["toolu_1", "toolu_2", "srvtoolu_1", "srvtoolu_code1", ""])
NAMES = st.sampled_from(["query", "code_execution", "get-weather", "a b", ""])
CALLER = st.sampled_from(
    [{"type": "direct"}, {"type": NEW, "tool_id": "srvtoolu_1"}, {"type": NEW}, None, 3]
)


def shape(**fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    """A block with these fields, any of which may be missing."""
    kind = fields.pop("type")
    return st.fixed_dictionaries({"type": st.just(kind)}, optional=fields)


RESULT = shape(
    type="code_execution_result",
    stdout=st.text(max_size=5),
    stderr=JSON,
    return_code=JSON,
    content=JSON,
)
BLOCKS = st.one_of(
    shape(type="text", text=st.text(max_size=10) | JSON, citations=JSON, cache_control=JSON),
    shape(type="tool_use", id=IDS, name=NAMES, input=JSON, caller=CALLER),
    shape(type="server_tool_use", id=IDS, name=NAMES, input=JSON, caller=CALLER),
    shape(type="tool_result", tool_use_id=IDS, content=JSON, is_error=JSON),
    shape(type="code_execution_tool_result", tool_use_id=IDS, content=RESULT | JSON),
    shape(type="mcp_tool_use", id=IDS, name=NAMES, input=JSON, server_name=st.just("bancada")),
    shape(type="mcp_tool_result", tool_use_id=IDS, content=JSON, is_error=JSON),
    shape(type="thinking", thinking=st.text(max_size=5), signature=st.text(max_size=5)),
    shape(type="image", source=JSON),
    JSON,
)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["user", "assistant", "system"]),
            "content": st.text(max_size=10) | st.lists(BLOCKS, max_size=4) | JSON,
        }
    )
    | JSON,
    max_size=4,
)
SCHEMA = st.fixed_dictionaries(
    {"type": st.just("object")},
    optional={
        "properties": st.dictionaries(st.text(max_size=5), JSON, max_size=2),
        "required": JSON,
    },
)
TOOL = st.one_of(
    st.just({"type": NEW, "name": "code_execution"}),
    st.fixed_dictionaries(
        {"name": NAMES, "input_schema": SCHEMA | JSON},
        optional={
            "allowed_callers": st.lists(st.sampled_from(["direct", NEW, "x"]), max_size=2) | JSON,
            "strict": JSON,
            "type": st.sampled_from(["custom", "web_search_20260209", 3]),
        },
    ),
    JSON,
)
TOOLS = st.lists(TOOL, max_size=3)
BODIES = st.fixed_dictionaries(
    {},
    optional={
        "model": st.just("claude-sonnet-5-5") | JSON,
        "max_tokens": st.integers(-1, 5) | JSON,
        "messages": MESSAGES | JSON,
        "tools": TOOLS | JSON,
        "tool_choice": st.fixed_dictionaries({"type": st.sampled_from(["auto", "tool"])}) | JSON,
        "container": st.sampled_from(["container_1", {"id": "container_2"}]) | JSON,
        "stream": st.booleans() | JSON,
        "system": JSON,
        "thread": JSON,
    },
)


def _lists(thing: Any) -> st.SearchStrategy[list[Any]]:
    (each,) = get_args(thing) or (object,)
    return st.lists(st.from_type(each), max_size=2)


# JSON has one kind of many, and of anything.
st.register_type_strategy(Iterable, _lists)
st.register_type_strategy(object, JSON)


def one_of(union: Any) -> st.SearchStrategy[Any]:
    """Any of the shapes by which the SDK's types say what may be sent."""
    return st.one_of([st.from_type(each) for each in get_args(union)])


FIELDS = get_type_hints(MessageCreateParamsNonStreaming)
DRAWN = ("model", "max_tokens", "messages", "tools", "stream")
"""Not drawn from their types: any name and number would do, and blocks that a reply has are no request's."""
TYPED = st.fixed_dictionaries(
    {
        "model": st.just("claude-sonnet-5-5"),
        "max_tokens": st.integers(1, 9),
        "messages": st.lists(
            st.fixed_dictionaries(
                {
                    "role": st.sampled_from(["user", "assistant"]),
                    "content": st.lists(one_of(ContentBlockParam), min_size=1, max_size=3),
                }
            ),
            min_size=1,
            max_size=3,
        ),
    },
    optional={
        "tools": st.lists(one_of(ToolUnionParam) | TOOL, max_size=3),
        "stream": st.booleans(),
        **{name: st.from_type(kind) for name, kind in FIELDS.items() if name not in DRAWN},
    },
)
QUIET = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large]


class Live:
    """A gateway in a thread of its own, with a model behind it that runs a line of code now and then."""

    def __init__(self, folder: Path, **how: Any) -> None:
        self._folder, self._how = folder, how
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(90)

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        answers = [says("Sim."), says("Sim."), says(runs("print(1)")), says("Sim.")] * 200
        async with counter(self._folder, *answers, **self._how) as at:
            await self._open(at)
            self._ready.set()
            await self._over.wait()

    async def _open(self, at: Counter) -> None:
        self.address = at.site.address
        _, self.key = await at.key()

    def send(self, body: Any) -> httpx.Response:
        headers = {"x-api-key": self.key, "content-type": "application/json"}
        # Files are among the types; of those only the name can be sent.
        content = json.dumps(body, default=str).encode()
        return httpx.post(
            f"{self.address}/v1/messages", content=content, headers=headers, timeout=60
        )

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)


@pytest.fixture(scope="module", params=["server", "offline"])
def live(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, made_once: Path
) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("fuzz")
    shutil.copytree(made_once, folder / "data")
    nobody = {"anthropic_base_url": None, "anthropic_api_key": None}
    opened = Live(folder, **(nobody if request.param == "offline" else {}))
    yield opened
    opened.close()


def never_breaks(live: Live, body: Any) -> None:
    answer = live.send(body)
    assert answer.status_code < 500, (answer.status_code, answer.text, body)
    if answer.status_code >= 400:
        assert answer.json()["error"]["type"]
    assert "internal" not in answer.text.lower()


@given(body=BODIES | TYPED)
@settings(max_examples=40, deadline=None, suppress_health_check=QUIET)
def test_no_request_breaks_the_gateway(live: Live, body: Any) -> None:
    never_breaks(live, body)


@pytest.mark.long
@pytest.mark.timeout(1800)
@given(body=BODIES | TYPED)
@settings(max_examples=1000, deadline=None, suppress_health_check=QUIET)
def test_no_request_of_very_many_breaks_the_gateway(live: Live, body: Any) -> None:
    never_breaks(live, body)

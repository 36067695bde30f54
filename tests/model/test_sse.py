"""Streams as bytes, folded into replies."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.domain.json import dumps, loads
from bancada.model.model import ModelFailed, Reply, TextPiece, ThinkingPiece
from bancada.model.sse import Frames, ReplyBuilder


def sse(*events: dict[str, Any]) -> bytes:
    return b"".join(
        b"event: %s\ndata: %s\n\n" % (event["type"].encode(), orjson.dumps(event))
        for event in events
    )


def start(**message: Any) -> dict[str, Any]:
    whole = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 1},
    }
    return {"type": "message_start", "message": {**whole, **message}}


def block(
    index: int, content_block: dict[str, Any], *deltas: dict[str, Any]
) -> list[dict[str, Any]]:
    return [
        {"type": "content_block_start", "index": index, "content_block": content_block},
        *({"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": index},
    ]


def text(*words: str, index: int = 0) -> list[dict[str, Any]]:
    deltas = [{"type": "text_delta", "text": word} for word in words]
    return block(index, {"type": "text", "text": ""}, *deltas)


def end(stop_reason: str = "end_turn", **delta: Any) -> list[dict[str, Any]]:
    return [
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop_reason, "stop_sequence": None, **delta},
            "usage": {"output_tokens": 9},
        },
        {"type": "message_stop"},
    ]


def read(chunks: Iterable[bytes]) -> tuple[list[TextPiece | ThinkingPiece], Reply]:
    frames, builder, pieces = Frames(), ReplyBuilder(), []
    for chunk in chunks:
        pieces += builder.feed(frames.feed(chunk))
    pieces += builder.feed(frames.close())
    return pieces, builder.reply()


def read_events(*events: dict[str, Any]) -> Reply:
    return read([sse(*events)])[1]


GREETING = sse(start(), {"type": "ping"}, *text("Olá, ", "são 12 peças não conformes 🔧"), *end())
WORDS = "Olá, são 12 peças não conformes 🔧"


def test_text_arrives_in_pieces_and_as_one_block() -> None:
    pieces, reply = read([GREETING])

    assert pieces == [TextPiece("Olá, "), TextPiece("são 12 peças não conformes 🔧")]
    assert reply.content == [{"type": "text", "text": WORDS}]
    assert reply.stop_reason == "end_turn"


@given(st.lists(st.integers(0, len(GREETING)), max_size=30))
def test_where_the_bytes_are_split_changes_nothing(cuts: list[int]) -> None:
    places = [0, *sorted(cuts), len(GREETING)]
    chunks = [GREETING[a:b] for a, b in pairwise(places)]

    assert read(chunks) == read([GREETING])


@pytest.mark.parametrize("newline", [b"\r\n", b"\r"])
def test_every_line_ending_is_understood_byte_by_byte(newline: bytes) -> None:
    stream = GREETING.replace(b"\n", newline)

    assert read(stream[i : i + 1] for i in range(len(stream))) == read([GREETING])


def test_comments_and_odd_frames_are_passed_over() -> None:
    noise = b": keep-alive\n\nretry: 100\n\ndata:\n\ndata: [DONE]\n\nid: 4\n\n"

    assert read([noise, GREETING, noise]) == read([GREETING])


def test_data_over_several_lines_is_one_event() -> None:
    split = GREETING.replace(b'"type":"message_stop"', b'"type":\ndata: "message_stop"')

    assert split != GREETING
    assert read([split]) == read([GREETING])


def test_a_missing_last_empty_line_is_forgiven() -> None:
    assert read([GREETING.rstrip(b"\n")]) == read([GREETING])


def test_the_event_line_names_data_without_a_type() -> None:
    stop = b'event: message_stop\ndata: {"type":"message_stop"}'
    assert stop in GREETING

    assert read([GREETING.replace(stop, b"event: message_stop\ndata: {}")]) == read([GREETING])


def test_a_large_event_in_small_chunks_is_read_once() -> None:
    stdout = "x" * 300_000
    result = {"type": "code_execution_tool_result", "content": {"stdout": stdout}}
    stream = sse(start(), *block(0, result), *end())

    _, reply = read(stream[i : i + 7] for i in range(0, len(stream), 7))

    assert reply.content == [result]


def test_half_a_surrogate_pair_can_be_kept_and_sent_again() -> None:
    broken = GREETING.replace("🔧".encode(), b"\\ud83d")

    _, reply = read([broken])

    assert reply.content[0]["text"].endswith("\ud83d")
    assert loads(dumps(reply.content)) == reply.content


def test_bytes_that_are_not_text_lose_nothing_else() -> None:
    _, reply = read([GREETING.replace("🔧".encode(), b"\xff")])

    assert reply.content[0]["text"] == WORDS.replace("🔧", "\ufffd")


def test_numbers_beyond_64_bits_stay_exact() -> None:
    reply = read_events(start(), *call(0, '{"id": 12345678901234567890123}'), *end("tool_use"))

    assert reply.content[0]["input"] == {"id": 12345678901234567890123}


def test_thinking_keeps_its_signature_to_the_byte() -> None:
    signature = "EqQBCkYIBBgCKkA+/slashes/and+plus==" * 20
    events = block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "thinking_delta", "thinking": "Let "},
        {"type": "thinking_delta", "thinking": "me see"},
        {"type": "signature_delta", "signature": signature},
    )
    hidden = block(1, {"type": "redacted_thinking", "data": "b3BhcXVl"})

    pieces, reply = read([sse(start(), *events, *hidden, *text("Sim.", index=2), *end())])

    assert pieces == [ThinkingPiece("Let "), ThinkingPiece("me see"), TextPiece("Sim.")]
    assert reply.content == [
        {"type": "thinking", "thinking": "Let me see", "signature": signature},
        {"type": "redacted_thinking", "data": "b3BhcXVl"},
        {"type": "text", "text": "Sim."},
    ]


def test_thinking_with_nothing_but_a_signature_stays() -> None:
    empty = block(
        0,
        {"type": "thinking", "thinking": "", "signature": ""},
        {"type": "signature_delta", "signature": "abc"},
    )

    pieces, reply = read([sse(start(), *empty, *end())])

    assert pieces == []
    assert reply.content == [{"type": "thinking", "thinking": "", "signature": "abc"}]


def call(index: int, *written: str, **more: Any) -> list[dict[str, Any]]:
    use = {"type": "tool_use", "id": f"toolu_{index}", "name": "contar", "input": {}, **more}
    return block(
        index, use, *({"type": "input_json_delta", "partial_json": part} for part in written)
    )


def test_a_tools_input_is_put_together_from_its_parts() -> None:
    reply = read_events(
        start(), *call(0, "", '{"tip', 'o": "ris', 'co"}'), *call(1, ""), *call(2), *end("tool_use")
    )

    assert [use["input"] for use in reply.content] == [{"tipo": "risco"}, {}, {}]
    assert "invalid_inputs" not in reply.raw


@pytest.mark.parametrize("written", ['{"tipo": ris', "[1, 2]", '"text"', "null", "[" * 100_000])
def test_an_input_that_is_no_object_is_marked_and_sendable(written: str) -> None:
    reply = read_events(start(), *call(0, written), *call(1, '{"a": 1}'), *end("tool_use"))

    assert [use["input"] for use in reply.content] == [{}, {"a": 1}]
    assert reply.raw["invalid_inputs"] == {"toolu_0": written}


def test_programmatic_calls_and_results_arrive_whole() -> None:
    caller = {"type": "code_execution_20260120", "tool_id": "srvtoolu_1"}
    use = {"type": "tool_use", "id": "t", "name": "q", "input": {"sql": "x"}, "caller": caller}
    result = {"type": "code_execution_tool_result", "tool_use_id": "srvtoolu_1", "content": {}}
    container = {"id": "container_1", "expires_at": "2026-11-15T10:00:00Z"}

    reply = read_events(
        start(), *block(0, use), *block(1, result), *end("tool_use", container=container)
    )

    assert reply.content == [use, result]
    assert reply.container == container


def test_a_continuation_may_be_only_its_start() -> None:
    content = [
        {"type": "text", "text": "A ver."},
        {"type": "tool_use", "id": "t", "name": "q", "input": {"a": 1}, "caller": {"type": "x"}},
    ]
    container = {"id": "container_1", "expires_at": "2026-11-15T10:00:00Z"}
    message = start(content=content, container=container, stop_reason="tool_use")

    pieces, reply = read([sse(message, {"type": "message_stop"})])

    assert pieces == [TextPiece("A ver.")]
    assert reply.content == content
    assert reply.stop_reason == "tool_use"
    assert reply.container == container


def test_citations_gather_on_their_block() -> None:
    events = block(
        0,
        {"type": "text", "text": "", "citations": None},
        {"type": "citations_delta", "citation": {"cited_text": "a"}},
        {"type": "text_delta", "text": "segundo a fonte"},
        {"type": "citations_delta", "citation": {"cited_text": "b"}},
    )

    reply = read_events(start(), *events, *end())

    assert reply.content == [
        {
            "type": "text",
            "text": "segundo a fonte",
            "citations": [{"cited_text": "a"}, {"cited_text": "b"}],
        }
    ]


def test_what_is_not_yet_invented_passes_unharmed() -> None:
    events = block(
        0,
        {"type": "hologram", "voxels": [1], "caption": "a "},
        {"type": "voxel_delta", "voxels": [2, 3], "depth": 4},
        {"type": "text_delta", "text": "b"},
        {"type": "caption_delta", "caption": "cube"},
    )
    unknown = {"type": "message_weather", "sky": "clear"}

    pieces, reply = read([sse(start(), unknown, *events, *text("x", index=1), *end("bored"))])

    hologram = {
        "type": "hologram",
        "voxels": [1, 2, 3],
        "caption": "a cube",
        "depth": 4,
        "text": "b",
    }
    assert reply.content == [hologram, {"type": "text", "text": "x"}]
    assert reply.stop_reason == "bored"
    assert pieces == [TextPiece("x")]


def test_usage_is_merged_over_start_and_end() -> None:
    usage = {"input_tokens": 7, "cache_read_input_tokens": 100, "cache_creation_input_tokens": 5}
    closing = end()
    closing[0]["usage"] = {
        "output_tokens": 40,
        "input_tokens": None,
        "cache_creation_input_tokens": 6,
    }
    closing[0]["context_management"] = {"applied_edits": []}

    reply = read_events(start(usage=usage), *text("x"), *closing)

    used = reply.usage
    assert (used.input, used.output, used.cache_read, used.cache_write) == (7, 40, 100, 6)
    assert not used.estimated
    assert reply.raw["context_management"] == {"applied_edits": []}
    assert reply.raw["id"] == "msg_1"


@pytest.mark.parametrize(
    ("kind", "code", "retryable"),
    [
        ("overloaded_error", "overloaded", True),
        ("rate_limit_error", "rate_limited", True),
        ("api_error", "internal", True),
        ("authentication_error", "invalid_api_key", False),
        ("invalid_request_error", "internal", False),
        ("never_heard_of_error", "internal", True),
    ],
)
def test_an_error_in_mid_stream_says_what_it_is(kind: str, code: str, retryable: bool) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "Sorry"}}

    with pytest.raises(ModelFailed, match="Sorry") as caught:
        read_events(start(), *text("Meia respo"), error)

    assert (caught.value.code, caught.value.retryable) == (code, retryable)


@pytest.mark.parametrize(
    "kept", [0, 1, 60, len(GREETING) // 2, len(GREETING) - 40, len(GREETING) - 4]
)
def test_a_stream_that_breaks_off_may_be_asked_again(kept: int) -> None:
    with pytest.raises(ModelFailed) as caught:
        read([GREETING[:kept]])

    assert caught.value.retryable


@pytest.mark.parametrize(
    "nonsense",
    [
        b"data: {not json}\n\n",
        sse(
            {
                "type": "content_block_delta",
                "index": 9,
                "delta": {"type": "text_delta", "text": "x"},
            }
        ),
        sse({"type": "content_block_delta", "index": 0}),
        sse({"type": "content_block_start", "index": 1}),
        sse({"type": "message_start"}),
    ],
)
def test_a_stream_that_makes_no_sense_may_be_asked_again(nonsense: bytes) -> None:
    opening = sse(start(), *text("Olá"))

    with pytest.raises(ModelFailed) as caught:
        read([opening, nonsense, sse(*end())])

    assert caught.value.retryable


SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
ANYTHING = SCALARS | st.lists(SCALARS, max_size=2) | st.dictionaries(st.text(max_size=3), SCALARS)
WHOLE = [
    start(),
    *text("Olá"),
    *call(1, '{"a": 1}'),
    *block(2, {"type": "thinking", "thinking": ""}, {"type": "thinking_delta", "thinking": "x"}),
    *end("tool_use", container={"id": "c"}),
]


@given(st.data())
def test_whatever_a_server_sends_is_a_reply_or_a_failure(data: st.DataObject) -> None:
    events = loads(dumps(WHOLE))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.sampled_from(events))
        while True:
            key = data.draw(st.sampled_from(sorted(place)))
            if isinstance(place[key], dict) and place[key] and data.draw(st.booleans()):
                place = place[key]
                continue
            place[key] = data.draw(ANYTHING)
            break

    try:
        assert isinstance(read([sse_of(events)])[1], Reply)
    except ModelFailed as failed:
        assert str(failed)  # noqa: PT017


def sse_of(events: list[dict[str, Any]]) -> bytes:
    return b"".join(b"data: %s\n\n" % dumps(event).encode() for event in events)

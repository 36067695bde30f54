from __future__ import annotations

import json
import re
import unicodedata
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

import numpy
import pandas
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from bancada.domain.calls import Outcome, Widget
from bancada.tools.result import (
    MAX_FILE_CHARS,
    MAX_IMAGES,
    MAX_SHOWN_FILE_CHARS,
    MAX_WHOLE_BYTES,
    as_read,
    bounded,
    note_for_code,
    outcome_of,
    text_for_code,
    whole_of,
)
from bancada.tools.tool import Result
from tests.tools import drawn


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: float
    colour: Colour = Colour.RED


class Piece(BaseModel):
    from_: str = Field(alias="from")
    at: Point


Pair = namedtuple("Pair", "a b")


def outcome(raw: Any, max_chars: int = 10_000) -> Outcome:
    return outcome_of(raw, max_chars=max_chars)


PNG = "iVBORw0KGgo" + "A" * 5  # how a PNG begins


def image(data: str = PNG, media_type: str = "image/png") -> dict[str, Any]:
    source = {"type": "base64", "media_type": media_type, "data": data}
    return {"type": "image", "source": source}


def test_text_is_read_as_it_is() -> None:
    assert outcome('say "olá"\n') == Outcome(content='say "olá"\n')


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        (None, None),
        (True, True),
        (3, 3),
        (2**70, 2**70),
        (1.5, 1.5),
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}),
        ([], []),
        (Colour.RED, "red"),
        ((1, "a"), [1, "a"]),
        (Pair(1, 2), [1, 2]),
        ({3, 1, 2}, [1, 2, 3]),
        (frozenset("ba"), ["a", "b"]),
        (OrderedDict(a=1), {"a": 1}),
        ({1: "a", Colour.RED: "b", date(2026, 1, 2): "c"}, {"1": "a", "red": "b", "2026-01-02": "c"}),
        (Point(1.0), {"x": 1.0, "colour": "red"}),
        (Piece(**{"from": "x", "at": Point(2)}), {"from": "x", "at": {"x": 2.0, "colour": "red"}}),
        ([Point(1.0)], [{"x": 1.0, "colour": "red"}]),
        (date(2026, 1, 2), "2026-01-02"),
        (datetime(2026, 1, 2, 3, tzinfo=timezone.utc), "2026-01-02T03:00:00+00:00"),  # noqa: UP017
        (timedelta(days=1), "P1D"),
        (Decimal("12.50"), 12.5),
        (Decimal("0.12345678901234567890"), "0.12345678901234567890"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (PurePosixPath("/a/b"), "/a/b"),
        (numpy.float32(0.5), 0.5),
        (numpy.int64(7), 7),
        (numpy.bool_(True), True),
        (numpy.array([[1, 2]]), [[1, 2]]),
        (pandas.DataFrame({"a": [1, 2]}), [{"a": 1}, {"a": 2}]),
        (pandas.Series([1, 2]), [1, 2]),
        ({"a": 1}.values(), [1]),
    ],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_what_has_a_json_form_is_read_as_json(raw: Any, value: Any) -> None:
    made = outcome(raw)
    assert not made.is_error
    assert isinstance(made.content, str)
    assert json.loads(made.content) == value
    assert made.value == value


def test_numbers_that_json_lacks_become_null_with_a_note() -> None:
    made = outcome({"a": float("nan"), "b": [float("inf"), 1.0], "c": Decimal("NaN")})
    assert made.value == {"a": None, "b": [None, 1.0], "c": None}
    assert isinstance(made.content, str)
    text, note = made.content.split("\n")
    assert json.loads(text) == made.value
    assert "3 values" in note
    assert "null" in note
    assert outcome([pandas.NaT, pandas.NA]).value == [None, None]


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"abc", "3 bytes of binary data"),
        ({"a": [bytearray(2)]}, "2 bytes of binary data"),
        (object(), "a Python object has no JSON form"),
        ({"a": print}, "no JSON form"),
        ((n for n in [1]), "no JSON form"),
        ({(1, 2): 3}, "cannot be the name of a field"),
    ],
    ids=["bytes", "inner bytes", "object", "function", "generator", "key"],
)
def test_what_has_no_json_form_is_an_error_with_the_reason(raw: Any, reason: str) -> None:
    made = outcome(raw)
    assert made.is_error
    assert made.code == "failed"
    assert reason in str(made.content)


def test_a_result_that_contains_itself_or_has_no_bottom_is_an_error() -> None:
    circle: list[Any] = []
    circle.append(circle)
    assert "contains itself" in str(outcome(circle).content)
    deep: Any = 1
    for _ in range(5_000):
        deep = {"x": deep}
    assert "levels deep" in str(outcome(deep).content)
    shared = [1]
    assert outcome([shared, shared]).value == [[1], [1]]


def test_an_object_that_fails_while_it_is_read_is_an_error() -> None:
    class Broken(dict[str, int]):
        def items(self) -> Any:
            raise RuntimeError("secret detail")

    made = outcome(Broken())
    assert made.is_error
    assert "RuntimeError" in str(made.content)
    assert "secret" not in str(made.content)


def test_long_text_is_cut_with_a_note_that_says_how_much_and_how_to_get_the_rest() -> None:
    made = outcome("a" * 98_765, max_chars=12_445)
    assert isinstance(made.content, str)
    assert len(made.content) <= 12_445
    assert made.content.endswith(
        "…[cut: 12,345 of 98,765 characters shown; ask for less, filter or page]"
    )
    assert made.value is None
    assert made.meta == {"cut_from": 98_765}


def test_a_long_structure_is_cut_as_text_and_its_value_is_bounded_too() -> None:
    made = outcome([{"n": n} for n in range(10_000)], max_chars=1_000)
    assert isinstance(made.content, str)
    assert len(made.content) <= 1_000
    assert "[cut: " in made.content
    assert len(json.dumps(made.shown)) < 2_000


def test_what_fits_exactly_is_not_cut() -> None:
    assert outcome("a" * 500, max_chars=500).content == "a" * 500


def test_text_that_cannot_be_written_is_mended() -> None:
    assert outcome("a\ud83d\ude00b").content == "a😀b"
    assert outcome("a\ud83db").content == "a�b"
    assert outcome({"\ud83d": "\ude00"}).value == {"�": "�"}


@given(st.text("e\u0301👍🏽👩\u200d🔬ß", min_size=300, max_size=400), st.integers(100, 250))
def test_a_cut_tears_no_character_apart(text: str, max_chars: int) -> None:
    content = outcome(text, max_chars).content
    assert isinstance(content, str)
    shown = content[: content.index("…[cut: ")]
    content.encode()
    assert text.startswith(shown)
    following = text[len(shown)]
    joins = unicodedata.combining(following) or following in "\u200d🏽" or shown[-1:] == "\u200d"
    # A run of joiners longer than any character has is cut all the same.
    assert not shown or not joins or re.search("[\u0301\u200d🏽]{5,}|(\u200d.){5,}", text)


def test_content_blocks_stay_blocks() -> None:
    blocks = [{"type": "text", "text": "see"}, image()]
    made = outcome(blocks)
    assert made.content == blocks
    assert made.shown == blocks
    assert not made.is_error


def test_data_that_looks_a_little_like_blocks_is_data() -> None:
    rows = [{"type": "text", "text": "Name", "required": True}]
    assert outcome(rows).value == rows
    assert outcome([{"type": "image", "path": "a.png"}]).value == [
        {"type": "image", "path": "a.png"}
    ]
    assert isinstance(outcome([{"type": "text"}]).content, str)


def test_texts_in_blocks_share_the_bound_and_empty_ones_go() -> None:
    blocks = [
        {"type": "text", "text": "a" * 300},
        {"type": "text", "text": ""},
        {"type": "text", "text": "b" * 300},
    ]
    content = outcome(blocks, max_chars=400).content
    assert isinstance(content, list)
    first, second = content
    assert first["text"] == "a" * 300
    assert "[cut: 0 of 300 characters shown" in second["text"]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "d"}},
        {"type": "image", "source": {"type": "url", "url": "http://example.com/a.png"}},
        {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}},
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"},
        {**image(), "cache_control": {"type": "ephemeral"}},
    ],
    ids=["document", "address", "cache", "result", "marked image"],
)
def test_no_block_but_text_and_images_is_of_a_tools_making(block: dict[str, Any]) -> None:
    made = outcome([{"type": "text", "text": "see"}, block])
    assert made.content == json.dumps(made.value, separators=(",", ":"))


def test_images_are_counted() -> None:
    content = outcome([image()] * (MAX_IMAGES + 1)).content
    assert isinstance(content, list)
    assert [block["type"] for block in content].count("image") == MAX_IMAGES
    assert "too many" in content[-1]["text"]


def test_an_image_that_is_not_what_it_says_is_not_sent() -> None:
    for data in ("aGk=", PNG + "é", PNG + "A"):
        (block,) = outcome([image(data)]).content
        assert "not image/png in base64" in block["text"]  # type: ignore[index]


def test_one_image_needs_no_list() -> None:
    assert outcome(image()).content == [image()]


def test_images_that_cannot_be_sent_become_a_note() -> None:
    large = image(PNG + "A" * (MAX_FILE_CHARS - 12))
    content = outcome([large, image(media_type="image/tiff"), image()]).content
    assert isinstance(content, list)
    assert [block["type"] for block in content] == ["text", "text", "image"]
    assert "image left out: 3,932,163 bytes" in content[0]["text"]
    assert "image/tiff" in content[1]["text"]


def test_an_event_does_not_carry_a_large_image() -> None:
    made = outcome([image(PNG + "A" * MAX_SHOWN_FILE_CHARS)])
    assert isinstance(made.content, list)
    assert made.content[0]["type"] == "image"
    assert len(json.dumps(made.shown)) < 200
    assert "image/png" in made.shown[0]["text"]


def test_a_result_is_taken_apart() -> None:
    widget = Widget(kind="kpi", data={"widget": {"value": Decimal("1.5")}})
    made = outcome(Result(value={"n": 1}, content="One.", widgets=[widget]))
    assert made.content == "One."
    assert made.value == {"n": 1}
    assert made.widgets == (Widget(kind="kpi", data={"widget": {"value": 1.5}}),)
    assert not made.is_error
    assert outcome(Result(value=[1])) == Outcome(content="[1]", value=[1])
    failed = outcome(Result(content="No such line.", is_error=True))
    assert (failed.content, failed.is_error, failed.code) == ("No such line.", True, "failed")
    assert outcome(Result(content=[image()])).content == [image()]


def test_a_result_that_is_only_shown_says_so() -> None:
    widget = Widget(kind="chart", data={"widget": {}})
    assert outcome(Result(widgets=[widget])).content == "Shown to the person."


def test_the_value_of_a_result_with_its_own_content_is_bounded() -> None:
    made = outcome(Result(value=list(range(10_000)), content="Many."), max_chars=500)
    assert made.content == "Many."
    assert len(json.dumps(made.value)) < 1_500


def test_a_widget_that_is_not_json_is_an_error() -> None:
    made = outcome(Result(value=1, widgets=[Widget(kind="kpi", data={"a": object()})]))
    assert made.is_error


def test_an_outcome_is_handed_on() -> None:
    inner = Outcome(content="x", value=3)
    assert outcome(inner) is inner


@given(drawn.anything)
def test_whatever_is_returned_an_outcome_leaves_that_can_be_stored_and_sent(raw: Any) -> None:
    made = outcome(raw, max_chars=200)
    assert isinstance(made.content, str | list)
    json.dumps([made.content, made.value], allow_nan=False).encode()
    str(made.content).encode()


# ---------------------------------------------------------------------------- what code is handed


def test_code_reads_all_of_it_and_the_model_the_beginning() -> None:
    rows = [{"n": n} for n in range(10_000)]
    whole = whole_of(rows)
    assert json.loads(text_for_code(whole)) == rows
    assert as_read(whole, 1_000) == outcome(rows, 1_000)


def test_a_note_about_numbers_stands_beside_the_json_that_code_reads() -> None:
    whole = whole_of({"a": float("nan"), "b": float("-inf")})
    assert json.loads(text_for_code(whole)) == {"a": None, "b": None}
    assert "2 values were not a finite number" in note_for_code(whole)


def test_code_reads_the_value_where_the_model_reads_other_words() -> None:
    assert text_for_code(whole_of(Result(value={"n": 1}, content="One."))) == '{"n":1}'
    assert text_for_code(whole_of(Result(value="n", content="One."))) == "n"


def test_code_reads_an_image_as_json_and_texts_as_text() -> None:
    assert json.loads(text_for_code(whole_of([image()]))) == [image()]
    texts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert text_for_code(whole_of(texts)) == "a\nb"


def test_what_is_too_large_for_code_is_an_error_and_never_cut() -> None:
    fits = whole_of("é" * (MAX_WHOLE_BYTES // 2))
    assert bounded(fits) is fits
    too_large = bounded(whole_of("é" * (MAX_WHOLE_BYTES // 2) + "x"))
    assert too_large.is_error
    assert "67,108,865 bytes" in str(too_large.content)
    assert "67,108,864 (64 MB)" in str(too_large.content)

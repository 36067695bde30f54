"""Whatever a model sends: no exception escapes, and every call leaves one line in the export.

One house serves all examples of a property: a line is found by what was there before.
"""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bancada import tool
from bancada.domain.calls import CODE_CALLER, Caller, Outcome, ToolCall, Waiting
from bancada.domain.json import dumps
from tests.house import House

text = st.text(st.characters(codec=None, exclude_categories=()), max_size=40)
"""Any text at all: NUL and lone surrogates too."""

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=2**63, max_value=2**80)
    | st.floats()
    | text
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(text, inner), max_leaves=20
)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def nested_objects(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": value}
    return value


@tool
async def take(value: Any = None, number: float = 0, word: str = "") -> Any:
    """Take anything, give it back."""
    return {"value": value, "number": number, "word": word}


@tool(effect="write", confirm=lambda input: bool(input.get("value")), cache_seconds=5)
async def write(value: Any = None) -> Any:
    """Write anything, sometimes after a question."""
    return value


@pytest.fixture
async def ready(house: House) -> House:
    await house.add(take, write)
    return house


several = settings(
    max_examples=30,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


async def one_line(house: House, call: ToolCall, **within: Any) -> Outcome | Waiting:
    """Make the call; exactly one more line is in the export, and it is about this call."""
    before = len(await house.lines())
    ended = await house.gate.call(call, house.scope(**within))
    lines = await house.lines()
    assert len(lines) == before + 1
    assert isinstance(ended, Outcome | Waiting)
    if isinstance(ended, Outcome):
        assert lines[-1]["state"] in ("ended", "refused")
        assert ended.audit_id == lines[-1]["id"]
        # What the model reads goes over the wire: it must be writable.
        dumps(ended.content).encode()
        str(ended.content).encode()
    else:
        assert lines[-1]["state"] == "asked"
    return ended


@several
@given(input=values)
@example(input=None)
@example(input=[])
@example(input="\ud800")
@example(input="\x00")
@example(input=10**5000)
@example(input=-(10**5000))
@example(input=math.nan)
@example(input={"value": math.inf})
@example(input={"value": 10**5000})
@example(input={"value": 2**64})
@example(input={"number": 2**4000})
@example(input={"value": "\ud800"})
@example(input={"\ud800": 1})
@example(input={"value": "\x00", "word": "\x00"})
@example(input={"\x00": 1})
@example(input={1: 2})
@example(input={None: 2})
@example(input={"value": {1, 2}})
@example(input={"value": b"bytes"})
@example(input={"value": object()})
@example(input={"value": (1, 2)})
@example(input={"value": "x" * 3_000_000})
@example(input={"value": list(range(200_000))})
@example(input={"value": nested(100)})
@example(input={"value": nested(300)})
@example(input={"value": nested_objects(300)})
@example(input={"value": nested(100_000)})
@example(input={"value": nested_objects(100_000)})
@example(input=nested_objects(100_000))
@example(input=nested(100_000))
@example(input={f"field{n}": n for n in range(5_000)})
@pytest.mark.parametrize("name", ["take", "write", "missing"])
async def test_any_arguments_at_all(ready: House, name: str, input: Any) -> None:
    ended = await one_line(ready, ToolCall(id="toolu_1", name=name, input=input))

    if name == "missing":
        assert isinstance(ended, Outcome)
        assert ended.code == "unknown_tool"
    elif isinstance(ended, Outcome) and not isinstance(input, dict):
        assert ended.code == "invalid_tool_input"


@several
@given(id=text, name=text | st.sampled_from(["take", "write"]), kind=text, tool_id=text)
@example(id="", name="", kind="", tool_id="")
@example(id="\x00", name="\x00", kind="\x00", tool_id="\x00")
@example(id="\ud800", name="\ud800", kind="\ud800", tool_id="\udfff")
@example(id="x" * 100_000, name="x" * 100_000, kind="x" * 100_000, tool_id="x" * 100_000)
@example(id="'; DROP TABLE audit_entries; --", name="take", kind=CODE_CALLER, tool_id="%s")
async def test_any_id_name_and_caller_at_all(
    ready: House, id: str, name: str, kind: str, tool_id: str
) -> None:
    caller = Caller(type=kind, tool_id=tool_id)

    await one_line(ready, ToolCall(id=id, name=name, input={}, caller=caller))


@several
@given(calls=st.lists(st.tuples(text, st.sampled_from(["take", "write", "missing"]), values)))
async def test_ids_that_come_twice_in_a_turn(
    ready: House, calls: list[tuple[str, str, Any]]
) -> None:
    """Each different call has its line; the same call made again keeps the one it has."""
    turn_id = f"turn {len(await ready.lines())}"
    before = len(await ready.lines())
    made: dict[int, Outcome | Waiting] = {}
    for place, (id, name, input) in enumerate(calls * 2):
        call = ToolCall(id=id[:1], name=name, input=input)
        ended = await ready.gate.call(call, ready.scope(turn_id=turn_id))
        assert isinstance(ended, Outcome | Waiting)
        made[place] = ended

    lines = await ready.lines()
    numbers = {line["id"] for line in lines[before:]}
    assert {ended.audit_id for ended in made.values()} == numbers
    assert len(numbers) == len(lines) - before


@several
@given(result=values)
@example(result="\ud800")
@example(result={"\x00": "\x00"})
@example(result=10**5000)
@example(result={10**5000: 1})
@example(result=math.nan)
@example(result=nested(100_000))
@example(result={"type": "text", "text": "\ud800"})
@example(result=[{"type": "text", "text": "\x00"}])
@example(result=[{"type": "image", "source": {"type": "base64", "data": "\ud800"}}])
async def test_any_result_at_all(house: House, result: Any) -> None:
    if "give" not in house.registry:

        @tool
        async def give() -> Any:
            """Give what there is."""
            return house.__dict__["given"]

        await house.add(give)
    house.__dict__["given"] = result

    await one_line(house, ToolCall(id="a", name="give", input={}))
    again = f"turn {len(await house.lines())}"
    first = await one_line(house, ToolCall(id="a", name="give", input={}), turn_id=again)
    stored = await house.call("give", {}, id="a", turn_id=again)
    assert dumps(stored.shown) == dumps(first.shown)  # type: ignore[union-attr]


async def test_the_chain_is_whole_after_all_of_that(ready: House) -> None:
    odd = [None, "\ud800", "\x00", {"value": math.nan}, {"value": 2**70}, {"\ud800": [1]}, 10**5000]
    for place, input in enumerate(odd):
        for name in ("take", "write", "missing", "\ud800\x00"):
            await ready.gate.call(
                ToolCall(id=f"{place}\x00\ud800", name=name, input=input), ready.scope()
            )

    verdict = await ready.verify()

    assert verdict.ok, verdict
    assert len(await ready.lines()) == len(odd) * 4

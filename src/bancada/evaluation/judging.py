"""What came of a question, held against what should have: each difference is a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from bancada.domain.intents import plain
from bancada.domain.json import JSON, dumps
from bancada.evaluation.playing import Heard, MadeCall
from bancada.evaluation.script import ExpectedCall

NUMBER = re.compile(
    r"(?<![\w.,])-?(?:\d{1,3}(?:[\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)*)"
)
GROUPED = re.compile(r"-?\d{1,3}(?:\.\d{3})+|-?\d{1,3}(?:,\d{3})+")


def problems(heard: Heard) -> list[str]:
    """Where the answer differs from what was expected; nothing where it does not."""
    return list(_problems(heard))


def _problems(heard: Heard) -> Iterator[str]:
    asked, said = heard.asked, plain(heard.text)
    if heard.status != asked.status:
        why = f": {heard.errors[-1]}" if heard.errors else ""
        yield f"ended as {heard.status}, not {asked.status}{why}"
    yield from _calls(asked.calls, heard.calls)
    made = {call.tool for call in heard.calls}
    yield from (f"{tool} was called" for tool in asked.never if tool in made)
    refused = {*heard.rejected, *(call.tool for call in heard.calls if call.is_error)}
    yield from (f"{tool} was not refused" for tool in asked.refused if tool not in refused)
    numbers = figures_in(heard)
    for figure in asked.figures:
        if not _told(figure, numbers):
            yield f"{figure} was not said"
    yield from (f"does not say {words!r}" for words in asked.says if plain(words) not in said)
    yield from (f"says {words!r}" for words in asked.says_not if plain(words) in said)
    shown = {event["type"] for event in heard.shown}
    yield from (f"shows no {kind}" for kind in asked.shows if kind not in shown)


def _calls(expected: Sequence[ExpectedCall] | None, made: Sequence[MadeCall]) -> Iterator[str]:
    if expected is None:
        return
    if not expected and made:
        yield "called " + ", ".join(sorted({call.tool for call in made}))
    left = list(made)
    for call in expected:
        found = next((one for one in left if one.tool == call.tool and fits(call, one)), None)
        if found is not None:
            left.remove(found)
            continue
        wanted = f"{call.tool} {dumps(call.input)}" if call.input else call.tool
        near = [dumps(one.input) for one in left if one.tool == call.tool]
        yield f"did not call {wanted}" + (f"; called it with {'; '.join(near)}" if near else "")


def fits(expected: ExpectedCall, made: MadeCall) -> bool:
    """Whether a call has the arguments that were named; those it has besides do not count."""
    return _within(expected.input, made.input)


def _within(expected: JSON, made: JSON) -> bool:
    if isinstance(expected, dict):
        return isinstance(made, dict) and all(
            name in made and _within(value, made[name]) for name, value in expected.items()
        )
    if isinstance(expected, list):
        return (
            isinstance(made, list)
            and len(made) == len(expected)
            and all(map(_within, expected, made))
        )
    if isinstance(expected, str) and isinstance(made, str):
        return plain(expected) == plain(made)
    return bool(expected == made)


# ---------------------------------------------------------------------- figures


def figures_in(heard: Heard) -> set[Decimal]:
    """The numbers in the answer's words and in what it shows."""
    found = {reading for number in NUMBER.findall(heard.text) for reading in readings(number)}
    for event in heard.shown:
        found.update(_numbers(event.get("data")))
    return found


def readings(number: str) -> set[Decimal]:
    """What a written number may mean: `1.234` is a thousand to some and nearly one to others."""
    bare = re.sub(r"[\u00a0\u202f ]", "", number)
    whole, mark, decimals = bare.rpartition(max(".,", key=bare.rfind))
    found = set()
    if GROUPED.fullmatch(bare):
        found.add(Decimal(re.sub(r"[.,]", "", bare)))
    if not mark:
        found.add(Decimal(bare))
    elif mark not in whole and (whole.lstrip("-").isdigit() or GROUPED.fullmatch(whole)):
        found.add(Decimal(f"{re.sub(r'[.,]', '', whole)}.{decimals}"))
    return found


def _numbers(value: JSON) -> Iterator[Decimal]:
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield Decimal(str(value))
    elif isinstance(value, str):
        for number in NUMBER.findall(value):
            yield from readings(number)
    elif isinstance(value, dict):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from _numbers(part)


def _told(figure: str, numbers: set[Decimal]) -> bool:
    wanted = Decimal(figure)
    exponent = wanted.as_tuple().exponent
    assert isinstance(exponent, int)
    if exponent >= 0:
        return wanted in numbers
    # Said with at least as many decimals, and the same once it is rounded to those written.
    return any(
        isinstance(said := number.as_tuple().exponent, int)
        and said <= exponent
        and number.quantize(wanted) == wanted
        for number in numbers
    )

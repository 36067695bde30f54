"""The tutorial's own tests pass, as they stand on the page."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable

import pytest

from tests.docs.test_examples import blocks

Test = Callable[[], Awaitable[None]]


def named_on_the_page() -> list[str]:
    return [name for name in page() if name.startswith("test_")]


def page() -> dict[str, Test]:
    found: dict[str, Test] = {"__name__": "page"}  # type: ignore[dict-item]
    exec(compile(blocks("docs/tutorial.md"), "docs/tutorial.md", "exec"), found)
    return found


@pytest.mark.parametrize("name", named_on_the_page())
async def test_the_tutorials_tests_pass(name: str) -> None:
    test = page()[name]
    assert inspect.iscoroutinefunction(test)
    await test()


def test_the_tutorial_tests_a_call_an_approval_a_turn_and_the_offline_model() -> None:
    assert len(named_on_the_page()) == 4

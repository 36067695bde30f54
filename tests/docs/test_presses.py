"""A pack written from the tutorial alone, tested with `bancada.testing` alone."""

from __future__ import annotations

import ast
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bancada.testing import ScriptedModel, Workshop, calls, misunderstood, open_workshop, says
from tests.docs.presses import COUNTER, build


@pytest.fixture
async def workshop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with open_workshop(build, folder=tmp_path) as opened:
        yield opened


def booked(folder: Path) -> list[dict[str, object]]:
    return [json.loads(path.read_text("utf-8")) for path in folder.rglob("press-*.json")]


async def test_a_counter_is_read_by_anybody(workshop: Workshop) -> None:
    read = await workshop.result("read_counter", {"press": 2})
    assert read.value == {"press": 2, "strokes": 125_000, "is_due": True}


async def test_a_press_that_is_not_there_is_told_to_the_model(workshop: Workshop) -> None:
    failed = await workshop.result("read_counter", {"press": 7})
    assert (failed.is_error, failed.content) == (
        True,
        "There is no press 7. The presses are 1 and 2.",
    )


async def test_the_operator_says_when_maintenance_is_due() -> None:
    async with open_workshop(build, pack_settings={"strokes": "200000"}) as workshop:
        read = await workshop.result("read_counter", {"press": 2})
    assert read.value["is_due"] is False


async def test_an_operador_books_nothing(workshop: Workshop, tmp_path: Path) -> None:
    refused = await workshop.result("book_maintenance", {"press": 1, "hours": 2})
    assert refused.code == "forbidden"
    assert booked(tmp_path) == []


async def test_arguments_out_of_bounds_are_refused(workshop: Workshop) -> None:
    refused = await workshop.result("book_maintenance", {"press": 1, "hours": 99}, by=workshop.rui)
    assert refused.code == "invalid_tool_input"


async def test_an_hour_is_booked_unasked_and_both_calls_are_on_record(
    workshop: Workshop, tmp_path: Path
) -> None:
    done = await workshop.result("book_maintenance", {"press": 1, "hours": 1}, by=workshop.rui)
    assert done.value == {"press": 1, "hours": 1, "strokes": 40_000, "by": "Rui"}
    assert booked(tmp_path) == [done.value]
    lines = await workshop.audit()
    assert {line["tool"] for line in lines} == {"read_counter", "book_maintenance"}
    assert {line["person"] for line in lines} == {"rui@example.com"}


async def test_a_press_that_is_not_there_is_not_booked(workshop: Workshop, tmp_path: Path) -> None:
    failed = await workshop.result("book_maintenance", {"press": 7, "hours": 1}, by=workshop.rui)
    assert failed.content == "Not booked. There is no press 7. The presses are 1 and 2."
    assert booked(tmp_path) == []


async def test_a_long_stop_is_booked_as_the_approver_left_it(
    workshop: Workshop, tmp_path: Path
) -> None:
    waiting = await workshop.waits("book_maintenance", {"press": 2, "hours": 8}, by=workshop.rui)
    assert waiting.reason == "More than half a shift without the press."
    assert booked(tmp_path) == []
    await workshop.approve(waiting, by=workshop.rui, input={"press": 2, "hours": 6})
    assert [one["hours"] for one in booked(tmp_path)] == [6]


async def test_the_agent_books_after_a_yes_and_not_after_a_no(tmp_path: Path) -> None:
    for answer, hours in (("reject", []), ("approve", [8])):
        model = ScriptedModel([calls("book_maintenance", press=2, hours=8), says("Understood.")])
        async with open_workshop(build, model=model, folder=tmp_path / answer) as workshop:
            told = await workshop.ask(
                "Book press 2", by=workshop.rui, agent="Presses", **{answer: ["book_maintenance"]}
            )
        assert (told.status, told.text) == ("done", "Understood.")
        assert [one["hours"] for one in booked(tmp_path / answer)] == hours


async def test_questions_are_answered_without_a_model(workshop: Workshop) -> None:
    assert misunderstood([COUNTER]) == {}
    english = await workshop.ask("How many strokes has press 2 made?")
    assert english.text == "Press 2: 125000."
    portuguese = await workshop.ask("Quantos golpes fez a prensa 1?")
    assert portuguese.text == "A prensa 1 fez 40000 golpes."


@pytest.mark.parametrize("module", ["presses.py", "test_presses.py"])
def test_nothing_of_ours_is_imported_but_the_public_names(module: str) -> None:
    tree = ast.parse((Path(__file__).parent / module).read_text("utf-8"))
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    ours = {name for name in named if name and name.split(".")[0] == "bancada"}
    assert ours <= {"bancada", "bancada.testing"}

"""`bancada eval`: conversations played through the engine, and every difference told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bancada import Agent, Pack, Services, tool
from bancada.domain.errors import Invalid, NotFound
from bancada.domain.json import JSONObject
from bancada.engine.workbench import open_workbench
from bancada.evaluation.command import evaluate_script, script_called
from bancada.evaluation.judging import NUMBER, readings
from bancada.evaluation.report import CaseReport, as_object, line_of, summary
from bancada.evaluation.script import read_script
from bancada.settings import load_settings
from bancada.testing import Line, ScriptedModel, calls, open_workshop, says


@tool()
async def count(kind: str = "all") -> int:
    """How many there are."""
    return {"all": 200, "dirt": 62}[kind]


@tool(effect="write", confirm="always")
async def order(what: str) -> str:
    """Order something."""
    return f"ordered {what}"


def build(services: Services) -> Pack:
    agents = [
        Agent(name=name, description="", system_prompt="", tools=("count", "order"))
        for name in ("Ann", "Bob")
    ]
    return Pack(name="store", tools=[count, order], agents=agents)


async def played(
    folder: Path, turns: list[JSONObject], model: list[Line], agents: tuple[str, ...] = ("Ann",)
) -> list[CaseReport]:
    file = folder / "script.json"
    file.write_text(json.dumps({"cases": [{"name": "the case", "turns": turns}]}))
    async with open_workshop(build, model=ScriptedModel(model)) as workshop:
        return await evaluate_script(
            workshop.bench, workshop.rui.email, str(file), agents, lambda report: None
        )


async def test_what_was_expected_and_came_passes(tmp_path: Path) -> None:
    (report,) = await played(
        tmp_path,
        [
            {
                "ask": "How much dirt?",
                "calls": [{"tool": "count", "input": {"kind": "Dirt"}}],
                "figures": [62, "31.0"],
                "says": ["ALÉM disso"],
                "never": ["order"],
            }
        ],
        [calls("count", kind="dirt"), says("Há 62 (31,0 %), alem disso nada.")],
    )
    assert report.problems == []
    assert line_of(report).startswith("✓ the case [Ann] (1 call")


async def test_each_difference_is_told(tmp_path: Path) -> None:
    (report,) = await played(
        tmp_path,
        [
            {
                "ask": "How much dirt?",
                "calls": [{"tool": "count", "input": {"kind": "dirt"}}, {"tool": "order"}],
                "never": ["count"],
                "figures": [62, 199.5],
                "says": ["dirt"],
                "says_not": ["lots"],
                "shows": ["chart"],
                "refused": ["order"],
                "status": "done",
            }
        ],
        [calls("count", kind="oil"), says("Lots: 200.")],
    )
    assert report.problems == [
        'did not call count {"kind":"dirt"}; called it with {"kind":"oil"}',
        "did not call order",
        "count was called",
        "order was not refused",
        "62 was not said",
        "199.5 was not said",
        "does not say 'dirt'",
        "says 'lots'",
        "shows no chart",
    ]
    tools = as_object([report])["tools"]
    assert [(one["tool"], one["calls"], one["expected"], one["met"]) for one in tools] == [
        ("count", 1, 1, 0),
        ("order", 0, 1, 0),
    ]


@pytest.mark.parametrize(
    ("turn", "problems"),
    [
        ({"refused": ["order"]}, []),
        ({"decide": "approve", "refused": ["order"]}, ["order was not refused"]),
        ({"decide": "approve", "calls": [{"tool": "order", "input": {"what": "ink"}}]}, []),
    ],
)
async def test_a_call_that_waits_is_decided_as_the_script_says(
    tmp_path: Path, turn: JSONObject, problems: list[str]
) -> None:
    model = [calls("order", what="ink"), says("So be it.")]
    (report,) = await played(tmp_path, [{"ask": "Order ink.", **turn}], model)
    assert report.problems == problems


async def test_a_question_that_ends_otherwise_is_the_last_one_asked(tmp_path: Path) -> None:
    turns: list[JSONObject] = [{"ask": "Order ink.", "status": "waiting"}, {"ask": "And?"}]
    (report,) = await played(tmp_path, turns[:1], [calls("order", what="ink")])
    assert report.problems == []
    (report,) = await played(tmp_path, turns, [says("No."), says("Never asked.")])
    assert report.problems == [
        "question 1: ended as done, not waiting",
        "1 more questions were not asked",
    ]


async def test_two_agents_are_compared(tmp_path: Path) -> None:
    reports = await played(
        tmp_path,
        [{"ask": "How many?", "figures": [200]}],
        [says("200"), says("20")],
        ("Ann", "Bob"),
    )
    assert [(report.agent, report.passed) for report in reports] == [("Ann", True), ("Bob", False)]
    told = "\n".join(summary(reports))
    assert "Ann: 1 of 1 cases" in told
    assert "Bob: 0 of 1 cases" in told
    assert "Cases that one passes and another does not:" in told


def test_a_script_that_cannot_be_meant_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "script.toml"
    turn = '[[cases.turns]]\nask = "x"\n'
    for text, said in (
        ("cases = [", "cannot be read"),
        ("cases = []", "cases"),
        (f'[[cases]]\nname = "a"\n{turn}figure = 2', "figure"),
        (f'[[cases]]\nname = "a"\n{turn}[[cases]]\nname = "a"\n{turn}', "two cases are called a"),
        (f'[[cases]]\nname = "a"\n{turn}figures = ["many"]', "figures"),
    ):
        file.write_text(text)
        with pytest.raises(Invalid, match=said):
            read_script(file)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("1.234,5", ["1234.5"]),
        ("1,234.5", ["1234.5"]),
        ("1.234", ["1.234", "1234"]),
        ("12 769 unidades em R12", ["12769"]),
        ("3, 5 e 8", ["3", "5", "8"]),
        ("38.", ["38"]),
        ("v1.2.3", []),
        ("(-4,20 %)", ["-4.20"]),
    ],
)
def test_numbers_are_read_as_either_language_writes_them(text: str, means: list[str]) -> None:
    found = sorted(str(one) for number in NUMBER.findall(text) for one in readings(number))
    assert found == sorted(means)


async def test_the_packs_conversations_go_as_they_should_offline(tmp_path: Path) -> None:
    bench = await open_workbench(load_settings(data=tmp_path, demo=True))
    try:
        for pack in ("quality", "workspace", "graph", "tables"):
            reports = await evaluate_script(bench, None, pack, [], lambda report: None)
            assert {report.name: report.problems for report in reports if not report.passed} == {}
        with pytest.raises(NotFound, match="graph, quality, tables, workspace"):
            script_called(bench, "nothing")
    finally:
        await bench.close()

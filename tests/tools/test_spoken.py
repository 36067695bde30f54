"""A tool's name in a person's language, and one call in words."""

from __future__ import annotations

from typing import Any

import pytest

from bancada.tools.spoken import call_in_words, name_of
from bancada.tools.tool import tool


@tool(
    names={"pt": "Criar tarefa", "en": "Create task"},
    in_words={"pt": "Criar tarefa: {title}", "en": "Create task: {title}"},
)
def add(title: str, note: str | None = None) -> str:
    """Add a task."""
    return title


@tool
def bare(title: str) -> str:
    """Add a task."""
    return title


def test_a_call_is_told_in_the_readers_language() -> None:
    assert call_in_words(add, {"title": "Ligar"}, "pt") == "Criar tarefa: Ligar"
    assert call_in_words(add, {"title": "Call"}, "en") == "Create task: Call"


@pytest.mark.parametrize("input", [{}, {"title": None}, {"title": ""}, None, "x", ["title"]])
def test_without_the_argument_the_name_has_to_do(input: Any) -> None:
    assert call_in_words(add, input, "en") == "Create task"


def test_a_tool_without_words_is_called_what_it_is_called() -> None:
    assert name_of(bare, "pt") == call_in_words(bare, {"title": "x"}, "pt") == "bare"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("two\nlines\tand  gaps", "two lines and gaps"),
        ("safe\u202eevil\u2066!", "safeevil!"),
        ("zero\u200bwidth\x00", "zerowidth"),
        ("{note} {title}", "{note} {title}"),
        ("<b>bold</b>", "<b>bold</b>"),
        ("x" * 500, "x" * 159 + "…"),
        (7, "7"),
        ([1, "a"], "[1, 'a']"),
    ],
)
def test_what_a_model_wrote_stays_one_line_of_text(given: Any, told: str) -> None:
    assert call_in_words(add, {"title": given, "note": "n"}, "en") == f"Create task: {told}"

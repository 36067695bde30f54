"""What we say to people has a key, named parts, and both languages."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import bancada
from bancada.domain.errors import NotFound
from bancada.domain.wording import CATALOGUES, Either, Wording

ENGLISH, PORTUGUESE = CATALOGUES["en"], CATALOGUES["pt"]
SPEAKERS = {
    "Conflict",
    "Forbidden",
    "Gone",
    "Invalid",
    "NotFound",
    "NotSignedIn",
    "TooLarge",
    "TooOften",
    "Wording",
    "misfit",
}


def keys_in_the_source() -> Iterator[tuple[str, str]]:
    """Every key that is named where it is said."""
    source = Path(bancada.__file__).parent
    for path in sorted(source.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id in SPEAKERS and node.args:
                key = node.args[0]
                if isinstance(key, ast.Constant) and " " not in str(key.value):
                    yield f"{path.relative_to(source)}:{node.lineno}", str(key.value)


def parts_of(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_every_key_that_is_said_has_its_sentence() -> None:
    said = list(keys_in_the_source())
    assert len(said) > 5
    assert [where for where, key in said if key not in ENGLISH] == []


def test_no_key_is_without_its_translation() -> None:
    assert list(ENGLISH) == list(PORTUGUESE)


@pytest.mark.parametrize("key", ENGLISH)
def test_both_languages_fill_in_the_same_parts(key: str) -> None:
    assert parts_of(ENGLISH[key]) == parts_of(PORTUGUESE[key])


def test_what_is_filled_in_stays_as_people_wrote_it() -> None:
    said = Wording("no_tool", name="a number {x} or null")
    assert said.told("pt") == "Não há nenhuma ferramenta chamada a number {x} or null."


def test_a_part_that_is_said_by_us_follows_the_language_too() -> None:
    inner = Wording("misfit_literal_error", expected=Either(("'a'", "'b'")))
    assert Wording("bad_input", problem=inner).told("pt") == "input: tem de ser 'a' ou 'b'"
    assert Wording("bad_input", problem=NotFound("no_agent")).told("en").endswith("such agent.")


def test_what_was_stored_is_told_in_the_language_of_whoever_reads_it() -> None:
    said = Wording("bad_input", problem=Wording("no_tool", name="x"))
    again = Wording.of(said.as_json())
    assert again == said
    assert again.told("pt") == "input: Não há nenhuma ferramenta chamada x."

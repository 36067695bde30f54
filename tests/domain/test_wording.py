"""What we say to people has a key, named parts, and both languages."""

from __future__ import annotations

import ast
import re
import string
from ast import Constant
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest

import bancada
from bancada.domain.errors import NotFound, Problem
from bancada.domain.wording import CATALOGUES, Either, Wording

ENGLISH, PORTUGUESE = CATALOGUES["en"], CATALOGUES["pt"]
SOURCE = Path(bancada.__file__).parent
FOR_PEOPLE = ("custom", "policy", "gate", "server", "dashboards")
"""Rooms that hear what people send; `BadDefinition` is for whoever writes a pack."""


def problems(kind: type[Problem] = Problem) -> Iterator[str]:
    for each in kind.__subclasses__():
        yield each.__name__
        yield from problems(each)


SPEAKERS = {*problems(), "ProviderFailed", "Wording", "misfit"}


@cache
def source() -> Sequence[tuple[Path, ast.AST]]:
    return [
        (path.relative_to(SOURCE), node)
        for path in sorted(SOURCE.rglob("*.py"))
        if path.parent.name != "catalogue"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]


def keys_in_the_source() -> Iterator[tuple[str, ast.expr]]:
    """What is said, where it is said: a key, or the form of several."""
    for path, node in source():
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        if node.func.id in SPEAKERS:
            yield f"{path}:{node.lineno}", node.args[0]


def texts(node: ast.expr) -> list[str]:
    return [str(part.value) for part in ast.walk(node) if isinstance(part, ast.Constant)]


def parts_of(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


def test_every_key_that_is_said_has_its_sentence() -> None:
    said = [(where, key.value) for where, key in keys_in_the_source() if isinstance(key, Constant)]
    assert len(said) > 100
    known = {*ENGLISH, *(key.removeprefix("upload_") for key in ENGLISH)}
    assert [where for where, key in said if key not in known] == []


def test_nobody_says_a_plain_sentence_where_a_key_belongs() -> None:
    plain = [
        where
        for where, key in keys_in_the_source()
        if any(" " in text for text in texts(key)) and not isinstance(key, ast.Call)
    ]
    assert plain == []


def test_what_people_send_is_refused_by_key_and_not_as_an_authors_mistake() -> None:
    assert [
        f"{path}:{node.lineno}"
        for path, node in source()
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "BadDefinition"
        and path.parts[0] in FOR_PEOPLE
    ] == []


def test_no_sentence_stands_in_two_languages_outside_the_catalogue() -> None:
    assert [
        f"{path}:{node.lineno}"
        for path, node in source()
        if isinstance(node, ast.Dict)
        and path.parts[0] != "packs"
        and {"pt", "en"} <= {key.value for key in node.keys if isinstance(key, Constant)}
        and any(isinstance(value, Constant | ast.JoinedStr) for value in node.values)
    ] == []


def test_every_sentence_is_said_by_somebody() -> None:
    words = {
        node.value
        for _, node in source()
        if isinstance(node, Constant) and isinstance(node.value, str)
    }
    forms = [
        re.compile(
            "".join(
                re.escape(str(p.value)) if isinstance(p, Constant) else ".+" for p in form.values
            )
        )
        for _, node in source()
        if isinstance(node, ast.JoinedStr)
        and "_" in "".join(texts(node)[:1])
        and " " not in "".join(texts(node))
        for form in [node]
    ]
    assert [
        key for key in ENGLISH if key not in words and not any(f.fullmatch(key) for f in forms)
    ] == []


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

"""Every note has its sentence, in both languages, on the server and on the page."""

from __future__ import annotations

import json
import string
from pathlib import Path
from typing import Any

import pytest

from bancada.data.notes import SENTENCES, TYPE_WORDS, Note
from bancada.domain.people import Language

LANGUAGES: tuple[Language, ...] = ("pt", "en")


def page(language: Language) -> dict[str, str]:
    here = Path(__file__).parents[2] / "web" / "src" / "i18n" / f"{language}.json"
    found: dict[str, str] = json.loads(here.read_text(encoding="utf-8"))
    return found


def parts(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("code", SENTENCES)
def test_both_languages_fill_in_the_same_parts(code: str) -> None:
    assert parts(SENTENCES[code]["pt"]) == parts(SENTENCES[code]["en"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_the_model_reads(language: Language) -> None:
    said = page(language)
    notes = {key: text for key, text in said.items() if key.startswith("note.")}
    assert notes == {f"note.{code}": text[language] for code, text in SENTENCES.items()}
    assert {key: said[key] for key in said if key.startswith("type.")} == {
        f"type.{kind}": word[language] for kind, word in TYPE_WORDS.items()
    }


def test_a_note_is_kept_without_a_language_and_told_in_any() -> None:
    kept: dict[str, Any] = json.loads(
        json.dumps(
            Note("thousands", None, {"column": "q", "text": "1.234", "read": 1.234}).as_json()
        )
    )
    assert "foi lido como 1,234 (três" in Note.of(kept).sentence("pt")
    assert "was read as 1.234 (three" in Note.of(kept).sentence("en")


def test_what_people_wrote_is_never_taken_for_a_part() -> None:
    note = Note("above", 1, {"text": "{column} a number"})
    assert note.sentence("pt").endswith("«{column} a number»")

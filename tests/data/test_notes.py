"""Every note has its sentence, in both languages, on the server and on the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bancada.data.notes import Note
from bancada.domain.people import Language
from bancada.domain.wording import CATALOGUES

LANGUAGES: tuple[Language, ...] = ("pt", "en")


def page(language: Language) -> dict[str, str]:
    here = Path(__file__).parents[2] / "web" / "src" / "i18n" / f"{language}.json"
    found: dict[str, str] = json.loads(here.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_says_what_the_model_reads(language: Language) -> None:
    """The catalogue's `note_thousands` is the page's `note.thousands`."""
    said, ours = page(language), CATALOGUES[language]
    for stem in ("note", "type"):
        assert {key: text for key, text in said.items() if key.startswith(f"{stem}.")} == {
            key.replace("_", ".", 1): text
            for key, text in ours.items()
            if key.startswith(f"{stem}_") and key != "note_line"
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

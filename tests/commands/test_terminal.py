"""What a turn in the terminal says of itself, in the language of whoever asked."""

from __future__ import annotations

import io

import pytest

from bancada.domain.people import Language
from bancada.terminal import Screen


@pytest.mark.parametrize(
    ("language", "waits", "ends"),
    [
        ("pt", "? pagar espera por uma decisão (c1)", "— concluído, 0 tokens, 0.0000 USD"),
        ("en", "? pagar waits for a decision (c1)", "— done, 0 tokens, 0.0000 USD"),
    ],
)
def test_the_terminal_speaks_the_persons_language(
    language: Language, waits: str, ends: str
) -> None:
    out = io.StringIO()
    screen = Screen(out, language)
    screen.event({"type": "confirmation", "name": "pagar", "id": "c1"})
    screen.event({"type": "done", "status": "done"})
    assert waits in out.getvalue()
    assert ends in out.getvalue()

"""The log tells no secret, and nobody writes a line of their own into it."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator

import pytest

from bancada.server import logs
from bancada.settings import Settings

log = logging.getLogger("bancada.http")


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before = root.handlers[:], root.level
    stream = io.StringIO()
    logs.set_up(Settings(), stream)
    yield stream
    root.handlers[:], level = before
    root.setLevel(level)


@pytest.mark.parametrize(
    "line",
    [
        "GET /d/Zx81abcdefSECRET 200 1.0 ms",
        "POST /auth/links/Zx81abcdefSECRET 200 1.0 ms",
        "made http://host/#/setup/Zx81abcdefSECRET",
        "authorization: Bearer Zx81abcdefSECRET",
        "key bk_123456SECRETSECRET",
    ],
)
def test_links_tokens_and_keys_are_cut(written: io.StringIO, line: str) -> None:
    log.info("%s", line)
    assert "SECRET" not in written.getvalue()


def test_a_path_cannot_begin_a_line(written: io.StringIO) -> None:
    log.info("GET %s", "/x\n2026-01-01T00:00:00 INFO bancada: all is well\x1b[2J\u2028next")
    assert written.getvalue().count("\n") == 1
    assert "\\n2026" in written.getvalue()
    assert "\x1b" not in written.getvalue()
    assert "\u2028" not in written.getvalue()


def test_nor_can_the_words_of_an_error(written: io.StringIO) -> None:
    try:
        raise ValueError("x\n2026-01-01T00:00:00 INFO bancada: all is well")
    except ValueError:
        log.exception("failed")
    first, *following = written.getvalue().splitlines()
    assert "failed" in first
    assert all(line.startswith("    ") for line in following)

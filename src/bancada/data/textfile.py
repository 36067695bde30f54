"""Bytes to UTF-8: which encoding a text file is in, and a clean copy when it is another.

The whole file is looked at, in pieces: a Windows accent in row 900,000 is as common as one in
the first.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from pathlib import Path
from typing import AnyStr

from bancada.data.problems import DataProblem

_PIECE = 1 << 20
_MAX_LINE = 1_000_000
"""A line at least this long is found out; one of twice the length always is."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

# What a text file has no use for; tabs, line ends and form feeds are fine.
_CONTROLS = bytes(set(range(32)) - {9, 10, 11, 12, 13, 26, 27})


def as_utf8(
    source: Path, copy: Path, *, name: str, progress: Callable[[float], None] = lambda _: None
) -> Path:
    """The source itself when it is UTF-8, else a transcoded copy."""
    encoding = detect(source, name=name, progress=progress)
    if encoding in ("utf-8", "utf-8-sig"):
        return source
    _transcode(source, copy, encoding, name)
    return copy


def detect(source: Path, *, name: str, progress: Callable[[float], None] = lambda _: None) -> str:
    """`utf-8`, `utf-8-sig`, `utf-16`, `utf-16-le`, `utf-16-be` or `cp1252`."""
    with source.open("rb") as file:
        head = file.read(_PIECE)
    if not head.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise DataProblem("empty", name=name)
    for mark, encoding in _BOMS:
        if head.startswith(mark):
            return encoding if encoding == "utf-16" else _checked(source, encoding, name, progress)
    if (wide := _wide(head)) is not None:
        return wide
    return _checked(source, "utf-8", name, progress)


def _wide(head: bytes) -> str | None:
    """UTF-16 without its mark: every other byte of western text is zero."""
    sample = head[: len(head) & ~1][:4096]
    if not sample:
        return None
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    enough = len(sample) // 2 * 0.6
    if odd >= enough and even == 0:
        return "utf-16-le"
    if even >= enough and odd == 0:
        return "utf-16-be"
    return None


def _checked(source: Path, encoding: str, name: str, progress: Callable[[float], None]) -> str:
    """The given UTF-8 flavour if every byte agrees, else Windows-1252; binaries are refused."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    size = max(source.stat().st_size, 1)
    valid, done, controls = True, 0, 0
    lines = _Lines(name)
    with source.open("rb") as file:
        while piece := file.read(_PIECE):
            if b"\x00" in piece:
                raise DataProblem("not_text", name=name)
            lines.feed(piece, b"\n", b"\r")
            controls += len(piece) - len(piece.translate(None, _CONTROLS))
            done += len(piece)
            if controls > 16 and controls > done // 1000:
                raise DataProblem("not_text", name=name)
            if valid:
                try:
                    decoder.decode(piece)
                except UnicodeDecodeError:
                    valid = False
            progress(done / size)
    if valid:
        try:
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            valid = False
    return encoding if valid else "cp1252"


def _transcode(source: Path, copy: Path, encoding: str, name: str) -> None:
    # Windows-1252 leaves five bytes undefined; they become the replacement character.
    errors = "replace" if encoding == "cp1252" else "strict"
    lines = _Lines(name)
    try:
        with (
            source.open("r", encoding=encoding, errors=errors, newline="") as read,
            copy.open("w", encoding="utf-8", newline="") as write,
        ):
            while piece := read.read(_PIECE):
                if "\x00" in piece:
                    raise DataProblem("not_text", name=name)
                lines.feed(piece, "\n", "\r")
                write.write(piece)
    except UnicodeError:
        raise DataProblem("corrupt", name=name) from None


class _Lines:
    """Sees to it that every line ends some time: readers hold whole lines in memory."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._number = 1
        self._run = 0

    def feed(self, piece: AnyStr, *ends: AnyStr) -> None:
        if any(end in piece for end in ends):
            self._number += max(piece.count(end) for end in ends)
            self._run = 0
            return
        self._run += len(piece)
        if self._run > _MAX_LINE:
            raise DataProblem("line_too_long", name=self._name, line=self._number, limit=_MAX_LINE)

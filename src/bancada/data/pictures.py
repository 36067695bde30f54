"""What an image or a PDF is, read off its bytes by hand: which kind, how large, how many pages.

Nothing is decoded, decompressed or followed: what a file says in plain bytes is looked at, and what it
says is not believed further than to refuse it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bancada.data.problems import DataProblem, size_text

Media: TypeAlias = Literal["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]
PDF: Media = "application/pdf"

MOST_IMAGE_BYTES = (5 << 20) * 3 // 4
"""The Messages API takes 5 MB of an image in base64."""
MOST_BYTES = 20 << 20
"""Of everything in one request: it takes 32 MB of one, base64 and all that is said around it."""
MOST_PIXELS = 8000
"""Along each side."""
MOST_PAGES = 100

_START_OF_FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
_ALONE = frozenset({0x01, *range(0xD0, 0xD8)})
"""Markers of a JPEG that no length follows."""
_PAGE = re.compile(rb"/Type[\s\0]{0,9}/Page(?![A-Za-z])")
_PAGES = re.compile(rb"/Type[\s\0]{0,9}/Pages(?![A-Za-z])")
_COUNT = re.compile(rb"/Count[\s\0]{1,9}(\d{1,9})(?!\d)")


@dataclass(frozen=True, kw_only=True)
class FileLook:
    """What a file is, as far as its bytes say so plainly."""

    media_type: Media
    width: int | None = None
    height: int | None = None
    pages: int | None = None
    """None of an image, and of a PDF that keeps its pages compressed."""


def look(content: bytes, name: str) -> FileLook:
    """What a file that goes with a question is.

    Raises:
        DataProblem: it is of no kind that a model can be shown, or larger than it may be.
    """
    kind = _kind(content)
    if kind is None:
        raise DataProblem("not_shown", name=name)
    most = MOST_BYTES if kind == PDF else MOST_IMAGE_BYTES
    if len(content) > most:
        size = size_text(len(content))
        raise DataProblem("too_large", name=name, size=size, limit=_exact(most))
    if kind == PDF:
        return _document(content, name)
    sides = _sides(content, kind)
    if sides is None or 0 in sides:
        raise DataProblem("corrupt", name=name)
    if max(sides) > MOST_PIXELS:
        raise DataProblem(
            "too_many_pixels", name=name, width=sides[0], height=sides[1], limit=MOST_PIXELS
        )
    return FileLook(media_type=kind, width=sides[0], height=sides[1])


def _exact(bytes_: int) -> str:
    return f"{bytes_ / (1 << 20):g} MB"


def _kind(content: bytes) -> Media | None:
    if content.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if content.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if content.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    if content.startswith(b"RIFF") and content[8:12] == b"WEBP":
        return "image/webp"
    return PDF if content.startswith(b"%PDF-") else None


def _document(content: bytes, name: str) -> FileLook:
    if b"/Encrypt" in content:
        raise DataProblem("encrypted", name=name)
    pages = len(_PAGE.findall(content))
    if _PAGES.search(content):
        # A tree of pages counts itself at each branch. A file that was changed holds old pages beside
        # the new, and outlines count too: neither number alone is to be trusted.
        counted = max(map(int, _COUNT.findall(content)), default=0)
        pages = min(pages, counted) if pages and counted else pages or counted
    if pages > MOST_PAGES:
        raise DataProblem("too_many_pages", name=name, pages=pages, limit=MOST_PAGES)
    return FileLook(media_type=PDF, pages=pages or None)


def _sides(content: bytes, kind: Media) -> tuple[int, int] | None:
    """Width and height; none where the file ends or says nonsense before it tells."""
    if kind == "image/png":
        is_whole = len(content) >= 24 and content[12:16] == b"IHDR"
        return (_big(content[16:20]), _big(content[20:24])) if is_whole else None
    if kind == "image/gif":
        return (_little(content[6:8]), _little(content[8:10])) if len(content) >= 10 else None
    return _of_webp(content) if kind == "image/webp" else _of_jpeg(content)


def _of_webp(content: bytes) -> tuple[int, int] | None:
    if len(content) < 30:
        return None
    form = content[12:16]
    if form == b"VP8X":
        return _little(content[24:27]) + 1, _little(content[27:30]) + 1
    if form == b"VP8L" and content[20] == 0x2F:
        bits = _little(content[21:25])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8 " and content[23:26] == b"\x9d\x01\x2a":
        return _little(content[26:28]) & 0x3FFF, _little(content[28:30]) & 0x3FFF
    return None


def _of_jpeg(content: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(content):
        if content[at] != 0xFF:
            return None
        marker = content[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in _ALONE:
            at += 2
        elif marker in _START_OF_FRAME:
            return _big(content[at + 7 : at + 9]), _big(content[at + 5 : at + 7])
        else:
            # A length counts its own two bytes; less would never come to an end.
            length = _big(content[at + 2 : at + 4])
            if length < 2:
                return None
            at += 2 + length
    return None


def _big(part: bytes) -> int:
    return int.from_bytes(part, "big")


def _little(part: bytes) -> int:
    return int.from_bytes(part, "little")

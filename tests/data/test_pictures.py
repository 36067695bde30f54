"""What an image or a PDF is, as its bytes say, and what is refused before anybody decodes it."""

from __future__ import annotations

import pytest

from bancada.data.pictures import MOST_BYTES, MOST_IMAGE_BYTES, look
from bancada.data.problems import DataProblem
from tests.data.pictures import gif, headed_png, jpeg, pdf, png, webp


@pytest.mark.parametrize(
    ("content", "media_type"),
    [
        (png(640, 480), "image/png"),
        (jpeg(640, 480), "image/jpeg"),
        (gif(640, 480), "image/gif"),
        (webp(b"VP8X", 640, 480), "image/webp"),
        (webp(b"VP8L", 640, 480), "image/webp"),
        (webp(b"VP8 ", 640, 480), "image/webp"),
    ],
)
def test_the_kind_and_the_sides_of_an_image_are_read_off_its_bytes(
    content: bytes, media_type: str
) -> None:
    seen = look(content, "whatever.txt")

    assert (seen.media_type, seen.width, seen.height, seen.pages) == (media_type, 640, 480, None)


@pytest.mark.parametrize(
    ("content", "pages"),
    [
        (pdf(3), 3),
        # Changed and saved again: the old page is still in it.
        (pdf(3, beside=b"9 0 obj << /Type /Page /Parent 2 0 R >> endobj\n"), 3),
        # Outlines count too.
        (pdf(3, beside=b"8 0 obj << /Type /Outlines /Count 700 >> endobj\n"), 3),
        # Its pages are compressed, and its outlines are not.
        (b"%PDF-1.7\n1 0 obj << /Type /Outlines /Count 700 >>\n<< /Pages 2 0 R >>", None),
    ],
)
def test_pages_are_counted_where_a_document_tells_plainly(
    content: bytes, pages: int | None
) -> None:
    seen = look(content, "a.png")

    assert (seen.media_type, seen.pages) == ("application/pdf", pages)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "not_shown"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>", "not_shown"),
        (b"RIFF\0\0\0\0WAVEfmt ", "not_shown"),
        (b"\x89PNG\r\n\x1a\n", "corrupt"),
        (headed_png(0, 9), "corrupt"),
        (b"\xff\xd8\xff\xe0\x00\x00" + bytes(40), "corrupt"),
        (b"\xff\xd8" + b"\xff" * 5000, "corrupt"),
        (b"GIF89a", "corrupt"),
        (b"RIFF\0\0\0\0WEBPVP8 " + bytes(40), "corrupt"),
        (headed_png(8001, 10), "too_many_pixels"),
        (png() + bytes(MOST_IMAGE_BYTES), "too_large"),
        (pdf() + bytes(MOST_BYTES), "too_large"),
        (pdf(101), "too_many_pages"),
        (pdf(beside=b"<< /Encrypt 5 0 R >>"), "encrypted"),
    ],
)
def test_what_cannot_be_shown_is_refused_by_what_it_is(content: bytes, problem: str) -> None:
    with pytest.raises(DataProblem) as refused:
        look(content, "photo.png")

    assert refused.value.code == problem

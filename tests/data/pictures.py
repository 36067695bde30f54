"""Small images and documents, written by hand."""

from __future__ import annotations

import struct
import zlib


def png(width: int = 4, height: int = 3, *, colour: bytes = b"\x20\x60\xc0") -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        checked = kind + data
        return struct.pack(">I", len(data)) + checked + struct.pack(">I", zlib.crc32(checked))

    rows = (b"\0" + colour * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def headed_png(width: int, height: int) -> bytes:
    """One that says it is that large, and holds nothing."""
    header = struct.pack(">II", width, height) + b"\x08\x02\0\0\0"
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + b"IHDR" + header


def jpeg(width: int, height: int) -> bytes:
    app = b"\xff\xe0\x00\x10JFIF\x00" + bytes(9)
    frame = b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", height, width) + bytes(10)
    return b"\xff\xd8" + app + b"\xff" + frame + b"\xff\xd9"


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + b"\0\0\0;"


def webp(form: bytes, width: int, height: int) -> bytes:
    if form == b"VP8X":
        said = bytes(4) + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    elif form == b"VP8L":
        bits = (width - 1) | (height - 1) << 14
        said = b"\x2f" + struct.pack("<I", bits) + bytes(5)
    else:
        said = b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", width, height)
    body = b"WEBP" + form + struct.pack("<I", len(said)) + said
    return b"RIFF" + struct.pack("<I", len(body)) + body


def pdf(pages: int = 1, *, beside: bytes = b"") -> bytes:
    kids = b" ".join(b"%d 0 R" % (n + 3) for n in range(pages))
    tree = b"2 0 obj << /Type /Pages /Kids [%b] /Count %d >> endobj\n" % (kids, pages)
    each = b"".join(
        b"%d 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >> endobj\n" % (n + 3)
        for n in range(pages)
    )
    catalogue = b"1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj\n"
    return b"%PDF-1.7\n" + catalogue + tree + each + beside + b"trailer << /Root 1 0 R >>\n%%EOF\n"

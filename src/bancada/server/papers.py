"""What leaves as a file to read: reports and conversations."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote

from fastapi import Response

from bancada.dashboards import report, written
from bancada.dashboards.printer import printed
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.said import Utterance


async def pdf(made: JSONObject) -> Response:
    """A report, set on paper."""
    return _file(await printed(made), str(made["title"]), "pdf", "application/pdf")


async def exported(
    title: str, agent: str, said: Sequence[Utterance], person: Person, format: Literal["md", "pdf"]
) -> Response:
    """A conversation to read elsewhere."""
    if format == "pdf":
        return await pdf(report.of_conversation(title, agent, said, person))
    text = written.of_conversation(title, agent, said, person)
    return _file(text.encode(), title, "md", "text/markdown; charset=utf-8")


def _as_name(title: str) -> str:
    """A title as the name of a file: letters and digits of any language, no path, no control."""
    return re.sub(r"[^\w-]+", "-", title).strip("-")[:60] or "report"


def _file(content: bytes, title: str, ending: str, media_type: str) -> Response:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    ascii_name = _as_name(plain)
    whole = quote(_as_name(title), safe="")
    name = f"attachment; filename=\"{ascii_name}.{ending}\"; filename*=UTF-8''{whole}.{ending}"
    headers = {"Content-Disposition": name, "Cache-Control": "no-store"}
    return Response(content, media_type=media_type, headers=headers)

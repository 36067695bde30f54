"""A conversation as somebody who only reads it sees it: what was asked, said and shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from bancada.domain.json import JSONObject

SHOWN = ("chart", "table", "kpi", "graph")
_READ = ("text", "outside", "error", *SHOWN)


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """A question or a file in words, or an answer in parts."""

    kind: Literal["question", "upload", "answer"]
    at: float
    text: str = ""
    attachments: tuple[JSONObject, ...] = ()
    """Of a question: the images and documents that went with it."""
    parts: tuple[JSONObject, ...] = ()
    """Events of the answer's turn: words, widgets, errors, and where text from outside came in. Not
    what tools were given and returned, nor what waited for a person."""


def parts_of(events: Iterable[JSONObject]) -> tuple[JSONObject, ...]:
    """What stays on the screen of a turn's events; a reply that started over is there once."""
    parts: list[JSONObject] = []
    reply = 0
    for event in events:
        kind = event["type"]
        if kind == "usage":
            reply = len(parts)
        elif kind == "again":
            parts[reply:] = [part for part in parts[reply:] if part["type"] != "text"]
        elif kind in _READ:
            parts.append({name: value for name, value in event.items() if name != "n"})
    return tuple(parts)

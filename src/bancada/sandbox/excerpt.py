"""Long output: its beginning and its end, and how much is missing between them."""

from __future__ import annotations

_NOTE = "\n…[{:,} of {:,} characters left out here]…\n"


def excerpt(text: str, room: int) -> str:
    """The text itself, or as much of both its ends as fits."""
    return joined(text, text, len(text), room)


def joined(beginning: str, end: str, characters: int, room: int) -> str:
    """What may be shown of a text of so many characters, of which only both ends are at hand."""
    if characters <= room:
        return beginning
    kept = max(0, room - len(_NOTE.format(characters, characters)))
    kept = max(0, room - len(_NOTE.format(characters - kept, characters)))
    first = kept // 2
    tail = end[len(end) - (kept - first) :]
    return (beginning[:first] + _NOTE.format(characters - kept, characters) + tail)[:room]

"""What a request says has happened so far: the question, the calls since, files before it.

Read from the messages alone, so that any process can go on where another stopped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bancada.domain.json import JSON, JSONObject, loads
from bancada.domain.messages import Block


@dataclass(frozen=True, kw_only=True)
class Call:
    """A tool call since the question, and its result."""

    tool: str
    input: JSONObject
    result: JSON
    is_error: bool

    @property
    def text(self) -> str:
        return self.result if isinstance(self.result, str) else str(self.result)


@dataclass(frozen=True, kw_only=True)
class AskedQuestion:
    """A question, and what the record has beside it."""

    text: str
    data: str = ""
    """The list of data sets that was stored with it."""
    tools: Sequence[str] = ()
    """What was called before the next question came."""


@dataclass(frozen=True, kw_only=True)
class History:
    """A conversation as someone who must answer now sees it."""

    question: str
    data: str
    """The list of data sets that was stored with the question."""
    calls: Sequence[Call]
    before: Sequence[AskedQuestion]
    """Questions before this one, oldest first."""
    uploads: Sequence[str]
    """What was recorded of uploaded files, oldest first."""

    @property
    def earlier(self) -> list[str]:
        """What was asked before, in words."""
        return [one.text for one in self.before]


def read(messages: Sequence[JSONObject]) -> History:
    """Read a request's messages.

    The newest text of a person is the question. A text that begins with a label in square
    brackets, `[label: …]`, is ours: the list of data sets, or the summary of an upload.
    """
    texts: list[tuple[int, str]] = []
    notes: dict[int, str] = {}
    uploads: list[str] = []
    for at, message in enumerate(messages):
        if message.get("role") != "user":
            continue
        for block in blocks(message):
            text = block.get("text") if block.get("type") == "text" else None
            if not isinstance(text, str) or not text.strip():
                continue
            if not _NOTE.match(text):
                texts.append((at, text.strip()))
            elif _UPLOAD.match(text):
                uploads.append(text.strip())
            else:
                notes[at] = text.strip()
    asked_at, question = texts[-1] if texts else (len(messages), "")
    return History(
        question=question,
        data=notes.get(asked_at, ""),
        calls=list(_calls(messages[asked_at + 1 :])),
        before=[
            AskedQuestion(
                text=text,
                data=notes.get(at, ""),
                tools=[call.tool for call in _calls(messages[at + 1 : until + 1])],
            )
            for (at, text), (until, _) in pairwise(texts)
        ],
        uploads=uploads,
    )


def blocks(message: JSONObject) -> list[Block]:
    """A message's content as blocks; a plain text is one block."""
    content = message.get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content or () if isinstance(block, dict)]


def file_names(history: History) -> list[str]:
    """The names of uploaded files, as their notes give them; else as the question's own does."""
    found = [match[1].strip() for match in map(_UPLOAD.match, history.uploads) if match]
    return list(dict.fromkeys(found or _LISTED.findall(history.data)))


_NOTE = re.compile(r"\s*\[[^\]\n:]+:")
_UPLOAD = re.compile(r"\s*\[[^\]\n:]+:([^\n]+\.(?:csv|xlsx))\]\s*\n", re.IGNORECASE)
"""The first line of an upload's summary: a label, and the file's name alone."""
_LISTED = re.compile(r" linhas, de (.+?\.(?:csv|xlsx))\): ", re.IGNORECASE)
"""A file in the list of data sets."""


def _calls(messages: Sequence[JSONObject]) -> Iterator[Call]:
    """Calls that have a result, in the order they were asked for."""
    uses = [
        block
        for message in messages
        for block in blocks(message)
        if block.get("type") == "tool_use" and message.get("role") == "assistant"
    ]
    results = {
        block.get("tool_use_id"): block
        for message in messages
        for block in blocks(message)
        if block.get("type") == "tool_result"
    }
    for use in uses:
        result = results.get(use.get("id"))
        # Calls made by code of the model's are answered inside that code.
        if result is None or (use.get("caller") or {}).get("type", "direct") != "direct":
            continue
        yield Call(
            tool=str(use.get("name")),
            input=use.get("input") or {},
            result=_value(result.get("content")),
            is_error=bool(result.get("is_error")),
        )


def _value(content: JSON) -> JSON:
    """A result as the tool meant it: JSON where the text is JSON, else the text."""
    if isinstance(content, list):
        content = "".join(
            str(block.get("text", "")) for block in content if isinstance(block, dict)
        )
    text = str(content or "")
    try:
        return loads(text)
    except ValueError:
        return text

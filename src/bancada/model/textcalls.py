"""Calls that a server hands over as words: read back into the blocks they stand for.

Small models behind a template that is not theirs write `<tool_call>{"name": …}</tool_call>`, or the
bare object, into the text. Only asked of servers that were found to do so: elsewhere such words
are an answer, and stay one.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

from bancada.domain.json import JSONObject, loads
from bancada.domain.messages import Block
from bancada.model.model import Model, ModelEvent, Reply, Request, TextPiece

_MARKED = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
_TAGGED = re.compile(r"<function=([\w.-]+)>(.*?)</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_NOTHING_ELSE = re.compile(
    r"\s*<(tool_call|function=[\w.-]+)>.*</(tool_call|function)>\s*", re.DOTALL
)
_FENCED = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL)


class CallsInWords:
    """A model whose text is read for calls before anybody sees it."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """The reply, its text held back until it is known to hold no call."""
        offered = {str(tool.get("name")) for tool in request.tools}
        async for event in self._model.stream(request):
            if isinstance(event, TextPiece) and offered:
                continue
            if not isinstance(event, Reply) or not offered:
                yield event
                continue
            read = with_calls(event, offered)
            for block in read.content:
                if block.get("type") == "text":
                    yield TextPiece(str(block["text"]))
            yield read


def is_written_call(text: str) -> bool:
    """Whether this is the markup of a call and nothing else: no answer for anybody."""
    return _NOTHING_ELSE.fullmatch(text) is not None


def with_calls(reply: Reply, offered: set[str]) -> Reply:
    """The reply with the calls of its text as blocks; the words around them stay words."""
    content: list[Block] = []
    for block in reply.content:
        content += _read(str(block["text"]), offered) if block.get("type") == "text" else [block]
    if not any(block.get("type") == "tool_use" for block in content):
        return reply
    return replace(reply, content=content, stop_reason="tool_use")


def _read(text: str, offered: set[str]) -> list[Block]:
    found = list(_found(text, offered))
    if not found:
        return [{"type": "text", "text": text}]
    rest, at = "", 0
    for start, end, _ in found:
        rest, at = rest + text[at:start], end
    rest = (rest + text[at:]).strip()
    said: list[Block] = [{"type": "text", "text": rest}] if rest else []
    return [*said, *(call for _, _, call in found)]


def _found(text: str, offered: set[str]) -> Iterator[tuple[int, int, Block]]:
    whole = text.strip()
    tagged = [
        (match.start(), match.end(), _use(match[1], dict(_PARAMETER.findall(match[2]))))
        for match in _TAGGED.finditer(text)
        if match[1] in offered
    ]
    if tagged:
        yield from tagged
        return
    for pattern in (_MARKED, _FENCED):
        spans = [
            (match.start(), match.end(), call)
            for match in pattern.finditer(text)
            if (call := _call(match[1], offered)) is not None
        ]
        if spans:
            yield from spans
            return
    if whole.startswith("{") and (call := _call(whole, offered)) is not None:
        yield 0, len(text), call


def _call(written: str, offered: set[str]) -> Block | None:
    try:
        read = loads(written)
    except ValueError:
        return None
    if not isinstance(read, dict) or read.get("name") not in offered:
        return None
    given = read.get("arguments", read.get("input", {}))
    return _use(read["name"], given if isinstance(given, dict) else {})


def _use(name: str, input: JSONObject) -> Block:
    id = f"toolu_{secrets.token_hex(12)}"
    return {"type": "tool_use", "id": id, "name": name, "input": input}

"""Calls that a server hands over as words: read back into the blocks they stand for.

Small models write `<tool_call>…</tool_call>` or `<function=NAME>…</function>` into the text, where the
server's template is not theirs or they do not keep to it. A reply that begins or ends in such markup is
a call, whoever wrote it. That a bare object is one (`{"name": …}`) is only said of servers that were found
to do so: elsewhere such words are an answer, and stay one.
"""

from __future__ import annotations

import difflib
import re
import secrets
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace

from bancada.domain.json import JSON, JSONObject, loads
from bancada.domain.messages import Block, text_of
from bancada.model.model import ModelAround, ModelEvent, Reply, Request, TextPiece

_MARKED = re.compile(r"<tool_call>\s*(\{.*?\})\s*</tool_call>", re.DOTALL)
_TAGGED = re.compile(r"<function=([A-Za-z0-9_-]{1,64})>(.*?)</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>", re.DOTALL)
_LOOSE = re.compile(
    r"""<parameter(?:\s+name=["']?)?>?\s*(?P<name>[\w.-]*)\s*["']?(?:[>=](?P<inside>[^<]*))?</parameter>"""
    r"\s*(?:<value>)?(?P<behind>[^<]*)(?:</value>)?\s*(?:</parameter>)?"
)
"""`<parameter>NAME</parameter> VALUE`, `<parameter>NAME=VALUE</parameter>`, `<parameter name="NAME">VALUE…`"""
_AROUND = re.compile(r"</?tool_call>")
_UNENDED = re.compile(
    r"(<function=[A-Za-z0-9_-]{1,64}>\s*(?:<parameter\b(?:(?!</?function\b).)*?)?)\s*"
    r"(?=(?:</tool_call>\s*)?\Z)",
    re.DOTALL,
)
"""A last call that nothing ends but the reply."""
_UNENDED_MARK = re.compile(r"(<tool_call>\s*\{(?:(?!</?tool_call>).)*\})\s*\Z", re.DOTALL)
_UNENDED_PARAMETER = re.compile(r"(<parameter\b[^<]*?)\s*(?=<parameter\b|\Z)")
_ENDS = re.compile(r".*(?:</tool_call>|</function>)", re.DOTALL)
_FENCE_AROUND = re.compile(r"\s*```\w*\s*(<tool_call>.*?|<function=.*?)\s*```\s*", re.DOTALL)
_NO_WORDS = re.compile(r"</?(?:tool_call|tool_response|function|parameter|value)\b[^>\n]*>|```\w*")
_BEGINS = re.compile(r"<tool_call>|<function=[\w.-]+>")
WRITTEN = "toolu_text"
"""How the ids of such calls begin."""
UNREADABLE = "tool_call"
"""The name of a call whose own cannot be read: every call has one."""
_FENCED = re.compile(r"```(?:json)?\s*(\{.*?\})\s*```", re.DOTALL)


class CallsInWords(ModelAround):
    """A model whose text is read for calls before anybody sees it."""

    async def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """The reply, its text held back until it is known to hold no call."""
        async for event in self._model.stream(request):
            if isinstance(event, TextPiece) and request.tools:
                continue
            if not isinstance(event, Reply) or not request.tools:
                yield event
                continue
            read = with_calls(event, request.tools)
            for block in read.content:
                if block.get("type") == "text":
                    yield TextPiece(str(block["text"]))
            yield read


def with_written_calls(reply: Reply, tools: Sequence[JSONObject]) -> Reply | None:
    """The reply with the calls that its text begins or ends in as blocks; none: there are none.

    Arguments that cannot be read are `invalid_inputs`, as of any other call: what was meant by them
    is not guessed.
    """
    if reply.stop_reason in ("max_tokens", "refusal") or _has_calls(reply.content):
        return None
    text = text_of(reply.content)
    if fenced := _FENCE_AROUND.fullmatch(text):
        text = fenced[1]
    begins = _BEGINS.search(text)
    if begins is None:
        return None
    before, markup = text[: begins.start()].strip(), text[begins.start() :]
    if not before or "<parameter" in markup:
        markup = _UNENDED.sub(r"\1</function>", markup)
    markup = _UNENDED_MARK.sub(r"\1</tool_call>", markup)
    ends = _ENDS.match(markup)
    if ends is not None and not before:
        # It began with a call: what it went on to say was said before there was a result.
        markup = ends[0]
    if _AROUND.sub("", _TAGGED.sub("", _MARKED.sub("", markup))).strip():
        return None
    calls: list[Block] = []
    unreadable: JSONObject = {}
    for match in _TAGGED.finditer(markup):
        name = _meant(match[1], tools)
        input = _parameters(match[2], _schema(tools, name))
        calls.append(_use(name, input or {}))
        if input is None:
            unreadable[calls[-1]["id"]] = match[0]
    for match in _MARKED.finditer(markup):
        call = _call(match[1], None)
        calls.append(call or _use(UNREADABLE, {}))
        if call is None:
            unreadable[calls[-1]["id"]] = match[0]
    if not calls:
        return None
    others = [block for block in reply.content if block.get("type") != "text"]
    said: list[Block] = [{"type": "text", "text": before}] if before else []
    return replace(
        reply,
        content=[*others, *said, *calls],
        stop_reason="tool_use",
        raw={**reply.raw, "invalid_inputs": unreadable},
    )


def has_words(text: str) -> bool:
    """Whether there is anything to read for a person: tags of calls and empty fences are nothing."""
    return bool(_NO_WORDS.sub("", text).strip())


def until_markup(text: str) -> tuple[int, bool]:
    """How much of a text that still grows is certainly words, and whether markup begins after it."""
    begins = _BEGINS.search(text)
    if begins is not None:
        return begins.start(), True
    at = text.rfind("<")
    tail = text[at:]
    starts = at >= 0 and any(opens.startswith(tail) for opens in ("<tool_call>", "<function="))
    open_tag = at >= 0 and re.fullmatch(r"<function=[\w.-]*", tail) is not None
    return (at if starts or open_tag else len(text)), False


def _parameters(written: str, schema: JSONObject) -> JSONObject | None:
    """What stands between the tags of a call; none where it cannot be read for certain.

    Models that do not keep to the form write the name between the tags, and the value behind it.
    """
    shapes = schema.get("properties") or {}
    written = _UNENDED_PARAMETER.sub(r"\1</parameter>", written)
    found = dict(_PARAMETER.findall(written))
    for match in _LOOSE.finditer(_PARAMETER.sub("", written)):
        name, inside, behind = match["name"], match["inside"], match["behind"]
        values = [value for value in (inside, behind) if value and value.strip()]
        if len(values) > 1 or (name and name not in shapes) or (values and not name):
            return None
        if values:
            found[name] = values[0].strip().strip("\"'")
    if _LOOSE.sub("", _PARAMETER.sub("", written)).strip():
        return None
    return {name: _typed(value, shapes.get(name)) for name, value in found.items()}


def _typed(value: str, shape: JSON) -> JSON:
    """The value as its schema wants it: between tags everything is text."""
    kinds = shape.get("type") if isinstance(shape, dict) else None
    if kinds is None or "string" in kinds:
        return value
    try:
        return loads(value)
    except ValueError:
        return value


def _meant(name: str, tools: Sequence[JSONObject]) -> str:
    """The tool that goes by almost this name, where only one does: a model that writes calls as text
    often writes names so too."""
    offered = [str(tool.get("name")) for tool in tools]
    close = difflib.get_close_matches(name, offered, 2, cutoff=0.8)
    return close[0] if name not in offered and len(close) == 1 else name


def _schema(tools: Sequence[JSONObject], name: str) -> JSONObject:
    found = next((tool for tool in tools if tool.get("name") == name), {})
    schema = found.get("input_schema")
    return schema if isinstance(schema, dict) else {}


def _has_calls(content: list[Block]) -> bool:
    return any(block.get("type") == "tool_use" for block in content)


def with_calls(reply: Reply, tools: Sequence[JSONObject]) -> Reply:
    """The reply with the calls of its text as blocks; the words around them stay words."""
    marked = with_written_calls(reply, tools)
    if marked is not None:
        return marked
    offered = {str(tool.get("name")) for tool in tools}
    content: list[Block] = []
    for block in reply.content:
        content += _read(str(block["text"]), offered) if block.get("type") == "text" else [block]
    if not _has_calls(content):
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


def _call(written: str, offered: set[str] | None) -> Block | None:
    """The call that an object stands for; `offered`: only of these."""
    try:
        read = loads(written)
    except ValueError:
        return None
    if not isinstance(read, dict) or not isinstance(read.get("name"), str):
        return None
    if offered is not None and read["name"] not in offered:
        return None
    given = read.get("arguments", read.get("input", {}))
    return _use(read["name"], given if isinstance(given, dict) else {})


def _use(name: str, input: JSONObject) -> Block:
    id = f"{WRITTEN}{secrets.token_hex(12)}"
    return {"type": "tool_use", "id": id, "name": name, "input": input}

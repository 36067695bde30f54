"""A Messages-API stream, read into the blocks that the record keeps.

Two steps, both incremental: `Frames` cuts bytes into events, `ReplyBuilder` folds events into
a reply and hands out the pieces a person may see meanwhile. Blocks stay the dictionaries that
arrived: whatever we do not know goes back to the model as it came.

This is the hot path of a turn, some forty events a reply. Text is collected in lists and
joined once, and nothing is copied or typed that is not needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from bancada.domain.json import JSON, JSONObject, dumps, loads
from bancada.domain.messages import Block
from bancada.model.failures import cut_off, from_error
from bancada.model.model import Began, ModelFailed, Reply, TextPiece, ThinkingPiece, Tokens

Piece: TypeAlias = TextPiece | ThinkingPiece

INVALID_INPUTS = "invalid_inputs"
"""In `Reply.raw`: the text of tool inputs that are not JSON objects, by block id.

Such a block is kept with the input `{}`, which the API takes back; the engine answers it
with an error instead of running the tool.
"""

_APART = ("content", "stop_reason", "usage", "model", "container", "type", "role")
"""Fields of a message that have a place of their own in `Reply`, or say nothing."""

_TOOL_USES = ("tool_use", "server_tool_use", "mcp_tool_use")


_NONSENSE = (KeyError, TypeError, ValueError, AttributeError)
"""What reading raises where a field is missing or of another kind than it can be."""


class Frames:
    """Cuts a byte stream into server-sent events, however the bytes were split on their way."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._carriage_return = False

    def feed(self, chunk: bytes) -> list[JSONObject]:
        """The events that `chunk` completes."""
        if b"\r" in chunk or self._carriage_return:
            chunk = self._newlines(chunk)
        if b"\n" not in chunk:
            # Joined when a line ends, not each time: a large event may come in many chunks.
            self._parts.append(chunk)
            return []
        if self._parts:
            self._parts.append(chunk)
            chunk = b"".join(self._parts)
        *frames, rest = chunk.split(b"\n\n")
        self._parts = [rest] if rest else []
        return [event for frame in frames if (event := _event(frame)) is not None]

    def close(self) -> list[JSONObject]:
        """What is left at the end: some servers omit the last empty line."""
        rest = b"".join(self._parts).rstrip(b"\n")
        self._parts = []
        try:
            event = _event(rest)
        except ModelFailed:
            return []  # Cut in the middle of a line; the missing end is what gets reported.
        return [event] if event is not None else []

    def _newlines(self, chunk: bytes) -> bytes:
        """Lines may end in CRLF or CR; a CR at the very end waits for what follows it."""
        if self._carriage_return:
            chunk = b"\r" + chunk
        self._carriage_return = chunk.endswith(b"\r")
        if self._carriage_return:
            chunk = chunk[:-1]
        return chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _event(frame: bytes) -> JSONObject | None:
    """One frame's data; none for comments and anything else that carries no JSON object."""
    # Raw line feeds cannot occur inside JSON, so this is always the start of a line.
    at = frame.find(b"\ndata:")
    if at >= 0 and frame.find(b"\ndata:", at + 6) < 0 and not frame.startswith(b"data:"):
        data = frame[at + 6 :]
        if (end := data.find(b"\n")) >= 0:
            data = data[:end]
    else:
        lines = frame.split(b"\n")
        data = b"\n".join(line[5:] for line in lines if line.startswith(b"data:"))
    if not data or data.isspace() or data.strip() == b"[DONE]":
        return None
    try:
        event = parse(data)
    except ValueError as error:
        raise cut_off("An event that is not JSON arrived.") from error
    if not isinstance(event, dict):
        return None
    if "type" not in event:
        named = (line[6:].strip() for line in frame.split(b"\n") if line.startswith(b"event:"))
        event["type"] = next(named, b"").decode("utf-8", "replace")
    return event


def parse(data: bytes) -> JSON:
    """Read JSON; bytes that are not UTF-8 become replacement characters.

    Raises:
        ValueError: it is not JSON at all.
    """
    try:
        return loads(data)
    except ValueError:
        return loads(data.decode("utf-8", "replace"))


def _grow(block: Block, name: str, more: JSON) -> None:
    """Add to a block's field what a delta says; of kinds not yet invented, too."""
    now = block.get(name)
    grows = isinstance(more, str | list) and type(now) is type(more)
    block[name] = now + more if grows else more


def _tokens(usage: JSONObject) -> Tokens:
    return Tokens(
        input=usage.get("input_tokens") or 0,
        output=usage.get("output_tokens") or 0,
        cache_read=usage.get("cache_read_input_tokens") or 0,
        cache_write=usage.get("cache_creation_input_tokens") or 0,
    )


class ReplyBuilder:
    """Folds events into a `Reply`; hands out text and visible thinking as they come."""

    def __init__(self) -> None:
        self.finished = False
        self._message: JSONObject | None = None
        self._usage: JSONObject = {}
        self._blocks: dict[int, Block] = {}
        self._text: dict[int, list[str]] = {}
        self._thinking: dict[int, list[str]] = {}
        self._inputs: dict[int, list[str]] = {}
        self._invalid: dict[str, str] = {}

    def feed(self, events: Iterable[JSONObject]) -> list[Piece]:
        """Take events in; return what may be shown.

        Raises:
            ModelFailed: the provider reported an error in mid-stream, or made no sense.
        """
        pieces: list[Piece] = []
        try:
            for event in events:
                self._take(event, pieces)
        except _NONSENSE as error:
            raise cut_off(f"The stream makes no sense: {error!r}") from error
        return pieces

    def whole(self, message: JSONObject) -> list[Piece]:
        """Take a reply that came as one JSON message instead of a stream."""
        if message.get("type") == "error" or not isinstance(message.get("content"), list):
            raise from_error(message.get("error"))
        return self.feed(({"type": "message_start", "message": message}, {"type": "message_stop"}))

    @property
    def began(self) -> Began | None:
        """What the reply used so far; none before it says so."""
        if self._message is None or not self._usage:
            return None
        return Began(_tokens(self._usage), str(self._message.get("model") or ""))

    def reply(self) -> Reply:
        """The finished reply.

        Raises:
            ModelFailed: the stream ended before its `message_stop`.
        """
        if not self.finished or self._message is None:
            raise cut_off("The stream ended before the reply did.")
        try:
            return self._reply(self._message, self._usage)
        except _NONSENSE as error:
            raise cut_off(f"The reply makes no sense: {error!r}") from error

    def _reply(self, message: JSONObject, usage: JSONObject) -> Reply:
        content = [self._finish(index, block) for index, block in sorted(self._blocks.items())]
        raw = {name: value for name, value in message.items() if name not in _APART}
        raw["usage"] = usage
        if self._invalid:
            raw[INVALID_INPUTS] = self._invalid
        asks = any(block.get("type") == "tool_use" for block in content)
        return Reply(
            content=content,
            stop_reason=message.get("stop_reason") or ("tool_use" if asks else "end_turn"),
            usage=_tokens(usage),
            model=message.get("model") or "",
            container=message.get("container"),
            raw=raw,
        )

    def _take(self, event: JSONObject, pieces: list[Piece]) -> None:
        kind = event.get("type")
        if kind == "content_block_delta":
            self._delta(event["index"], event["delta"], pieces)
        elif kind == "content_block_start":
            self._open(event["index"], event["content_block"], pieces)
        elif kind == "message_delta":
            self._message_delta(event)
        elif kind == "message_start":
            self._message_start(event["message"], pieces)
        elif kind == "message_stop":
            self.finished = True
        elif kind == "error":
            raise from_error(event.get("error"))

    def _delta(self, index: int, delta: JSONObject, pieces: list[Piece]) -> None:
        kind = delta["type"]
        if kind == "text_delta" and index in self._text:
            self._text[index].append(delta["text"])
            pieces.append(TextPiece(delta["text"]))
        elif kind == "input_json_delta":
            self._inputs.setdefault(index, []).append(delta["partial_json"])
        elif kind == "thinking_delta" and index in self._thinking:
            self._thinking[index].append(delta["thinking"])
            pieces.append(ThinkingPiece(delta["thinking"]))
        elif kind == "citations_delta":
            _grow(self._blocks[index], "citations", [delta["citation"]])
        elif kind in ("signature_delta", "compaction_delta"):
            self._blocks[index].update({k: v for k, v in delta.items() if k != "type"})
        else:
            for name, value in delta.items():
                if name != "type":
                    _grow(self._blocks[index], name, value)

    def _open(self, index: int, block: Block, pieces: list[Piece]) -> None:
        self._blocks[index] = block
        kind = block.get("type")
        if kind == "text":
            text = block.get("text") or ""
            self._text[index] = [text]
            if text:
                pieces.append(TextPiece(text))
        elif kind == "thinking":
            thinking = block.get("thinking") or ""
            self._thinking[index] = [thinking]
            if thinking:
                pieces.append(ThinkingPiece(thinking))

    def _message_start(self, message: JSONObject, pieces: list[Piece]) -> None:
        self._message = message
        self._usage = dict(message.get("usage") or {})
        # A continuation that pauses again arrives whole, in here.
        for index, block in enumerate(message.get("content") or ()):
            self._open(index, block, pieces)

    def _message_delta(self, event: JSONObject) -> None:
        if self._message is None:
            raise cut_off("A reply went on that had not begun.")
        message = self._message
        beside = {k: v for k, v in event.items() if k not in ("type", "delta", "usage")}
        for name, value in {**beside, **(event.get("delta") or {})}.items():
            if value is not None or name not in message:
                message[name] = value
        # Counts are running totals; those left out keep what the start said.
        self._usage.update({k: v for k, v in (event.get("usage") or {}).items() if v is not None})

    def _finish(self, index: int, block: Block) -> Block:
        if index in self._text:
            block["text"] = "".join(self._text[index])
        elif index in self._thinking:
            block["thinking"] = "".join(self._thinking[index])
        elif index in self._inputs:
            written = "".join(self._inputs[index])
            if written.strip():
                block["input"] = self._object(block, written)
            else:
                block.setdefault("input", {})
        elif block.get("type") in _TOOL_USES and not isinstance(block.get("input"), dict):
            block["input"] = self._object(block, block.get("input"))
        return block

    def _object(self, block: Block, written: JSON) -> JSONObject:
        """A tool's input; anything but a JSON object is set aside and becomes `{}`."""
        if written is None:
            return {}
        try:
            value = (
                parse(written.encode("utf-8", "replace")) if isinstance(written, str) else written
            )
        except ValueError:
            value = None
        if isinstance(value, dict):
            return value
        text = written if isinstance(written, str) else dumps(written)
        self._invalid[str(block.get("id"))] = text
        return {}

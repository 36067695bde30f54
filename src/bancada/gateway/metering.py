"""What a reply used, read from the bytes that pass: nothing is held back for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.domain.json import JSONObject
from bancada.domain.messages import Block
from bancada.engine.money import CHARACTERS
from bancada.model.model import ModelFailed, Tokens
from bancada.model.providers import Route
from bancada.model.sse import Frames, parse

_WRITTEN = ("text", "thinking", "partial_json")
"""What a model writes, of a delta."""


@dataclass
class Meter:
    """Listens to an answer; afterwards it knows the model, the tokens and the calls."""

    route: Route
    model: str = ""
    stop_reason: str = ""
    calls: list[Block] = field(default_factory=list)
    """The tools the model asked its client to run; of a stream, by name and id."""
    _usage: JSONObject = field(default_factory=dict)
    _frames: Frames | None = None
    _whole: list[bytes] = field(default_factory=list)
    _lost: bool = False
    _characters: int = 0
    _counted: bool = False
    """Whether the server has said what the whole reply used."""

    @staticmethod
    def of(content_type: str, route: Route) -> Meter:
        return Meter(route, _frames=Frames() if "event-stream" in content_type else None)

    def hear(self, chunk: bytes) -> None:
        """A piece of the answer, as it goes by."""
        if self._frames is None:
            self._whole.append(chunk)
            return
        if self._lost:
            return
        try:
            for event in self._frames.feed(chunk):
                self.event(event)
        except (ModelFailed, AttributeError, TypeError):
            self._lost = True  # not the wire we know: it is handed on, and not counted

    def event(self, event: JSONObject) -> None:
        match event.get("type"):
            case "message_start":
                self._message(event.get("message") or {})
            case "content_block_start":
                self._block(event.get("content_block") or {})
            case "content_block_delta":
                delta = event.get("delta") or {}
                self._characters += sum(len(delta.get(name) or "") for name in _WRITTEN)
            case "message_delta":
                self.stop_reason = (event.get("delta") or {}).get("stop_reason") or ""
                usage = event.get("usage") or {}
                self._counted = isinstance(usage.get("output_tokens"), int)
                self._count(usage)

    def end(self) -> None:
        """The answer is over."""
        if self._frames is None:
            try:
                message = parse(b"".join(self._whole))
            except ValueError:
                return
            if isinstance(message, dict):
                self._message(message)

    def _message(self, message: JSONObject) -> None:
        self.model = str(message.get("model") or "")
        self.stop_reason = str(message.get("stop_reason") or "")
        self._count(message.get("usage"))
        content = message.get("content")
        for block in content if isinstance(content, list) else ():
            if isinstance(block, dict):
                self._block(block)

    def _block(self, block: Block) -> None:
        if block.get("type") == "tool_use":
            self.calls.append(block)

    def _count(self, usage: object) -> None:
        if isinstance(usage, dict):
            self._usage |= {k: v for k, v in usage.items() if isinstance(v, int)}

    @property
    def heard(self) -> bool:
        """Whether a reply came at all."""
        return bool(self._usage)

    @property
    def tokens(self) -> Tokens:
        usage = self._usage
        # Whoever goes before the end was told nothing of it by the server, and has read until there.
        cut = self._frames is not None and not self._counted
        said = self._characters // CHARACTERS if cut else 0
        return Tokens(
            estimated=cut,
            input=usage.get("input_tokens", 0),
            output=max(usage.get("output_tokens", 0), said),
            cache_read=usage.get("cache_read_input_tokens", 0),
            cache_write=usage.get("cache_creation_input_tokens", 0),
        )

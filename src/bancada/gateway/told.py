"""An answer as its client reads it: blocks under the client's ids, and the events that tell of them.

What the model behind writes is passed on piece by piece. Markup that may turn out to be a call written as
text is held back until the reply is whole: it is a call then, or words after all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from bancada.domain.calls import CODE_TOOL
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block
from bancada.engine.codeblocks import server_id
from bancada.engine.reply import readable
from bancada.gateway.history import CALL_HERE, SERVER
from bancada.gateway.offered import Offered
from bancada.gateway.wire import block_events, new_id, opening
from bancada.model.model import Reply
from bancada.model.textcalls import WRITTEN, until_markup, with_written_calls


@dataclass
class _OpenText:
    """A block of text on its way: its event is told once there is something to read in it."""

    start: JSONObject
    said: str = ""
    told: int = 0
    place: int | None = None


@dataclass
class ToldSoFar:
    """What the client was told so far."""

    offered: Offered
    shows_calls: bool
    """Whether the client knows blocks for calls that a server makes."""
    taken: set[str]
    """Ids that stand for something else."""
    content: list[Block] = field(default_factory=list)
    usage: JSONObject = field(default_factory=dict)
    head: JSONObject = field(default_factory=dict)
    _reply: int = 0
    _places: dict[int, int] = field(default_factory=dict)
    """Where the blocks of this reply stand in the answer."""
    _texts: dict[int, _OpenText] = field(default_factory=dict)
    _cut: _OpenText | None = None
    """Where markup has begun."""
    _held: list[JSONObject] | None = None
    """What came after that."""
    _is_plain: bool = False
    """It was no call; nothing more of this reply is held back."""
    _renamed: dict[str, str] = field(default_factory=dict)
    """Ids by which the client knows what runs here, from those the model gave."""

    def next_reply(self) -> None:
        self._reply += 1
        self._places, self._texts = {}, {}
        self._cut, self._held, self._is_plain = None, None, False

    def begin(self, message: JSONObject) -> JSONObject:
        self.head = {
            "id": new_id("msg"),
            "type": "message",
            "role": "assistant",
            "stop_sequence": None,
            **{k: v for k, v in message.items() if k not in ("content", "usage", "container")},
        }
        usage = message.get("usage") or {"input_tokens": 0, "output_tokens": 0}
        if not message.get("usage"):
            self.usage = dict(usage)
        return opening({**self.head, "usage": usage})

    def add(self, block: Block) -> list[JSONObject]:
        """A block of ours, whole."""
        events = list(block_events(len(self.content), block))
        self.content.append(block)
        return events

    def message(self, stop_reason: str, container: JSONObject | None) -> JSONObject:
        """The whole answer."""
        said = {"content": self.content, "stop_reason": stop_reason, "usage": self.usage}
        whole = {**self.head, **said}
        return whole if container is None else {**whole, "container": container}

    # ------------------------------------------------------------------ a reply, piece by piece

    def shown(self, event: JSONObject) -> list[JSONObject]:
        """An event of the model's as the client is told it."""
        kind = event.get("type")
        if kind == "message_start":
            message = event.get("message") or {}
            begun = [] if self.head else [self.begin(message)]
            whole = [
                each
                for at, block in enumerate(message.get("content") or ())
                for each in block_events(at, block)
            ]
            return [*begun, *(told for each in whole for told in self.shown(each))]
        if kind in ("message_delta", "message_stop"):
            return []
        if not isinstance(kind, str) or not kind.startswith("content_block"):
            return [event]
        if self._held is not None:
            self._held.append(event)
            return []
        at = event.get("index", -1)
        if kind == "content_block_start":
            return self._opened(at, event)
        if at in self._texts:
            return self._grown(self._texts[at], event)
        return [{**event, "index": self._places[at]}] if at in self._places else []

    def _opened(self, at: int, event: JSONObject) -> list[JSONObject]:
        block = event["content_block"]
        if block.get("type") == "text":
            self._texts[at] = text = _OpenText({**event, "content_block": {**block, "text": ""}})
            return self._said(text, str(block.get("text") or ""))
        shown = self.as_client_reads(block)
        if shown is None:
            return []
        self._places[at] = place = self._next_place()
        return [{**event, "index": place, "content_block": shown}]

    def _grown(self, text: _OpenText, event: JSONObject) -> list[JSONObject]:
        if event["type"] == "content_block_delta":
            delta = event["delta"]
            if delta.get("type") == "text_delta":
                return self._said(text, str(delta.get("text") or ""))
            return [*self._begun(text), {**event, "index": text.place}]
        rest = self._told(text, len(text.said))
        return [*rest, {**event, "index": text.place}] if text.place is not None else []

    def _said(self, text: _OpenText, piece: str) -> list[JSONObject]:
        text.said += piece
        if self._is_plain:
            return self._told(text, len(text.said))
        until, is_markup = until_markup(text.said)
        if is_markup:
            self._cut, self._held = text, []
        return self._told(text, until)

    def _told(self, text: _OpenText, until: int) -> list[JSONObject]:
        piece, text.told = text.said[text.told : until], max(text.told, until)
        if not piece:
            return []
        begun = self._begun(text)
        delta = {"type": "text_delta", "text": piece}
        return [*begun, {"type": "content_block_delta", "index": text.place, "delta": delta}]

    def _begun(self, text: _OpenText) -> list[JSONObject]:
        if text.place is not None:
            return []
        self._places[text.start["index"]] = text.place = self._next_place()
        return [{**text.start, "index": text.place}]

    def _next_place(self) -> int:
        return len(self.content) + len(self._places)

    # ------------------------------------------------------------------ a reply, whole

    def settle(self, reply: Reply) -> tuple[Reply, JSONObject, list[JSONObject]]:
        """Keep the reply's blocks as the client was told of them.

        Returns the reply as it is gone on with, its calls that cannot run and why, and what the
        client is still to be told.
        """
        read = with_written_calls(reply, self.offered.definitions)
        events = self._released() if read is None else self._taken_back()
        self._count(reply)
        content, spoiled = readable(read or reply, set())
        came = enumerate(content if read is None else reply.content)
        self.content += [block for at, each in came if (block := self._as_told(at, each))]
        if read is not None:
            calls = [block for block in content if block.get("type") == "tool_use"]
            theirs = [block for block in calls if not self.is_nobodys(block, spoiled)]
            for shown in map(self.as_client_reads, theirs):
                events += self.add(shown) if shown is not None else []
        return replace(read or reply, content=content), spoiled, events

    def is_nobodys(self, block: Block, spoiled: JSONObject) -> bool:
        """A call written as text may name what was not offered, or not be readable: no client could
        answer it."""
        id, name = str(block.get("id")), block.get("name")
        return id.startswith(WRITTEN) and (id in spoiled or name not in self.offered.names)

    def _released(self) -> list[JSONObject]:
        """It was no call: what was held back is told after all."""
        if self._cut is None or self._held is None:
            return []
        held, self._held = self._held, None
        cut, self._is_plain = self._cut, True
        return [
            *self._told(cut, len(cut.said)),
            *(told for event in held for told in self.shown(event)),
        ]

    def _taken_back(self) -> list[JSONObject]:
        """It was a call: what stood before it ends here."""
        place = None if self._cut is None else self._cut.place
        return [] if place is None else [{"type": "content_block_stop", "index": place}]

    def _as_told(self, at: int, block: Block) -> Block | None:
        text = self._texts.get(at)
        if text is None:
            return self.as_client_reads(block) if at in self._places else None
        return {**block, "text": text.said[: text.told]} if text.place is not None else None

    def _count(self, reply: Reply) -> None:
        for name, value in (reply.raw.get("usage") or {}).items():
            if isinstance(value, int) and not isinstance(value, bool):
                self.usage[name] = self.usage.get(name, 0) + value
            else:
                self.usage.setdefault(name, value)
        apart = ("usage", "invalid_inputs", "id")
        self.head |= {k: v for k, v in reply.raw.items() if k not in apart}

    # ------------------------------------------------------------------ ids

    def as_client_reads(self, block: Block) -> Block | None:
        """A call that runs here in the wire's own words; none: the client has no words for it."""
        if block.get("type") != "tool_use":
            return block
        name, id = block.get("name"), str(block.get("id") or "")
        if name == CODE_TOOL and self.offered.version is not None:
            return {**block, "type": "server_tool_use", "id": self.code_id(id)}
        if name in self.offered.of_agent:
            shape = {"type": CALL_HERE, "id": self.call_id(id), "server_name": SERVER}
            return {**block, **shape} if self.shows_calls else None
        return block

    def code_id(self, id: str) -> str:
        """By which the client knows code of this reply."""
        return self._named(id, server_id)

    def call_id(self, id: str) -> str:
        """By which the client knows a call of this reply that runs here."""
        return self._named(id, _mcp_id)

    def _named(self, id: str, make: Callable[[str], str]) -> str:
        """An id that nothing else has: small servers count anew with each reply."""
        key = f"{self._reply}/{id}"
        if key not in self._renamed:
            name = make(id)
            taken = {*self.taken, *self._renamed.values()}
            self._renamed[key] = name if id and name not in taken else make(new_id("toolu"))
        return self._renamed[key]


def _mcp_id(id: str) -> str:
    return f"mcptoolu_{id.removeprefix('toolu_')}"

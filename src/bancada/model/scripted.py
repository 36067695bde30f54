"""A model that says what a test tells it to say, piece by piece and as slowly as wanted.

    model = ScriptedModel([
        calls("contar_defeitos", tipo="risco"),
        says("São 12."),
    ])

Each request takes the next line of the script. A line may also be a function of the request,
a failure, or raw blocks. `model.requests` keeps what was asked.
"""

from __future__ import annotations

import asyncio
import copy
import re
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from bancada.domain.json import JSONObject
from bancada.domain.messages import Block, text_block
from bancada.model.model import (
    ModelEvent,
    ModelFailed,
    Reply,
    Request,
    TextPiece,
    ThinkingPiece,
    Tokens,
)


@dataclass(frozen=True, kw_only=True)
class Line:
    """One reply of the script: its blocks, why it stops, and the failure that ends it, if any."""

    content: Sequence[Block] = ()
    stop_reason: str = "end_turn"
    usage: Tokens | None = None
    container: JSONObject | None = None
    raw: JSONObject | None = None
    failure: ModelFailed | None = None
    """Raised after the pieces of `content` were sent, in place of the reply."""

    def saying(self, text: str) -> Line:
        """The same, with words before it."""
        return replace(self, content=[text_block(text), *self.content])

    def thinking(self, text: str, signature: str = "c2lnbmF0dXJl") -> Line:
        """The same, opened by a thinking block."""
        block = {"type": "thinking", "thinking": text, "signature": signature}
        return replace(self, content=[block, *self.content])

    def using(self, **tokens: int) -> Line:
        """The same, at this price: `using(input=1200, output=80)`."""
        return replace(self, usage=Tokens(**tokens))  # type: ignore[arg-type]


Script: TypeAlias = Line | Callable[[Request], "Line"]


def says(text: str) -> Line:
    """Answer in words."""
    return Line(content=[text_block(text)])


def calls(tool: str, /, **input: object) -> Line:
    """Ask for one tool; the keyword arguments are its input."""
    return calls_many((tool, input))


def calls_many(*asked: tuple[str, JSONObject] | tuple[str, JSONObject, str]) -> Line:
    """Ask for several tools in one reply: `(name, input)`, or `(name, input, id)` to fix the id."""
    blocks = [
        {
            "type": "tool_use",
            "id": call[2] if len(call) > 2 else None,
            "name": call[0],
            "input": call[1],
        }
        for call in asked
    ]
    return Line(content=blocks, stop_reason="tool_use")


def stops(reason: str, text: str = "") -> Line:
    """Stop for another reason than having finished: `max_tokens`, `refusal`, `pause_turn`, …"""
    return Line(content=[text_block(text)] if text else [], stop_reason=reason)


def fails(failure: ModelFailed, *, after: str = "") -> Line:
    """Fail, perhaps after having said something."""
    return Line(content=[text_block(after)] if after else [], failure=failure)


def replies(
    *blocks: Block, stop_reason: str = "end_turn", container: JSONObject | None = None
) -> Line:
    """Reply with exactly these blocks."""
    return Line(content=blocks, stop_reason=stop_reason, container=container)


class ScriptExhausted(AssertionError):
    """The model was asked more often than the script has lines."""


class Hold:
    """Holds a reply back between its pieces, so that a test can act at an exact point.

    gate = Gate()
    model = ScriptedModel([says("one two three")], gate=gate)
    ...                    # start the turn in a task
    gate.let(2)            # two pieces pass
    await gate.arrived()   # the model now stands before the third
    gate.open()            # the rest passes freely
    """

    def __init__(self) -> None:
        self._permits = 0
        self._opened = False
        self._held = asyncio.Event()
        self._let = asyncio.Event()

    def let(self, pieces: int = 1) -> None:
        """Let this many more pieces pass."""
        self._permits += pieces
        self._held.clear()
        self._let.set()

    def open(self) -> None:
        """Hold nothing back any more."""
        self._opened = True
        self._let.set()

    async def arrived(self) -> None:
        """Wait until the model stands before the gate and may not pass."""
        await self._held.wait()

    async def passing(self) -> None:
        """Called by the model before each piece and before the reply's end."""
        while not self._opened and self._permits == 0:
            self._let.clear()
            self._held.set()
            await self._let.wait()
        self._permits = max(0, self._permits - 1)


class ScriptedModel:
    """Plays a script, one line a request."""

    def __init__(
        self, script: Iterable[Script | ModelFailed | str], *, gate: Hold | None = None
    ) -> None:
        """In `script` a text stands for `says(text)` and a failure for `fails(failure)`."""
        self._script = [_line(entry) for entry in script]
        self._gate = gate
        self._ids = secrets.token_hex(4)
        self.requests: list[Request] = []
        """Every request so far, as it was when it was made."""

    @property
    def name(self) -> str:
        """How turns that it answered name it."""
        return "scripted"

    def add(self, *script: Script | ModelFailed | str) -> None:
        """Further lines, for a test that writes them as it goes."""
        self._script += [_line(entry) for entry in script]

    @property
    def remaining(self) -> int:
        """Lines not yet played."""
        return len(self._script) - len(self.requests)

    @property
    def last_results(self) -> list[Block]:
        """The tool results in the last request's newest message."""
        content = self.requests[-1].messages[-1]["content"]
        if isinstance(content, str):
            return []
        return [block for block in content if block["type"] == "tool_result"]

    async def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """Play the next line.

        Raises:
            ScriptExhausted: there is none; the message says what was asked.
        """
        self.requests.append(copy.deepcopy(request))
        number = len(self.requests)
        if number > len(self._script):
            raise ScriptExhausted(
                f"The script has {len(self._script)} lines and this is request {number}, "
                f"which ends with: {str(request.messages[-1:])[:500]}"
            )
        entry = self._script[number - 1]
        line = entry if isinstance(entry, Line) else entry(request)
        content = [
            _named(block, f"toolu_{self._ids}_{number}_{i}") for i, block in enumerate(line.content)
        ]
        shown = 0
        for block in content:
            for piece in _pieces(block):
                await self._pass()
                shown += 1
                yield piece
        await self._pass()
        if line.failure is not None:
            raise line.failure
        yield Reply(
            content=content,
            stop_reason=line.stop_reason,
            usage=line.usage or Tokens(input=10, output=shown),
            model=request.model,
            container=line.container,
            raw=line.raw or {},
        )

    async def _pass(self) -> None:
        if self._gate is not None:
            await self._gate.passing()


def _line(entry: Script | ModelFailed | str) -> Script:
    if isinstance(entry, str):
        return says(entry)
    return fails(entry) if isinstance(entry, ModelFailed) else entry


def _named(block: Block, id: str) -> Block:
    """A block of its own for this reply; calls without an id get one."""
    block = copy.deepcopy(block)
    if block["type"] == "tool_use" and block.get("id") is None:
        block["id"] = id
    return block


def _pieces(block: Block) -> Iterable[TextPiece | ThinkingPiece]:
    """A block word by word, as a model would stream it."""
    if block["type"] == "text":
        return [TextPiece(word) for word in re.findall(r"\S+\s*|\s+", block["text"])]
    if block["type"] == "thinking":
        return [ThinkingPiece(word) for word in re.findall(r"\S+\s*|\s+", block["thinking"])]
    return []

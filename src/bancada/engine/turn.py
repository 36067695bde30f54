"""One turn under way: what it was begun with, and what the record says comes next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bancada.domain.calls import Caller, ToolCall
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block
from bancada.engine.codeblocks import RESULT, is_code_use
from bancada.engine.context import Frame
from bancada.engine.record import Loaded, Record
from bancada.gate.gate import Gate
from bancada.gate.situation import Situation
from bancada.model.model import Model, Tokens
from bancada.sandbox import Function, OutputFile, ReadOnlyFile, Sandbox
from bancada.store.messages import Stored


async def _no_files(file: OutputFile) -> JSONObject:
    raise RuntimeError("nowhere to keep files")


async def _no_hold(confirmation_ids: list[str]) -> None:
    return None


async def _never_decided(confirmation_id: str, seconds: float) -> bool:
    return False


@dataclass
class Turn:
    """Everything one stretch of a turn needs; made anew each time it is taken up."""

    record: Record
    gate: Gate
    model: Model
    frame: Frame
    loaded: Loaded
    price: Callable[[Tokens, str], float | None]
    open_sandbox: Callable[[], Awaitable[Sandbox]] | None = None
    """Where code of this turn runs; none: code is switched off."""
    files: tuple[ReadOnlyFile, ...] = ()
    """What code may read: the conversation's data sets and the packs' tables."""
    functions: tuple[Function, ...] = ()
    """The tools that code may await, fixed when the stretch begins."""
    keep_file: Callable[[OutputFile], Awaitable[JSONObject]] = _no_files
    hold: Callable[[list[str]], Awaitable[None]] = _no_hold
    """Everything waits for a person: say so, and let readers go, while the container is kept."""
    decided: Callable[[str, float], Awaitable[bool]] = _never_decided
    """Wait for a decision, at most so many seconds; false when none came."""
    draining: Callable[[], bool] = field(default=lambda: False)
    """Whether the process wants to stop: then the turn ends its stretch at the next step."""
    said: str = ""
    """The text of the reply that is being streamed: kept if the person stops it."""
    replying: bool = False
    """Whether a reply is being streamed now."""

    def __post_init__(self) -> None:
        self._announced = {
            (event["type"], event["id"]) for event in self.loaded.emitted if "id" in event
        }

    def first_time(self, type: str, id: str) -> bool:
        """Whether this was not announced before; from now on it was."""
        if (type, id) in self._announced:
            return False
        self._announced.add((type, id))
        return True

    @property
    def id(self) -> str:
        return self.loaded.turn.id

    @property
    def situation(self) -> Situation:
        return Situation(
            person_id=self.loaded.turn.user_id,
            organisation_id=self.loaded.turn.organisation_id,
            conversation_id=self.loaded.turn.conversation_id,
            turn_id=self.id,
            agent=self.loaded.agent,
        )

    async def reload(self) -> None:
        """Read the record again."""
        self.loaded = await self.record.reload(self.loaded)

    @property
    def file_names(self) -> list[str]:
        """What a container must have bound to be of use to this turn."""
        return sorted(file.name for file in self.files)

    @property
    def messages(self) -> list[Stored]:
        return self.loaded.messages

    @property
    def replies(self) -> list[Stored]:
        """The model's replies in this turn."""
        return [message for message in self.loaded.own if message.kind == "reply"]

    @property
    def iterations(self) -> int:
        return len(self.replies)

    @property
    def last_reply(self) -> Stored | None:
        replies = self.replies
        return replies[-1] if replies else None

    def answered(self) -> set[str]:
        """The calls of this turn that have a result in the record."""
        return {
            block["tool_use_id"]
            for message in self.loaded.own
            for block in message.content
            if block.get("type") in ("tool_result", RESULT)
        }

    def open_blocks(self) -> list[Block]:
        """Calls of the last reply that have no result yet: ours to run, code included."""
        reply = self.last_reply
        if reply is None:
            return []
        answered = self.answered()
        managed = self.frame.code == "anthropic"
        return [
            block
            for block in reply.content
            if (block.get("type") == "tool_use" or (is_code_use(block) and not managed))
            and block["id"] not in answered
        ]


def call_of(block: Block) -> ToolCall:
    """The call a `tool_use` block asks for."""
    return ToolCall(
        id=block["id"],
        name=str(block.get("name", "")),
        input=block.get("input"),
        caller=Caller.of(block.get("caller")),
    )


def refused_at_once(reply: Stored) -> JSONObject:
    """Calls the reply itself spoiled (unreadable input, an id used twice): id → sentence."""
    spoiled: JSONObject = reply.metadata.get("spoiled_calls") or {}
    return spoiled

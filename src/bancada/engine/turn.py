"""One turn under way: what it was begun with, and what the record says comes next."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from bancada.domain.calls import Caller, Outcome, ToolCall, Waiting
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block, text_of
from bancada.domain.people import Language
from bancada.domain.shares import Holder
from bancada.engine.attachments import attached_to, features
from bancada.engine.codeblocks import RESULT, is_inner, ran_here
from bancada.engine.context import RequestFrame
from bancada.engine.money import MoneyUnderWay
from bancada.engine.owner import CodeFile
from bancada.engine.record import LoadedTurn, Record
from bancada.engine.state import TurnState
from bancada.engine.window import from_outside
from bancada.gate.gate import Gate, OnStart
from bancada.gate.scope import CallScope
from bancada.model.honours import Feature
from bancada.model.model import Model, Request, Tokens
from bancada.model.providers import Route
from bancada.model.textcalls import CallsInWords
from bancada.sandbox import Function, OutputFile, Sandbox
from bancada.store.confirmations import Confirmation
from bancada.store.messages import StoredMessage

MOST_REPLIES = 500
"""Of one turn, pauses included: code at a provider's that never ends asking is ended."""


async def _no_files(file: OutputFile) -> JSONObject:
    raise RuntimeError("nowhere to keep files")


async def _unfilled(request: Request) -> Request:
    return request


async def _no_hold(confirmation_ids: list[str]) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class ProviderSetup:
    """What a turn works with while one provider answers it."""

    route: Route
    frame: RequestFrame
    functions: tuple[Function, ...] = ()
    """The tools that code may await, fixed when the stretch begins."""
    offered: Callable[[list[StoredMessage]], list[JSONObject]] | None = None
    """The tools a request offers at this point of the record; none: always the same."""


@dataclass
class Turn:
    """Everything one stretch of a turn needs; made anew each time it is taken up."""

    record: Record
    gate: Gate
    money: MoneyUnderWay
    routes: Sequence[Route]
    """Who answers, then who is asked instead."""
    way: Callable[[Route], ProviderSetup]
    loaded: LoadedTurn
    open_sandbox: Callable[[], Awaitable[Sandbox]] | None = None
    """Where code of this turn runs; none: code is switched off."""
    files: tuple[CodeFile, ...] = ()
    """What code may read: the conversation's data sets and the packs' tables."""
    keep_file: Callable[[OutputFile], Awaitable[JSONObject]] = _no_files
    filled: Callable[[Request], Awaitable[Request]] = _unfilled
    """Puts the bytes of images and documents where a request refers to them."""
    can_show: Callable[[Route, set[Feature]], bool] = lambda route, features: True
    """Whether a provider can be asked about what needs these."""
    hold: Callable[[list[str]], Awaitable[bool]] = _no_hold
    """Everything waits for a person: say so, and let readers go, while the container is kept.

    False when one of the decisions was made already.
    """
    hold_seconds: float = 60.0
    """How long a container waits for a person before it is ended; its journal brings it back."""
    state: TurnState = field(default_factory=TurnState)
    """What the task that runs this stretch is doing; the runner has the same."""
    said: str = ""
    """The text of the reply that is being streamed: kept if the person stops it."""
    spoke: bool = False
    """Whether anything of that reply was shown."""
    reserved: str | None = None
    """The money that is set aside for it."""

    def __post_init__(self) -> None:
        self._announced = {(event["type"], event.get("id", "")) for event in self.loaded.emitted}
        self.take(self._begun_with())

    def _begun_with(self) -> Route:
        """Who answered this turn last, if they still may: another would not know its thinking."""
        last = self.last_reply
        name = None if last is None else last.metadata.get("provider")
        return next((one for one in self.routes if one.provider.name == name), self.routes[0])

    def take(self, route: Route) -> None:
        """From now on this provider answers."""
        self._way = self.way(route)
        self.frame = self._way.frame
        self._now(self.loaded)

    def after(self, route: Route) -> Route | None:
        """Who is asked when this provider does not answer; none: nobody else."""
        at = self.routes.index(route) + 1
        return self.routes[at] if at < len(self.routes) else None

    @property
    def route(self) -> Route:
        return self._way.route

    @property
    def model(self) -> Model:
        model = self.route.provider.model
        return CallsInWords(model) if self.frame.honours.calls_in_words else model

    @property
    def result_chars(self) -> int:
        """How much of a result the model reads: less where its window is small."""
        return self.route.provider.limits.result_chars(self.gate.limits.result_chars)

    @property
    def functions(self) -> tuple[Function, ...]:
        return self._way.functions

    def price(self, tokens: Tokens, model: str) -> float | None:
        return self.route.provider.price(tokens, model)

    async def release(self) -> None:
        """Nothing came of the reply that money was set aside for."""
        reserved, self.reserved = self.reserved, None
        await self.money.settle(reserved)

    def first_time(self, type: str, id: str = "") -> bool:
        """Whether this was not announced before; from now on it was."""
        if (type, id) in self._announced:
            return False
        self._announced.add((type, id))
        return True

    @property
    def id(self) -> str:
        return self.loaded.turn.id

    @property
    def scope(self) -> CallScope:
        return CallScope(
            person_id=self.loaded.turn.user_id,
            organisation_id=self.loaded.turn.organisation_id,
            conversation_id=self.loaded.turn.conversation_id,
            turn_id=self.id,
            tenure=self.record.tenure,
            agent=self.loaded.agent,
            result_chars=self.result_chars,
            tainted=self.last_reply is not None and from_outside([self.last_reply]),
        )

    @property
    def holder(self) -> Holder:
        return Holder(self.loaded.turn.organisation_id, self.loaded.turn.user_id)

    @property
    def language(self) -> Language:
        return self.loaded.person.language

    @property
    def confirmations(self) -> list[Confirmation]:
        return self.loaded.confirmations

    @property
    def container_id(self) -> None:
        """A conversation takes a new container where the one it had has ended."""

    @property
    def via(self) -> None:
        """The chat's own."""

    async def answer(
        self, call: ToolCall, scope: CallScope, on_start: OnStart
    ) -> Outcome | Waiting:
        """A call that code makes: through the gate, like any other."""
        return await self.gate.call(call, scope, on_start=on_start)

    async def give_up(self, call: ToolCall, sentence: str) -> Outcome:
        return await self.gate.refuse(call, self.scope, sentence, "rejected")

    @property
    def sees_outside(self) -> bool:
        """Whether text from outside is in what the model is shown next."""
        return from_outside(self.messages)

    def shows(self, route: Route) -> bool:
        """Whether this provider can be shown what goes with the question."""
        return self.can_show(route, features(a for m in self.loaded.own for a in attached_to(m)))

    async def reload(self) -> None:
        """Read the record again; tools that a search has found since are offered from now on."""
        self._now(await self.record.reload(self.loaded))

    def add(self, *stored: StoredMessage) -> None:
        """What was written just now is part of the turn; nothing has to be read again."""
        self._now(replace(self.loaded, own=[*self.loaded.own, *stored]))

    def _now(self, loaded: LoadedTurn) -> None:
        self.loaded = loaded
        if self._way.offered is not None:
            self.frame = replace(self.frame, tools=self._way.offered(self.messages))

    @property
    def messages(self) -> list[StoredMessage]:
        return self.loaded.messages

    @property
    def replies(self) -> list[StoredMessage]:
        """The model's replies in this turn."""
        return [message for message in self.loaded.own if message.kind == "reply"]

    @property
    def iterations(self) -> int:
        """How often the model answered: one that was stopped or paused is gone on with by the next."""
        whole = [r for r in self.replies if not (r.metadata.get("partial") or goes_on(r))]
        return len(whole) + goes_on(self.last_reply)

    @property
    def is_within(self) -> bool:
        """Whether the next reply belongs to what was begun, and not to a further iteration."""
        return goes_on(self.last_reply) and len(self.replies) < MOST_REPLIES

    @property
    def last_reply(self) -> StoredMessage | None:
        replies = self.replies
        return replies[-1] if replies else None

    @property
    def times_mute(self) -> int:
        """How often the model was asked, and said nothing."""
        return sum("mute" in reply.metadata for reply in self.replies)

    def carried(self) -> str:
        """What was said before a stop and is being gone on with."""
        own = self.loaded.own
        stopped = list(takewhile(lambda message: message.metadata.get("partial"), reversed(own)))
        return "".join(text_of(message.content) for message in reversed(stopped))

    def answered(self) -> set[str]:
        """The calls of this turn that have a result in the record."""
        return {
            str(block.get("tool_use_id"))
            for message in self.loaded.own
            for block in message.content
            if block.get("type") in ("tool_result", RESULT)
        }

    def open_blocks(self) -> list[Block]:
        """Calls of the last reply that have no result yet: ours to run, code included."""
        reply = self.last_reply
        if reply is None:
            return []
        answered, code = self.answered(), ran_here(reply)
        return [
            block
            for block in reply.content
            if (block.get("type") == "tool_use" or block.get("id") in code)
            and block["id"] not in answered
        ]

    def call_of(self, block: Block) -> ToolCall:
        """The call a `tool_use` block asks for.

        Of a block only what the wire knows counts: which door was used is ours to say.
        """
        keyword = "keyword" in (self.loaded.conversation.mode, self.loaded.agent.mode)
        caller = Caller.of(block.get("caller"))
        return ToolCall(
            id=block["id"],
            name=str(block.get("name", "")),
            input=block.get("input"),
            caller=replace(caller, via="keyword" if keyword else None, by=None),
        )


def goes_on(reply: StoredMessage | None) -> bool:
    """Whether a reply only paused: the provider wants time, or its code wants answers of ours.

    What comes next then was not asked of the model: the same code, or the same search, goes on.
    """
    if reply is None:
        return False
    stopped = reply.metadata.get("stop_reason")
    return stopped == "pause_turn" or (
        stopped == "tool_use" and any(is_inner(block) for block in reply.content)
    )


def refused_at_once(reply: StoredMessage) -> JSONObject:
    """Calls the reply itself spoiled (unreadable input, an id used twice): id → sentence."""
    spoiled: JSONObject = reply.metadata.get("spoiled_calls") or {}
    return spoiled

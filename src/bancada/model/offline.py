"""The offline model: no network, no key, no guessing.

It finds declared intents in the question, asks for the tools they name, and tells the results
in the intents' own words. What it knows comes from the request alone, so a turn may go on in
another process; only the ids of its calls are new each time, as any model's are.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block, text_block
from bancada.domain.people import Language
from bancada.model import sayings
from bancada.model.history import Call, History, file_names, read
from bancada.model.language import language_of
from bancada.model.model import ModelEvent, Reply, Request, TextPiece, Tokens
from bancada.model.planner import (
    Detected,
    IntentLike,
    MakeSentence,
    Planner,
    StepLike,
    unquoted,
)

log = logging.getLogger(__name__)

NAME = "offline"

_SHOWS_IT = re.compile(
    r"(?:e\s+|and\s+)?(?:agora\s+|now\s+)?(?:(?:mostra|mostre|p[oõ]e|desenha|faz|show|put|draw|plot)\S*\s+)?"
    r"(?:(?:isso|isto|it|that|this|them)\s+)?(?:num|numa|em|como|in|on|as)\s+(?:uma?\s+|an?\s+)?"
    r"(?:gr[aá]fico|tabela|chart|graph|table)(?:\s+(?:de|of)\s+\w+)?[\s.!?]*",
    re.IGNORECASE,
)
"""Asks for another form only: what to show is what was asked before."""
_GOES_ON = re.compile(
    r"\s*(?:e|and|agora|now|mas|but|tamb[eé]m|also|what about|how about|e quanto a)\b",
    re.IGNORECASE,
)
"""How a question begins that leans on the one before."""

_ROUNDS = 20
"""An intent that always wants more is stopped by the turn's limit; this only guards the loop."""


@dataclass
class _Thread:
    """One intent on its way: what was asked for it, what came back, what is still to ask."""

    detected: Detected
    answered: list[Any] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    pending: list[StepLike] = field(default_factory=list)


class OfflineModel:
    """Answers what packs have declared, and says so when it cannot."""

    def __init__(
        self,
        intents: Sequence[IntentLike],
        *,
        sentence: MakeSentence,
        answered: Callable[..., Any],
        delay: float = 0.0,
    ) -> None:
        """`sentence(text, language, data=, before=, tools=, organisation_id=)` and `answered(step=, result=,
        is_error=)` make what intents read; `delay` seconds pass between pieces."""
        self._planner = Planner(intents, sentence)
        self._sentence = sentence
        self._answered = answered
        self._delay = delay

    @property
    def name(self) -> str:
        return NAME

    @property
    def planner(self) -> Planner:
        """What it understands: for `intent_detection` and the developer's view."""
        return self._planner

    async def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """Answer in words, or ask for tools."""
        # Reading may look into files: a pack's index, an organisation's graph.
        content = await asyncio.to_thread(self._content, request)
        for block in content:
            for piece in re.findall(r"\S+\s*|\s+", block.get("text", "")):
                if self._delay:
                    await asyncio.sleep(self._delay)
                yield TextPiece(piece)
        asks = any(block["type"] == "tool_use" for block in content)
        yield Reply(
            content=content,
            stop_reason="tool_use" if asks else "end_turn",
            usage=Tokens(
                input=_estimated(request.body()), output=_estimated(content), estimated=True
            ),
            model=NAME,
        )

    def detect(
        self,
        text: str,
        tools: Sequence[str] | None = None,
        *,
        organisation_id: int | None = None,
    ) -> Detected | None:
        """What a sentence asks for, in whichever language it is."""
        language = language_of(text, default="pt", vocabulary=self._planner.vocabulary)
        make = partial(self._sentence, organisation_id=organisation_id)
        return self._planner.detect(text, language or "pt", tools, make=make)

    def understood(
        self,
        messages: Sequence[JSONObject],
        tools: Sequence[str],
        *,
        organisation_id: int | None = None,
    ) -> Detected | None:
        """What the last question of a conversation asks for, read with what came before it."""
        history = read(messages)
        make = self._reading(history, self._language(history, ""), organisation_id)
        found = self._understand(history, self._language(history, ""), tools, make)
        return found[0] if found else None

    def _content(self, request: Request) -> list[Block]:
        history = read(request.messages)
        tools = [tool["name"] for tool in request.tools if "input_schema" in tool]
        system = " ".join(str(block.get("text", "")) for block in request.system)
        language = self._language(history, system)
        make = self._reading(history, language, request.organisation_id)
        found = self._understand(history, language, tools, make)
        if not found:
            return [text_block(self._without_tools(history, language, tools, make))]
        threads = self._replay(found, history.calls)
        may_ask = (request.tool_choice or {}).get("type") != "none"
        asked = [step for thread in threads for step in thread.pending]
        if may_ask and asked:
            # Two requests may need the very same call: once is enough.
            unique = {dumps([step.tool, step.input]): step for step in asked}
            return [_tool_use(step) for step in unique.values()]
        told = [self._tell(thread, language) for thread in threads]
        return [text_block("\n\n".join(dict.fromkeys(told)))]

    def _language(self, history: History, system: str) -> Language:
        """The question's language; where it does not tell, the conversation's, then the agent's."""
        for text in (history.question, *reversed(history.earlier), system):
            # Quoted words and names of columns are not the person's language.
            for own in (_without_names(unquoted(text), history.data), text):
                found = language_of(own, vocabulary=self._planner.vocabulary)
                if found is not None:
                    return found
        return "pt"

    def _understand(
        self, history: History, language: Language, tools: Sequence[str], make: MakeSentence
    ) -> list[Detected]:
        question = history.question
        if sayings.small_talk(question):
            return []
        found = self._planner.detect_all(question, language, tools, make=make)
        if not history.earlier or any(one.intent.fits is not None for one in found):
            return found
        if _SHOWS_IT.fullmatch(question) or (not found and _GOES_ON.match(question)):
            before = history.earlier[-1].rstrip(" ?!.")
            both = f"{before} {question}"
            found = self._planner.detect_all(both, language, tools, make=make) or found
        return found

    def _reading(
        self, history: History, language: Language, organisation_id: int | None
    ) -> MakeSentence:
        """Makes sentences of this conversation: with its data sets and what was asked before."""
        before: Any = None
        for one in history.before:
            said = language_of(one.text, vocabulary=self._planner.vocabulary) or language
            before = self._sentence(
                one.text, said, data=one.data, before=before, tools=tuple(one.tools)
            )
        return partial(
            self._sentence, data=history.data, before=before, organisation_id=organisation_id
        )

    def _replay(self, found: Sequence[Detected], calls: Sequence[Call]) -> list[_Thread]:
        """Go through the intents' steps again, handing each the result it already has."""
        left = list(calls)
        threads = [_Thread(detected=one, pending=list(one.steps)) for one in found]
        for _ in range(_ROUNDS):
            for thread in threads:
                self._take_results(thread, left, calls)
            more = [self._go_on(thread) for thread in threads if not thread.pending]
            if not any(more):
                break
        return threads

    def _take_results(self, thread: _Thread, left: list[Call], calls: Sequence[Call]) -> None:
        waiting: list[StepLike] = []
        for step in thread.pending:
            call = _result(step, left, calls)
            if call is None:
                waiting.append(step)
                continue
            if call in left:
                left.remove(call)
            thread.calls.append(call)
            thread.answered.append(
                self._answered(step=step, result=call.result, is_error=call.is_error)
            )
        thread.pending = waiting

    def _go_on(self, thread: _Thread) -> bool:
        """Let an intent add steps, once it has all results it asked for and any is good."""
        then = thread.detected.intent.then
        if then is None or not any(not call.is_error for call in thread.calls):
            return False
        try:
            thread.pending = list(then(thread.detected.sentence, thread.answered))
        except Exception:
            log.exception("The intent %s could not go on", thread.detected.intent.name)
        return bool(thread.pending)

    def _tell(self, thread: _Thread, language: Language) -> str:
        """The results in words; errors as what they are."""
        good = [call for call in thread.calls if not call.is_error]
        bad = [(call.tool, call.text) for call in thread.calls if call.is_error]
        if thread.calls and not good:
            return sayings.failed(bad, language)
        if not thread.calls and thread.pending:
            return sayings.needs(thread.pending[0].tool, language)
        intent = thread.detected.intent
        try:
            return intent.tell(thread.detected.sentence, thread.answered)
        except Exception:
            log.exception("The intent %s could not tell its results", intent.name)
        parts = [sayings.plainly(call.tool, _text(call), language) for call in good]
        return "\n\n".join([*parts, *([sayings.failed(bad, language)] if bad else [])])

    def _without_tools(
        self, history: History, language: Language, tools: Sequence[str], make: MakeSentence
    ) -> str:
        """Courtesy, what an upload holds, results nobody planned, or an honest no."""
        kind = sayings.small_talk(history.question)
        examples = self._planner.answerable(language, tools, make=make)
        if kind is not None:
            return sayings.answer_small_talk(kind, examples, language)
        if history.calls:
            # Begun by another model: tell what it found.
            good = [call for call in history.calls if not call.is_error]
            bad = [(call.tool, call.text) for call in history.calls if call.is_error]
            parts = [sayings.plainly(call.tool, _text(call), language) for call in good]
            return "\n\n".join([*parts, *([sayings.failed(bad, language)] if bad else [])])
        if history.uploads and sayings.asks_about_a_file(history.question):
            return sayings.about_files(history.uploads, language)
        elsewhere = self._planner.detect(history.question, language, make=make)
        missing = (
            next((step.tool for step in elsewhere.steps if step.tool not in tools), None)
            if elsewhere
            else None
        )
        return sayings.not_understood(examples, file_names(history), language, missing=missing)


def _without_names(text: str, data: str) -> str:
    """A text without the accented words that name tables or columns."""
    names = set(re.findall(r"\w+", data.casefold()))
    return re.sub(
        r"\w+",
        lambda word: "" if not word[0].isascii() and word[0].casefold() in names else word[0],
        text,
    )


def _result(step: StepLike, left: Sequence[Call], calls: Sequence[Call]) -> Call | None:
    """The call that answers a step: the same one, or one whose input the person changed before
    agreeing to it, or one that another request of the same sentence needed too."""
    return (
        next((call for call in left if _same(step, call)), None)
        or next((call for call in left if call.tool == step.tool), None)
        or next((call for call in calls if _same(step, call)), None)
    )


def _same(step: StepLike, call: Call) -> bool:
    return step.tool == call.tool and step.input == call.input


def _tool_use(step: StepLike) -> Block:
    return {
        "type": "tool_use",
        "id": f"toolu_{secrets.token_hex(12)}",
        "name": step.tool,
        "input": step.input,
    }


def _text(call: Call) -> str:
    return call.result if isinstance(call.result, str) else dumps(call.result)


def _estimated(value: JSONObject | list[Block]) -> int:
    """About how many tokens this is; marked as an estimate wherever it is shown."""
    return len(dumps(value)) // 4

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
from dataclasses import dataclass, field, replace
from datetime import date

from bancada.domain.intents import Answered, Intent, Results, Sentence, Step
from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block, text_block
from bancada.domain.people import Language
from bancada.domain.tables import TableShape
from bancada.model import offline_text
from bancada.model.history import Call, History, file_names, read
from bancada.model.language import language_of
from bancada.model.model import ModelEvent, Reply, Request, TextPiece, Tokens
from bancada.model.planner import Detected, Planner, unquoted

log = logging.getLogger(__name__)

NAME = "offline"

_LEANS_ON = 8
"""Questions before this one that it may lean on."""
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
_MOST_QUOTED = 50_000
"""With what it quotes; looking for quotes in more would hold everybody up."""
MOST_CHARS = 2_000
"""A longer question, quotes and code aside, is not read: a condition in it might be passed over."""


@dataclass
class _IntentProgress:
    """One intent on its way: what was asked for it, what came back, what is still to ask."""

    detected: Detected
    answered: list[Answered] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    pending: list[Step] = field(default_factory=list)


class OfflineModel:
    """Answers what packs have declared, and says so when it cannot."""

    def __init__(
        self,
        intents: Sequence[Intent],
        *,
        delay: float = 0.0,
        today: Callable[[], date] = date.today,
    ) -> None:
        """`delay` seconds pass between pieces; `today` is what relative dates are read against."""
        self._planner = Planner(intents)
        self._delay = delay
        self._today = today

    @property
    def name(self) -> str:
        """How turns that it answered name it."""
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
        tables: Sequence[TableShape] = (),
        organisation_id: int | None = None,
    ) -> Detected | None:
        """What a sentence asks for, in whichever language it is."""
        if _is_too_long(text):
            return None
        language = language_of(text, default="pt", vocabulary=self._planner.vocabulary)
        sentence = Sentence(
            text,
            language or "pt",
            tables=tuple(tables),
            organisation_id=organisation_id,
            today=self._today(),
        )
        return self._planner.detect(sentence, tools)

    def suggested(
        self,
        text: str,
        tools: Sequence[str],
        *,
        tables: Sequence[TableShape] = (),
        organisation_id: int | None = None,
    ) -> list[str]:
        """What it would offer to somebody who wrote this, in their language."""
        language = language_of(text, default="pt", vocabulary=self._planner.vocabulary) or "pt"
        sentence = Sentence(text, language, tables=tuple(tables), organisation_id=organisation_id)
        return self._planner.answerable(sentence, tools)[: offline_text.SHOWN]

    def understood(
        self,
        messages: Sequence[JSONObject],
        tools: Sequence[str],
        tables: Sequence[TableShape] = (),
        organisation_id: int | None = None,
    ) -> Detected | None:
        """What the last question of a conversation asks for, read with what came before it."""
        history = read(messages)
        language = self._language(history, "", tables)
        sentence = self._reading(history, language, tables, organisation_id)
        found = self._understand(history, sentence, tools)
        return found[0] if found else None

    def _content(self, request: Request) -> list[Block]:
        history = read(request.messages)
        tools = [tool["name"] for tool in request.tools if "input_schema" in tool]
        if _is_too_long(history.question):
            language = language_of(history.question[:MOST_CHARS], default="pt") or "pt"
            return [text_block(offline_text.too_long(len(history.question), MOST_CHARS, language))]
        system = " ".join(str(block.get("text", "")) for block in request.system)
        language = self._language(history, system, request.tables)
        sentence = self._reading(history, language, request.tables, request.organisation_id)
        left: list[str] = []
        found = self._understand(history, sentence, tools, left)
        if not found:
            return [text_block(self._without_tools(history, sentence, tools, left))]
        threads = self._replay(found, history.calls)
        may_ask = (request.tool_choice or {}).get("type") != "none"
        asked = [step for thread in threads for step in thread.pending]
        if may_ask and asked:
            # Two requests may need the very same call: once is enough.
            unique = {dumps([step.tool, step.input]): step for step in asked}
            return [_tool_use(step) for step in unique.values()]
        told = [self._tell(thread, language, tools) for thread in threads]
        return [text_block("\n\n".join(dict.fromkeys(told)))]

    def _language(self, history: History, system: str, tables: Sequence[TableShape]) -> Language:
        """The question's language; where it does not tell, the conversation's, then the agent's."""
        names = {
            word
            for table in tables
            for text in (table.name, *(column.name for column in table.columns))
            for word in re.findall(r"\w+", text.casefold())
        }
        for text in (history.question, *reversed(history.earlier), system):
            # Quoted words and names of columns are not the person's language.
            for own in (_without_names(unquoted(text), names), text):
                found = language_of(own[:MOST_CHARS], vocabulary=self._planner.vocabulary)
                if found is not None:
                    return found
        return "pt"

    def _understand(
        self,
        history: History,
        sentence: Sentence,
        tools: Sequence[str],
        left: list[str] | None = None,
    ) -> list[Detected]:
        question = history.question
        if offline_text.small_talk(question):
            return []
        found = self._planner.detect_all(sentence, tools, left=left)
        if not history.earlier or any(one.intent.fits is not None for one in found):
            return found
        if _SHOWS_IT.fullmatch(question) or (not found and _GOES_ON.match(question)):
            before = history.earlier[-1].rstrip(" ?!.")
            both = replace(sentence, text=f"{before} {question}")
            found = self._planner.detect_all(both, tools) or found
        return found

    def _reading(
        self,
        history: History,
        language: Language,
        tables: Sequence[TableShape],
        organisation_id: int | None,
    ) -> Sentence:
        """The question, with the tables there are and what was asked before it."""
        before: Sentence | None = None
        asked = [(one.text, tuple(one.tools)) for one in history.before[-_LEANS_ON:]]
        for text, tools in (*asked, (history.question, ())):
            if _is_too_long(text):
                continue
            said = language_of(text, vocabulary=self._planner.vocabulary) or language
            before = Sentence(
                text,
                said,
                tables=tuple(tables),
                before=before,
                tools=tools,
                organisation_id=organisation_id,
                today=self._today(),
            )
        assert before is not None  # the question itself is short enough
        return replace(before, language=language)

    def _replay(self, found: Sequence[Detected], calls: Sequence[Call]) -> list[_IntentProgress]:
        """Go through the intents' steps again, handing each the result it already has."""
        left = list(calls)
        threads = [_IntentProgress(detected=one, pending=list(one.steps)) for one in found]
        for _ in range(_ROUNDS):
            for thread in threads:
                self._take_results(thread, left, calls)
            more = [self._go_on(thread) for thread in threads if not thread.pending]
            if not any(more):
                break
        return threads

    def _take_results(
        self, thread: _IntentProgress, left: list[Call], calls: Sequence[Call]
    ) -> None:
        waiting: list[Step] = []
        for step in thread.pending:
            call = _result(step, left, calls)
            if call is None:
                waiting.append(step)
                continue
            if call in left:
                left.remove(call)
            thread.calls.append(call)
            thread.answered.append(Answered(step=step, result=call.result, is_error=call.is_error))
        thread.pending = waiting

    def _go_on(self, thread: _IntentProgress) -> bool:
        """Let an intent add steps, once it has all results it asked for and any is good."""
        then = thread.detected.intent.then
        if then is None or not any(not call.is_error for call in thread.calls):
            return False
        try:
            thread.pending = list(then(thread.detected.sentence, thread.answered))
        except Exception:
            log.exception("The intent %s could not go on", thread.detected.intent.name)
        return bool(thread.pending)

    def _tell(self, thread: _IntentProgress, language: Language, tools: Sequence[str]) -> str:
        """The results in words; errors as what they are."""
        good = [one for one in thread.answered if not one.is_error]
        bad = [(call.tool, call.text) for call in thread.calls if call.is_error]
        if thread.calls and not good:
            return offline_text.failed(bad, language)
        if not thread.calls and thread.pending:
            return offline_text.needs(thread.pending[0].tool, language)
        intent, sentence = thread.detected.intent, thread.detected.sentence
        try:
            said = [intent.tell(sentence, Results(good))]
        except Exception:
            log.exception("The intent %s could not tell its results", intent.name)
            calls = [call for call in thread.calls if not call.is_error]
            said = [offline_text.plainly(call.tool, _text(call), language) for call in calls]
        if bad:
            said.append(offline_text.failed(bad, language))
        if not thread.calls:
            said += offline_text.offered(self._planner.answerable(sentence, tools), language)
        return "\n\n".join(said)

    def _without_tools(
        self, history: History, sentence: Sentence, tools: Sequence[str], left: Sequence[str]
    ) -> str:
        """Courtesy, what an upload holds, results nobody planned, or an honest no."""
        kind, language = offline_text.small_talk(history.question), sentence.language
        examples = self._planner.answerable(sentence, tools)
        if kind is not None:
            return offline_text.answer_small_talk(kind, examples, language)
        if history.calls:
            # Begun by another model: tell what it found.
            good = [call for call in history.calls if not call.is_error]
            bad = [(call.tool, call.text) for call in history.calls if call.is_error]
            parts = [offline_text.plainly(call.tool, _text(call), language) for call in good]
            return "\n\n".join([*parts, *([offline_text.failed(bad, language)] if bad else [])])
        if history.uploads and offline_text.asks_about_a_file(history.question):
            return offline_text.about_files(history.uploads, language)
        elsewhere = self._planner.detect(sentence, left=None)
        missing = (
            next((step.tool for step in elsewhere.steps if step.tool not in tools), None)
            if elsewhere
            else None
        )
        files = list(dict.fromkeys(table.file for table in sentence.tables if table.file))
        return offline_text.not_understood(
            examples, files or file_names(history), language, missing=missing, words=left
        )


def _is_too_long(question: str) -> bool:
    if len(question) <= MOST_CHARS:
        return False
    return len(question) > _MOST_QUOTED or len(" ".join(unquoted(question).split())) > MOST_CHARS


def _without_names(text: str, names: set[str]) -> str:
    """A text without the accented words that name tables or columns."""
    return re.sub(
        r"\w+",
        lambda word: "" if not word[0].isascii() and word[0].casefold() in names else word[0],
        text,
    )


def _result(step: Step, left: Sequence[Call], calls: Sequence[Call]) -> Call | None:
    """The call that answers a step: the same one, or one whose input the person changed before
    agreeing to it, or one that another request of the same sentence needed too."""
    return (
        next((call for call in left if _same(step, call)), None)
        or next((call for call in left if call.tool == step.tool), None)
        or next((call for call in calls if _same(step, call)), None)
    )


def _same(step: Step, call: Call) -> bool:
    return step.tool == call.tool and step.input == call.input


def _tool_use(step: Step) -> Block:
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

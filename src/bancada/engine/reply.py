"""Ask the model once: stream what it says, then keep the whole reply."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import Counter
from dataclasses import replace

from bancada.domain.events import Again, AnswersInstead, Outside, Text, Thinking, Usage
from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block, text_of
from bancada.domain.wording import Wording
from bancada.engine.codeblocks import is_inner, recorded_reply, server_id, taken_ids
from bancada.engine.context import request_for
from bancada.engine.costs import CutReply, count_cut, set_aside, usage_of
from bancada.engine.sentences import told_instead
from bancada.engine.state import Phase
from bancada.engine.turn import Turn
from bancada.model.model import (
    Began,
    ModelFailed,
    Reply,
    Request,
    Restarted,
    TextPiece,
    ThinkingPiece,
)
from bancada.model.providers import Route, another_may_answer
from bancada.model.sse import INVALID_INPUTS
from bancada.model.textcalls import has_words, with_written_calls
from bancada.store.messages import StoredMessage
from bancada.telemetry import span

log = logging.getLogger(__name__)
contents = logging.getLogger("bancada.content")
"""What people ask and models say: heard only where the operator said so."""

MOST_CALLS = 32
"""Of one reply; small models that are stuck write on and on."""
MOST_ALIKE = 3
"""Calls of one reply with the same arguments."""
TOO_MANY = (
    f"Not run: a reply may hold at most {MOST_CALLS} calls. Read the results you have, and ask only "
    "for what is still missing."
)
REPEATED = "Not run: the same call stands before it in this reply. Read its result."

SAID_OTHERWISE = ("max_tokens", "model_context_window_exceeded", "refusal")
"""Ends that are told to the person in words of our own."""


async def ask(turn: Turn, *, last_answer: bool = False) -> StoredMessage:
    """One reply, streamed and recorded with what it cost."""
    try:
        return await _ask(turn, last_answer=last_answer)
    finally:
        if turn.reserved is not None:
            await asyncio.shield(turn.release())


async def _ask(turn: Turn, *, last_answer: bool) -> StoredMessage:
    began = time.perf_counter()
    if turn.sees_outside and turn.first_time("outside"):
        # Readers show what follows without its script, from its first piece on.
        await turn.record.emit(Outside())
    with span(
        "model call",
        model=turn.frame.model,
        turn_id=turn.id,
        conversation_id=turn.loaded.turn.conversation_id,
        max_tokens=turn.frame.max_tokens,
    ) as measured:
        turn.state.move(Phase.REPLYING)
        try:
            request, reply = await _answered(turn, last_answer=last_answer)
        finally:
            turn.state.move(Phase.WORKING)
        cost = turn.price(reply.usage, reply.model)
        provider = turn.route.provider
        measured.set(
            model=request.model,
            provider=provider.name,
            provider_kind=provider.kind,
            server=provider.address,
            response_model=reply.model,
            said=(request.messages, reply.content),
            stop_reason=reply.stop_reason,
            input_tokens=reply.usage.input,
            output_tokens=reply.usage.output,
            cache_read_tokens=reply.usage.cache_read,
            cache_write_tokens=reply.usage.cache_write,
            cost_usd=cost,
        )
    contents.debug("turn %s: the model said: %s", turn.id, reply.content)
    reply = await _without_markup(turn, said_once(reply))
    content, spoiled = readable(reply, taken_ids(turn.messages))
    metadata: JSONObject = {
        "stop_reason": reply.stop_reason,
        "model": reply.model,
        "provider": turn.route.provider.name,
    }
    if last_answer:
        metadata["last_answer"] = True
        content, dropped = without_calls(content)
        if dropped:
            log.warning("turn %s: %d calls in the last answer are dropped", turn.id, dropped)
            metadata["dropped_calls"] = dropped
    if is_mute(reply.stop_reason, content, last_answer=last_answer):
        # Asked for in a sentence, then without tools: some only stop calling when there is nothing
        # to call.
        is_told = turn.times_mute >= (1 if last_answer else 2)
        metadata["mute"] = "told" if is_told else "again"
        if text_of(content).strip():
            await start_over(turn)
            content = [block for block in content if block.get("type") != "text"]
    elif not last_answer and _is_described(turn, reply.stop_reason, content):
        metadata |= {"mute": "again", "described": True}
        await start_over(turn)
    if turn.sees_outside:
        metadata["outside"] = True
    if turn.frame.code != "direct":
        metadata["code"] = turn.frame.code
    if turn.frame.code == "local":
        content, metadata["ran_here"] = recorded_reply(content)
    if reply.container is not None:
        metadata["container"] = reply.container
    if spoiled:
        metadata["spoiled_calls"] = spoiled
    if reply.stop_reason == "refusal":
        metadata["refused"] = True
    if reply.raw:
        metadata["raw"] = reply.raw
    usage = usage_of(turn, reply, cost, (time.perf_counter() - began) * 1000)
    # Asked for together and so written together: a reply in the record is one that was announced.
    kept = turn.record.append(
        "assistant", "reply", content, metadata=metadata, usage=usage, reserved=turn.reserved
    )
    turn.record.emit_soon(
        Usage(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            cache_read_tokens=usage.cache_read_tokens,
            cache_write_tokens=usage.cache_write_tokens,
            cost_usd=usage.cost_usd,
            estimated=usage.is_estimated,
            context_limit=turn.route.provider.reads(reply.model),
            seen_from=turn.loaded.seen_from,
        )
    )
    stored = await kept
    if turn.reserved is not None:
        turn.money.settled(turn.reserved)
        turn.reserved = None
    turn.add(stored)
    return stored


async def _without_markup(turn: Turn, reply: Reply) -> Reply:
    """The reply with calls that came as words read back; readers forget the markup."""
    read = with_written_calls(reply, turn.frame.tools) if turn.frame.tools else None
    if read is None:
        return reply
    log.warning("turn %s: a call came as words", turn.id)
    await start_over(turn)
    if before := text_of(read.content):
        turn.record.say(Text(content=before))
    return read


async def _answered(turn: Turn, *, last_answer: bool) -> tuple[Request, Reply]:
    """What was asked, and the reply of the first provider that may be asked and answers, in the settings' order."""
    while True:
        if (unfit := _unfit(turn, turn.route)) is not None:
            await _go_on_elsewhere(turn, unfit)
        request = request_for(turn.frame, turn.messages, last_answer=last_answer)
        turn.reserved = await set_aside(turn, request)
        try:
            return request, await _reply_to(turn, request)
        except ModelFailed as failed:
            await turn.release()
            if not another_may_answer(failed) or _awaits_code(request):
                raise
            await _go_on_elsewhere(turn, failed)


async def _go_on_elsewhere(turn: Turn, failed: ModelFailed) -> None:
    """Let the next provider answer, and say so; where there is none, the failure stands."""
    before = turn.route
    following = turn.after(before)
    while following and _unfit(turn, following) is not None:
        following = turn.after(following)
    if following is None:
        raise failed
    log.warning("turn %s: %s instead of %s: %s", turn.id, *_names(following, before), failed)
    if turn.spoke:
        await start_over(turn)
    turn.take(following)
    instead, by = _names(following, before)
    told = told_instead(instead, by, failed).told(turn.loaded.person.language)
    await turn.record.emit(
        AnswersInstead(
            provider=instead,
            model=following.model,
            instead_of=by,
            content=told,
        )
    )


def _names(following: Route, before: Route) -> tuple[str, str]:
    return following.provider.name, before.provider.name


def _unfit(turn: Turn, route: Route) -> ModelFailed | None:
    """Why a provider is not asked this question, where it cannot be."""
    if turn.sees_outside and not route.provider.outside_data:
        return keeps_out(route)
    if turn.shows(route):
        return None
    detail = Wording("attachment_unseen", model=route.model)
    told = f"{route.model} cannot be shown what goes with the question"
    return ModelFailed("internal", told, retryable=False, detail=detail)


def keeps_out(route: Route) -> ModelFailed:
    """Why a provider is not asked although it was to be: it may not have text from outside."""
    name = route.provider.name
    return ModelFailed(
        "internal",
        f"data from outside may not go to {name}",
        retryable=False,
        detail=Wording("provider_no_outside", name=name),
    )


async def _reply_to(turn: Turn, request: Request) -> Reply:
    """Ask; where the provider has ended the container meanwhile, ask for a new one."""
    try:
        return await stream_reply(turn, request)
    except ModelFailed as failed:
        gone = failed.status in (400, 404) and "container" in str(failed).lower()
        if request.container is None or not gone or _awaits_code(request):
            raise
    return await stream_reply(turn, replace(request, container=None))


def _awaits_code(request: Request) -> bool:
    """Whether code in the container waits for these very results: another one could not go on."""
    replied = [message for message in request.messages if message["role"] == "assistant"]
    return any(is_inner(block) for block in (replied[-1]["content"] if replied else ()))


async def stream_reply(turn: Turn, request: Request) -> Reply:
    """Pass pieces on as they come; return the reply they end in."""
    cut = CutReply()
    try:
        return await _stream_reply(turn, request, cut)
    except BaseException:
        # Stopped, failed, or the server shuts down: what was said until then is paid for.
        try:
            await asyncio.shield(count_cut(turn, cut))
        except Exception:
            # Why the reply ended says what becomes of the turn: this must not take its place.
            log.exception("turn %s: what a cut reply used could not be counted", turn.id)
        raise


async def _stream_reply(turn: Turn, request: Request, cut: CutReply) -> Reply:
    turn.said, turn.spoke = "", False
    if turn.route.provider.kind != "offline":
        request = await turn.filled(request)
    async for event in turn.model.stream(request):
        match event:
            case Began():
                await count_cut(turn, cut)  # one that had shown nothing yet, and is asked again
                cut.began, cut.characters = event, 0
            case TextPiece(text):
                cut.characters += len(text)
                turn.said += text
                turn.spoke = True
                turn.record.say(Text(content=text))
            case ThinkingPiece(text):
                cut.characters += len(text)
                turn.spoke = True
                turn.record.say(Thinking(content=text))
            case Restarted(reason):
                await count_cut(turn, cut)
                turn.said, turn.spoke = "", False
                log.warning("turn %s: the reply starts over: %s", turn.id, reason)
                await start_over(turn)
            case Reply():
                turn.said = ""
                return event
    raise RuntimeError(f"{turn.model.name} ended its stream without a reply")


async def start_over(turn: Turn) -> None:
    """Readers forget what they were shown of this reply, but not what it goes on from."""
    language = turn.loaded.person.language
    await turn.record.emit(Again(reason=Wording("interrupted").told(language)))
    if carried := turn.carried():
        turn.record.say(Text(content=carried))


def said_once(reply: Reply) -> Reply:
    """A reply that wrote one and the same call until it was cut, as if it had stopped after the first.

    Calls of a cut reply do not run, since the last of them may be half of what was meant. This one was
    written out in full, again and again.
    """
    calls = [block for block in reply.content if block.get("type") == "tool_use"]
    *whole, _ = [dumps([call.get("name"), call.get("input")]) for call in calls] or [""]
    if reply.stop_reason != "max_tokens" or len(whole) < 2 or len(set(whole)) > 1:
        return reply
    again = [id(call) for call in calls[1:]]
    content = [block for block in reply.content if id(block) not in again]
    raw = {name: value for name, value in reply.raw.items() if name != INVALID_INPUTS}
    return replace(reply, content=content, stop_reason="tool_use", raw=raw)


def is_mute(stop_reason: str, content: list[Block], *, last_answer: bool) -> bool:
    """Whether the turn would end here without a word to the person."""
    if stop_reason in SAID_OTHERWISE or has_words(text_of(content)):
        return False
    if last_answer:
        return True
    asks = any(block.get("type") == "tool_use" for block in content)
    return stop_reason != "pause_turn" and not (stop_reason == "tool_use" and asks)


def _is_described(turn: Turn, stop_reason: str, content: list[Block]) -> bool:
    small = turn.route.provider.limits.is_small
    if not small or turn.answered() or turn.times_mute:
        return False
    return describes_call(stop_reason, content, turn.frame.tools)


def describes_call(stop_reason: str, content: list[Block], tools: list[JSONObject]) -> bool:
    """Whether a reply ends in naming a tool that it does not call: small models write what they would
    do, and end there."""
    if stop_reason != "end_turn" or any(block.get("type") != "text" for block in content):
        return False
    said = text_of(content)
    return any(_named(str(tool["name"]), said) for tool in tools)


def _named(tool: str, said: str) -> bool:
    """Whether a text names a tool; one whose name is an ordinary word only where it is set apart."""
    name = re.escape(tool)
    apart = rf"\b{name}\b" if re.search(r"[_-]", tool) else rf"`{name}`|\b{name}\("
    return re.search(apart, said) is not None


def without_calls(content: list[Block]) -> tuple[list[Block], int]:
    """A last answer's blocks without its calls, and how many there were.

    Some servers do not know `tool_choice: none`. Nobody waits for these calls: they are not
    run, nor recorded, nor refused one by one.
    """
    finished = {block.get("tool_use_id") for block in content}
    kept = [
        block
        for block in content
        if block.get("type") != "tool_use"
        and (block.get("type") != "server_tool_use" or block.get("id") in finished)
    ]
    return kept, len(content) - len(kept)


def readable(reply: Reply, taken: set[str]) -> tuple[list[Block], JSONObject]:
    """The reply's blocks for the record, and the calls that cannot run, with the reason why.

    Every call must have a result of its own, so every call gets an id of its own. Small servers
    begin to count anew with each reply; an id used twice within one reply is a mistake.
    """
    content: list[Block] = []
    spoiled: JSONObject = {}
    unreadable = reply.raw.pop("invalid_inputs", None) or {}
    seen: set[str] = set()
    alike: Counter[str] = Counter()
    for block in reply.content:
        if block.get("type") == "tool_use" and not is_inner(block):
            given = str(block.get("id") or "")
            id = given
            if not id or {id, server_id(id)} & taken or id in seen:
                id = f"toolu_{secrets.token_hex(12)}"
                block = {**block, "id": id}
            if given in unreadable:
                written = str(unreadable[given])[:200]
                spoiled[id] = f"The arguments are not readable JSON: {written!r}."
            elif given and given in seen:
                spoiled[id] = f"The id {given!r} was used twice in one reply."
            seen |= {given, id}
            alike[dumps([block.get("name"), block.get("input")])] += 1
            if alike.total() > MOST_CALLS:
                spoiled.setdefault(id, TOO_MANY)
            elif alike[dumps([block.get("name"), block.get("input")])] > MOST_ALIKE:
                spoiled.setdefault(id, REPEATED)
        content.append(block)
    return content, spoiled

"""Alternate replies and tool results until the model stops asking.

Each step is chosen from the record, not from memory: the same function begins a turn, goes on
after a crash, and goes on after a three-day wait for an approval.
"""

from __future__ import annotations

from bancada.domain.errors import BancadaError
from bancada.domain.events import Code, Done, ErrorCode, Text
from bancada.domain.json import JSONObject
from bancada.domain.turns import TurnStatus
from bancada.domain.wording import Wording
from bancada.engine import announce
from bancada.engine.calls import close_open_calls, run_calls, told_results
from bancada.engine.costs import check_budget
from bancada.engine.reply import ask
from bancada.engine.state import Phase
from bancada.engine.turn import Turn
from bancada.store.messages import StoredMessage

NOT_RUN = "Not run: the reply ended before this call could be made."


class Drained(BancadaError):
    """The process wants to stop; the turn goes on from its record at the next start."""


class ModelRefused(BancadaError):
    """The model would not answer."""

    code: ErrorCode = "refused"


class NoAnswer(BancadaError):
    """The model ended without a word, and again when it was asked for one, and without tools."""

    code: ErrorCode = "overloaded"
    retryable = True
    told = "no_answer"


async def run_turn(turn: Turn) -> TurnStatus:
    """Take the turn as far as it goes: to its end, or to a person's decision.

    `running`: a decision came while the turn was about to wait; it is to be taken up again.
    """
    await announce.decisions(turn)
    while True:
        if turn.state.phase is Phase.DRAINING:
            raise Drained(turn.id)
        reply = turn.last_reply
        if reply is None or model_speaks_next(turn, reply):
            spent = turn.iterations >= turn.loaded.agent.max_iterations
            limit = spent and not turn.is_within
            if limit and not turn.loaded.agent.last_answer:
                return await at_the_limit(turn)
            await check_budget(turn)
            reply = await ask(turn, last_answer=limit or turn.times_mute > 1)
            show_managed_code(turn, reply)
        elif _has_paused(reply) or reply.metadata.get("mute") == "again":
            await close_open_calls(turn, NOT_RUN, metadata=_marked(reply))
        elif not calls_may_run(turn, reply):
            return await finish(turn, reply)
        else:
            status = await run_calls(turn)
            if status is not None:
                return status


def model_speaks_next(turn: Turn, reply: StoredMessage) -> bool:
    """Whether the model goes on from here: its calls are answered, it only paused, it was
    stopped and is to continue, or it said nothing and is asked once more."""
    if turn.open_blocks():
        return False
    if "mute" in reply.metadata:
        return bool(reply.metadata["mute"] == "again")
    if reply.metadata.get("partial") or _has_paused(reply):
        return True
    if reply.metadata.get("last_answer"):
        return False
    return reply.metadata.get("stop_reason") == "tool_use" and _asked_for_tools(turn, reply)


def _has_paused(reply: StoredMessage) -> bool:
    """A provider's own tools took long: the reply is sent back as it is, to be gone on with."""
    paused = reply.metadata.get("stop_reason") == "pause_turn"
    return paused and not reply.metadata.get("last_answer")


def _asked_for_tools(turn: Turn, reply: StoredMessage) -> bool:
    answered = turn.answered()
    return any(block.get("id") in answered for block in reply.content)


def calls_may_run(turn: Turn, reply: StoredMessage) -> bool:
    """Only `tool_use` runs tools: a cut or refused reply may hold calls nobody meant to make."""
    return (
        reply.metadata.get("stop_reason") == "tool_use"
        and not reply.metadata.get("last_answer")
        and bool(turn.open_blocks())
    )


async def finish(turn: Turn, reply: StoredMessage) -> TurnStatus:
    """The model is done, or cannot go on: say which, and leave every call answered."""
    await close_open_calls(turn, NOT_RUN, metadata=_marked(reply))
    language = turn.loaded.person.language
    if "mute" in reply.metadata:
        found = told_results([b for message in turn.loaded.own for b in message.content])
        if found is None:
            raise NoAnswer("the model did not answer")
        turn.record.say(Text(content=Wording("results_only", results=found).told(language)))
        return await end(turn, "done")
    match reply.metadata.get("stop_reason"):
        case "max_tokens":
            cut = Wording("cut", tokens=turn.frame.max_tokens).told(language)
            turn.record.say(Text(content=cut))
        case "model_context_window_exceeded":
            turn.record.say(Text(content=Wording("window_full").told(language)))
        case "refusal":
            raise ModelRefused("the model refused")
    return await end(turn, "done")


def _marked(reply: StoredMessage) -> JSONObject:
    """What results share with the reply they belong to: what becomes of one becomes of both."""
    return {key: reply.metadata[key] for key in ("refused", "mute") if key in reply.metadata}


async def at_the_limit(turn: Turn) -> TurnStatus:
    """The agent goes without a last answer: the person is told why there is none."""
    language, most = turn.loaded.person.language, turn.loaded.agent.max_iterations
    turn.record.say(Text(content=Wording("limit", steps=most).told(language)))
    return await end(turn, "done")


async def end(turn: Turn, status: TurnStatus) -> TurnStatus:
    """Write the turn's end together with its last event."""
    assert status in ("done", "stopped", "failed")
    last = Done(turn_id=turn.id, status=status, iterations=turn.iterations)
    await turn.record.settle(status, turn.iterations, last)
    return status


def show_managed_code(turn: Turn, reply: StoredMessage) -> None:
    """Code that ran at the provider's is shown like ours."""
    container = (reply.metadata.get("container") or {}).get("id", "")
    for block in reply.content:
        type = str(block.get("type"))
        if not type.endswith("code_execution_tool_result"):
            continue
        content = block.get("content")
        content = content if isinstance(content, dict) else {}
        id = str(block.get("tool_use_id"))
        if not turn.first_time("code", id):
            continue
        turn.record.emit_soon(
            Code(
                id=id,
                container=container,
                stdout=str(content.get("stdout") or ""),
                stderr=str(content.get("stderr") or content.get("error_code") or ""),
                return_code=int(content.get("return_code") or bool(content.get("error_code"))),
            )
        )

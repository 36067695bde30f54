"""Run the calls of a reply: side by side through the gate, results in the order asked."""

from __future__ import annotations

import asyncio

from bancada.domain.calls import Outcome, ToolCall, Waiting
from bancada.domain.events import Done
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.messages import Block, text_block, text_of
from bancada.domain.turns import TurnStatus
from bancada.engine import announce
from bancada.engine.codeblocks import is_code_use, is_inner
from bancada.engine.programmatic import CodeRun, EndedCell, changed_note
from bancada.engine.record import NewMessage
from bancada.engine.state import Phase
from bancada.engine.turn import Turn, refused_at_once
from bancada.gate.gate import OnStart
from bancada.telemetry import span
from bancada.tools.result import text_for_code

MOST_TOLD = 3
"""Results that are shown where a model says nothing."""
MOST_TOLD_CHARS = 1500


async def run_calls(turn: Turn) -> TurnStatus | None:
    """Answer every open call of the last reply; a status when the turn cannot go on from there."""
    blocks = turn.open_blocks()
    while True:
        ended = await _all_at_once(turn, blocks)
        waiting = [each.confirmation_id for each in ended if isinstance(each, Waiting)]
        if not waiting:
            await _append_results(turn, blocks, ended)
            return None
        # From here on a decision may find the turn waiting before this task knows that it does: who
        # decides then waits for the task to end, and takes the turn up.
        turn.state.move(Phase.LEAVING)
        if not await turn.record.wait_for(waiting, turn.iterations):
            turn.record.tell(Done(turn_id=turn.id, status="waiting", iterations=turn.iterations))
            return "waiting"
        # Somebody decided while the others ran: go through them again, what ended stays ended.
        if not turn.state.move(Phase.WORKING):
            return "running"
        await turn.reload()
        await announce.decisions(turn)


async def _all_at_once(turn: Turn, blocks: list[Block]) -> list[Outcome | Waiting | EndedCell]:
    """Tools side by side; code beside them, but one cell after the other: they share their state."""
    cells = [block for block in blocks if is_code_use(block)]
    tools = [block for block in blocks if not is_code_use(block)]
    told = [asyncio.Event() for _ in range(len(tools) + 1)]
    told[0].set()
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(_answer(turn, block, told[at], told[at + 1]))
            for at, block in enumerate(tools)
        ]
        code = group.create_task(_one_by_one(turn, cells))
    ran, ended = iter(code.result()), iter([task.result() for task in tasks])
    return [next(ran) if is_code_use(block) else next(ended) for block in blocks]


async def _one_by_one(turn: Turn, cells: list[Block]) -> list[Waiting | EndedCell]:
    ended: list[Waiting | EndedCell] = []
    for block in cells:
        if ended and isinstance(ended[-1], Waiting):
            ended.append(ended[-1])
        else:
            with span("code run", turn_id=turn.id, call_id=block["id"]) as measured:
                ended.append(await CodeRun(turn, block).run())
                measured.set(outcome="waiting" if isinstance(ended[-1], Waiting) else "ok")
    return ended


async def _answer(
    turn: Turn, block: Block, before: asyncio.Event, told: asyncio.Event
) -> Outcome | Waiting:
    """Take a call through the gate. Its first news waits for that of the call `before`, so that
    readers learn of calls in the order asked: which is let through first is the database's luck."""
    call = turn.call_of(block)

    async def starts(admitted: ToolCall) -> None:
        await before.wait()
        announce.started(turn, admitted)
        told.set()

    try:
        outcome = await _through_the_gate(turn, call, starts)
        await before.wait()
        if isinstance(outcome, Waiting):
            await announce.waits(turn, call, outcome)
        else:
            announce.ended(turn, call, outcome)
        return outcome
    finally:
        told.set()


async def _through_the_gate(turn: Turn, call: ToolCall, starts: OnStart) -> Outcome | Waiting:
    reply = turn.last_reply
    spoiled = refused_at_once(reply) if reply is not None else {}
    if call.id in spoiled:
        return await turn.gate.refuse(call, turn.scope, spoiled[call.id])
    return await turn.gate.call(call, turn.scope, on_start=starts)


async def _append_results(
    turn: Turn,
    blocks: list[Block],
    ended: list[Outcome | Waiting | EndedCell],
    metadata: JSONObject | None = None,
) -> None:
    """Write the results as the wire would have them: inner calls, all results, code's output."""
    metadata = metadata or {}
    asked: list[Block] = []
    results: list[Block] = []
    output: list[Block] = []
    container = None
    outside = False
    for block, each in zip(blocks, ended, strict=True):
        if isinstance(each, EndedCell):
            asked += each.asked
            results += each.results
            output.append(each.output)
            container = each.container or container
            outside = outside or each.outside
        elif isinstance(each, Outcome):
            blocks_before = [b for message in turn.loaded.own for b in message.content]
            results.append(with_hint(blocks_before, block, result_block(block, each)))
            outside = outside or each.outside
    if outside:
        metadata = {**metadata, "outside": True}
    new: list[NewMessage] = []
    if asked:
        new.append(("assistant", "code", asked, metadata))
    if results:
        new.append(("user", "results", results, metadata))
    if output:
        new.append(("assistant", "code", output, {**metadata, "container": container}))
    turn.add(*await turn.record.append_all(new))


def with_hint(before: list[Block], asked: Block, result: Block) -> Block:
    """A failure, with a word that it is the same as before: some models would go on for ever."""
    alike = {
        block["id"]
        for block in before
        if block.get("type") == "tool_use"
        and (block.get("name"), block.get("input")) == (asked.get("name"), asked.get("input"))
    }
    times = sum(bool(b.get("is_error")) and b.get("tool_use_id") in alike for b in before)
    if not (times and result.get("is_error") and isinstance(result["content"], str)):
        return result
    hint = (
        f"(Failed {times + 1} times with the same arguments, and will again. Change the arguments, use "
        "another tool, or answer the person with what you have.)"
    )
    return {**result, "content": f"{result['content']}\n{hint}"}


def result_block(asked: Block, outcome: Outcome) -> Block:
    """What is read of a call: by the model, or as text by the code that made it."""
    block: Block = {
        "type": "tool_result",
        "tool_use_id": asked["id"],
        "content": text_for_code(outcome) if is_inner(asked) else _told(asked, outcome),
    }
    if outcome.is_error:
        block["is_error"] = True
    return block


def _told(asked: Block, outcome: Outcome) -> str | list[Block]:
    """The result; where a person changed the call first, what ran stands before it, and behind it
    which arguments were read as saying nothing."""
    content = outcome.content
    if outcome.edited:
        note = changed_note(outcome.ran_with)
        return f"{note}\n{content}" if isinstance(content, str) else [text_block(note), *content]
    note = _left_out_note(asked.get("input"), outcome.ran_with)
    if not note:
        return content
    return f"{content}\n{note}" if isinstance(content, str) else [*content, text_block(note)]


def _left_out_note(asked: JSON, ran_with: JSON) -> str:
    """For the model: what it filled in that was taken for no filter."""
    if not isinstance(asked, dict) or not isinstance(ran_with, dict):
        return ""
    gone = ", ".join(f"{name}={dumps(asked[name])}" for name in asked if name not in ran_with)
    return f"[Ran without {gone[:200]}: read as no filter.]" if gone else ""


def told_results(blocks: list[Block]) -> str | None:
    """The last results in a reply's stead, for a person whom the model has told nothing; none: there
    were none."""
    kept = [b for b in blocks if b.get("type") == "tool_result" and not b.get("is_error")]
    texts = [text for block in kept[-MOST_TOLD:] if (text := _as_text(block))]
    if not texts:
        return None
    return "\n".join(f"```\n{_short(text)}\n```" for text in texts)


def _as_text(block: Block) -> str:
    content = block.get("content")
    return content if isinstance(content, str) else text_of(content or [])


def _short(text: str) -> str:
    # A fence of its own would end ours.
    plain = text.replace("```", "'''").strip()
    return plain if len(plain) <= MOST_TOLD_CHARS else f"{plain[:MOST_TOLD_CHARS]} […]"


async def close_open_calls(turn: Turn, sentence: str, metadata: JSONObject | None = None) -> None:
    """Answer every open call with an error, so that pairs stay whole; nothing runs."""
    blocks = turn.open_blocks()
    pending = [c.id for c in turn.loaded.confirmations if c.status == "pending"]
    await turn.record.reject(pending, sentence)
    if pending:
        await turn.reload()
    await announce.decisions(turn)
    ended: list[Outcome | Waiting | EndedCell] = []
    for block in blocks:
        if is_code_use(block):
            ended.append(await CodeRun(turn, block).abandon(sentence))
            continue
        call = turn.call_of(block)
        outcome = await turn.gate.refuse(call, turn.scope, sentence, "rejected")
        announce.ended(turn, call, outcome)
        ended.append(outcome)
    if blocks:
        await _append_results(turn, blocks, ended, metadata)

"""Code that calls tools, in the record's form and in the form a model without a container reads.

The record holds the wire's own blocks: `server_tool_use`, the `tool_use` blocks that code made,
and `code_execution_tool_result`. A provider that runs code for us wants them back as they are.
A model whose code we run ourselves was offered an ordinary tool called `code_execution`: for
it, a run is one `tool_use` and one `tool_result`, and what code asked for in between stays out
of its context. Whose code a block is stands in its reply's metadata: `ran_here` holds the ids of
ours, each with the one the model itself gave; `code` says in which mode the reply was asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from bancada.domain.calls import CODE_TOOL, Caller
from bancada.domain.json import dumps
from bancada.domain.messages import Block, Role
from bancada.store.messages import StoredMessage

RESULT = "code_execution_tool_result"

_HELP = {"invalid_tool_input": " Give the Python source as a string in `code`."}
"""What a model can do about an error that the wire has only a code for."""


def is_code_use(block: Block) -> bool:
    return block.get("type") == "server_tool_use" and block.get("name") == CODE_TOOL


def is_inner(block: Block) -> bool:
    """A call that code made."""
    return block.get("type") == "tool_use" and Caller.of(block.get("caller")).is_code


def recorded_reply(content: list[Block]) -> tuple[list[Block], dict[str, str]]:
    """A reply of a model that was offered our `code_execution`, in the record's form.

    With the ids of the code that is ours to run, and those the model knows it by.
    """
    recorded: list[Block] = []
    ours: dict[str, str] = {}
    for block in content:
        if block.get("type") == "tool_use" and block.get("name") == CODE_TOOL:
            given = block["id"]
            block = {**block, "type": "server_tool_use", "id": server_id(given)}
            ours[block["id"]] = given
        recorded.append(block)
    return recorded, ours


def ran_here(reply: StoredMessage) -> dict[str, str]:
    """The code of this reply that is ours to run: its id here, and the one the model gave it."""
    ids: dict[str, str] = reply.metadata.get("ran_here") or {}
    return ids


def taken_ids(messages: Iterable[StoredMessage]) -> set[str]:
    """Every id that stands for something in these messages, here or to the model."""
    messages = list(messages)
    ids = {block["id"] for message in messages for block in message.content if "id" in block}
    return ids.union(*(ran_here(message).values() for message in messages))


def server_id(tool_use_id: str) -> str:
    """The id of a code run, made from the id the model gave its call."""
    return f"srvtoolu_{re.sub('[^A-Za-z0-9_]', '_', tool_use_id.removeprefix('toolu_'))}"


def code_result(
    id: str, *, stdout: str, stderr: str, return_code: int, files: Iterable[Block] = ()
) -> Block:
    return {
        "type": RESULT,
        "tool_use_id": id,
        "content": {
            "type": "code_execution_result",
            "stdout": stdout,
            "stderr": stderr,
            "return_code": return_code,
            "content": list(files),
        },
    }


def code_error(id: str, error_code: str) -> Block:
    return {
        "type": RESULT,
        "tool_use_id": id,
        "content": {"type": "code_execution_tool_result_error", "error_code": error_code},
    }


def as_local(messages: list[StoredMessage]) -> list[tuple[Role, list[Block]]]:
    """The record as a model sees it that knows code only as an ordinary tool.

    Code that a provider ran without our asking (within its web search, say) is left as it came.
    """
    ours = _told_as_tool(messages)
    if not ours:
        return [(message.role, message.content) for message in messages]
    results = {
        block["tool_use_id"]: block
        for message in messages
        for block in message.content
        if block.get("type") == RESULT
    }
    inner = {
        block["id"]
        for message in messages
        for block in message.content
        if is_inner(block) and block["caller"].get("tool_id") in ours
    }
    hidden = ours.keys() | inner
    pairs: list[tuple[Role, list[Block]]] = []
    for message in messages:
        content = [_local(block, ours) for block in message.content if _is_seen(block, hidden)]
        pairs.append((message.role, content))
        finished = [
            as_tool_result(results[block["id"]], ours[block["id"]])
            for block in message.content
            if is_code_use(block) and block["id"] in ours and block["id"] in results
        ]
        if finished:
            pairs.append(("user", finished))
    return merged_results(pairs)


def _told_as_tool(messages: list[StoredMessage]) -> dict[str, str]:
    """The code that such a model is to see as calls of a tool: what ran here, or was managed."""
    ours: dict[str, str] = {}
    for message in messages:
        if message.kind != "reply":
            continue
        ours.update(ran_here(message))
        if message.metadata.get("code") == "anthropic":
            ours.update(
                (block["id"], block["id"]) for block in message.content if is_code_use(block)
            )
    return ours


def _is_seen(block: Block, hidden: set[str]) -> bool:
    """Inner calls, their results and the results of code are not, code itself is."""
    type = block.get("type")
    if type == "tool_use":
        return block.get("id") not in hidden
    return not (type in ("tool_result", RESULT) and block.get("tool_use_id") in hidden)


def _local(block: Block, ours: dict[str, str]) -> Block:
    if is_code_use(block) and block["id"] in ours:
        return {
            "type": "tool_use",
            "id": ours[block["id"]],
            "name": CODE_TOOL,
            "input": block.get("input") or {},
        }
    return block


def merged_results(pairs: list[tuple[Role, list[Block]]]) -> list[tuple[Role, list[Block]]]:
    """Join what one side says in a row; results of one reply stand in the order asked, first."""
    joined: list[tuple[Role, list[Block]]] = []
    for role, content in pairs:
        if not content:
            continue
        if joined and joined[-1][0] == role:
            joined[-1] = (role, [*joined[-1][1], *content])
        else:
            joined.append((role, content))
    ordered: list[tuple[Role, list[Block]]] = []
    for role, content in joined:
        if role == "user" and ordered:
            asked = [block["id"] for block in ordered[-1][1] if block.get("type") == "tool_use"]
            content = _results_first(content, asked)
        ordered.append((role, content))
    return ordered


def _results_first(content: list[Block], asked: list[str]) -> list[Block]:
    answers = [block for block in content if block.get("type") == "tool_result"]
    rest = [block for block in content if block.get("type") != "tool_result"]
    place = {id: at for at, id in enumerate(asked)}
    answers.sort(key=lambda block: place.get(block["tool_use_id"], len(place)))
    return [*answers, *rest]


def without_unfinished(messages: list[StoredMessage]) -> list[StoredMessage]:
    """The record as a provider takes it back: what it never finished in an earlier turn is left out.

    A turn that was stopped may end in a search or in code without a result. Going on with that
    turn finishes it; a new question after it would be refused.
    """
    answered = {block.get("tool_use_id") for message in messages for block in message.content} - {
        None
    }
    current = messages[-1].turn_id if messages else None
    unfinished = {
        block["id"]
        for message in messages
        if message.turn_id != current
        for block in message.content
        if block.get("type") == "server_tool_use" and block["id"] not in answered
    }
    if not unfinished:
        return messages
    gone = unfinished | {
        block["id"]
        for message in messages
        for block in message.content
        if is_inner(block) and block["caller"].get("tool_id") in unfinished
    }
    kept = [
        [
            block
            for block in message.content
            if not {block.get("id"), block.get("tool_use_id")} & gone
        ]
        for message in messages
    ]
    return [
        replace(message, content=content) for message, content in zip(messages, kept, strict=True)
    ]


def as_tool_result(block: Block, tool_use_id: str) -> Block:
    """What code printed, as the result of an ordinary tool."""
    content = block["content"]
    if content.get("type") == "code_execution_tool_result_error":
        code = content.get("error_code")
        text, is_error = f"The code did not run: {code}.{_HELP.get(str(code), '')}", True
    else:
        text = dumps(
            {key: content.get(key) for key in ("stdout", "stderr", "return_code")}
            | ({"files": content["content"]} if content.get("content") else {})
        )
        is_error = bool(content.get("return_code"))
    result: Block = {"type": "tool_result", "tool_use_id": tool_use_id, "content": text}
    if is_error:
        result["is_error"] = True
    return result

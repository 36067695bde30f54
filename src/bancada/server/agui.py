"""Our events in the words of the AG-UI protocol 1.0: a table, and what is open between two of them.

A message that is being written, or a thought, is closed before anything else begins. What the
protocol has no word for goes out as `CUSTOM`, under a name that begins with `bancada.`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from bancada.domain.json import JSONObject, dumps

PROTOCOL = "1.0"

ANSWER: JSONObject = {
    "type": "object",
    "properties": {
        "approved": {"type": "boolean"},
        "reason": {"type": "string"},
        "input": {"type": "object"},
    },
    "required": ["approved"],
}
"""What a waiting call wants to hear, where its tool asks nothing else."""


@dataclass
class Translator:
    """One run: what it is called there, what it waits for, and what it has said so far."""

    thread_id: str
    run_id: str
    conversation_id: str
    agent: str
    model: str
    history: list[JSONObject]
    """The messages that the client sent along: a reply that starts over takes it back to these."""
    interrupts: dict[str, JSONObject] = field(default_factory=dict)
    """What the run waits for, by confirmation; some may have been asked in an earlier run."""
    notices: list[str] = field(default_factory=list)
    """Parts of the request that have no effect here."""

    def __post_init__(self) -> None:
        self._open: tuple[str, str] | None = None
        self._count = 0
        self._begun = self._over = False
        self._calls: set[str] = set()
        self._said: list[JSONObject] = []
        self._reply_from = 0
        self._usage: list[JSONObject] = []
        self._table: dict[str, Callable[[JSONObject], Iterable[JSONObject]]] = {
            "turn": self._turn,
            "text": lambda event: self._piece("TEXT_MESSAGE", event["content"]),
            "thinking": lambda event: self._piece("REASONING_MESSAGE", event["content"]),
            "tool_start": self._call,
            "tool_use": self._result,
            "confirmation": self._confirmation,
            "decision": self._decision,
            "usage": self._used,
            "provider": self._provider,
            "again": self._again,
            "error": self._error,
            "done": self._done,
        }

    def told(self, event: JSONObject) -> list[JSONObject]:
        """What a client of the protocol hears of this event; nothing after the run has ended."""
        out: list[JSONObject] = []
        if self._over:
            return out
        if not self._begun:
            self._begun = True
            out += self._start()
        if event["type"] not in ("text", "thinking"):
            out += self._close()
        translate = self._table.get(event["type"], self._custom)
        return [*out, *translate(event)]

    # ------------------------------------------------------------------ the table's entries

    def _start(self) -> Iterable[JSONObject]:
        run = {"threadId": self.thread_id, "runId": self.run_id}
        yield {"type": "RUN_STARTED", **run, "protocolVersion": PROTOCOL}
        state = {
            "conversation_id": self.conversation_id,
            "agent": self.agent,
            "model": self.model,
            "cost_usd": 0.0,
        }
        yield {"type": "STATE_SNAPSHOT", "snapshot": state}
        if self.notices:
            yield _named("notice", {"without_effect": self.notices})

    def _turn(self, event: JSONObject) -> Iterable[JSONObject]:
        yield _patch("/model", event["model"])

    def _piece(self, kind: str, text: str) -> Iterable[JSONObject]:
        if not text:
            return
        if self._open is None or self._open[0] != kind:
            yield from self._close()
            self._count += 1
            id = f"{self.run_id}-m{self._count}"
            self._open = kind, id
            if kind == "REASONING_MESSAGE":
                yield {"type": "REASONING_START", "messageId": id}
            role = "assistant" if kind == "TEXT_MESSAGE" else "reasoning"
            yield {"type": f"{kind}_START", "messageId": id, "role": role}
            self._said.append({"id": id, "role": role, "content": ""})
        self._said[-1]["content"] += text
        yield {"type": f"{kind}_CONTENT", "messageId": self._open[1], "delta": text}

    def _close(self) -> Iterable[JSONObject]:
        if self._open is None:
            return
        kind, id = self._open
        self._open = None
        yield {"type": f"{kind}_END", "messageId": id}
        if kind == "REASONING_MESSAGE":
            yield {"type": "REASONING_END", "messageId": id}

    def _call(self, event: JSONObject) -> Iterable[JSONObject]:
        id, name, input = event["id"], event["name"], dumps(event["input"])
        if id in self._calls:
            return
        self._calls.add(id)
        yield {"type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name}
        yield {"type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": input}
        yield {"type": "TOOL_CALL_END", "toolCallId": id}
        function = {"name": name, "arguments": input}
        self._say(
            id=f"{id}-call",
            role="assistant",
            toolCalls=[{"id": id, "type": "function", "function": function}],
        )

    def _result(self, event: JSONObject) -> Iterable[JSONObject]:
        yield from self._call(event)
        id, result = event["id"], event["result"]
        text = result if isinstance(result, str) else dumps(result)
        message = {"messageId": f"{id}-result", "toolCallId": id, "content": text, "role": "tool"}
        known = {"is_error": event["is_error"], "duration_ms": event["duration_ms"]}
        yield {"type": "TOOL_CALL_RESULT", **message, "metadata": known}
        self._say(id=message["messageId"], role="tool", toolCallId=id, content=text)

    def _confirmation(self, event: JSONObject) -> Iterable[JSONObject]:
        called = {"id": event["tool_use_id"], "name": event["name"], "input": event["input"]}
        yield from self._call(called)
        self.interrupts[event["id"]] = interrupt(
            event["id"],
            event["tool_use_id"],
            event["reason"],
            event["expires_at"],
            event.get("question"),
        )

    def _decision(self, event: JSONObject) -> Iterable[JSONObject]:
        self.interrupts.pop(event["id"], None)
        yield from self._custom(event)

    def _used(self, event: JSONObject) -> Iterable[JSONObject]:
        self._reply_from = len(self._said)
        read, written = event["cache_read_tokens"], event["cache_write_tokens"]
        whole = event["input_tokens"] + read + written
        self._usage.append(
            {
                "model": self.model,
                "inputTokens": whole,
                "outputTokens": event["output_tokens"],
                "totalTokens": whole + event["output_tokens"],
                "cachedInputTokens": read,
                "cacheWriteInputTokens": written,
            }
        )
        if event["cost_usd"] is not None:
            yield _named("usage", {"cost_usd": event["cost_usd"], "estimated": event["estimated"]})

    def _provider(self, event: JSONObject) -> Iterable[JSONObject]:
        self.model = event["model"]
        yield _patch("/model", event["model"])
        yield from self._custom(event)

    def _again(self, event: JSONObject) -> Iterable[JSONObject]:
        """The reply starts over: the client is shown the conversation without what it had of it."""
        kept = [
            one
            for at, one in enumerate(self._said)
            if at < self._reply_from or one["role"] == "tool" or "toolCalls" in one
        ]
        self._said, self._reply_from = kept, len(kept)
        yield {"type": "MESSAGES_SNAPSHOT", "messages": [*self.history, *kept]}
        yield from self._custom(event)

    def _error(self, event: JSONObject) -> Iterable[JSONObject]:
        self._over = True
        yield {"type": "RUN_ERROR", "message": event["content"], "code": event["code"]}

    def _done(self, event: JSONObject) -> Iterable[JSONObject]:
        self._over = True
        outcome: JSONObject = {"type": "success"}
        if event["status"] == "waiting" and self.interrupts:
            outcome = {"type": "interrupt", "interrupts": list(self.interrupts.values())}
        elif event["status"] == "stopped":
            outcome = {"type": "cancelled"}
        run = {"threadId": self.thread_id, "runId": self.run_id}
        usage = {"usage": self._usage} if self._usage else {}
        yield {"type": "RUN_FINISHED", **run, "outcome": outcome, **usage}

    def _custom(self, event: JSONObject) -> Iterable[JSONObject]:
        yield _named(event["type"], {k: v for k, v in event.items() if k != "type"})

    def _say(self, **message: Any) -> None:
        self._said.append(message)


def interrupt(
    id: str, call_id: str, reason: str, expires_at: str, question: JSONObject | None = None
) -> JSONObject:
    """A confirmation, or a tool's question, as the protocol asks for an answer."""
    asked = (question or {}).get("inquiries") or []
    properties = {one["key"]: one.get("schema") or {} for one in asked}
    told = [one["message"] + (f" {one['url']}" if one.get("url") else "") for one in asked]
    return {
        "id": id,
        "reason": "input_required" if asked else "confirmation",
        "message": "\n".join(told) or reason,
        "toolCallId": call_id,
        "responseSchema": {"type": "object", "properties": properties} if asked else ANSWER,
        "expiresAt": expires_at,
    }


def _named(name: str, value: JSONObject) -> JSONObject:
    return {"type": "CUSTOM", "name": f"bancada.{name}", "value": value}


def _patch(path: str, value: Any) -> JSONObject:
    return {"type": "STATE_DELTA", "delta": [{"op": "replace", "path": path, "value": value}]}

"""A turn in the terminal: streamed text, tool lines with timings, tables and KPIs as text."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import AsyncIterator, Callable
from typing import Literal, TextIO, TypeAlias

from bancada.domain.agents import Agent
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Language, Person
from bancada.domain.wording import Wording
from bancada.engine.variants import begin_conversation
from bancada.engine.workbench import Workbench

Answer: TypeAlias = Literal["approve", "reject"]

WIDEST = 40

SUGGESTION = re.compile(r"\[([^\]]+)\]\(#ask\)")
LONGEST = 200
"""Characters of a suggestion: what is longer is no link of ours, and is not held back."""


async def converse(
    bench: Workbench,
    person: Person,
    agent: Agent,
    question: str,
    *,
    as_json: bool,
    confirm: Callable[[str], bool] | None,
) -> str:
    """One turn from question to end; returns its status. `confirm` asks whoever is at the keys."""
    assert agent.id is not None
    row = await bench.database.run(begin_conversation, person, agent.id)
    show = JsonLines(sys.stdout) if as_json else Screen(sys.stdout, person.language)

    def decide(event: JSONObject) -> Answer | None:
        if confirm is None:
            return None
        call = f"{event['name']} {_short(event['input'])}"
        asked = Wording("terminal_run_it", reason=event["reason"], call=call)
        return "approve" if confirm(asked.told(person.language)) else "reject"

    status = "failed"
    async for event in played(bench, person, row.id, question, decide):
        show.event(event)
        if event["type"] == "done":
            status = event["status"]
    return status


async def played(
    bench: Workbench,
    person: Person,
    conversation_id: str,
    question: str,
    decide: Callable[[JSONObject], Answer | None],
) -> AsyncIterator[JSONObject]:
    """A turn's events from question to end. `decide` answers a call that waits, or leaves it so."""
    turn_id = await bench.conversations.ask(person, conversation_id, question)
    seen = -1
    while True:
        waiting: list[JSONObject] = []
        async for frames in bench.runner.follow(turn_id, seen):
            for frame in frames:
                seen = frame.n if frame.n is not None else seen
                event = json.loads(frame.data)
                if event["type"] == "confirmation":
                    waiting.append(event)
                yield event
        decided = [(str(event["id"]), answer) for event in waiting if (answer := decide(event))]
        for id, answer in decided:
            await bench.confirmations.decide(person, id, answer)
        if not decided:
            return


class JsonLines:
    """The events, one a line."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def event(self, event: JSONObject) -> None:
        print(json.dumps(event, ensure_ascii=False), file=self._out, flush=True)


class Screen:
    """The events as a person reads them."""

    def __init__(self, out: TextIO, language: Language) -> None:
        self._out = out
        self._language = language
        self._cost = 0.0
        self._tokens = 0
        self._fresh_line = True
        self._begun = ""
        """A link that is not whole yet: text comes in pieces."""

    def event(self, event: JSONObject) -> None:
        if event["type"] != "text" and self._begun:
            self._write(self._begun)
            self._begun = ""
        draw = getattr(self, f"_{event['type']}", None)
        if draw is not None:
            draw(event)

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()
        self._fresh_line = text.endswith("\n")

    def _line(self, text: str) -> None:
        self._write(("" if self._fresh_line else "\n") + text + "\n")

    def _say(self, key: str, **parts: object) -> None:
        self._line(Wording(key, **parts).told(self._language))

    def _text(self, event: JSONObject) -> None:
        # A page makes a suggestion something to click; here it is something to read.
        text = SUGGESTION.sub(r"\1", self._begun + event["content"])
        line = text.rfind("\n") + 1
        at = text.find("[", line)
        whole = at < 0 or len(text) - at > LONGEST
        self._begun = "" if whole else text[at:]
        self._write(text if whole else text[:at])

    def _again(self, event: JSONObject) -> None:
        self._line(f"… {event['reason']}")

    def _tool_use(self, event: JSONObject) -> None:
        mark = "✗" if event["is_error"] else "✓"
        call = f"{event['name']} {_short(event['input'])}"
        took = f"{event['duration_ms']:.0f}"
        key = "terminal_from_cache" if event["cached"] else "terminal_call"
        self._say(key, mark=mark, call=call, ms=took)
        if event["is_error"]:
            self._line(f"    {_short(event['result'], 300)}")

    def _table(self, event: JSONObject) -> None:
        data = event["data"]
        self._line(str(data.get("titulo", "")))
        columns = [str(column) for column in data.get("colunas", [])]
        self._line(text_table(columns, data.get("linhas", [])))

    def _kpi(self, event: JSONObject) -> None:
        data = event["data"]
        unit = data.get("unidade") or ""
        self._line(f"  {data.get('titulo', '')}: {data.get('valor', '')} {unit}".rstrip())

    def _chart(self, event: JSONObject) -> None:
        data = event["data"]
        self._line(f"  [{data.get('tipo', 'chart')}] {data.get('titulo', '')}")
        labels = data.get("labels") or []
        for series in data.get("datasets") or []:
            values = [value for value in series.get("data", []) if isinstance(value, int | float)]
            top = max((abs(value) for value in values), default=0) or 1
            for label, value in zip(labels, series.get("data", []), strict=False):
                if isinstance(value, int | float):
                    bar = "█" * max(0, round(24 * value / top))
                    self._line(f"    {str(label)[:18]:<18} {bar} {value:g}")

    def _dashboard(self, event: JSONObject) -> None:
        self._line(f"  [dashboard] {event['titulo']}: {event['url']}")

    def _code(self, event: JSONObject) -> None:
        self._say("terminal_code", status=event["return_code"])
        for text in (event["stdout"], event["stderr"]):
            if text.strip():
                self._line("\n".join(f"    {line}" for line in text.rstrip().splitlines()))

    def _confirmation(self, event: JSONObject) -> None:
        self._say("terminal_waits", name=event["name"], id=event["id"])

    def _usage(self, event: JSONObject) -> None:
        self._cost += event["cost_usd"] or 0.0
        self._tokens += event["input_tokens"] + event["output_tokens"]

    def _error(self, event: JSONObject) -> None:
        self._line(f"✗ {event['content']}")

    def _done(self, event: JSONObject) -> None:
        if event["status"] != "waiting":
            ended = Wording(f"terminal_{event['status']}")
            self._say("terminal_end", status=ended, tokens=self._tokens, usd=f"{self._cost:.4f}")


def text_table(columns: list[str], rows: list[JSON]) -> str:
    """Columns side by side, as wide as they need and not wider than a screen can bear."""
    cells = [
        [_cell(row.get(c) if isinstance(row, dict) else row[i]) for i, c in enumerate(columns)]
        for row in rows
    ]
    widths = [
        min(WIDEST, max([len(column), *(len(row[i]) for row in cells)]))
        for i, column in enumerate(columns)
    ]

    def line(row: list[str]) -> str:
        padded = (cell[:w].ljust(w) for cell, w in zip(row, widths, strict=True))
        return "  " + "  ".join(padded).rstrip()

    return "\n".join([line(columns), line(["─" * w for w in widths]), *map(line, cells)])


def _cell(value: JSON) -> str:
    return "" if value is None else str(value)


def _short(value: JSON, most: int = 100) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= most else f"{text[: most - 1]}…"

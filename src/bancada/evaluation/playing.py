"""A case played as a person would: question by question, in one conversation, through the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bancada.domain.agents import Agent
from bancada.domain.errors import NotFound
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Person
from bancada.engine.variants import begin_conversation
from bancada.engine.workbench import Workbench
from bancada.evaluation.script import ScriptedCase, ScriptedQuestion
from bancada.terminal import played

SHOWN = ("chart", "table", "kpi", "graph", "dashboard")


@dataclass(frozen=True, kw_only=True)
class MadeCall:
    """A call that was made, by the model or by its code."""

    tool: str
    input: JSON
    is_error: bool
    duration_ms: float


@dataclass(frozen=True, kw_only=True)
class Heard:
    """What came of a question."""

    asked: ScriptedQuestion
    model: str
    status: str
    text: str
    calls: Sequence[MadeCall]
    shown: Sequence[JSONObject]
    rejected: Sequence[str]
    """Tools whose call somebody, or the time, refused."""
    errors: Sequence[str]
    tokens: int
    cost_usd: float | None
    """None where a reply's price is not known."""


async def play(
    bench: Workbench, person: Person, agent: Agent, case: ScriptedCase, folder: Path
) -> list[Heard]:
    """The case's questions in order; one that does not end as it should is its last."""
    assert agent.id is not None
    conversation = await bench.database.run(begin_conversation, person, agent.id)
    for name in case.files:
        file = folder / name
        if not file.is_file():
            raise NotFound("file_unreadable", file=file, reason="it is not there")
        await bench.uploads.receive(conversation.id, file, file.name, language=person.language)
    heard: list[Heard] = []
    for asked in case.turns:
        heard.append(await _ask(bench, person, conversation.id, asked))
        if heard[-1].status != asked.status:
            break
    return heard


async def _ask(
    bench: Workbench, person: Person, conversation_id: str, asked: ScriptedQuestion
) -> Heard:
    events: list[JSONObject] = []
    waits = asked.status == "waiting"
    async for event in played(
        bench, person, conversation_id, asked.ask, lambda _: None if waits else asked.decide
    ):
        if event["type"] == "again":
            # The reply that was begun since the last one was paid for starts over.
            types = [one["type"] for one in events]
            begun = len(types) - types[::-1].index("usage") if "usage" in types else 0
            events[begun:] = [one for one in events[begun:] if one["type"] != "text"]
        events.append(event)

    def of(*types: str) -> list[JSONObject]:
        return [event for event in events if event["type"] in types]

    names = {event["id"]: str(event["name"]) for event in of("confirmation")}
    costs = [event["cost_usd"] for event in of("usage")]
    ended = of("done")
    return Heard(
        asked=asked,
        model=str(of("turn")[-1]["model"]) if of("turn") else "",
        status=ended[-1]["status"] if ended else "failed",
        text="".join(event["content"] for event in of("text")),
        calls=[
            MadeCall(
                tool=event["name"],
                input=event["input"],
                is_error=event["is_error"],
                duration_ms=event["duration_ms"],
            )
            for event in of("tool_use")
        ],
        shown=of(*SHOWN),
        rejected=[names[e["id"]] for e in of("decision") if e["decision"] != "approve"],
        errors=[event["content"] for event in of("error")],
        tokens=sum(event["input_tokens"] + event["output_tokens"] for event in of("usage")),
        cost_usd=None if None in costs else sum(costs),
    )

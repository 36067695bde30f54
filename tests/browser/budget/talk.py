"""A conversation as long as they get, written as the engine would have written it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page
from sqlalchemy import Connection

from bancada.domain.events import Chart, Done, Event, Text, ToolStart, ToolUse, TurnBegan, as_json
from bancada.domain.messages import text_block
from bancada.store import events, messages, people, turns
from tests.browser.stage import Stage

_TEXT = (
    "A linha **{n}** teve *{n} defeitos* em Março.\n\n- Pintura: 12\n- Corte: 7\n\n"
    "| Linha | Peças |\n|---|---:|\n| L{n} | 420 |\n"
)


def long_talk(stage: Stage, questions: int, charts: int, *, by: str = "admin@demo.com") -> str:
    """The id of a conversation of so many questions, each answered; so many answers have a chart."""
    agent = stage.call("GET", "/agents", by=by)[0]
    id = stage.conversation(agent["name"], by=by)

    def fill(db: Connection) -> None:
        person = people.person_by_email(db, by)
        assert person is not None
        for n in range(questions):
            turn = turns.begin(
                db,
                id=f"turn_{id}_{n}",
                conversation_id=id,
                organisation_id=person.organisation_id,
                user_id=person.id,
                agent_id=agent["id"],
                model="scripted",
                settings={},
                owner=None,
            )
            _say(db, id, turn.id, n, chart=n * charts // questions != (n + 1) * charts // questions)
            turns.settle(db, turn.id, "done", 1)

    stage.wait(stage.app.state.bench.database.run(fill), 120)
    return id


def _say(db: Connection, id: str, turn: str, n: int, *, chart: bool) -> None:
    question, answer = text_block(f"pergunta {n}"), text_block(_TEXT.format(n=n))
    messages.append(db, id, role="user", kind="question", content=[question], turn_id=turn)
    messages.append(db, id, role="assistant", kind="reply", content=[answer], turn_id=turn)
    for number, event in enumerate(_events(turn, n, chart=chart)):
        if isinstance(event, Text):
            events.add_run(db, turn, number, "text", [event.content])
        else:
            events.add(db, turn, number, as_json(event))


def _events(turn: str, n: int, *, chart: bool) -> list[Event]:
    call: dict[str, Any] = {"id": f"c{n}", "name": "dados_consultar", "input": {"linha": n}}
    caller = {"type": "direct"}
    return [
        TurnBegan(turn_id=turn, agent="Qualidade", model="scripted"),
        ToolStart(**call, caller=caller),
        ToolUse(**call, caller=caller, result="12", is_error=False, duration_ms=9, cached=False),
        *([Chart(data=_chart(n))] if chart else []),
        Text(content=_TEXT.format(n=n)),
        Done(turn_id=turn, status="done", iterations=1),
    ]


def _chart(n: int) -> dict[str, Any]:
    return {
        "titulo": f"Gráfico {n}",
        "tipo": "bar",
        "labels": [f"2026-{month:02}" for month in range(1, 13)],
        "datasets": [
            {"label": "peças", "data": [(n * month) % 97 for month in range(1, 13)]},
            {"label": "média", "type": "line", "data": [40 + n % 9] * 12},
        ],
    }


@dataclass(frozen=True)
class Opened:
    """How long it took until the last question was painted, and how much was drawn by then."""

    milliseconds: float
    entries: int


_OPEN = """async ([id, last]) => {
  const began = performance.now();
  location.hash = `#/c/${id}`;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  while ([...document.querySelectorAll('.bubble')].at(-1)?.textContent.trim() !== last) await frame();
  const entries = document.querySelectorAll('.entry').length;
  // The frame in which it stands is painted before the next task.
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return [performance.now() - began, entries];
}"""


def opened(page: Page, id: str, last: str) -> Opened:
    """Go to a conversation within the page that is open."""
    return Opened(*page.evaluate(_OPEN, [id, last]))

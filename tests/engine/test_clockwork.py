"""What is due by the clock is done once, by one process, with its owner's rights as they are then."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import insert, select

from bancada.dashboards import DashboardDesk, Pinned, StudyDesk
from bancada.domain.calls import BrokenRule, Widget
from bancada.domain.errors import Invalid
from bancada.domain.json import JSONObject
from bancada.domain.wording import Wording
from bancada.engine.clockwork import LATE_SECONDS, Clockwork
from bancada.engine.schedules import ScheduleDesk, WantedSchedule
from bancada.store import agents, confirmations, schedules
from bancada.store.schedules import Schedule, ScheduleRun
from bancada.store.tables import (
    dashboards,
    notice_addresses,
    notices,
    tool_calls,
    user_agents,
)
from bancada.tools.tool import Result, ToolContext, tool
from tests.house import House

EVERY_MINUTE = {"cron": "* * * * *", "time_zone": "Europe/Lisbon"}
NONE: Any = None


@dataclass
class Hall:
    """A board of Rui's, and as many processes as a test wants to do its schedule."""

    house: House
    board: str
    ran: Counter[str]
    shows: dict[str, Any]
    waits: dict[str, asyncio.Event]
    desk: ScheduleDesk = field(init=False)

    def __post_init__(self) -> None:
        self.desk = self.office(self.process("first"))

    def process(self, name: str) -> Clockwork:
        gate = self.house.another_gate()
        boards = DashboardDesk(self.house.database, gate)
        clock = self.house.clock
        studies = StudyDesk(self.house.database, gate)
        return Clockwork(self.house.database, gate, boards, studies, NONE, owner=name, clock=clock)

    def office(self, clockwork: Clockwork) -> ScheduleDesk:
        gate, boards = clockwork.gate, clockwork.dashboards
        return ScheduleDesk(self.house.database, gate, boards, clockwork, self.house.clock)

    async def schedule(self, **more: Any) -> Schedule:
        does = {"kind": "dashboard", "dashboard_id": self.board}
        wanted = WantedSchedule(**{"title": "Turno", "does": does, **EVERY_MINUTE, **more})
        return await self.desk.add(self.house.rui, wanted)

    async def ticks(self, process: Clockwork | None = None) -> None:
        process = process or self.desk.clockwork
        await process.tick()
        await process.settled()

    async def runs(self, schedule: Schedule) -> list[ScheduleRun]:
        return await self.house.database.read(schedules.runs_of, schedule.id)

    async def last(self, schedule: Schedule) -> ScheduleRun:
        return (await self.runs(schedule))[0]

    async def told(self) -> list[tuple[int, str]]:
        """Who was told what."""
        rows = await self.house.database.read(
            lambda db: list(db.execute(select(notices).order_by(notices.c.id)))
        )
        return [(row.user_id, Wording.of(row.says["title"]).told("en")) for row in rows]


@pytest.fixture
async def hall(house: House) -> Hall:
    ran: Counter[str] = Counter()
    shows: dict[str, Any] = {"Peças": 1.0, "Tinta": 2.0}
    waits: dict[str, asyncio.Event] = {}
    broken: list[BrokenRule] = []
    shows["broken"] = broken

    @tool(effect="read")
    async def medir(context: ToolContext, n: str) -> Result:
        """Measure."""
        ran[n] += 1
        if n in waits:
            await waits[n].wait()
        data = {"widget": "kpi", "titulo": n, "valor": shows[n]}
        return Result(value=1, widgets=[Widget(kind="kpi", data=data)], broken=broken)

    @tool(effect="write", permission_level="responsavel")
    async def parar(context: ToolContext, linha: str) -> str:
        """Stop a line."""
        ran["parar"] += 1
        return "parada"

    await house.add(medir, parar)
    agent = await house.agent("Linha", "medir", "parar")
    assert agent.id is not None
    await house.database.run(agents.grant, house.rui.id, agent.id)
    boards = DashboardDesk(house.database, house.gate)
    items = [
        Pinned(type="kpi", data={"titulo": n, "valor": 0.0}, tool="medir", input={"n": n})
        for n in ("Peças", "Tinta")
    ]
    board = await boards.pin(house.rui, titulo="Linha 1", items=items)

    def reachable(db: Any) -> None:
        for person in (house.rui, house.eva):
            row = {
                "id": f"a{person.id}", "user_id": person.id, "channel": "chat", "sealed": "",
                "shown": "", "kinds": ["alarm"], "failures": 0, "created_at": 0.0,
            }  # fmt: skip
            db.execute(insert(notice_addresses).values(**row))

    await house.database.run(reachable)
    return Hall(house, board.id, ran, shows, waits)


def rule_one(*points: str) -> BrokenRule:
    return BrokenRule(chart="I", rule=1, times=len(points), points=tuple((p,) for p in points))


async def figures(hall: Hall) -> list[Any]:
    row = await hall.desk.dashboards.database.read(_board, hall.board)
    return [item["data"]["valor"] for item in row]


def _board(db: Any, id: str) -> list[JSONObject]:
    return list(db.execute(select(dashboards.c["items"]).where(dashboards.c.id == id)).scalar_one())


async def test_a_time_that_is_due_is_done_once_by_whoever_is_first(hall: Hall) -> None:
    made = await hall.schedule()
    processes = [hall.process(f"p{n}") for n in range(4)]
    await asyncio.gather(*(hall.ticks(one) for one in processes))
    assert await hall.runs(made) == []
    hall.house.clock.advance(61)
    await asyncio.gather(*(one.tick() for one in processes))
    for one in processes:
        await one.settled()
    (run,) = await hall.runs(made)
    assert (run.status, run.reason, run.missed) == ("done", "due", 0)
    assert hall.ran == {"Peças": 1, "Tinta": 1}
    assert await figures(hall) == [1.0, 2.0]
    lines = await hall.house.lines()
    calls = [line for line in lines if line["tool"] == "medir"]
    assert [line["caller"]["via"] for line in calls] == ["schedule", "schedule"]
    left = await hall.house.database.read(lambda db: db.execute(select(tool_calls)).all())
    assert left == []


async def test_times_that_were_missed_are_made_up_for_once_and_it_is_said(hall: Hall) -> None:
    made = await hall.schedule(cron="0 * * * *")
    hall.house.clock.advance(5 * 3600 + LATE_SECONDS + 1)
    await hall.ticks()
    await hall.ticks()
    (run,) = await hall.runs(made)
    assert (run.status, run.reason, run.missed) == ("done", "missed", 5)
    assert "missed: 5" in Wording.of(run.says[0]).told("en")
    assert hall.ran["Peças"] == 1


async def test_who_wants_no_catching_up_is_told_what_was_left_out(hall: Hall) -> None:
    made = await hall.schedule(cron="0 * * * *", catch_up=False)
    hall.house.clock.advance(5 * 3600 + LATE_SECONDS + 1)
    await hall.ticks()
    (run,) = await hall.runs(made)
    assert (run.status, run.reason, run.missed) == ("skipped", "missed", 5)
    assert not hall.ran
    hall.house.clock.advance(3600 - LATE_SECONDS)
    await hall.ticks()
    assert (await hall.last(made)).status == "done"


async def test_a_run_that_takes_too_long_is_not_begun_a_second_time(hall: Hall) -> None:
    made = await hall.schedule()
    hall.waits["Peças"] = asyncio.Event()
    hall.house.clock.advance(61)
    await hall.desk.clockwork.tick()
    hall.house.clock.advance(60)
    await hall.desk.clockwork.tick()
    assert (await hall.last(made)).status == "skipped"
    hall.waits["Peças"].set()
    await hall.desk.clockwork.settled()
    assert hall.ran == {"Peças": 1, "Tinta": 1}
    assert sorted(run.status for run in await hall.runs(made)) == ["done", "skipped"]


async def test_a_run_whose_process_dies_goes_on_from_what_is_written(hall: Hall) -> None:
    made = await hall.schedule()
    hall.waits["Tinta"] = asyncio.Event()
    hall.house.clock.advance(61)
    dying = hall.process("dying")
    await dying.tick()
    while hall.ran != {"Peças": 1, "Tinta": 1}:
        await asyncio.sleep(0)
    for _ in range(200):  # let the first call's end be written
        await asyncio.sleep(0.001)
    await dying.close()
    hall.waits.clear()
    await hall.ticks(hall.process("next"))
    (run,) = await hall.runs(made)
    assert run.status == "done"
    assert hall.ran == {"Peças": 1, "Tinta": 2}, "what ended was made again"
    assert await figures(hall) == [1.0, 2.0]


async def test_whoever_lost_a_run_writes_nothing_more_for_it(hall: Hall) -> None:
    alarm = [{"kind": "threshold", "item": await item_of(hall, 0), "op": ">", "value": 0.5}]
    proposal = {"tool": "parar", "input": {"linha": "1"}}
    made = await hall.schedule(alarms=alarm, proposal=proposal)
    hall.waits["Peças"] = asyncio.Event()
    hall.house.clock.advance(61)
    slow = hall.process("slow")
    await slow.tick()
    while hall.ran["Peças"] < 1:
        await asyncio.sleep(0.001)
    quick = hall.process("quick")
    await quick.tick()
    while hall.ran["Peças"] < 2:
        await asyncio.sleep(0.001)
    hall.waits["Peças"].set()
    await slow.settled()
    await quick.settled()
    (run,) = await hall.runs(made)
    assert (run.status, run.owner) == ("alarm", "quick")
    assert len(await hall.told()) == 1
    asked = [line for line in await hall.house.lines() if line["tool"] == "parar"]
    assert [line["decision"] for line in asked] == ["asked"]


async def item_of(hall: Hall, at: int) -> str:
    return str((await hall.house.database.read(_board, hall.board))[at]["id"])


async def test_a_threshold_tells_when_it_is_passed_and_again_after_it_was_not(hall: Hall) -> None:
    alarm = [{"kind": "threshold", "item": await item_of(hall, 0), "op": ">", "value": 5}]
    made = await hall.schedule(alarms=alarm)
    for value in (4.0, 6.0, 7.0, 4.0, 6.0):
        hall.shows["Peças"] = value
        hall.house.clock.advance(60)
        await hall.ticks()
    assert [run.status for run in await hall.runs(made)] == [
        "alarm", "done", "alarm", "alarm", "done",
    ]  # fmt: skip
    told = await hall.told()
    assert told == [(hall.house.rui.id, "Turno: Peças: 6 > 5")] * 2


async def test_every_new_broken_rule_tells_and_what_is_known_does_not(hall: Hall) -> None:
    made = await hall.schedule(alarms=[{"kind": "rule", "rules": [1]}])
    broken: list[BrokenRule] = hall.shows["broken"]
    # Points of one day may be called alike: the second is news all the same.
    seen = (
        [],
        [rule_one("16 Nov")],
        [rule_one("16 Nov")],
        [rule_one("16 Nov", "16 Nov")],
        [BrokenRule(chart="I", rule=2, times=1, points=(("16 Nov",),))],
    )
    for now in seen:
        broken[:] = now
        hall.house.clock.advance(60)
        await hall.ticks()
    runs = list(reversed(await hall.runs(made)))
    assert [run.status for run in runs] == ["done", "alarm", "alarm", "alarm", "done"]
    assert [sum(one["new"] for one in run.found) for run in runs] == [0, 2, 0, 2, 0]
    assert [title for _, title in await hall.told()] == [
        "Turno: Peças: rule 1 broken on I (16 Nov) (and 1 more)"
    ] * 2


async def test_more_than_are_listed_is_news_when_there_are_more(hall: Hall) -> None:
    made = await hall.schedule(alarms=[{"kind": "rule"}])
    broken: list[BrokenRule] = hall.shows["broken"]
    for times in (30, 30, 31):
        broken[:] = [BrokenRule(chart="I", rule=1, times=times, points=(("1",), ("2",)))]
        hall.house.clock.advance(60)
        await hall.ticks()
    runs = list(reversed(await hall.runs(made)))
    assert [any(one["new"] for one in run.found) for run in runs] == [True, False, True]


async def test_a_proposal_waits_for_a_person_though_they_could_make_the_call(hall: Hall) -> None:
    assert await hall.house.result("parar", {"linha": "1"}, by=hall.house.rui)
    hall.ran.clear()
    alarm = [{"kind": "threshold", "item": await item_of(hall, 0), "op": ">=", "value": 1}]
    proposal = {"tool": "parar", "input": {"linha": "1"}}
    made = await hall.schedule(alarms=alarm, proposal=proposal)
    for _ in range(3):
        hall.house.clock.advance(60)
        await hall.ticks()
    first, *others = reversed(await hall.runs(made))
    assert first.confirmation_id is not None
    assert [run.confirmation_id for run in others] == [None, None]
    assert hall.ran["parar"] == 0
    waits = await hall.house.database.read(confirmations.find, first.confirmation_id)
    assert waits is not None
    assert (waits.status, waits.reason, waits.user_id) == ("pending", "proposed", hall.house.rui.id)
    assert (waits.tool, waits.input) == ("parar", {"linha": "1"})


async def test_a_proposal_that_its_owner_may_not_make_any_more_is_refused_and_said(
    hall: Hall,
) -> None:
    alarm = [{"kind": "threshold", "item": await item_of(hall, 0), "op": ">=", "value": 1}]
    proposal = {"tool": "parar", "input": {"linha": "1"}}
    made = await hall.schedule(alarms=alarm, proposal=proposal)
    await hall.house.change(hall.house.rui, role="operador")
    hall.house.clock.advance(60)
    await hall.ticks()
    run = await hall.last(made)
    assert (run.status, run.confirmation_id) == ("alarm", None)
    # In the person's words and language: what a model is told ("answer without it") is not for them.
    said = Wording.of(run.says[-1])
    assert said.told("en").endswith("You may not use parar (any more).")
    assert said.told("pt").endswith("Não pode usar parar (ou já não pode).")


async def test_nothing_is_done_for_a_disabled_account_and_administrators_hear_of_it(
    hall: Hall,
) -> None:
    made = await hall.schedule()
    await hall.house.change(hall.house.rui, is_active=False)
    for _ in range(2):
        hall.house.clock.advance(60)
        await hall.ticks()
    run = await hall.last(made)
    assert run.status == "failed"
    assert Wording.of(run.says[0]).told("en") == "The account is disabled; nothing was done."
    assert not hall.ran
    # The same failure tells once.
    assert await hall.told() == [
        (hall.house.rui.id, "Turno could not be done: The account is disabled; nothing was done."),
        (
            hall.house.eva.id,
            "Turno, of Rui, could not be done: The account is disabled; nothing was done.",
        ),
    ]


@pytest.mark.parametrize("lost", ["role", "agent", "budget", "tool"])
async def test_what_the_owner_may_no_longer_do_is_not_done(hall: Hall, lost: str) -> None:
    made = await hall.schedule()
    match lost:
        case "role":
            await hall.house.choose("medir", permission_level="admin")
        case "agent":
            mine = await hall.house.database.read(agents.agents_for, hall.house.rui.id)
            await hall.house.database.run(_revoke, hall.house.rui.id, mine[0].id)
        case "budget":
            budget = {"calls": 0, "per": "day", "by": "person"}
            await hall.house.choose("medir", budget=budget)
        case "tool":
            await hall.house.choose("medir", is_enabled=False)
    hall.house.clock.advance(60)
    await hall.ticks()
    run = await hall.last(made)
    assert run.status == "failed"
    assert Wording.of(run.says[0]).told("pt").startswith("Por atualizar: 2 de 2.")
    assert not hall.ran
    assert len(await hall.told()) == 1


def _revoke(db: Any, user_id: int, agent_id: int | None) -> None:
    db.execute(
        user_agents.delete().where(
            user_agents.c.user_id == user_id, user_agents.c.agent_id == agent_id
        )
    )


async def test_a_paused_schedule_waits_and_goes_on_without_catching_up(hall: Hall) -> None:
    made = await hall.schedule()
    await hall.desk.change(hall.house.rui, made.id, {"paused": True})
    hall.house.clock.advance(3600)
    await hall.ticks()
    assert await hall.runs(made) == []
    await hall.desk.change(hall.house.rui, made.id, {"paused": False})
    await hall.ticks()
    assert await hall.runs(made) == []
    hall.house.clock.advance(60)
    await hall.ticks()
    assert [run.reason for run in await hall.runs(made)] == ["due"]


async def test_a_threshold_on_what_is_no_figure_is_refused(hall: Hall) -> None:
    alarm = [{"kind": "threshold", "item": "nothing", "op": ">", "value": 5}]
    with pytest.raises(Invalid, match="needs a figure"):
        await hall.schedule(alarms=alarm)


async def test_a_figure_that_is_no_number_any_more_fails_the_run(hall: Hall) -> None:
    alarm = [{"kind": "threshold", "item": await item_of(hall, 0), "op": ">", "value": 5}]
    made = await hall.schedule(alarms=alarm)
    hall.shows["Peças"] = "muitas"
    hall.house.clock.advance(60)
    await hall.ticks()
    run = await hall.last(made)
    assert run.status == "failed"
    assert "does not show a number" in Wording.of(run.says[0]).told("en")


async def test_the_history_keeps_the_newest_runs(hall: Hall, monkeypatch: Any) -> None:
    monkeypatch.setattr(schedules, "KEPT_RUNS", 3)
    made = await hall.schedule()
    for _ in range(5):
        hall.house.clock.advance(60)
        await hall.ticks()
    kept = await hall.runs(made)
    assert len(kept) == 3
    assert kept[0].due_at == max(run.due_at for run in kept) > made.created_at + 240

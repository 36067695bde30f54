"""Usage, counted in the database, against the same counted by hand; on both databases."""

from __future__ import annotations

import asyncio
import csv
import io
import math
import random
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from bancada.domain.calls import CODE_CALLER, DIRECT, Caller
from bancada.domain.errors import Invalid, ToolFailed
from bancada.store import audit, erasures, people, personal, replies, tables, usage_days
from bancada.store.replies import ReplyRow
from bancada.store.usage import BY, UsageRow, Window, as_csv, total, usage, window_of
from bancada.store.usage_days import DAY
from bancada.tools.tool import tool
from tests.house import NOON, House


@dataclass(frozen=True)
class Call:
    at: float
    tool: str
    person_id: int
    agent_id: int | None
    caller: dict[str, str]
    kind: str
    outcome: str
    duration_ms: float
    size: int
    cached: bool

    @property
    def caller_name(self) -> str:
        return "code" if self.caller["type"] != "direct" else self.caller.get("via", "model")


def drawn(house: House, agent_id: int, seed: int, count: int) -> list[Call]:
    chance = random.Random(seed)
    callers = [{"type": "direct"}, {"type": CODE_CALLER}, {"type": "direct", "via": "panel"}]
    calls = []
    for _ in range(count):
        kind = chance.choice(["ended"] * 5 + ["refused"])
        cached = kind == "ended" and chance.random() < 0.2
        calls.append(
            Call(
                at=NOON - chance.uniform(0, 5 * DAY),
                tool=chance.choice(["look", "act", 'odd "name", \u00e9']),
                person_id=chance.choice([house.ana.id, house.rui.id]),
                agent_id=chance.choice([agent_id, None]),
                caller=chance.choice(callers),
                kind=kind,
                outcome=chance.choice(["ok", "ok", "failed", "timeout"])
                if kind == "ended"
                else "forbidden",
                duration_ms=0.0 if cached else round(chance.expovariate(0.02), 3),
                size=chance.randrange(5_000),
                cached=cached,
            )
        )
    return sorted(calls, key=lambda call: call.at)


async def record(house: House, calls: list[Call], organisation_id: int | None = None) -> None:
    def write(db: Any) -> None:
        for n, call in enumerate(calls):
            common: dict[str, Any] = {
                "person_id": call.person_id,
                "conversation_id": None,
                "turn_id": None,
                "call_id": f"c{n}",
                "tool": call.tool,
            }
            where = organisation_id or house.organisation_id
            says = {
                "agent_id": call.agent_id,
                "caller": call.caller,
                "outcome": call.outcome,
                # What Postgres could not read back as its own JSON.
                "arguments": {"nul": "\u0000", "half": "\ud800"},
            }
            if call.kind == "refused":
                audit.append(db, where, "refused", at=call.at, **common, says=says)
                continue
            ref = audit.append(
                db, where, "started", at=call.at, **common, says={**says, "outcome": None}
            )
            ended = {
                **says,
                "duration_ms": call.duration_ms,
                "size": call.size,
                "cached": call.cached,
            }
            audit.append(db, where, "ended", at=call.at, **common, ref=ref, says=ended)

    await house.database.run(write)


def by_hand(calls: list[Call], by: str) -> dict[str, dict[str, Any]]:
    groups: dict[str, list[Call]] = defaultdict(list)
    for call in calls:
        groups[key_of(call, by)].append(call)
    return {key: counted(group) for key, group in groups.items()}


def key_of(call: Call, by: str) -> str:
    return {
        "day": datetime.fromtimestamp(call.at, UTC).date().isoformat(),
        "tool": call.tool,
        "agent": "" if call.agent_id is None else str(call.agent_id),
        "user": str(call.person_id),
        "caller": call.caller_name,
    }[by]


def to_two_digits(ms: float) -> float:
    tenths = ms * 10
    unit = 10 ** max(len(str(int(tenths))) - 2, 0)
    return math.floor(tenths / unit + 0.5) * unit / 10


def counted(calls: list[Call]) -> dict[str, Any]:
    ran = sorted(c.duration_ms for c in calls if c.kind == "ended" and not c.cached)

    def rank(share: int) -> float | None:
        return to_two_digits(ran[math.ceil(len(ran) * share / 100) - 1]) if ran else None

    saved = sum(
        c.size for c in calls if c.kind == "ended" and c.outcome == "ok" and c.caller_name == "code"
    )
    return {
        "calls": len(calls),
        "failures": sum(c.kind == "ended" and c.outcome != "ok" for c in calls),
        "refusals": sum(c.kind == "refused" for c in calls),
        "cache_hits": sum(c.cached for c in calls),
        "p50_ms": rank(50),
        "p95_ms": rank(95),
        "p99_ms": rank(99),
        "saved_tokens": saved // 4,
    }


def shown(row: UsageRow) -> dict[str, Any]:
    names = ("calls", "failures", "refusals", "cache_hits", "saved_tokens", "p50_ms", "p95_ms", "p99_ms")  # fmt: skip
    return {name: getattr(row, name) for name in names}


async def rows(house: House, by: str, **window: Any) -> list[UsageRow]:
    window = {"since": NOON - 10 * DAY, "until": NOON + 1, **window}
    asked = Window(organisation_id=house.organisation_id, **window)
    return await house.database.read(usage, asked, by)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_grouping_agrees_with_counting_by_hand(house: House, seed: int) -> None:
    agent = await house.agent("Ajudante")
    assert agent.id is not None
    calls = drawn(house, agent.id, seed, 300)
    await record(house, calls)
    for by in ("day", "tool", "agent", "user", "caller"):
        got = {row.key: shown(row) for row in await rows(house, by)}
        assert got == by_hand(calls, by), by
    # A window that begins and ends in the middle, and one thing only.
    since, until = NOON - 3.3 * DAY, NOON - 1.1 * DAY
    inside = [call for call in calls if since <= call.at < until and call.tool == "look"]
    got = {
        row.key: shown(row)
        for row in await rows(house, "day", since=since, until=until, tool="look")
    }
    assert got == by_hand(inside, "day")
    whole = await house.database.read(
        total, Window(organisation_id=house.organisation_id, since=0, until=NOON + 1)
    )
    assert shown(whole) == counted(calls)
    assert (await house.verify()).ok


async def test_another_organisations_calls_are_not_counted(house: House) -> None:
    calls = drawn(house, 1, 3, 20)
    other = await house.database.run(people.add_organisation, "Outra")
    await record(house, calls, other)
    assert await rows(house, "tool") == []
    assert (await rows(house, "day")) == []


async def test_names_stand_for_agents_and_people(house: House) -> None:
    agent = await house.agent("Ajudante")
    assert agent.id is not None
    await record(house, drawn(house, agent.id, 4, 60))
    assert {row.label for row in await rows(house, "user")} == {"Ana", "Rui"}
    assert {row.label for row in await rows(house, "agent")} == {"Ajudante", ""}


async def test_replies_bring_tokens_money_and_their_own_speed(house: House) -> None:
    agent = await house.agent("Ajudante")
    assert agent.id is not None
    spent = [
        ("opus", house.ana.id, 100, 0.5, 1000.0),
        ("opus", house.rui.id, 50, None, 3000.0),
        ("haiku", house.ana.id, 10, 0.25, 200.0),
    ]

    def write(db: Any) -> None:
        for model, user_id, tokens, cost, ms in spent:
            replies.add(
                db,
                ReplyRow(
                    organisation_id=house.organisation_id,
                    user_id=user_id,
                    agent_id=agent.id or 0,
                    conversation_id="c",
                    turn_id="t",
                    model=model,
                    input_tokens=tokens,
                    output_tokens=tokens * 2,
                    cache_read_tokens=1,
                    cache_write_tokens=2,
                    cost_usd=cost,
                    is_estimated=False,
                    stop_reason="end_turn",
                    duration_ms=ms,
                ),
            )

    await house.database.run(write)
    everything = {"since": 0.0, "until": 1e11}
    opus, haiku = await rows(house, "model", **everything)
    assert (opus.key, opus.replies, opus.input_tokens, opus.output_tokens) == ("opus", 2, 150, 300)
    assert (opus.cost_usd, opus.reply_p50_ms, opus.reply_p99_ms) == (0.5, 1000.0, 3000.0)
    assert (haiku.cost_usd, haiku.calls, haiku.p50_ms) == (0.25, 0, None)
    ana, rui = await rows(house, "user", **everything)
    assert (ana.label, ana.cost_usd, rui.cost_usd) == ("Ana", 0.75, 0.0)
    (only,) = await rows(house, "agent", model="haiku", **everything)
    assert (only.label, only.input_tokens) == ("Ajudante", 10)
    # A tool has no replies of its own: none are shown beside it.
    assert await rows(house, "tool", **everything) == []


# ---------------------------------------------------------------------------- days


def replied(db: Any, house: House, chance: random.Random, count: int) -> None:
    """Replies of any day, in no order: a clock may be wrong, and a commit late."""
    for n in range(count):
        row = ReplyRow(
            organisation_id=house.organisation_id,
            user_id=chance.choice([house.ana.id, house.rui.id]),
            agent_id=chance.choice([0, 1]),
            conversation_id="c",
            turn_id=chance.choice(["", *(f"t{one}" for one in range(count))]),
            model=chance.choice(["opus", "haiku"]),
            input_tokens=chance.randrange(2**31),
            output_tokens=n,
            cache_read_tokens=1,
            cache_write_tokens=2,
            cost_usd=chance.choice([None, 0.25, 0.5]),
            is_estimated=False,
            stop_reason="end_turn",
            duration_ms=chance.expovariate(0.001),
            key_id=chance.choice([None, 7]),
        )
        replies.add(db, row)
        last = select(func.max(tables.replies.c.id)).scalar_subquery()
        moved = update(tables.replies).where(tables.replies.c.id == last)
        db.execute(moved.values(at=NOON - chance.uniform(0, 5 * DAY)))


async def answers(house: House) -> list[Any]:
    """Everything that can be asked of whole days, and of one thing."""
    whole = {"since": NOON - 9.5 * DAY, "until": NOON + 0.5 * DAY}
    chosen: list[dict[str, Any]] = [
        {"person_id": house.ana.id, "since": NOON - 2.5 * DAY}, {"model": "opus"},
        {"tool": "look", "until": NOON - 1.5 * DAY}, {"caller": "code", "agent_id": 1},
    ]  # fmt: skip
    windows = [Window(organisation_id=house.organisation_id, **{**whole, **one}) for one in chosen]

    def ask(db: Any) -> list[Any]:
        everything = Window(organisation_id=house.organisation_id, **whole)
        found: list[Any] = [total(db, everything), *(usage(db, everything, by) for by in BY)]
        for window in windows:
            found += [total(db, window), usage(db, window, "day"), usage(db, window, "user")]
        return found

    return await house.database.read(ask)


def forget_the_days(db: Any) -> None:
    for table in (tables.usage_heads, tables.usage_days, tables.usage_times):
        db.execute(delete(table))
    db.execute(update(tables.replies).values(batch=None))


async def test_what_was_added_up_by_day_is_what_the_rows_say(house: House) -> None:
    chance, run = random.Random(1), house.database.run
    calls: list[Call] = []
    for part in range(4):
        some = drawn(house, 1, 10 + part, 40)
        chance.shuffle(some)
        calls += some
        await record(house, some)
        await run(replied, house, chance, 25)
        if part:  # in steps that end anywhere; some is left to be counted from the rows
            for _ in range(part):
                await run(usage_days.add, house.organisation_id, chance.randrange(1, 30))
    subject = personal.Subject(house.rui.id, house.organisation_id, house.rui.email)
    await run(personal.remove, subject)
    await run(lambda db: list(erasures.erase(db, subject.organisation_id, subject.id, "rui@")))
    added = await house.database.read(usage_days.added, house.organisation_id)
    assert 0 < added.number < await head(house)
    partly = await answers(house)
    await usage_days.keep_up(house.database)
    assert await house.database.read(usage_days.behind) == []
    wholly = await answers(house)
    await run(forget_the_days)
    assert partly == wholly == await answers(house)
    asked = {row.key: shown(row) for row in await rows(house, "tool")}
    assert asked == by_hand(calls, "tool")


async def head(house: House) -> int:
    return (await house.database.read(audit.heads))[house.organisation_id][0]


async def test_days_are_right_while_many_add_to_them_and_some_fail(house: House) -> None:
    async def write(seed: int) -> None:
        await record(house, drawn(house, 1, seed, 20))
        await house.database.run(replied, house, random.Random(seed), 10)

    def fail(db: Any) -> None:
        usage_days.add(db, house.organisation_id)
        raise ZeroDivisionError

    async def add() -> None:
        with suppress(ZeroDivisionError):
            await house.database.run(fail)
        await usage_days.keep_up(house.database)

    await asyncio.gather(*(job for seed in range(4) for job in (write(seed), add(), add())))
    await usage_days.keep_up(house.database)
    kept = await answers(house)
    assert (kept[0].calls, kept[0].replies) == (80, 40)
    await house.database.run(forget_the_days)
    assert kept == await answers(house)


async def test_a_question_is_counted_once_on_the_day_it_was_first_replied_to(house: House) -> None:
    def write(db: Any, turn: str) -> None:
        replied(db, house, random.Random(1), 1)
        last = select(func.max(tables.replies.c.id)).scalar_subquery()
        which = update(tables.replies).where(tables.replies.c.id == last)
        db.execute(which.values(turn_id=turn, at=NOON))

    for turn in ("one", "two", "", "one"):
        await house.database.run(write, turn)
        await usage_days.keep_up(house.database)
    (day,) = await rows(house, "day")
    assert (day.replies, day.questions) == (4, 2)


async def test_what_went_through_the_gate_is_what_is_counted(house: House) -> None:
    @tool(cache_seconds=60, allowed_callers=["direct", CODE_CALLER])
    async def look() -> str:
        """Look."""
        return "x" * 400

    @tool(permission_level="admin")
    async def act() -> str:
        """Act."""
        raise ToolFailed("no")

    await house.add(look, act)
    agent = await house.agent("Ajudante", "look", "act")
    in_code = Caller(type=CODE_CALLER, tool_id="s1")
    for caller in (DIRECT, in_code, in_code):  # code reads other answers than the model does
        await house.result("look", agent=agent, caller=caller)
    await house.result("act", by=house.eva, caller=Caller(via="panel"))
    await house.result("act", by=house.ana)
    by_tool = {row.key: row for row in await rows(house, "tool")}
    assert (by_tool["look"].calls, by_tool["look"].cache_hits) == (3, 1)
    assert by_tool["look"].saved_tokens == 200
    assert (by_tool["act"].failures, by_tool["act"].refusals) == (1, 1)
    assert {row.key: row.calls for row in await rows(house, "caller")} == {
        "model": 2,
        "code": 2,
        "panel": 1,
    }
    assert {row.label: row.calls for row in await rows(house, "agent")} == {"Ajudante": 3, "": 2}


async def test_a_waiting_call_is_counted_when_it_is_over(house: House) -> None:
    @tool(effect="write", confirm="always")
    async def act() -> str:
        """Act."""
        return "done"

    await house.add(act)
    waiting = await house.waits("act", id="c1")
    assert await rows(house, "tool") == []
    await house.decide(waiting, "approved")
    await house.result("act", id="c1", confirmation_id=waiting.confirmation_id)
    (row,) = await rows(house, "tool")
    assert (row.calls, row.failures) == (1, 0)


async def test_an_empty_house_has_used_nothing(house: House) -> None:
    for by in BY:
        assert await rows(house, by) == []
    whole = await house.database.read(
        total, Window(organisation_id=house.organisation_id, since=0, until=NOON)
    )
    assert (whole.calls, whole.replies, whole.cost_usd, whole.p50_ms) == (0, 0, 0.0, None)


def test_the_window_is_whole_days_or_the_last_thirty() -> None:
    window = window_of(1, "2026-01-01", "2026-01-02", NOON)
    assert window.until - window.since == 2 * DAY
    open_ended = window_of(1, None, None, NOON, tool="look")
    assert (open_ended.until, open_ended.until - open_ended.since) == (NOON + DAY / 2, 30 * DAY)
    for first, last in (("2026-02-01", "2026-01-01"), ("yesterday", None), ("2026-13-01", None)):
        with pytest.raises(Invalid):
            window_of(1, first, last, NOON)


def test_the_file_for_a_spreadsheet_holds_no_formulas() -> None:
    text = as_csv(
        [UsageRow(key="=1+1", label="@x", calls=3), UsageRow(key="a,b", label="c")], "tool"
    )
    first, second = csv.DictReader(io.StringIO(text))
    assert (first["tool"], first["label"], first["calls"], first["p50_ms"]) == (
        "'=1+1",
        "'@x",
        "3",
        "",
    )
    assert second["tool"] == "a,b"

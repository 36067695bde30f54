"""Running again from a journal: the same answers in the same order, and no tool twice."""

from __future__ import annotations

import asyncio
import textwrap
from collections.abc import Sequence

import pytest

from bancada.sandbox import (
    CodeAnswer,
    CodeCall,
    CodeResult,
    Diverged,
    Entry,
    Function,
    JournalAnswer,
    JournalAsk,
    Replay,
    Sandbox,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

STEP = Function("step", ("n",))


class Live:
    """Tools that count how often they run, and can stop the world at one of them."""

    def __init__(self, *, crash_at: int | None = None) -> None:
        self.ran: list[object] = []
        self.journal: list[Entry] = []
        self._crash_at = crash_at

    async def __call__(self, call: CodeCall) -> CodeAnswer:
        number = call.input["n"]
        if number == self._crash_at:
            raise ConnectionError("the server died here")
        self.ran.append(number)
        return CodeAnswer(f"answer {number}", is_error=number == 13)

    async def write(self, entry: Entry) -> None:
        self.journal.append(entry)

    def replay(self, entries: Sequence[Entry] = ()) -> Replay:
        self.journal = list(entries)
        return Replay(entries, self, self.write)


async def run(sandbox: Sandbox, code: str, replay: Replay) -> CodeResult:
    container = await sandbox.open(seed=1, started_at=1.0)
    try:
        return await container.run(
            textwrap.dedent(code), functions=[STEP], call=replay, tool_seconds=20, clock="own"
        )
    finally:
        await container.end()


TEN_CALLS = """
    import asyncio, random, time
    said = [await step(n) for n in range(3)]
    said += await asyncio.gather(*[step(n) for n in range(3, 8)])
    pick = random.choice([8, 80, 800])
    said.append(await step(n=pick))
    try:
        await step(13)
    except Exception as error:
        said.append(str(error))
    print(said, random.random(), time.time())
"""


async def test_a_program_cut_at_any_call_goes_on_and_runs_none_twice(
    sandbox: Sandbox,
) -> None:
    whole = Live()
    expected = await run(sandbox, TEN_CALLS, whole.replay())
    assert expected.return_code == 0

    for crash_at in whole.ran:
        first = Live(crash_at=crash_at)  # type: ignore[arg-type]
        with pytest.raises(ConnectionError):
            await run(sandbox, TEN_CALLS, first.replay())
        second = Live()
        replay = second.replay(first.journal)

        result = await run(sandbox, TEN_CALLS, replay)

        replay.finish()
        assert result == expected
        answered = {entry.id for entry in first.journal if isinstance(entry, JournalAnswer)}
        assert len(second.ran) == 10 - len(answered)
        assert sorted(
            entry.id for entry in second.journal if isinstance(entry, JournalAnswer)
        ) == list(range(1, 11))


async def test_a_whole_journal_needs_no_tools(sandbox: Sandbox) -> None:
    whole = Live()
    expected = await run(sandbox, TEN_CALLS, whole.replay())
    again = Live()
    replay = again.replay(whole.journal)

    assert await run(sandbox, TEN_CALLS, replay) == expected
    replay.finish()
    assert again.ran == []
    assert again.journal == whole.journal


async def test_answers_come_in_the_order_they_came_the_first_time(sandbox: Sandbox) -> None:
    journal = [
        *(JournalAsk(n, "step", {"n": n}) for n in (1, 2, 3)),
        *(JournalAnswer(n, f"answer {n}") for n in (3, 1, 2)),
    ]
    code = """
        import asyncio
        async def one(n): print(await step(n))
        await asyncio.gather(*[one(n) for n in (1, 2, 3)])
    """
    result = await run(sandbox, code, Live().replay(journal))

    assert result.stdout == "answer 3\nanswer 1\nanswer 2\n"


async def test_an_answer_waits_until_every_ask_before_it_was_seen() -> None:
    replay = Live().replay(
        [
            JournalAsk(1, "step", {"n": 1}),
            JournalAsk(2, "step", {"n": 2}),
            JournalAnswer(1, "a"),
            JournalAnswer(2, "b"),
        ]
    )
    first = asyncio.ensure_future(replay(CodeCall(1, "step", {"n": 1})))
    await asyncio.sleep(0)
    assert not first.done()

    second = await replay(CodeCall(2, "step", {"n": 2}))

    assert (await first, second) == (CodeAnswer("a"), CodeAnswer("b"))
    assert replay.live


async def test_a_call_cut_short_runs_after_everything_that_is_written() -> None:
    live = Live()
    replay = live.replay(
        [JournalAsk(1, "step", {"n": 1}), JournalAsk(2, "step", {"n": 2}), JournalAnswer(2, "b")]
    )
    cut = asyncio.ensure_future(replay(CodeCall(1, "step", {"n": 1})))
    await asyncio.sleep(0)
    assert live.ran == []

    assert await replay(CodeCall(2, "step", {"n": 2})) == CodeAnswer("b")
    assert await cut == CodeAnswer("answer 1")
    assert live.ran == [1]
    assert live.journal[-1] == JournalAnswer(1, "answer 1")


@pytest.mark.parametrize(
    "code",
    [
        "await step(99)",
        "await step(1)\nawait step(99)",
        "await step(1)",
        "pass",
        "import asyncio\nawait asyncio.gather(step(2), step(1))",
    ],
    ids=["first_argument", "later_argument", "ends_early", "asks_nothing", "another_order"],
)
async def test_code_that_does_not_repeat_itself_runs_nothing(code: str, sandbox: Sandbox) -> None:
    live = Live()
    replay = live.replay(
        [
            JournalAsk(1, "step", {"n": 1}),
            JournalAnswer(1, "a"),
            JournalAsk(2, "step", {"n": 2}),
            JournalAnswer(2, "b"),
            JournalAsk(3, "step", {"n": 3}),
        ]
    )
    result = await run(sandbox, code, replay)

    with pytest.raises(Diverged, match="did not repeat itself"):
        replay.finish()
    assert live.ran == []
    if result.ended is not None:
        assert "did not repeat itself" in result.stderr
        assert result.return_code != 0


async def test_divergence_cannot_be_caught_by_the_code(sandbox: Sandbox) -> None:
    live = Live()
    replay = live.replay([JournalAsk(1, "step", {"n": 1}), JournalAnswer(1, "a")])
    code = """
        while True:
            try: await step(99)
            except BaseException: pass
    """
    result = await run(sandbox, code, replay)

    assert result.ended == "stopped"
    assert "No tool was run again" in result.stderr
    assert live.ran == []


async def test_another_tool_of_the_same_arguments_is_a_divergence() -> None:
    replay = Live().replay([JournalAsk(1, "step", {"n": 1}), JournalAnswer(1, "a")])

    with pytest.raises(Diverged, match="was step with not other"):
        await replay(CodeCall(1, "other", {"n": 1}))
    with pytest.raises(Diverged):
        await replay(CodeCall(2, "step", {"n": 1}))


async def test_a_timeout_the_code_saw_is_seen_again(sandbox: Sandbox) -> None:
    journal: list[Entry] = []

    async def silent(call: CodeCall) -> CodeAnswer:
        await asyncio.sleep(60)
        return CodeAnswer("")

    async def write(entry: Entry) -> None:
        journal.append(entry)

    code = "try:\n    await step(1)\nexcept TimeoutError as error:\n    print(error)"
    outputs = []
    for _ in range(2):
        container = await sandbox.open(seed=1, started_at=1.0)
        replay = Replay(list(journal), silent, write)
        result = await container.run(code, functions=[STEP], call=replay, tool_seconds=0.2)
        outputs.append(result.stdout)
        await container.end()

    assert outputs == ["Calling tool ['step'] timed out (no response after 0.2s).\n"] * 2
    assert len(journal) == 2


@pytest.mark.parametrize(
    "entries",
    [
        [JournalAnswer(1, "a")],
        [JournalAsk(1, "step", {}), JournalAsk(1, "step", {})],
        [JournalAsk(1, "step", {}), JournalAnswer(1, "a"), JournalAnswer(1, "a")],
    ],
)
async def test_a_journal_that_makes_no_sense_is_refused(entries: list[Entry]) -> None:
    with pytest.raises(ValueError):
        Live().replay(entries)

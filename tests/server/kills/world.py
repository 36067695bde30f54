"""What a journey has: an installation, a provider that follows plans, and what must hold after."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tests.server.kills.effects import noted
from tests.server.kills.installation import Installation, Told, installed
from tests.server.upstream import Script, Stream, Upstream, upstream

UNKNOWN = "may or may not have happened"


@dataclass
class World:
    """Everything outside and inside that a journey passes."""

    installation: Installation
    provider: Upstream
    plans: dict[str, tuple[Script, ...]] = field(default_factory=dict)
    """What the model does, reply by reply, after the question that holds the key."""

    def ran(self, name: str, n: str) -> tuple[int, int]:
        """How often the tool began and ended with this argument."""
        lines = Counter(noted(self.installation.data / "packs" / "provas"))
        return lines[("began", name, n)], lines[("ended", name, n)]

    def asked(self, mark: str) -> list[dict[str, Any]]:
        """The requests that the provider had for this question."""
        return [one for one in self.provider.requests if _plan_of(one, {mark: ()}) is not None]

    def check_write(self, name: str, n: str, result: str, is_error: bool) -> None:
        """It ran once, or nobody can know and everybody was told."""
        began, ended = self.ran(name, n)
        if is_error:
            assert UNKNOWN in result, result
            assert began <= 1, f"{name} {n} ran {began} times"
        else:
            assert (began, ended) == (1, 1), f"{name} {n} began {began} times, ended {ended}"
            assert result == f"{name} {n}"

    def check_read(self, name: str, n: str, result: str, is_error: bool) -> None:
        assert (result, is_error) == (f"{name} {n}", False)
        assert self.ran(name, n)[0] <= 2

    async def check_stream(self, told: Told) -> None:
        """Cut and joined, it has each event once and in order; the record says the same."""
        numbers = [event.n for event in told.stored]
        assert numbers == sorted(set(numbers))
        for type in ("tool_start", "tool_use", "code", "confirmation", "decision"):
            ids = [event["id"] for event in told.of(type)]
            assert len(ids) == len(set(ids)), f"{type} told twice"
        rui = await self.installation.person("rui")
        fresh = Told(told.conversation)
        while not fresh.stands:
            await rui.joins(fresh, told.last.rsplit("-", 1)[0])
        assert fresh.text == told.text
        assert steps(fresh) == steps(told)

    async def check_audit(self) -> None:
        admin = await self.installation.person("admin")
        verdict = (await admin.send("GET", "/admin/audit/verify")).json()
        assert verdict["ok"] is True, verdict

    async def check_nothing_is_left(self) -> None:
        """No process of a server that is gone, and no file that only it knew of."""
        until = time.monotonic() + 10
        while left := self.installation.processes():
            assert time.monotonic() < until, f"processes {left} outlive their server"
            await asyncio.sleep(0.05)
        assert strays(self.installation) == []


def strays(installation: Installation) -> list[str]:
    """What is there beside what the living server has: a folder of each kind to work in."""
    found = [str(path) for path in (installation.folder / "tmp").iterdir()]
    for prefix in ("jail-", "work-"):
        parents = Counter(path.parent for path in installation.data.rglob(f"{prefix}*"))
        found += [
            f"{times} {prefix}* in {parent}" for parent, times in parents.items() if times > 1
        ]
    return found + [str(path) for path in installation.data.rglob("*.part")]


def steps(told: Told) -> list[tuple[str | None, Any]]:
    return [(e.id, e.data) for e in told.stored if e.type not in ("text", "thinking", "again")]


Journey: TypeAlias = Callable[[World, str], Awaitable[None]]


@dataclass
class Fell:
    """A journey that did not come to the end that it must come to."""

    moment: int
    at: str | None
    why: BaseException

    def __str__(self) -> str:
        return f"moment {self.moment} ({self.at}): {type(self.why).__name__} {self.why}"


async def killed_at_each(world: World, journey: Journey, moments: range) -> int:
    """Take the journey once for each moment, killed there; how many moments there were.

    It is over when a journey ends before its moment has come.
    """
    fallen: list[Fell] = []
    reached = 0
    for moment in moments:
        world.installation.arm(moment)
        why: BaseException | None = None
        try:
            async with asyncio.timeout(90):
                await journey(world, f"{journey.__name__}-{moment}")
        except Exception as error:
            why = error
        world.installation.arm(0)
        at = world.installation.killed_at()
        if why is None and at is not None:
            try:
                await world.check_audit()
                await world.check_nothing_is_left()
            except AssertionError as error:
                why = error
        if why is not None:
            fallen.append(Fell(moment, at, why))
        if at is None:
            break
        reached = moment
    assert not fallen, f"{len(fallen)} of {reached}:\n" + "\n".join(map(str, fallen))
    return reached


@asynccontextmanager
async def world(folder: Path, **env: str) -> AsyncIterator[World]:
    plans: dict[str, tuple[Script, ...]] = {}

    async def answer(stream: Stream) -> None:
        found = _plan_of(stream.request, plans)
        assert found is not None, stream.request["messages"]
        await found[_replies(stream.request["messages"])](stream)

    async with upstream(answer) as provider:
        settings = {"ANTHROPIC_BASE_URL": provider.address, "ANTHROPIC_API_KEY": "test-key"}
        async with installed(folder, **settings, **env) as installation:
            for name in ("rui", "admin"):
                await installation.person(name)
            yield World(installation, provider, plans)


def _plan_of(
    request: dict[str, Any], plans: dict[str, tuple[Script, ...]]
) -> tuple[Script, ...] | None:
    """The plan of the newest question; a question is the plan's name and nothing else."""
    for message in reversed(request["messages"]):
        content = message["content"]
        texts = [content] if isinstance(content, str) else [b.get("text") for b in content]
        for text in texts:
            if message["role"] == "user" and text in plans:
                return plans[text]
    return None


def _replies(messages: list[dict[str, Any]]) -> int:
    return sum(message["role"] == "assistant" for message in messages)

"""Ten minutes of everything at once: what the server holds at the end is what it held early on.

    make soak [ARGS="--minutes 10 --people 4"]

The journeys go on side by side, without a kill, each checked to its end; readers come and go. The
figures are medians of a stretch after the beginning and of the last one.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil

from tests.server.kills import journeys
from tests.server.kills.world import World, world

MIX = (
    journeys.turn,
    journeys.program,
    journeys.upload,
    journeys.dashboard,
    journeys.own_call,
    journeys.task,
    journeys.errand,
    journeys.gateway,
)
SAMPLE_SECONDS = 2.0
IDLE_SECONDS = "15"
"""How long a container is kept: shorter than usual, so that those of the beginning are gone."""
MOST_GROWTH = {"memory MB": 1.15, "memory below MB": 1.3, "descriptors": 1.2, "processes": 1.3}
ROOM = {"memory MB": 20.0, "memory below MB": 150.0, "descriptors": 20.0, "processes": 6.0}
"""How much more there may be beside that: what a few requests at once hold."""


@dataclass(frozen=True)
class Sample:
    """What the server had at a moment."""

    memory: float
    below: float
    descriptors: int
    processes: int

    @staticmethod
    def of(pid: int) -> Sample:
        server = psutil.Process(pid)
        below = 0.0
        children = server.children(recursive=True)
        for child in children:
            with suppress(psutil.Error):
                # Forked ones share most of their pages: each counts for its part of them.
                below += child.memory_full_info().pss / 2**20
        return Sample(server.memory_info().rss / 2**20, below, server.num_fds(), len(children))


FIGURES: dict[str, Callable[[Sample], float]] = {
    "memory MB": lambda one: one.memory,
    "memory below MB": lambda one: one.below,
    "descriptors": lambda one: one.descriptors,
    "processes": lambda one: one.processes,
}


async def walk(known: World, until: float, done: Counter[str], who: int) -> None:
    """One after the other, in an order of its own."""
    order = random.Random(who)
    while time.monotonic() < until:
        journey = order.choice(MIX)
        done[journey.__name__] += 1
        await journey(known, f"{journey.__name__}-{who}-{sum(done.values())}")


async def come_and_go(known: World, until: float, done: Counter[str]) -> None:
    """Readers who hang up in the middle of a stream."""
    rui = await known.installation.person("rui")
    while time.monotonic() < until:
        found = (await rui.send("GET", "/conversations")).json()
        for one in found[:5]:
            with suppress(httpx.TransportError, TimeoutError):
                async with asyncio.timeout(0.3):
                    await rui.send("GET", f"/conversations/{one['id']}/events")
            with suppress(httpx.TransportError, TimeoutError):
                async with asyncio.timeout(0.3):
                    await rui.send("GET", "/me/events")
            done["readers"] += 2
        await asyncio.sleep(0.5)


async def soak(minutes: float, people: int) -> tuple[list[Sample], Counter[str]]:
    """The samples, and how often what was done."""
    done: Counter[str] = Counter()
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory() as folder:
        async with world(Path(folder), BANCADA_CONTAINER_IDLE_SECONDS=IDLE_SECONDS) as known:
            pid = known.installation.pid
            until = time.monotonic() + minutes * 60
            walking = [walk(known, until, done, who) for who in range(people)]
            working = asyncio.gather(*walking, come_and_go(known, until, done))
            while not working.done():
                await asyncio.wait({working}, timeout=SAMPLE_SECONDS)
                samples.append(Sample.of(pid))
            await working
            await known.check_audit()
            assert known.installation.starts == 1, "the server died"
    return samples, done


def told(samples: list[Sample], done: Counter[str]) -> bool:
    """Print the figures; whether nothing has grown."""
    print(", ".join(f"{name} {times}" for name, times in sorted(done.items())))
    part = len(samples) // 4
    early, late = samples[part : 2 * part], samples[-part:]
    flat = True
    for name, figure in FIGURES.items():
        first, last = (statistics.median(map(figure, some)) for some in (early, late))
        most = first * MOST_GROWTH[name] + ROOM[name]
        flat &= last <= most
        peak = max(map(figure, samples))
        verdict = "" if last <= most else f"  grew beyond {most:.0f}"
        print(f"{name:>16}: {first:8.1f} early  {last:8.1f} late  {peak:8.1f} at most{verdict}")
    return flat


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--people", type=int, default=4)
    given = parser.parse_args()
    return 0 if told(*asyncio.run(soak(given.minutes, given.people))) else 1


if __name__ == "__main__":
    sys.exit(main())

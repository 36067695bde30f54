"""Places of which nobody can take all: containers, database work.

Each organisation and each person may hold so many at once. Who waits is served when a place is
given back: the organisation that holds the fewest first, then who came first.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Holder:
    """On whose behalf a place is held."""

    organisation_id: int
    person_id: int


class ShareSpent(Exception):
    """No place in time. `whose` share it was that is used up."""

    def __init__(self, whose: Literal["person", "organisation", "all"]) -> None:
        super().__init__(
            {
                "person": "This person already uses as many places as one person may.",
                "organisation": "This organisation already uses as many places as it may.",
                "all": "All places are in use.",
            }[whose]
        )
        self.whose = whose


@dataclass(eq=False)
class _WaitingHolder:
    holder: Holder
    served: asyncio.Future[None]


class Shares:
    """A number of places, shared out. For one event loop."""

    def __init__(self, places: int, *, per_organisation: int, per_person: int) -> None:
        self._free = places
        self._most = (per_organisation, per_person)
        self._organisations: Counter[int] = Counter()
        self._people: Counter[int] = Counter()
        self._queue: list[_WaitingHolder] = []

    async def take(self, holder: Holder, *, seconds: float) -> None:
        """Hold a place from now on. Raises `ShareSpent` where none came free in time."""
        waiting = _WaitingHolder(holder, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._serve()
        try:
            async with asyncio.timeout(seconds):
                await waiting.served
        except BaseException as error:
            if waiting.served.done() and not waiting.served.cancelled():
                # Served in the moment of giving up: the place goes to the next.
                self.give_back(holder)
            else:
                self._queue.remove(waiting)
            if isinstance(error, TimeoutError):
                raise ShareSpent(self.spent(holder) or "all") from None
            raise

    def give_back(self, holder: Holder) -> None:
        self._free += 1
        self._organisations[holder.organisation_id] -= 1
        self._people[holder.person_id] -= 1
        self._serve()

    @asynccontextmanager
    async def place(self, holder: Holder, *, seconds: float) -> AsyncIterator[None]:
        await self.take(holder, seconds=seconds)
        try:
            yield
        finally:
            self.give_back(holder)

    def spent(self, holder: Holder) -> Literal["person", "organisation", "all"] | None:
        """Which share stands in the way of another place for this holder."""
        if self._people[holder.person_id] >= self._most[1]:
            return "person"
        if self._organisations[holder.organisation_id] >= self._most[0]:
            return "organisation"
        return None if self._free > 0 else "all"

    def _serve(self) -> None:
        while self._free > 0:
            able = [one for one in self._queue if self.spent(one.holder) is None]
            if not able:
                return
            next_one = min(able, key=lambda one: self._organisations[one.holder.organisation_id])
            self._queue.remove(next_one)
            self._free -= 1
            self._organisations[next_one.holder.organisation_id] += 1
            self._people[next_one.holder.person_id] += 1
            next_one.served.set_result(None)

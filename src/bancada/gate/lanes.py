"""Calls of one turn run side by side, except a tool that must run alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class _Lane:
    running: int = 0
    alone: bool = False
    users: int = 0
    changed: asyncio.Condition = field(default_factory=asyncio.Condition)


class Lanes:
    """One lane per turn: many at once, or one alone."""

    def __init__(self) -> None:
        self._lanes: dict[str, _Lane] = {}

    @asynccontextmanager
    async def lane(self, turn_id: str | None, *, alone: bool) -> AsyncIterator[None]:
        """Hold a place in the turn's lane; a call without a turn has the road to itself."""
        if turn_id is None:
            yield
            return
        lane = self._lanes.setdefault(turn_id, _Lane())
        lane.users += 1
        try:
            async with lane.changed:
                await lane.changed.wait_for(
                    lambda: not lane.alone and (not alone or lane.running == 0)
                )
                lane.running += 1
                lane.alone = alone
            try:
                yield
            finally:
                async with lane.changed:
                    lane.running -= 1
                    lane.alone = False
                    lane.changed.notify_all()
        finally:
            lane.users -= 1
            if lane.users == 0:
                self._lanes.pop(turn_id, None)

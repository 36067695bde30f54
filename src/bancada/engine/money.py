"""Money of replies under way: set aside before a model is asked, settled once its reply is counted.

Only where money is limited. What others may still cost counts as spent, so that many turns and
requests at once overrun a limit by no more than one would. A process that dies says no more that its
replies are under way, and what it had set aside lapses.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from sqlalchemy import Connection

from bancada.model.model import Tokens
from bancada.model.providers import Route
from bancada.store import people, reservations
from bancada.store.database import Database
from bancada.store.reservations import ReservationRow, SetAside

log = logging.getLogger("bancada.engine")

HELD_SECONDS = 60.0
"""So long money stays set aside by a process that has died."""
LONGEST_SECONDS = 3600.0
"""No reply is under way for longer; one that nobody settled is forgotten."""
CHARACTERS = 4
"""Of a request, for one token: enough for an estimate."""
LONGEST_REPLY = 200_000
"""In tokens. No model writes more at once: whoever asks for more sets no more money aside."""

RoomCheck: TypeAlias = Callable[[Connection, SetAside], None]
"""Raises where nothing is left, of what was not spent and is not set aside for others."""


@dataclass(frozen=True, kw_only=True)
class Payer:
    """Whose money a reply costs."""

    organisation_id: int
    user_id: int
    key_id: int | None = None


@dataclass
class MoneyUnderWay:
    """What this process has set aside, and says again and again that it has."""

    database: Database
    _held: dict[str, float] = field(default_factory=dict)
    """Ids, and when each began."""
    _holding: asyncio.Task[None] | None = None

    async def reserve(self, payer: Payer, usd: float, check: RoomCheck) -> str:
        """Set aside what a reply may cost; raises what the check does."""
        id, now = f"reservation_{secrets.token_hex(12)}", time.time()
        row = ReservationRow(id=id, usd=usd, held_until=now + HELD_SECONDS, **vars(payer))
        await self.database.run(_reserve, row, check, now)
        self._held[id] = now
        if self._holding is None:
            self._holding = asyncio.create_task(self._hold_on())
        return id

    async def _hold_on(self) -> None:
        while self._held:
            await asyncio.sleep(HELD_SECONDS / 3)
            oldest = time.time() - LONGEST_SECONDS
            self._held = {id: began for id, began in self._held.items() if began > oldest}
            try:
                until = time.time() + HELD_SECONDS
                await self.database.run(reservations.hold, list(self._held), until)
            except Exception:
                log.exception("what is set aside could not be held")
        self._holding = None

    async def settle(self, id: str | None) -> None:
        """Nothing came of it."""
        if id is not None:
            self.settled(id)
            await self.database.run(reservations.settle, id)

    def settled(self, id: str) -> None:
        """What it cost is on record."""
        self._held.pop(id, None)

    async def close(self) -> None:
        if self._holding is not None:
            self._holding.cancel()
            await asyncio.wait({self._holding})


def may_cost(route: Route, model: str, input: int, output: int) -> float:
    """What a reply may cost at most, as far as that is known before; nothing where there is no price."""
    tokens = Tokens(input=input, output=min(output, LONGEST_REPLY))
    return route.provider.price(tokens, model) or 0.0


def _reserve(db: Connection, row: ReservationRow, check: RoomCheck, now: float) -> None:
    # Of two at once the second sees what the first has set aside.
    people.hold_organisation(db, row.organisation_id)
    check(db, reservations.set_aside(db, row.user_id, row.organisation_id, row.key_id, now))
    reservations.add(db, row)

"""Money of requests under way: set aside before a model is asked, settled once its reply is counted.

Only where money is limited. What others may still cost counts as spent, so that many requests at once
overrun a limit by no more than one would. A process that dies says no more that its requests are under
way, and what it had set aside lapses.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from bancada.gateway.asked import Asked
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.limits import check_money, key_use
from bancada.gateway.wire import new_id
from bancada.model.model import Tokens
from bancada.model.providers import Route
from bancada.store import people, reservations
from bancada.store.database import Database
from bancada.store.replies import KeyUse, Spending
from bancada.store.reservations import ReservationRow

log = logging.getLogger("bancada.gateway")

HELD_SECONDS = 60.0
"""So long money stays set aside by a process that has died."""
LONGEST_SECONDS = 3600.0
"""No reply is under way for longer; one that nobody settled is forgotten."""
CHARACTERS = 4
"""Of a request, for one token: enough for an estimate."""
UNDER_WAY = (
    "Requests that are under way may use up what is left of this month's API usage limits. "
    "Please try again when they have ended."
)
AGAIN_SECONDS = 5


@dataclass
class MoneyUnderWay:
    """What this process has set aside, and says again and again that it has."""

    database: Database
    _held: dict[str, float] = field(default_factory=dict)
    """Ids, and when each began."""
    _holding: asyncio.Task[None] | None = None

    async def reserve(self, client: GatewayClient, asked: Asked, route: Route) -> str:
        """Set aside what a reply may cost.

        Raises:
            GatewayRefused: the money is spent (400), or would be by what is under way (429).
        """
        usd = may_cost(asked, route)
        id, now = new_id("reservation"), time.time()
        row = ReservationRow(
            id=id,
            organisation_id=client.person.organisation_id,
            user_id=client.person.id,
            key_id=client.key_id,
            usd=usd,
            held_until=now + HELD_SECONDS,
        )
        await self.database.run(_reserve, client, row, now)
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


def may_cost(asked: Asked, route: Route) -> float:
    """What the reply may cost at most, as far as that is known before; nothing where there is no price."""
    given = asked.body.get("max_tokens")
    output = given if isinstance(given, int) and given > 0 else 0
    tokens = Tokens(input=len(asked.content) // CHARACTERS, output=output)
    return route.provider.price(tokens, asked.model or route.model) or 0.0


def is_limited(client: GatewayClient, spent: Spending) -> bool:
    limits = (client.limits.monthly_usd, spent.person_limit, spent.organisation_limit)
    return any(limit is not None for limit in limits)


def _reserve(db: Connection, client: GatewayClient, row: ReservationRow, now: float) -> None:
    person = client.person
    # Of two requests at once the second sees what the first has set aside.
    people.hold_organisation(db, person.organisation_id)
    use, spent = key_use(db, client, now)
    check_money(client, use, spent)
    aside = reservations.set_aside(db, person.id, person.organisation_id, client.key_id, now)
    then = replace(
        spent,
        by_person=spent.by_person + aside.for_person,
        by_organisation=spent.by_organisation + aside.for_organisation,
    )
    try:
        check_money(client, _with(use, aside.for_key), then)
    except GatewayRefused:
        wait = {"retry-after": str(AGAIN_SECONDS)}
        raise GatewayRefused(UNDER_WAY, status=429, headers=wait) from None
    reservations.add(db, row)


def _with(use: KeyUse | None, aside: float) -> KeyUse | None:
    return None if use is None else replace(use, spent_usd=use.spent_usd + aside)

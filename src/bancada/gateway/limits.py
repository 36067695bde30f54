"""What a key may use: requests and tokens a minute, and money a month, told as the vendor tells it.

Counted in the record of replies, so that every process sees the same. Of money, what replies under way
may cost counts too, wherever they are (`engine/money.py`); of requests, those under way in this process.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from sqlalchemy import Connection

from bancada.engine.costs import BudgetSpent, beside, within_budget
from bancada.engine.money import RoomCheck
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.policy.budgets import window_start
from bancada.store import replies
from bancada.store.replies import KeyUse, Spending
from bancada.store.reservations import SetAside

MINUTE = 60.0
UNDER_WAY = (
    "Requests that are under way may use up what is left of this month's API usage limits. "
    "Please try again when they have ended."
)
AGAIN_SECONDS = 5
TOO_MANY = "This request would exceed your account's rate limit. Please try again later."


@dataclass
class KeyCounts:
    """Counts what is under way here, and says who must wait."""

    _under_way: Counter[int] = field(default_factory=Counter)

    def check(self, client: GatewayClient, use: KeyUse | None) -> dict[str, str]:
        """The headers that tell a client where it stands; refused where it may not go on."""
        now = time.time()
        if use is None or client.key_id is None:
            return {}
        limits = client.limits
        headers: dict[str, str] = {}
        requests = use.requests + self._under_way[client.key_id]
        over = [
            _told(headers, "requests", limits.requests_per_minute, requests, use, now),
            _told(headers, "tokens", limits.tokens_per_minute, use.tokens, use, now),
        ]
        waits = [wait for wait in over if wait is not None]
        if waits:
            headers["retry-after"] = str(max(1, round(max(waits) + 0.5)))
            raise GatewayRefused(TOO_MANY, status=429, headers=headers)
        return headers

    @contextmanager
    def counting(self, client: GatewayClient) -> Iterator[None]:
        key_id = client.key_id or 0
        self._under_way[key_id] += 1
        try:
            yield
        finally:
            self._under_way[key_id] -= 1
            if not self._under_way[key_id]:
                del self._under_way[key_id]


def check_money(client: GatewayClient, use: KeyUse | None, spent: Spending) -> None:
    """Raises `GatewayRefused` where the month's money is gone."""
    most = client.limits.monthly_usd
    try:
        within_budget(spent, client.person.email)
        if use is not None and most is not None and use.spent_usd >= most:
            raise BudgetSpent("the key")
    except BudgetSpent:
        again = datetime.fromtimestamp(window_start("month", time.time()), UTC)
        year, month = divmod(again.year * 12 + again.month, 12)
        raise GatewayRefused(
            "You have reached your specified API usage limits. "
            f"You will regain access on {year}-{month + 1:02}-01 at 00:00 UTC."
        ) from None


def key_use(db: Connection, client: GatewayClient, now: float) -> tuple[KeyUse | None, Spending]:
    """What the key, its person and their organisation have used."""
    month = window_start("month", now)
    person = client.person
    spent = replies.spending(db, person.id, person.organisation_id, month)
    if client.key_id is None or client.limits.are_none:
        return None, spent
    return replies.used_by_key(db, client.key_id, minute=now - MINUTE, month=month), spent


def has_room(client: GatewayClient, now: float) -> RoomCheck:
    """Refuses where the money is spent (400), or would be by what is under way (429)."""

    def check(db: Connection, aside: SetAside) -> None:
        use, spent = key_use(db, client, now)
        check_money(client, use, spent)
        if use is not None:
            use = replace(use, spent_usd=use.spent_usd + aside.for_key)
        try:
            check_money(client, use, beside(spent, aside))
        except GatewayRefused:
            wait = {"retry-after": str(AGAIN_SECONDS)}
            raise GatewayRefused(UNDER_WAY, status=429, headers=wait) from None

    return check


def is_limited(client: GatewayClient, spent: Spending) -> bool:
    return spent.is_limited or client.limits.monthly_usd is not None


def _told(
    headers: dict[str, str], what: str, limit: int | None, used: int, use: KeyUse, now: float
) -> float | None:
    """Write the three headers; the seconds to wait where nothing is left."""
    if limit is None:
        return None
    reset = (use.oldest + MINUTE) if use.oldest is not None else now
    wait = max(0.0, reset - now)
    prefix = f"anthropic-ratelimit-{what}"
    at = datetime.fromtimestamp(max(reset, now), UTC)
    left = limit - used - (1 if what == "requests" else 0)
    headers[f"{prefix}-limit"] = str(limit)
    headers[f"{prefix}-remaining"] = str(max(0, left))
    headers[f"{prefix}-reset"] = at.strftime("%Y-%m-%dT%H:%M:%SZ")
    return wait if used >= limit else None

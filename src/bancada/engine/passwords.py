"""Passwords: argon2, in a thread, at a cost that is a setting."""

from __future__ import annotations

import asyncio
from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST = 6


@lru_cache(maxsize=8)
def _hasher(cost: int) -> PasswordHasher:
    # The cheapest setting is for tests: one pass over little memory.
    return PasswordHasher(time_cost=cost, memory_cost=65_536 if cost > 1 else 1_024)


async def hash_password(password: str, *, cost: int) -> str:
    return await asyncio.to_thread(_hasher(cost).hash, password)


async def matches(password: str, stored: str | None, *, cost: int) -> bool:
    """Whether the password fits; takes as long when there is no such account."""
    known = stored or _hasher(cost).hash("")
    fits = await asyncio.to_thread(_verify, _hasher(cost), known, password)
    return fits and stored is not None


def _verify(hasher: PasswordHasher, stored: str, password: str) -> bool:
    try:
        return hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False

"""Passwords: which ones will do, and argon2 in threads of its own, at a cost that is a setting."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from bancada.domain.errors import Invalid

SHORTEST = 10
SHORTEST_IN_DEMO = 6
PARALLEL = max(2, (os.cpu_count() or 2) // 2)
"""How many passwords are hashed at once: each takes several threads and 64 MB."""

_pool = ThreadPoolExecutor(PARALLEL, thread_name_prefix="bancada-password")

RUNS = (
    "01234567890123456789", "98765432109876543210", "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiopasdfghjklzxcvbnm", "qwertyuiopçlkjhgfdsa", "1qaz2wsx3edc4rfv5tgb6yhn7ujm",
    "1q2w3e4r5t6y7u8i9o0p", "azertyuiopqsdfghjklmwxcvbn",
)  # fmt: skip
"""What fingers and tongues run along."""
WORDS = (
    "password", "passwort", "passw0rd", "palavrapasse", "palavra", "passe", "senha", "segredo",
    "secret", "admin", "administrator", "administrador", "root", "user", "utilizador", "login",
    "welcome", "bemvindo", "bemvinda", "changeme", "mudar", "letmein", "iloveyou", "amote",
    "monkey", "dragon", "sunshine", "princess", "princesa", "football", "futebol", "baseball",
    "superman", "batman", "starwars", "master", "shadow", "benfica", "sporting", "porto",
    "portugal", "lisboa", "brasil", "jesus", "deus", "familia", "amor", "estrela", "qwerty",
    "azerty", "abc", "test", "teste", "demo", "default", "guest", "temp", "temporary",
    "temporaria", "company", "empresa", "bancada", "verao", "inverno", "primavera", "outono",
    "summer", "winter", "spring", "autumn", "monday", "segunda", "hello", "ola", "trustno",
    "whatever", "computer", "computador", "internet", "michael", "maria", "joao", "jose",
)  # fmt: skip
"""What people choose first, without the digits and signs they add to it."""
DISGUISE = str.maketrans("0134578@$!", "oleastbasi")
FEWEST = 5
"""Different characters that a password has at least."""


def check_password(password: str, email: str | None = None, *, demo: bool) -> None:
    """Refuse what is short or guessed first. The demo's own are known to everybody anyway."""
    shortest = SHORTEST_IN_DEMO if demo else SHORTEST
    if len(password) < shortest:
        raise Invalid("password_short", characters=shortest)
    if not demo and is_common(password, email):
        raise Invalid("password_common")


def is_common(password: str, email: str | None = None) -> bool:
    """Whether it is one of those that are tried first, in any of their usual disguises."""
    plain = password.casefold()
    if len(set(plain)) < FEWEST or any(_inside(plain, run) for run in RUNS):
        return True
    own = [part for part in re.split(r"[@.\-_+]", (email or "").casefold()) if len(part) > 2]
    known = {*WORDS, *own}
    bare = re.sub(r"^[\W\d_]+|[\W\d_]+$", "", plain)
    return any(_made_of(left, known) for left in (bare, bare.translate(DISGUISE)))


def _inside(plain: str, run: str) -> bool:
    """Whether it is one run of keys, there, back, or over and over, with little else around."""
    left = re.sub(r"[^\w]", "", plain)
    for length in range(len(left), 5, -1):
        if left[:length] in run or left[:length] in run[::-1]:
            return len(left) - length < 4
    return len(left) > 5 and len(set(re.findall("....", left))) == 1 and left[:4] in run


def _made_of(plain: str, words: set[str]) -> bool:
    """Whether nothing but those words and a few digits or signs is in it."""
    letters = re.sub(r"[\W\d_]+", " ", plain).split()
    return bool(letters) and all(part in words or _doubled(part, words) for part in letters)


def _doubled(part: str, words: set[str]) -> bool:
    return any(part == one + two for one in words for two in words if len(one + two) == len(part))


# ---------------------------------------------------------------------------- hashing


@lru_cache(maxsize=8)
def _hasher(cost: int) -> PasswordHasher:
    # The cheapest setting is for tests: one pass over little memory.
    return PasswordHasher(time_cost=cost, memory_cost=65_536 if cost > 1 else 1_024)


@lru_cache(maxsize=8)
def _nobodys(cost: int) -> str:
    """A hash of no password: to check against it is the same work, to make it is none."""
    hasher = _hasher(cost)
    sizes = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    salt, digest = (
        base64.b64encode(os.urandom(size)).decode().rstrip("=")
        for size in (hasher.salt_len, hasher.hash_len)
    )
    return f"$argon2id$v=19${sizes}${salt}${digest}"


async def hash_password(password: str, *, cost: int) -> str:
    return await asyncio.get_running_loop().run_in_executor(_pool, _hasher(cost).hash, password)


async def matches(password: str, stored: str | None, *, cost: int) -> bool:
    """Whether the password fits; takes as long when there is no such account."""
    known = stored or _nobodys(cost)
    loop = asyncio.get_running_loop()
    fits = await loop.run_in_executor(_pool, _verify, _hasher(cost), known, password)
    return fits and stored is not None


def _verify(hasher: PasswordHasher, stored: str, password: str) -> bool:
    try:
        return hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False

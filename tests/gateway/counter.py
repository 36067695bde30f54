"""A served gateway with a scripted model's server behind it, and the vendor's own SDK before it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from anthropic import AsyncAnthropic

from bancada.store import people
from bancada.store.keys import KeyLimits, KeyTerms, add_key
from tests.gateway.vendor import Says, Vendor, vendor
from tests.server.site import Site, served

QUESTION = [{"role": "user", "content": "Quantos?"}]
ASK: dict[str, Any] = {"model": "claude-sonnet-5-5", "max_tokens": 100, "messages": QUESTION}


@dataclass
class Counter:
    """The gateway, what stands behind it, and keys to it."""

    site: Site
    behind: Vendor
    clients: list[AsyncAnthropic] = field(default_factory=list)
    """Closed with the counter: what is left open is told in whichever test runs when it is found."""

    async def key(self, person: str = "rui", **terms: Any) -> tuple[int, str]:
        """`(id, key)` of a new key of somebody's."""

        def make(db: Any) -> tuple[int, str]:
            whose = people.person_by_email(db, f"{person}@demo.com")
            assert whose is not None
            return add_key(db, whose.id, KeyTerms(name="test", **terms))

        return await self.site.bench.database.run(make)

    async def sdk(self, person: str = "rui", **terms: Any) -> AsyncAnthropic:
        """The vendor's SDK, unmodified, with a key of ours."""
        _, key = await self.key(person, **terms)
        return self.client(key)

    def client(self, key: str) -> AsyncAnthropic:
        made = AsyncAnthropic(api_key=key, base_url=self.site.address, max_retries=0)
        self.clients.append(made)
        return made

    async def close(self) -> None:
        for client in self.clients:
            await client.close()


@asynccontextmanager
async def counter(folder: Path, *answers: Says, **settings: Any) -> AsyncIterator[Counter]:
    async with vendor(*answers) as behind:
        given = {"anthropic_base_url": behind.address, "anthropic_api_key": "sk-of-the-house"}
        async with served(folder, **{**given, **settings}) as site:
            at = Counter(site, behind)
            try:
                yield at
            finally:
                await at.close()


__all__ = ["ASK", "QUESTION", "Counter", "KeyLimits", "counter"]

"""A request that is sent twice with one key is done once, and answered twice.

In this process the second joins the first; in another it is told to come back. What a dead process
left is taken up by whoever is asked next: the work is told that it may have been done already.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bancada.domain.errors import Problem
from bancada.domain.json import JSON, JSONObject, canonical
from bancada.store import idempotency
from bancada.store.database import Database
from bancada.store.idempotency import Claim, Keyed
from bancada.store.turns import STALE_SECONDS


def keyed(user_id: int, key: str, *request: JSON) -> Keyed:
    """A request as it is known again: by whom, by which key, and everything it asks for."""
    return Keyed(
        user_id=user_id, key=key, request=hashlib.sha256(canonical(list(request))).hexdigest()
    )


@dataclass
class Once:
    """The requests with keys that this process works on."""

    database: Database
    owner: str
    _under_way: dict[tuple[int, str], asyncio.Future[None]] = field(default_factory=dict)

    async def answer(
        self, asked: Keyed, work: Callable[[Claim], Awaitable[JSONObject]]
    ) -> JSONObject:
        """What the work comes to, the first time and each time after.

        `work` makes what has the claim's id. If that exists already, which can only be where the
        claim says `again`, it makes nothing and answers with what is there.
        """
        whose = (asked.user_id, asked.key)
        while (other := self._under_way.get(whose)) is not None:
            await asyncio.shield(other)
        over = self._under_way[whose] = asyncio.get_running_loop().create_future()
        try:
            alone = self.database.kind == "sqlite"
            stale = None if alone else time.time() - STALE_SECONDS
            claim = await self.database.run(
                idempotency.claim, asked, owner=self.owner, stale_before=stale
            )
            if claim.answer is not None:
                return claim.answer
            try:
                answer = await work(claim)
            except Problem:
                await self.database.run(idempotency.release, asked)
                raise
            await self.database.run(idempotency.keep, asked, answer)
            return answer
        finally:
            del self._under_way[whose]
            over.set_result(None)

    async def beat(self) -> None:
        """Say that this process is alive."""
        if self._under_way:
            await self.database.run(idempotency.beat, self.owner)

    async def forget_old(self) -> None:
        await self.database.run(idempotency.forget_old)

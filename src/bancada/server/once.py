"""`Idempotency-Key`: what is sent twice with one key is done once, and answered alike."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

from fastapi import Header, Request
from pydantic import BaseModel

from bancada.domain.json import JSON, JSONObject
from bancada.engine.once import keyed
from bancada.engine.workbench import Workbench
from bancada.store.idempotency import Claim

IdempotencyKey = Annotated[
    str | None,
    Header(
        min_length=1,
        max_length=200,
        description="Chosen by you, new for each thing you want done. Sent again with the same "
        "request within 24 hours, it brings the same outcome and nothing is done twice.",
    ),
]

Answer = TypeVar("Answer", bound=BaseModel)


async def once(
    request: Request,
    key: str | None,
    body: JSON,
    work: Callable[[Claim], Awaitable[Answer]],
    shape: type[Answer],
) -> Answer:
    """What the work comes to; without a key it is simply done."""
    if key is None:
        return await work(Claim())
    bench: Workbench = request.app.state.bench

    async def as_json(claim: Claim) -> JSONObject:
        return (await work(claim)).model_dump(mode="json")

    asked = keyed(request.state.person.id, key, request.method, request.url.path, body)
    return shape.model_validate(await bench.once.answer(asked, as_json))

"""What a person is told wherever they are."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Header, Response

from bancada.server.auth import Bench, CurrentAccess
from bancada.server.newsstream import NewsStream
from bancada.server.parameters import HIGHEST
from bancada.server.problems import documented

router = APIRouter(tags=["account"])


@router.get(
    "/me/events",
    response_class=Response,
    responses={
        200: {
            "description": "News of yours, one SSE frame each.",
            "content": {"text/event-stream": {"schema": {"type": "string"}}},
        },
        **documented(401, 403, 422),
    },
)
async def my_events(
    access: CurrentAccess,
    bench: Bench,
    last_event_id: Annotated[str | None, Header(max_length=100)] = None,
) -> Response:
    """What waits for you and how your turns are getting on, as it happens; from `Last-Event-ID` on."""
    access.check_agent(None)
    said = (last_event_id or "").strip()
    after = (
        int(said) if said.isascii() and said.isdigit() and len(said) <= len(str(HIGHEST)) else None
    )
    return NewsStream(bench, access, after)

"""Short ways to ask a model, for the tests of this room."""

from __future__ import annotations

from typing import Any

from bancada.model.model import Began, Model, ModelEvent, Reply, Request


def request(**fields: Any) -> Request:
    """A request with the least in it."""
    return Request(
        **{
            "model": "claude-sonnet-5-5",
            "max_tokens": 100,
            "system": [],
            "messages": [{"role": "user", "content": [{"type": "text", "text": "olá"}]}],
            **fields,
        }
    )


async def ask(model: Model, asked: Request | None = None) -> tuple[list[ModelEvent], Reply]:
    """All pieces, and the reply they end in."""
    every = [event async for event in model.stream(asked or request())]
    *pieces, reply = [event for event in every if not isinstance(event, Began)]
    assert isinstance(reply, Reply)
    return pieces, reply

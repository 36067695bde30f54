"""`POST /chat`: a question in, an answer and the calls behind it out. A new conversation each time."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, StringConstraints

from bancada import Dialogue, documented
from bancada.packs.graph import panel

router = APIRouter(tags=["graph"])
router.include_router(panel.router)

AGENT = "Ativos"


class Query(BaseModel):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"query": "How many assets in Biofilter 11?"}]},
    )

    query: Annotated[str, StringConstraints(min_length=1, max_length=20_000)]


class CallMade(BaseModel):
    name: str
    input: Any
    result: Any
    is_error: bool


class Waits(BaseModel):
    """A call that a person must decide about, at `/confirmations/{confirmation_id}`."""

    confirmation_id: str
    name: str
    input: Any
    reason: str
    expires_at: str


class ChatResponse(BaseModel):
    response: str
    tool_calls: list[CallMade]
    waiting: list[Waits] = []
    """Only where the answer waits for a person; then it goes on in `conversation_id`."""
    conversation_id: str | None = None


@router.post(
    "/chat",
    responses=documented(401, 403, 404, 422, 429, 503),
    response_model_exclude_defaults=True,
)
async def chat(body: Query, dialogue: Dialogue) -> ChatResponse:
    """Ask about the assets and how they are connected."""
    answer = await dialogue.ask_once(AGENT, body.query)
    return ChatResponse(
        response=answer.text,
        tool_calls=[
            CallMade(**{name: call[name] for name in CallMade.model_fields})
            for call in answer.calls
        ],
        waiting=[
            Waits(
                confirmation_id=each["id"],
                **{name: each[name] for name in ("name", "input", "reason", "expires_at")},
            )
            for each in answer.waiting
        ],
        conversation_id=answer.conversation_id if answer.waiting else None,
    )

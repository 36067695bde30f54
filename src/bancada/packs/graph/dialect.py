"""`POST /chat`: a question in, an answer and the calls behind it out. A new conversation each time."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, StringConstraints

from bancada import Dialogue, JSONObject, ProviderFailed, documented

router = APIRouter(tags=["graph"])

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


class ChatResponse(BaseModel):
    response: str
    tool_calls: list[CallMade]


@router.post("/chat", responses=documented(401, 403, 404, 422, 503))
async def chat(body: Query, dialogue: Dialogue) -> ChatResponse:
    """Ask about the assets and how they are connected."""
    conversation, _ = await dialogue.begin(AGENT)
    return answered(await dialogue.ask(conversation, body.query))


def answered(events: list[JSONObject]) -> ChatResponse:
    """The answer in a turn's events: the text since the last round of calls, and every call."""
    calls: list[CallMade] = []
    text = ""
    for event in events:
        match event["type"]:
            case "tool_use":
                text = ""
                calls.append(
                    CallMade(
                        name=event["name"],
                        input=event["input"],
                        result=event["result"],
                        is_error=event["is_error"],
                    )
                )
            case "text":
                text += event["content"]
            case "again":
                text = ""
            case "error":
                raise ProviderFailed("as_said", text=event["content"])
    return ChatResponse(response=text, tool_calls=calls)

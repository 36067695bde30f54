"""QHub's own HTTP: its routes, its names, its eight event types.

A table of translations over the product's routes; nothing is decided here.
"""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, File, Path, Response, UploadFile
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from bancada import Dialogue, JSONObject, documented, may_upload

router = APIRouter(tags=["quality"])

ConversaId = Annotated[str, Path(min_length=1, max_length=64)]


class Agente(BaseModel):
    id: int
    nome: str
    descricao: str


class NovaConversa(BaseModel):
    """O agente, pelo nome ou pelo id."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"agente": "Qualidade"}],
            "anyOf": [{"required": ["agente"]}, {"required": ["agente_id"]}],
        },
    )

    agente: Annotated[str, StringConstraints(min_length=1, max_length=120)] | None = None
    agente_id: Annotated[int, Field(ge=1, le=2**31 - 1)] | None = None

    @model_validator(mode="after")
    def _names_one(self) -> NovaConversa:
        if self.agente is None and self.agente_id is None:
            raise PydanticCustomError("no_agent", "indique o agente, em 'agente' ou 'agente_id'")
        return self


class Conversa(BaseModel):
    id: str
    agente_id: int
    titulo: str


class Mensagem(BaseModel):
    model_config = ConfigDict(extra="forbid")

    content: Annotated[str, StringConstraints(min_length=1, max_length=200_000)]


class Carregado(BaseModel):
    mensagem_id: str
    resumo: str


@router.get("/agentes", responses=documented(401))
async def agentes(dialogue: Dialogue) -> list[Agente]:
    """Os agentes que esta pessoa pode usar."""
    return [
        Agente(id=agent.id, nome=agent.name, descricao=agent.description)
        for agent in await dialogue.agents()
        if agent.id is not None
    ]


@router.post("/conversas", status_code=201, responses=documented(401, 403, 404, 422))
async def nova(body: NovaConversa, dialogue: Dialogue) -> Conversa:
    """Abre uma conversa com um agente."""
    wanted: int | str = body.agente_id if body.agente_id is not None else body.agente or ""
    id, agent = await dialogue.begin(wanted)
    assert agent.id is not None
    return Conversa(id=id, agente_id=agent.id, titulo=await dialogue.title(id))


STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Os eventos da resposta, um por linha `data:`.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.post(
    "/conversas/{id}/mensagens",
    response_class=Response,
    responses={**STREAM, **documented(401, 403, 404, 409, 422, 429)},
)
async def mensagem(id: ConversaId, body: Mensagem, dialogue: Dialogue) -> Response:
    """Envia uma mensagem; a resposta chega em eventos."""
    return await dialogue.stream(id, body.content, as_eight_events)


DECIDE = "A resposta continua depois de decidir, em /#/confirmations."


def as_eight_events(event: JSONObject) -> JSONObject | None:
    """One of our events in the words of this dialect, which knows eight."""
    match event["type"]:
        case "text":
            return {"type": "text", "content": event["content"]}
        case "tool_use":
            return {"type": "tool_use", "name": event["name"], "result": event["result"]}
        case "dashboard":
            return {"type": "dashboard", "url": event["url"], "titulo": event["titulo"]}
        case "chart" | "table" | "kpi":
            return {"type": event["type"], "data": event["data"]}
        case "confirmation":
            # This dialect never waits; who reads only its eight types still learns why it ends here.
            return {"type": "text", "content": f"\n\n{event['name']}: {event['reason']} {DECIDE}"}
        case "error":
            return {"type": "error", "content": event["content"]}
        case "done":
            return {"type": "done"}
    return None


@router.post(
    "/conversas/{id}/upload",
    status_code=201,
    responses=documented(400, 401, 404, 409, 413, 422, 503),
    dependencies=[Depends(may_upload)],
)
async def upload(
    id: ConversaId, dialogue: Dialogue, file: Annotated[UploadFile, File()]
) -> Carregado:
    """Carrega um ficheiro .csv ou .xlsx; não inicia nenhuma resposta."""
    done = await dialogue.upload(id, file)
    return Carregado(mensagem_id=done.message_id, resumo=done.summary)

"""A few intents as a pack would declare them, and the tools they call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bancada import testing
from bancada.domain.intents import Answered, Intent, Sentence, Step
from bancada.domain.json import dumps
from bancada.model.model import Model, Reply, Request
from bancada.model.offline import OfflineModel
from tests.model.asking import ask

TOOLS = ("contar", "grafico", "estado", "pessoas", "criar_tarefa", "code_execution")


def _count(sentence: Sentence) -> list[Step]:
    turno = "noite" if sentence.has("noite", "night") else None
    return [Step(tool="contar", input={"turno": turno} if turno else {})]


def _tell_count(sentence: Sentence, answered: Sequence[Answered]) -> str:
    total = answered[0].result["total"]
    return f"Há {total} defeitos." if sentence.language == "pt" else f"There are {total} defects."


def _chart(sentence: Sentence, answered: Sequence[Answered]) -> list[Step]:
    if len(answered) > 1:
        return []
    return [Step(tool="grafico", input={"valores": [answered[0].result["total"]]})]


def _people(sentence: Sentence) -> list[Step]:
    role = "manager" if sentence.has("managers", "manager", "gestores", "gestor") else None
    return [Step(tool="pessoas", input={"role": role} if role else {})]


def _task(sentence: Sentence) -> list[Step] | None:
    title = sentence.quoted[0] if sentence.quoted else None
    return [Step(tool="criar_tarefa", input={"title": title})] if title else None


CODE = "print(await contar({}))"

INTENTS = (
    Intent(
        name="chart",
        phrases={
            "pt": ("Mostra os defeitos num gráfico",),
            "en": ("Show the defects in a chart",),
        },
        keywords=("grafico|chart",),
        plan=_count,
        then=_chart,
        tell=lambda sentence, answered: f"O gráfico tem {len(answered)} resultados.",
    ),
    Intent(
        name="code",
        phrases={"pt": ("Conta os defeitos com código",), "en": ("Count the defects with code",)},
        keywords=("codigo|code",),
        plan=lambda sentence: [Step(tool="code_execution", input={"code": CODE})],
        tell=lambda sentence, answered: (
            f"O código escreveu {answered[0].result['stdout'].strip()}."
        ),
    ),
    Intent(
        name="count",
        phrases={
            "pt": ("Quantos defeitos há?", "Quantos defeitos há no turno da noite?"),
            "en": ("How many defects are there?", "How many defects in the night shift?"),
        },
        plan=_count,
        tell=_tell_count,
    ),
    Intent(
        name="status",
        phrases={"pt": ("Qual é o estado do sistema?",), "en": ("Check the system status",)},
        plan=lambda sentence: [Step(tool="estado", input={})],
        tell=lambda sentence, answered: f"Estado: {answered[0].result['saude']}.",
    ),
    Intent(
        name="people",
        phrases={
            "pt": ("Lista os colaboradores recentes", "Mostra os gestores de operações"),
            "en": ("Show me recent employees", "Show me all the managers in operations"),
        },
        plan=_people,
        tell=lambda sentence, answered: ", ".join(answered[0].result),
    ),
    Intent(
        name="task",
        phrases={
            "pt": ('Cria uma tarefa "rever linha 2"',),
            "en": ('Create a task "check line 2"',),
        },
        plan=_task,
        tell=lambda sentence, answered: f"Criada a tarefa {answered[0].result['id']}.",
    ),
)


def offline(intents: Sequence[Intent] = INTENTS) -> OfflineModel:
    return testing.offline(intents)


def asking(*texts: str, tools: Sequence[str] = TOOLS, **fields: Any) -> Request:
    """A request whose only message holds these texts."""
    content = [{"type": "text", "text": text} for text in texts]
    return Request(
        **{
            "model": "offline",
            "max_tokens": 100,
            "system": [],
            "messages": [{"role": "user", "content": content}],
            "tools": [{"name": name, "input_schema": {"type": "object"}} for name in tools],
            **fields,
        }
    )


def answered(request: Request, reply: Reply, *results: Any, errors: bool = False) -> Request:
    """The next request: the reply, and one result for each of its calls."""
    uses = [block for block in reply.content if block["type"] == "tool_use"]
    assert len(uses) == len(results)
    given = [
        {
            "type": "tool_result",
            "tool_use_id": use["id"],
            "content": result if isinstance(result, str) else dumps(result),
            **({"is_error": True} if errors else {}),
        }
        for use, result in zip(uses, results, strict=True)
    ]
    messages = [
        *request.messages,
        {"role": "assistant", "content": reply.content},
        {"role": "user", "content": given},
    ]
    return Request(**{**vars(request), "messages": messages})


def calls_of(reply: Reply) -> list[tuple[str, Any]]:
    return [(b["name"], b["input"]) for b in reply.content if b["type"] == "tool_use"]


async def say(model: Model, request: Request) -> str:
    """The answer in words; fails when tools are asked for."""
    _, reply = await ask(model, request)
    assert calls_of(reply) == []
    assert reply.stop_reason == "end_turn"
    return "".join(block["text"] for block in reply.content)

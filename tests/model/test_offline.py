"""The offline model, as a turn sees it: requests in, calls and words out."""

from __future__ import annotations

import time
from typing import Any

import pytest

from bancada.domain.intents import Intent, Sentence, Step
from bancada.domain.json import dumps
from bancada.domain.tables import TableColumn, TableShape
from bancada.model.model import Request, TextPiece
from tests.model.asking import ask
from tests.model.workshop import CODE, INTENTS, TOOLS, answered, asking, calls_of, offline, say


async def test_a_known_question_calls_its_tool_and_tells_the_result() -> None:
    model, request = offline(), asking("Quantos defeitos há no turno da noite?")

    pieces, reply = await ask(model, request)

    assert pieces == []
    assert calls_of(reply) == [("contar", {"turno": "noite"})]
    assert reply.stop_reason == "tool_use"
    assert await say(model, answered(request, reply, {"total": 59})) == "Há 59 defeitos."


async def test_the_answer_follows_the_questions_language() -> None:
    model, request = offline(), asking("How many defects are there?")

    _, reply = await ask(model, request)

    assert await say(model, answered(request, reply, {"total": 3})) == "There are 3 defects."


async def test_an_answer_streams_in_small_pieces_with_an_estimated_price() -> None:
    model, request = offline(), asking("Quantos defeitos há?")
    _, reply = await ask(model, request)

    pieces, last = await ask(model, answered(request, reply, {"total": 3}))

    assert [piece.text for piece in pieces if isinstance(piece, TextPiece)] == [
        "Há ",
        "3 ",
        "defeitos.",
    ]
    assert last.content == [{"type": "text", "text": "Há 3 defeitos."}]
    assert last.usage.estimated
    assert last.usage.input > reply.usage.input > 0
    assert last.usage.output > 0
    assert (model.name, last.model) == ("offline", "offline")


@pytest.mark.parametrize(
    ("question", "calls"),
    [
        (
            "Check the system status and show me recent employees",
            [("estado", {}), ("pessoas", {})],
        ),
        (
            "Qual é o estado do sistema e lista os colaboradores recentes?",
            [("estado", {}), ("pessoas", {})],
        ),
        ("Quantos defeitos há? Qual é o estado do sistema?", [("contar", {}), ("estado", {})]),
        ("Show me all the managers in operations", [("pessoas", {"role": "manager"})]),
    ],
)
async def test_requests_joined_in_one_sentence_are_asked_for_at_once(
    question: str, calls: list[tuple[str, Any]]
) -> None:
    _, reply = await ask(offline(), asking(question))

    assert calls_of(reply) == calls


async def test_joined_requests_are_told_one_after_the_other() -> None:
    model, request = offline(), asking("Check the system status and how many defects are there?")

    _, reply = await ask(model, request)
    told = await say(model, answered(request, reply, {"saude": "ok"}, {"total": 3}))

    assert told == "Estado: ok.\n\nThere are 3 defects."


async def test_a_chart_follows_its_query_in_a_process_that_never_saw_the_start() -> None:
    request = asking("Mostra os defeitos num gráfico")

    _, first = await ask(offline(), request)
    assert calls_of(first) == [("contar", {})]

    request = answered(request, first, {"total": 12})
    _, second = await ask(offline(), request)
    assert calls_of(second) == [("grafico", {"valores": [12]})]

    request = answered(request, second, "ok")
    assert await say(offline(), request) == "O gráfico tem 2 resultados."


async def test_code_that_awaits_tools_is_written_where_there_is_a_sandbox() -> None:
    model, request = offline(), asking("Conta os defeitos com código")

    _, reply = await ask(model, request)

    assert calls_of(reply) == [("code_execution", {"code": CODE})]
    told = await say(model, answered(request, reply, {"stdout": "12\n", "return_code": 0}))
    assert told == "O código escreveu 12."


async def test_the_same_call_for_two_requests_is_made_once() -> None:
    model, request = offline(), asking("Mostra os defeitos num gráfico e quantos defeitos há?")

    _, reply = await ask(model, request)
    assert calls_of(reply) == [("contar", {})]

    request = answered(request, reply, {"total": 12})
    _, reply = await ask(model, request)
    assert calls_of(reply) == [("grafico", {"valores": [12]})]

    told = await say(model, answered(request, reply, "ok"))
    assert told == "O gráfico tem 2 resultados.\n\nHá 12 defeitos."


@pytest.mark.parametrize(
    "refusal",
    [
        "Rejected by Ana: not today.",
        "Your role does not reach createTask.",
        "It is not known whether this happened: check before trying again.",
    ],
)
async def test_a_refused_call_is_told_as_it_is_and_not_tried_again(refusal: str) -> None:
    model, request = offline(), asking('Cria uma tarefa "rever linha 2"')
    _, reply = await ask(model, request)
    assert calls_of(reply) == [("criar_tarefa", {"title": "rever linha 2"})]

    told = await say(model, answered(request, reply, refusal, errors=True))

    assert refusal in told
    assert "Criada" not in told


async def test_one_failure_does_not_hide_the_other_answer() -> None:
    model, request = offline(), asking("Check the system status and show me recent employees")
    _, reply = await ask(model, request)
    request = answered(request, reply, {"saude": "ok"}, "The directory is down.")
    request.messages[-1]["content"][1]["is_error"] = True

    told = await say(model, request)

    assert "Estado: ok." in told
    assert "The directory is down." in told


async def test_without_leave_to_call_it_answers_from_what_it_has() -> None:
    model, request = offline(), asking("Mostra os defeitos num gráfico")
    _, reply = await ask(model, request)
    half = answered(request, reply, {"total": 12})

    told = await say(model, Request(**{**vars(half), "tool_choice": {"type": "none"}}))

    assert told == "O gráfico tem 1 resultados."


async def test_without_leave_to_call_and_without_results_it_claims_nothing() -> None:
    request = asking("Quantos defeitos há?", tool_choice={"type": "none"})

    assert "`contar`" in await say(offline(), request)


async def test_what_it_cannot_do_is_said_with_what_it_can() -> None:
    told = await say(offline(), asking("Qual é a capital de França?"))

    assert "Não sei responder" in told
    assert "- [Quantos defeitos há?](#ask)" in told
    assert "How many" not in told


async def test_only_questions_whose_tools_are_there_are_offered() -> None:
    told = await say(offline(), asking("What can you do?", tools=["estado"]))

    assert "- [Check the system status](#ask)" in told
    assert told.count("\n- ") == 1


async def test_a_question_whose_tool_is_missing_names_the_tool() -> None:
    told = await say(offline(), asking("How many defects are there?", tools=["estado"]))

    assert "`contar`" in told
    assert "- [Check the system status](#ask)" in told


async def test_a_tool_that_the_vendor_runs_is_not_ours_to_call() -> None:
    server_tool = {"type": "code_execution_20260120", "name": "code_execution"}
    request = asking("Conta os defeitos com código", tools=[])

    told = await say(offline(), Request(**{**vars(request), "tools": [server_tool]}))

    assert "`code_execution`" in told


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("olá", "Olá!"),
        ("Bom dia!", "Olá!"),
        ("Hello", "Hello!"),
        ("obrigado", "De nada!"),
        ("Thank you very much", "welcome"),
        ("adeus", "próxima"),
        ("ajuda", "- [Quantos defeitos há?](#ask)"),
        ("help", "- [How many defects are there?](#ask)"),
        ("O que sabes fazer?", "- [Quantos defeitos há?](#ask)"),
    ],
)
async def test_courtesy_is_answered_in_kind(question: str, part: str) -> None:
    assert part in await say(offline(), asking(question))


async def test_a_greeting_before_a_question_does_not_hide_it() -> None:
    _, reply = await ask(offline(), asking("Olá, quantos defeitos há?"))

    assert calls_of(reply) == [("contar", {})]


UPLOAD = "[FICHEIRO CARREGADO: peças março.csv]\nColunas: id, turno\nRegistos: 200"
DATASETS = "[Conjuntos de dados desta conversa: pecas_marco (200 linhas)]"


async def test_an_upload_and_a_note_of_ours_are_not_the_question() -> None:
    for texts in (
        (UPLOAD, DATASETS, "Quantos defeitos há?"),
        (UPLOAD, "Quantos defeitos há?", DATASETS),
    ):
        _, reply = await ask(offline(), asking(*texts))

        assert calls_of(reply) == [("contar", {})]


async def test_what_an_uploaded_file_holds_is_told() -> None:
    told = await say(offline(), asking(UPLOAD, "O que há no ficheiro?"))

    assert "Colunas: id, turno" in told
    assert "Registos: 200" in told


async def test_a_strange_question_after_an_upload_names_the_file() -> None:
    told = await say(offline(), asking(UPLOAD, DATASETS, "E a correlação de Pearson?"))

    assert "peças março.csv" in told


async def test_the_list_of_data_sets_is_not_taken_for_a_file() -> None:
    two = (
        "[Conjuntos de dados desta conversa: pecas_marco (200 linhas, de peças março.csv): id integer\n"
        "outra (3 linhas, de outra.xlsx): id integer]"
    )
    told = await say(offline(), asking(UPLOAD, "E a correlação de Pearson?", two))

    assert "o ficheiro peças março.csv, mas" in told


async def test_a_follow_up_leans_on_the_question_before() -> None:
    request = asking("Quantos defeitos há?")
    _, reply = await ask(offline(), request)
    done = answered(request, reply, {"total": 3})
    messages = [
        *done.messages,
        {"role": "assistant", "content": [{"type": "text", "text": "Há 3 defeitos."}]},
        {"role": "user", "content": "e à noite?"},
    ]

    _, reply = await ask(offline(), Request(**{**vars(request), "messages": messages}))

    assert calls_of(reply) == [("contar", {"turno": "noite"})]


async def test_results_of_a_stopped_turn_are_not_taken_for_the_new_question() -> None:
    request = asking("Quantos defeitos há?")
    _, reply = await ask(offline(), request)
    stopped = answered(request, reply, "Stopped.", errors=True)
    stopped.messages[-1]["content"].append({"type": "text", "text": "Quantos defeitos há?"})

    _, reply = await ask(offline(), stopped)

    assert calls_of(reply) == [("contar", {})]


async def test_a_turn_begun_by_another_model_is_told_from_its_results() -> None:
    messages = [
        {"role": "user", "content": "Compara os fornecedores de parafusos"},
        {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "", "signature": "x"},
                {"type": "tool_use", "id": "t", "name": "fornecedores", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [{"type": "tool_result", "tool_use_id": "t", "content": '["A", "B"]'}],
        },
    ]

    told = await say(offline(), asking(messages=messages))

    assert "`fornecedores`" in told
    assert '["A","B"]' in told


async def test_an_intent_that_breaks_never_ends_the_turn() -> None:
    def broken(*_: object) -> Any:
        raise KeyError("total")

    cannot_plan = Intent(
        name="a", phrases={"pt": ("Quantos defeitos há?",)}, plan=broken, tell=broken
    )
    cannot_tell = Intent(
        name="b",
        phrases={"pt": ("Qual é o estado do sistema?",)},
        plan=lambda sentence: [Step(tool="estado", input={})],
        then=broken,
        tell=broken,
    )
    model = offline([cannot_plan, cannot_tell, *INTENTS])

    _, reply = await ask(model, asking("Quantos defeitos há?"))
    assert calls_of(reply) == [("contar", {})]

    request = asking("Qual é o estado do sistema?")
    _, reply = await ask(model, request)
    assert '{"saude":"ok"}' in await say(model, answered(request, reply, {"saude": "ok"}))


async def test_every_reply_can_be_made_again_from_the_request_alone() -> None:
    def without_ids(content: Any) -> str:
        return dumps([{**block, "id": None} for block in content])

    model = offline()
    for question in (
        "Mostra os defeitos num gráfico",
        "olá",
        "nada disto",
        "Check the system status",
    ):
        request = asking(question)
        _, first = await ask(model, request)
        await ask(model, asking("Quantos defeitos há?"))
        _, again = await ask(model, request)

        assert without_ids(again.content) == without_ids(first.content)


async def test_calls_never_share_an_id() -> None:
    model, ids = offline(), set()

    for _ in range(20):
        _, reply = await ask(model, asking("Quantos defeitos há?"))
        ids.add(reply.content[0]["id"])

    assert len(ids) == 20


async def test_a_pasted_page_after_a_question_does_not_hold_everyone_up() -> None:
    page = " ".join(f"palavra{n} e defetios{n}" for n in range(30_000))
    began = time.perf_counter()

    _, reply = await ask(offline(), asking(f"Quantos defeitos há? {page}"))

    assert reply.stop_reason in ("tool_use", "end_turn")
    assert time.perf_counter() - began < 5


def test_the_workshop_declares_a_tool_for_every_call() -> None:
    for intent in INTENTS:
        assert offline().planner.detect(Sentence(intent.phrases["pt"][0]), TOOLS) is not None


PECAS = TableShape(
    name="pecas",
    rows=1,
    file="a.csv",
    columns=(TableColumn(name="região", type="text"), TableColumn(name="preço", type="number")),
)


async def test_an_intent_sees_the_tables_and_the_question_before_with_what_answered_it() -> None:
    seen: list[Sentence] = []

    def fits(sentence: Sentence) -> float:
        seen.append(sentence)
        return 0.0

    watcher = Intent(
        name="watcher", phrases={}, fits=fits, plan=lambda sentence: None, tell=lambda *_: ""
    )
    model = offline([*INTENTS, watcher])
    request = asking("Quantos defeitos há?", DATASETS)
    _, reply = await ask(model, request)
    done = answered(request, reply, {"total": 3})
    messages = [
        *done.messages,
        {"role": "assistant", "content": [{"type": "text", "text": "Há 3 defeitos."}]},
        {"role": "user", "content": [{"type": "text", "text": "E à noite?"}]},
    ]

    found = model.understood(messages, TOOLS, [PECAS])

    assert found is not None
    assert found.steps[0].input == {"turno": "noite"}
    last = next(one for one in seen if one.text == "E à noite?")
    assert (last.tables, last.tools) == ((PECAS,), ())
    assert last.before is not None
    assert (last.before.text, last.before.tools) == ("Quantos defeitos há?", ("contar",))


async def test_a_quoted_value_or_a_column_does_not_change_the_language() -> None:
    told = await say(offline(), asking("what about the preço per região?", tables=(PECAS,)))
    assert told.startswith("I cannot answer that.")

    told = await say(offline(), asking('Onde está a coluna "what is it and how many"?'))
    assert told.startswith("Não sei responder")


async def test_the_words_that_were_not_understood_are_named() -> None:
    told = await say(offline(), asking("Quantos defeitos há no rack R12?"))
    assert "Não sei o que fazer com «rack», «R12»." in told
    told = await say(offline(), asking("How many defects are there on rack R12?"))
    assert "I do not know what to do with “rack”, “R12”." in told


async def test_a_very_long_text_is_not_read_and_holds_nobody_up() -> None:
    model, page = offline(), "Quantos defeitos há? " + "palavra desconhecida. " * 9_000
    begun = time.process_time()
    told = await say(model, asking(page))
    assert time.process_time() - begun < 0.5
    assert f"A pergunta tem {len(page.strip())} caracteres" in told
    assert model.detect(page, TOOLS) is None


async def test_a_call_that_failed_is_told_beside_what_went_well() -> None:
    model, request = offline(), asking("Mostra os defeitos num gráfico")
    _, reply = await ask(model, request)
    request = answered(request, reply, {"total": 3})
    _, reply = await ask(model, request)
    told = await say(model, answered(request, reply, "sem espaço", errors=True))
    assert told == "O gráfico tem 1 resultados.\n\nNão foi possível. `grafico`: sem espaço"

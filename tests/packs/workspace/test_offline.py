"""The guide's three examples, and what else the agent answers without a model."""

from __future__ import annotations

import pytest

from bancada import Sentence
from tests.packs.workspace.bench import Bench


async def test_the_guides_first_example_finds_three_financial_documents(bench: Bench) -> None:
    said = await bench.ask("Find all financial documents from Q4")
    assert bench.called == [("searchDocuments", {"query": "financial Q4", "category": "Financial"})]
    assert said.splitlines()[:3] == [
        "I found 3 financial documents from Q4 2024:",
        "1. Q4 Financial Report 2024 (2.4 MB)",
        "2. Q3 Sales Report (1.5 MB)",
    ]
    assert len(said.splitlines()) == 4


async def test_the_guides_second_example_finds_two_managers(bench: Bench) -> None:
    said = await bench.ask("Show me all the managers in operations")
    assert bench.called == [("getEmployeeList", {"role": "manager", "department": "operations"})]
    assert said.splitlines()[:2] == [
        "I found 2 managers in the Operations department:",
        "1. John Doe - Operations Manager since Aug 2021",
    ]
    assert len(said.splitlines()) == 3


async def test_the_guides_third_example_asks_two_tools_at_once(bench: Bench) -> None:
    said = await bench.ask("Check the system status and show me recent employees")
    assert [name for name, _ in bench.called] == ["getSystemStatus", "getEmployeeList"]
    assert bench.called[1][1]["recent"] is True
    assert said.startswith("The system is healthy with 42 active users.")
    assert "demo" in said.splitlines()[0]
    assert "Here are the 3 most recent employees:" in said


@pytest.mark.parametrize(
    ("question", "calls"),
    [
        (
            "Encontra todos os documentos financeiros do Q4",
            [("searchDocuments", {"query": "financial Q4", "category": "Financial"})],
        ),
        (
            "Documentos financeiros do 4.º trimestre",
            [("searchDocuments", {"query": "financial Q4", "category": "Financial"})],
        ),
        (
            "Mostra todos os gestores das operações",
            [("getEmployeeList", {"role": "manager", "department": "operations"})],
        ),
        (
            "Verifica o estado do sistema e mostra os colaboradores mais recentes",
            [("getSystemStatus", {}), ("getEmployeeList", {"recent": True, "limit": 3})],
        ),
        ("Find the employee handbook", [("searchDocuments", {"query": "employee handbook"})]),
        ("Os 5 colaboradores mais recentes", [("getEmployeeList", {"recent": True, "limit": 5})]),
        ("Who works in IT?", [("getEmployeeList", {"department": "IT"})]),
        (
            "Sales summary for Q4 2023 by product",
            [("getSalesSummary", {"period": "Q4 2023", "group_by": "product"})],
        ),
        (
            "Cria uma tarefa urgente para rever o relatório do Q4",
            [("createTask", {"title": "Rever o relatório do Q4", "priority": "high"})],
        ),
        (
            "Create the task “Call the paint supplier”",
            [("createTask", {"title": "Call the paint supplier"})],
        ),
        (
            "Send an announcement: the canteen closes at 2 pm",
            [
                (
                    "sendAnnouncement",
                    {
                        "title": "The canteen closes at 2 pm",
                        "message": "The canteen closes at 2 pm",
                    },
                )
            ],
        ),
        ("Mostra as tarefas", [("getTaskList", {})]),
        ("Show the announcements", [("getAnnouncements", {})]),
    ],
)
async def test_questions_in_both_languages_reach_their_tools(
    bench: Bench, question: str, calls: list[tuple[str, dict[str, object]]]
) -> None:
    said = await bench.ask(question)
    assert bench.called == calls
    assert "could not" not in said
    assert "Não consegui" not in said


async def test_the_answer_is_in_the_language_of_the_question(bench: Bench) -> None:
    assert (await bench.ask("Mostra todos os gestores das operações")).startswith(
        "Encontrei 2 gestores no departamento Operações:\n1. John Doe - Operations Manager desde ago 2021"
    )
    assert (await bench.ask("Qual é o estado do sistema?")).startswith(
        "O sistema está saudável com 42 utilizadores ativos."
    )


async def test_nothing_found_is_said_plainly(bench: Bench) -> None:
    assert "I found no documents" in await bench.ask("Find documents about zeppelins")


async def test_every_phrase_and_starter_is_understood_as_what_it_shows(bench: Bench) -> None:
    (agent,) = bench.pack.agents
    for intent in bench.pack.intents:
        for language, phrases in intent.phrases.items():
            for phrase in phrases:
                found = bench.model.planner.detect(Sentence(phrase, language), agent.tools)
                if found is None:  # an example without a text to send asks for more first
                    assert intent.steps(Sentence(phrase, language)) is None, phrase
                else:
                    assert found.intent.name == intent.name, phrase
    for starter in agent.starters:
        await bench.ask(starter)
        assert bench.called, starter

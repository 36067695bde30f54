"""Finding documents."""

from __future__ import annotations

from collections.abc import Sequence

from bancada import Intent, JSONObject, Language, Results, Sentence
from bancada.packs.workspace.intents.reading import (
    CATEGORIES,
    key_words,
    named,
    quarter,
)

_OF_CATEGORY: dict[str, dict[Language, str]] = {
    "Financial": {"pt": "financeiro", "en": "financial"},
    "HR": {"pt": "de RH", "en": "HR"},
    "Operations": {"pt": "de operações", "en": "operations"},
    "IT": {"pt": "de informática", "en": "IT"},
    "Legal": {"pt": "jurídico", "en": "legal"},
    "Sales": {"pt": "comercial", "en": "sales"},
}
_MANY = {"financeiro": "financeiros", "jurídico": "jurídicos", "comercial": "comerciais"}


def read_search(sentence: Sentence) -> JSONObject | None:
    query = key_words(sentence)
    category = None if sentence.quoted else named(sentence, CATEGORIES)
    if not query and category is None:
        return None
    input: JSONObject = {"query": query or str(category)}
    if category is not None:
        input["category"] = category
    return input


def tell_search(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("searchDocuments")
    asked = results[-1].step.input
    language, total, shown = sentence.language, found["total"], found["documents"]
    what = _described(asked.get("category"), total, language)
    when = _when(sentence, shown)
    if not shown:
        about = asked["query"]
        if language == "en":
            return f"I found no {_described(asked.get('category'), 2, 'en')} for “{about}”."
        return f"Não encontrei {_described(asked.get('category'), 2, 'pt')} para “{about}”."
    lines = [f"{n}. {one['title']} ({one['size']})" for n, one in enumerate(shown, start=1)]
    opening = {
        "pt": f"Encontrei {total} {what}{' do ' + when if when else ''}:",
        "en": f"I found {total} {what}{' from ' + when if when else ''}:",
    }[language]
    parts = [opening, *lines]
    if total > len(shown):
        parts.append({"pt": "…e outros.", "en": "…and more."}[language])
    if "note" in found:
        parts.append(
            {
                "pt": "Nenhum tem todas as palavras; estes têm algumas.",
                "en": "None has all the words; these have some of them.",
            }[language]
        )
    return "\n".join(parts)


def _described(category: str | None, total: int, language: Language) -> str:
    one = total == 1
    kind = _OF_CATEGORY.get(category or "", {}).get(language, "")
    if language == "en":
        return f"{kind} {'document' if one else 'documents'}".strip()
    if not one:
        kind = _MANY.get(kind, kind)
    return f"{'documento' if one else 'documentos'} {kind}".strip()


def _when(sentence: Sentence, shown: Sequence[JSONObject]) -> str:
    """The quarter that was asked for, with its year where all documents were filed in it."""
    said = quarter(sentence)
    if said is None:
        return ""
    filed = {one["filed_in"] for one in shown}
    whole = next(iter(filed)) if len(filed) == 1 else ""
    return whole if whole.startswith(said) else said


DOCUMENT_INTENTS = (
    Intent(
        name="search_documents",
        phrases={
            "pt": (
                "Encontra todos os documentos financeiros do Q4",
                "Procura documentos sobre segurança",
                "Que documentos há sobre férias?",
                "Mostra os documentos de RH",
                "Pesquisa o contrato de logística nos documentos",
                "Onde está o relatório financeiro?",
                "Encontra o manual do colaborador",
            ),
            "en": (
                "Find all financial documents from Q4",
                "Search the documents about safety",
                "Which documents do we have about holidays?",
                "Show me the HR documents",
                "Search for the logistics contract in the documents",
                "Where is the financial report?",
                "Find the employee handbook",
            ),
        },
        keywords=(
            "documento|documentos|document|documents|relatorio|relatorios|report|reports|ficheiro"
            "|ficheiros|file|files|contrato|contract|manual|handbook|politica|policy",
        ),
        tool="searchDocuments",
        arguments=read_search,
        tell=tell_search,
    ),
)

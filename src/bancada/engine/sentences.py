"""What the engine says to a person, in their language."""

from __future__ import annotations

from bancada.domain.people import Language
from bancada.model.model import ModelFailed

SENTENCES: dict[str, dict[Language, str]] = {
    "invalid_api_key": {
        "pt": "API key inválida ou sem permissão. Peça ao administrador para verificar a chave "
        "ANTHROPIC_API_KEY.",
        "en": "The API key is invalid or lacks permission. Ask the administrator to check "
        "ANTHROPIC_API_KEY.",
    },
    "rate_limited": {
        "pt": "O fornecedor do modelo está a limitar os pedidos. Tente de novo daqui a um minuto, "
        "ou continue em modo de palavras-chave.",
        "en": "The model provider is limiting requests. Try again in a minute, or go on in keyword "
        "mode.",
    },
    "overloaded": {
        "pt": "O modelo não respondeu, mesmo depois de várias tentativas. Tente de novo, ou continue "
        "em modo de palavras-chave.",
        "en": "The model did not answer, even after several attempts. Try again, or go on in keyword "
        "mode.",
    },
    "budget_exceeded": {
        "pt": "O orçamento deste mês está gasto. Fale com o administrador, ou continue em modo de "
        "palavras-chave, que não tem custo.",
        "en": "This month's budget is spent. Talk to the administrator, or go on in keyword mode, "
        "which costs nothing.",
    },
    "context_exceeded": {
        "pt": "A conversa já não cabe no modelo. Abra uma conversa nova para continuar.",
        "en": "The conversation no longer fits the model. Open a new conversation to go on.",
    },
    "refused": {
        "pt": "O modelo recusou responder a este pedido. Reformule a pergunta.",
        "en": "The model declined to answer this. Ask in another way.",
    },
    "internal": {
        "pt": "Algo correu mal do nosso lado. Tente de novo; se continuar, fale com o administrador.",
        "en": "Something went wrong on our side. Try again; if it goes on, talk to the administrator.",
    },
    "misconfigured": {
        "pt": "O modelo não aceitou o pedido. Mostre isto ao administrador: {detail}",
        "en": "The model did not take the request. Show this to the administrator: {detail}",
    },
    "cut": {
        "pt": "\n\n[A resposta foi cortada no limite de {tokens} tokens. Peça para continuar.]",
        "en": "\n\n[The answer was cut at the limit of {tokens} tokens. Ask to continue.]",
    },
    "window_full": {
        "pt": "\n\n[A resposta foi cortada: a conversa encheu a janela do modelo.]",
        "en": "\n\n[The answer was cut: the conversation has filled the model's window.]",
    },
    "interrupted": {
        "pt": "A resposta foi interrompida e recomeça.",
        "en": "The answer was interrupted and starts over.",
    },
    "datasets": {
        "pt": "[Conjuntos de dados desta conversa: {tables}]",
        "en": "[Data sets of this conversation: {tables}]",
    },
    "confirm_tool": {
        "pt": "{tool} altera dados ou contacta pessoas: confirme antes de ser executada.",
        "en": "{tool} changes data or contacts people: confirm before it runs.",
    },
    "confirm_policy": {
        "pt": "As regras da organização pedem confirmação para {tool}.",
        "en": "The organisation's rules ask for confirmation of {tool}.",
    },
    "confirm_condition": {
        "pt": "As regras pedem confirmação para {tool} com estes valores.",
        "en": "The rules ask for confirmation of {tool} with these values.",
    },
    "confirm_outside": {
        "pt": "Nesta conversa entrou texto de fora da organização; {tool} altera dados, por isso "
        "confirme.",
        "en": "Text from outside the organisation entered this conversation; {tool} changes data, so "
        "confirm.",
    },
}

REASONS = {
    "tool": "confirm_tool",
    "outside_content": "confirm_outside",
    "global": "confirm_policy",
    "organisation": "confirm_policy",
    "role": "confirm_policy",
    "agent": "confirm_policy",
    "user": "confirm_policy",
}


def sentence(key: str, language: Language, **values: object) -> str:
    return SENTENCES[key][language].format(**values)


def why_asked(reason: str, tool: str, language: Language) -> str:
    """Why a person is asked, in words; a reason that is already a sentence stays one."""
    if reason.endswith("_condition"):
        return sentence("confirm_condition", language, tool=tool)
    key = REASONS.get(reason)
    return reason if key is None else sentence(key, language, tool=tool)


def failure_in_words(failure: ModelFailed, language: Language) -> str:
    """What went wrong with the model; whatever broke over there, to the person it did not answer."""
    if failure.detail is not None:
        return sentence("misconfigured", language, detail=failure.detail[language])
    broke = failure.code == "internal" and failure.retryable
    return sentence("overloaded" if broke else failure.code, language)

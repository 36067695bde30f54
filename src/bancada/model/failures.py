"""What went wrong upstream, as one kind of error with a sentence that helps.

The provider's own words are for the operator; `detail` says what a person can change, where
that can be told from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from bancada.domain.events import ErrorCode
from bancada.domain.people import Language
from bancada.model.model import ModelFailed

OVERLOADED = 529

Words: TypeAlias = Mapping[Language, str]

_BY_TYPE: dict[str, int] = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": OVERLOADED,
}
"""Error types of the Messages API and the status each would have come with."""

_TOO_LONG = re.compile(
    r"prompt is too long|context[ _](?:length|window|limit|size)|too many (?:input )?tokens"
    r"|exceeds? the (?:model'?s )?(?:maximum|available) (?:context|number of tokens)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"^model:|model\b.{0,120}\b(?:not found|does not exist|not exist|unknown|not available)"
    r"|(?:unknown|no such|invalid) model",
    re.IGNORECASE | re.DOTALL,
)
_NOT_TAKEN = re.compile(
    r"extra inputs? (?:is|are) not permitted|extra_forbidden|unknown (?:field|parameter|key|name)"
    r"|unrecogni[sz]ed|unexpected (?:field|key|keyword|parameter|property)"
    r"|(?:does not|doesn't|not) (?:be )?(?:support|supported|permitted|allowed|accept|valid)"
    r"|unsupported|deprecated for this model|maximum allowed",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"credit balance|billing", re.IGNORECASE)


def _of_agent(name: str) -> Words:
    return {"pt": f"`{name}` do agente", "en": f"the agent's `{name}`"}


def _extra(name: str) -> Words:
    return {
        "pt": f"`{name}` nos campos extra do agente",
        "en": f"`{name}` in the agent's extra fields",
    }


_CODE: Words = {
    "pt": "o modo de código `anthropic` do agente",
    "en": "the agent's code mode `anthropic`",
}
_DEFERRED: Words = {"pt": "as ferramentas diferidas", "en": "deferred tools"}
_SETTINGS: dict[str, Words] = {
    "output_config": _of_agent("effort"),
    "effort": _of_agent("effort"),
    "thinking": _of_agent("thinking"),
    "temperature": _extra("temperature"),
    "top_p": _extra("top_p"),
    "top_k": _extra("top_k"),
    "max_tokens": _of_agent("max_tokens"),
    "cache_control": {"pt": "a cache do prompt", "en": "prompt caching"},
    "context_management": _extra("context_management"),
    "defer_loading": _DEFERRED,
    "tool_search": _DEFERRED,
    "allowed_callers": _CODE,
    "code_execution": _CODE,
    "container": _CODE,
    "tool_choice": _of_agent("last_answer"),
}
"""Fields that some servers and models refuse, and what to change to stop sending them."""


def from_status(
    status: int,
    message: str,
    *,
    retry_after: float | None = None,
    retry: bool | None = None,
    fields: Iterable[str] = (),
) -> ModelFailed:
    """The failure behind an HTTP status.

    `retry` is what the server itself said about trying again; `fields` are the request's
    optional fields, to recognise one of them in a complaint.
    """
    code, retryable = _judge(status, message)
    return ModelFailed(
        code,
        f"{status}: {message}",
        retryable=retryable if retry is None else retry,
        retry_after=retry_after,
        status=status,
        detail=_detail(status, message, fields) if code == "internal" else None,
    )


def from_error(error: Any) -> ModelFailed:
    """The failure an `error` event reports in mid-stream, where there is no status any more."""
    error = error if isinstance(error, dict) else {}
    kind, message = str(error.get("type", "")), str(error.get("message", ""))
    return from_status(_BY_TYPE.get(kind, 500), message or kind or "an error without a message")


def cut_off(message: str) -> ModelFailed:
    """The reply broke off, or was not one; asking again is the remedy."""
    return ModelFailed("overloaded", message, retryable=True)


def unreachable(message: str) -> ModelFailed:
    """Nobody answered."""
    return ModelFailed("overloaded", message, retryable=True)


def _judge(status: int, message: str) -> tuple[ErrorCode, bool]:
    if status in (401, 403):
        return "invalid_api_key", False
    if status == 429:
        return "rate_limited", True
    if status in (408, 409, 425):
        return "internal", True
    if status in (502, 503, 504, OVERLOADED):
        return "overloaded", True
    if status >= 500:
        return "internal", True
    if status == 413 or (status in (400, 422) and _TOO_LONG.search(message)):
        return "context_exceeded", False
    return "internal", False


def _detail(status: int, message: str, fields: Iterable[str]) -> Words | None:
    """What somebody can do about it, if the words tell."""
    if status >= 500:
        return None
    if status == 402 or _NO_CREDIT.search(message):
        return {
            "pt": "A conta no fornecedor do modelo não tem saldo.",
            "en": "The account at the model's provider has no credit left.",
        }
    if status in (400, 404) and _NO_MODEL.search(message):
        return {
            "pt": f"O fornecedor não tem este modelo ({message}). Mude o modelo do agente ou "
            "ANTHROPIC_MODEL.",
            "en": f"The provider does not have this model ({message}). Change the agent's model or "
            "ANTHROPIC_MODEL.",
        }
    if status in (404, 405):
        return {
            "pt": "Nada ali fala a Messages API: verifique ANTHROPIC_BASE_URL.",
            "en": "Nothing there speaks the Messages API: check ANTHROPIC_BASE_URL.",
        }
    if _NOT_TAKEN.search(message):
        return _field(message, fields)
    return None


def _field(message: str, fields: Iterable[str]) -> Words:
    known = {name: _SETTINGS.get(name, _extra(name)) for name in fields}
    for name, setting in {**known, **_SETTINGS}.items():
        if re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", message):
            return {
                "pt": f"O servidor do modelo não aceita `{name}` ({message}). Desligue ou mude "
                f"{setting['pt']}.",
                "en": f"The model's server does not take `{name}` ({message}). Turn off or change "
                f"{setting['en']}.",
            }
    return {
        "pt": f"O servidor do modelo não aceita uma parte do pedido: {message}",
        "en": f"The model's server does not take a part of the request: {message}",
    }

"""What went wrong upstream, as one kind of error with a sentence that helps.

The provider's own words are for the operator; `detail` says what a person can change, where
that can be told from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from bancada.domain.events import ErrorCode
from bancada.domain.wording import Wording
from bancada.model.model import ModelFailed

OVERLOADED = 529

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


def _of_agent(name: str) -> Wording:
    return Wording("agents_setting", name=name)


def _extra(name: str) -> Wording:
    return Wording("extra_field", name=name)


_CODE = Wording("code_mode_anthropic")
_DEFERRED = Wording("deferred_tools")
_SETTINGS: dict[str, Wording] = {
    "output_config": _of_agent("effort"),
    "effort": _of_agent("effort"),
    "thinking": _of_agent("thinking"),
    "temperature": _extra("temperature"),
    "top_p": _extra("top_p"),
    "top_k": _extra("top_k"),
    "max_tokens": _of_agent("max_tokens"),
    "cache_control": Wording("prompt_caching"),
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


def _detail(status: int, message: str, fields: Iterable[str]) -> Wording | None:
    """What somebody can do about it, if the words tell."""
    if status >= 500:
        return None
    if status == 402 or _NO_CREDIT.search(message):
        return Wording("no_credit")
    if status in (400, 404) and _NO_MODEL.search(message):
        return Wording("provider_lacks_model", message=message)
    if status in (404, 405):
        return Wording("no_messages_api")
    if _NOT_TAKEN.search(message):
        return _field(message, fields)
    return None


def _field(message: str, fields: Iterable[str]) -> Wording:
    known = {name: _SETTINGS.get(name, _extra(name)) for name in fields}
    for name, setting in {**known, **_SETTINGS}.items():
        if re.search(rf"(?<![a-z]){re.escape(name)}(?![a-z])", message):
            return Wording("setting_not_taken", name=name, message=message, setting=setting)
    return Wording("request_not_taken", message=message)

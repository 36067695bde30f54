"""Errors in the shape that clients of the Messages API know: a type, a sentence, a request id."""

from __future__ import annotations

from collections.abc import Mapping

from bancada.domain.errors import BancadaError
from bancada.domain.json import JSONObject, dumps

TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}
"""What the vendor calls an error of each status; other refusals are `invalid_request_error`."""


def error_type(status: int) -> str:
    return TYPES.get(status, "api_error" if status >= 500 else "invalid_request_error")


def error_body(
    status: int, message: str, request_id: str = "", details: JSONObject | None = None
) -> JSONObject:
    error: JSONObject = {"type": error_type(status), "message": message}
    if details is not None:
        error["details"] = details
    body: JSONObject = {"type": "error", "error": error}
    return {**body, "request_id": request_id} if request_id else body


class GatewayRefused(BancadaError):
    """A request that is not served, with the answer its client gets."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        details: JSONObject | None = None,
        headers: Mapping[str, str] | None = None,
        raw: bytes | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.details = details
        self.headers = dict(headers or {})
        self.raw = raw
        """What a model's server said itself, to be handed on as it is."""

    def body(self, request_id: str) -> bytes:
        if self.raw is not None:
            return self.raw
        return dumps(error_body(self.status, self.message, request_id, self.details)).encode()

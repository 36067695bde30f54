"""Errors as problem details (RFC 9457): a status, a title, a sentence a person can act on."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, ConfigDict
from starlette.exceptions import HTTPException

from bancada.domain.errors import BadDefinition, Problem

log = logging.getLogger("bancada.server")

MEDIA_TYPE = "application/problem+json"

TITLES = {
    400: "Bad request",
    401: "Not signed in",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    410: "Gone",
    413: "Too large",
    415: "Unsupported media type",
    422: "Invalid",
    429: "Too many requests",
    500: "Internal error",
    503: "Not ready",
}


class ProblemDetail(BaseModel):
    """What went wrong, for a person."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Not found",
                    "status": 404,
                    "detail": "There is no such conversation.",
                }
            ]
        }
    )

    type: str = "about:blank"
    title: str
    status: int
    detail: str


def problem(status: int, detail: str, headers: dict[str, str] | None = None) -> JSONResponse:
    body = {
        "type": "about:blank",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": detail,
    }
    return JSONResponse(body, status, headers=headers, media_type=MEDIA_TYPE)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route, for its OpenAPI description."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetail"}}}
    return {
        status: {"description": TITLES[status], "content": content} for status in sorted(statuses)
    }


def install(app: FastAPI) -> None:
    """Turn whatever is raised into a problem detail."""

    @app.exception_handler(Problem)
    async def _known(request: Request, error: Problem) -> JSONResponse:
        return problem(error.status, error.detail)

    @app.exception_handler(BadDefinition)
    async def _definition(request: Request, error: BadDefinition) -> JSONResponse:
        return problem(422, str(error))

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return problem(422, explained(error))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        headers = dict(error.headers) if error.headers else None
        return problem(error.status_code, str(error.detail), headers)

    @app.exception_handler(Exception)
    async def _unexpected(request: Request, error: Exception) -> JSONResponse:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return problem(500, "Something went wrong on our side; the operator has the details.")


def explained(error: RequestValidationError) -> str:
    """The first thing that does not fit, and where."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    return f"{where}: {first['msg']}."

"""Errors as problem details (RFC 9457): a status, a title, a sentence a person can act on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict
from scim2_models import Error, SCIMException
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bancada.domain.errors import DatabaseAway, Problem
from bancada.domain.json import dumps
from bancada.domain.people import Language, Person
from bancada.domain.shapes import first_misfit
from bancada.domain.wording import Wording
from bancada.gateway.errors import GatewayRefused, error_body
from bancada.server.logs import request_id

MEDIA_TYPE = "application/problem+json"
SCIM_PATH = "/scim/v2"
SCIM_MEDIA_TYPE = "application/scim+json"
AWAY_SECONDS = 2
"""When whoever found the database gone should ask again."""
GATEWAY = "/v1/"
"""Below this address clients of others ask, who know the vendor's errors and no problem details."""

TITLES = {
    400: "Bad request",
    401: "Not signed in",
    403: "Forbidden",
    404: "Not found",
    405: "Method not allowed",
    409: "Conflict",
    410: "Gone",
    408: "Too slow",
    413: "Too large",
    415: "Unsupported media type",
    421: "Misdirected request",
    422: "Invalid",
    429: "Too many requests",
    500: "Internal error",
    502: "Bad answer from elsewhere",
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


def problem(status: int, detail: str, headers: Mapping[str, str] | None = None) -> Response:
    body = {
        "type": "about:blank",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": detail,
    }
    # Not a JSONResponse: a name somebody sent may hold what UTF-8 cannot.
    return Response(dumps(body), status, headers=headers, media_type=MEDIA_TYPE)


def problem_for(
    request: Request, status: int, detail: str, headers: Mapping[str, str] | None = None
) -> Response:
    """The same in the form that the address's clients know."""
    if request.url.path.startswith(f"{SCIM_PATH}/"):
        bad = status in (400, 422)
        kind = "invalidSyntax" if bad else None
        error = Error(status=400 if bad else status, scim_type=kind, detail=detail)
        return told_to_directory(error, headers)
    if not request.url.path.startswith(GATEWAY):
        return problem(status, detail, headers)
    status = 400 if status == 422 else status
    id = f"req_{request_id.get()}"
    body = dumps(error_body(status, detail, id))
    return Response(body, status, {**(headers or {}), "request-id": id}, "application/json")


def told_to_directory(error: Error, headers: Mapping[str, str] | None = None) -> Response:
    body = error.model_dump_json()
    return Response(body, error.status or 400, headers, SCIM_MEDIA_TYPE)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route, for its OpenAPI description."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemDetail"}}}
    return {
        status: {"description": TITLES[status], "content": content} for status in sorted(statuses)
    }


def language_of(request: Request) -> Language:
    """The language of whoever asks: the person's own, else what their browser prefers."""
    person: Person | None = getattr(request.state, "person", None)
    if person is not None:
        return person.language
    return preferred(request.headers.get("accept-language", ""))


def preferred(header: str) -> Language:
    """The first of our languages that an `Accept-Language` names; English where it names none."""
    for part in header.lower().split(","):
        if part.strip().startswith("pt"):
            return "pt"
        if part.strip().startswith("en"):
            return "en"
    return "en"


def told(error: Problem, request: Request) -> Response:
    """The problem as an answer, in the language of whoever asked."""
    said = error.wording.told(language_of(request))
    return problem_for(request, error.status, said, error.headers)


def install(app: FastAPI, *, methods_at: Callable[[str], list[str]]) -> None:
    """Turn whatever is raised on purpose into a problem detail; the rest is the envelope's."""

    @app.exception_handler(Problem)
    async def _known(request: Request, error: Problem) -> Response:
        return told(error, request)

    @app.exception_handler(DatabaseAway)
    async def _away(request: Request, error: DatabaseAway) -> Response:
        said = Wording("database_away").told(language_of(request))
        return problem_for(request, 503, said, {"Retry-After": str(AWAY_SECONDS)})

    @app.exception_handler(GatewayRefused)
    async def _refused(request: Request, error: GatewayRefused) -> Response:
        id = f"req_{request_id.get()}"
        headers = {"request-id": id, **error.headers}
        return Response(error.body(id), error.status, headers, "application/json")

    @app.exception_handler(SCIMException)
    async def _directory(request: Request, error: SCIMException) -> Response:
        return told_to_directory(error.to_error())

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> Response:
        return problem_for(request, 422, explained(error, language_of(request)))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        if isinstance(error.__cause__, Problem):
            # Raised while a body was read, which the framework takes for a body of another form.
            return told(error.__cause__, request)
        headers = dict(error.headers) if error.headers else {}
        if error.status_code == 405:
            # The framework names the methods of one route; an address may have several.
            headers["Allow"] = ", ".join(methods_at(request.url.path)) or headers.get("Allow", "")
        detail = _plain(request, error).told(language_of(request))
        return problem_for(request, error.status_code, detail, headers)


def _plain(request: Request, error: HTTPException) -> Wording:
    """The framework's own errors in our words."""
    match error.status_code, error.detail:
        case 404, "Not Found":
            return Wording("nothing_here")
        case 405, _:
            return Wording("method_not_taken", method=request.method)
        case 400, "There was an error parsing the body":
            return Wording("bad_json")
    return Wording("as_said", text=str(error.detail))


def explained(error: RequestValidationError, language: Language = "en") -> str:
    """The first thing that does not fit, and where."""
    errors = error.errors()
    first = errors[0]
    if first["type"] == "json_invalid":
        return Wording("bad_json").told(language)
    source, *inner = first["loc"]
    given = error.body if source == "body" else {str(part): None for part in inner}
    where, said = first_misfit([{**first, "loc": inner}], given)
    if "Expected UploadFile" in str(first["msg"]):
        said = Wording("not_a_file")
    return Wording("misfit", where=where or source, problem=said).told(language)

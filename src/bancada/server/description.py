"""The OpenAPI description, completed with what no single route knows.

Every body can be unreadable or too large; every problem has the one shape; a stream's events
have theirs. What is said here is what a fuzzer holds us to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter

from bancada.domain.events import Event
from bancada.server.problems import ProblemDetail, documented

VENDOR_ERROR = {
    "title": "VendorError",
    "description": "What went wrong, as clients of the Messages API know it.",
    "type": "object",
    "required": ["type", "error"],
    "properties": {
        "type": {"const": "error"},
        "error": {
            "type": "object",
            "required": ["type", "message"],
            "properties": {"type": {"type": "string"}, "message": {"type": "string"}},
        },
        "request_id": {"type": "string"},
    },
}

TEMPLATE = "#/components/schemas/{model}"


def describe(app: FastAPI) -> dict[str, Any]:
    """The description of every route; made once."""
    if app.openapi_schema is None:
        schema = get_openapi(
            title=app.title, version=app.version, summary=app.summary, routes=app.routes
        )
        shapes = schema.setdefault("components", {}).setdefault("schemas", {})
        shapes["ProblemDetail"] = ProblemDetail.model_json_schema()
        shapes["VendorError"] = VENDOR_ERROR
        shapes |= _events()
        for operation in _operations(schema):
            _complete(operation)
        app.openapi_schema = schema
    return app.openapi_schema


def _operations(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for path in schema.get("paths", {}).values():
        yield from path.values()


def _complete(operation: dict[str, Any]) -> None:
    responses = operation.setdefault("responses", {})
    if "422" in responses:
        responses["422"] = documented(422)[422]
    if "requestBody" in operation:
        for status in (400, 413):
            responses.setdefault(str(status), documented(status)[status])
    for response in responses.values():
        stream = response.get("content", {}).get("text/event-stream")
        if stream is not None and "gateway" not in operation.get("tags", ()):
            stream["schema"] = {"$ref": TEMPLATE.format(model="Frame")}


def _events() -> dict[str, Any]:
    """The events of a turn, and the frame each travels in."""
    event = TypeAdapter(Event).json_schema(ref_template=TEMPLATE)
    shapes: dict[str, Any] = event.pop("$defs")
    shapes["TurnEvent"] = {**event, "title": "TurnEvent"}
    shapes["Frame"] = {
        "title": "Frame",
        "description": "One SSE frame. `done` with status `waiting` has no id.",
        "type": "object",
        "properties": {
            "id": {"type": "string"},
            "data": {
                "type": "string",
                "contentMediaType": "application/json",
                "contentSchema": {"$ref": TEMPLATE.format(model="TurnEvent")},
            },
        },
    }
    return shapes


def methods_at(app: FastAPI, path: str) -> list[str]:
    """What can be done at an address, for the `Allow` header of what cannot."""
    paths: dict[str, Any] = describe(app)["paths"]
    # An address that is written out is itself, even where a name could stand in its place.
    matching = (
        [paths[path]]
        if path in paths
        else [
            operations
            for template, operations in paths.items()
            if re.fullmatch(re.sub(r"\{[^}]+\}", "[^/]+", template), path)
        ]
    )
    return sorted({method.upper() for operations in matching for method in operations})

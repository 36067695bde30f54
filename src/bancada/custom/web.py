"""Tools that make one HTTP request, written as a template.

    {"method": "GET", "url": "https://api.example.com/items/{id}", "query": {"q": "{words}"},
     "headers": {"Authorization": "Bearer {secret:CRM_TOKEN}"}, "body": {"note": "{note}"},
     "result": "data.items", "timeout": 10}

Each value is encoded for the place it goes to. Secrets go out and never come back: where an
answer repeats one, its name stands in its place.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self, TypeAlias
from urllib.parse import quote, quote_plus, unquote

from pydantic import AfterValidator, Field, model_validator
from yarl import URL

from bancada.custom.egress import Egress, Incoming, Outgoing, check_header
from bancada.custom.organisation import CustomToolSettings
from bancada.custom.templates import (
    MISSING,
    Reference,
    as_text,
    filled,
    looked_up,
    parsed,
    references,
)
from bancada.domain.errors import Invalid, ToolFailed, misfit
from bancada.domain.json import JSON, JSONObject, dumps, loads
from bancada.domain.shapes import AnyJSON, Shape
from bancada.store.custom_tools import CustomTool
from bancada.tools.result import IMAGES, image_block
from bancada.tools.tool import Run, ToolContext

Method: TypeAlias = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
READING = ("GET", "HEAD")
DEFAULT_SECONDS = 20.0
MAX_ERROR = 500
_URL = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)


def _plain_url(text: str) -> str:
    if _URL.fullmatch(text) is None:
        raise misfit("url_form")
    return text


class HttpRequest(Shape):
    """One request; `{name}` stands for a parameter, `{secret:NAME}` for one of the secrets."""

    method: Method = "GET"
    url: Annotated[str, AfterValidator(_plain_url)]
    query: dict[str, str] = Field(default_factory=dict)
    headers: dict[str, str] = Field(default_factory=dict)
    body: AnyJSON = None
    """Sent as JSON."""
    form: dict[str, str] = Field(default_factory=dict)
    result: str = ""
    """The way to a part of the answer: `data.items.0`."""
    timeout: Annotated[int | float, Field(gt=0, le=60)] = DEFAULT_SECONDS

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        sent = self.model_fields_set & {"body", "form"}
        if len(sent) > 1:
            raise misfit("body_and_form")
        if sent and self.method in READING:
            raise misfit("no_body", method=self.method)
        return self


def check_web(tool: CustomTool, request: HttpRequest, means: CustomToolSettings) -> None:
    """Raises `Invalid` with the reason when the request could not be made as written."""
    if request.method not in READING and tool.effect != "write":
        raise Invalid("request_writes", method=request.method)
    _check_url(tool, request, means)
    for name, value in request.headers.items():
        try:
            check_header(name, "".join(p for p in parsed(value) if isinstance(p, str)))
        except ValueError as error:
            raise Invalid("bad_header", reason=error) from error
    _check_names(tool, means)


def _check_url(tool: CustomTool, request: HttpRequest, means: CustomToolSettings) -> None:
    found = _URL.fullmatch(request.url)
    assert found is not None, "its shape was checked"
    scheme, authority, path = found[1].lower(), found[2], found[3]
    if "{" in authority or "@" in authority:
        raise Invalid("host_written_out")
    try:
        plain = URL(f"{scheme}://{authority}/")
        host, port = plain.raw_host or "", plain.port or 0
    except ValueError as error:
        raise Invalid("host_unreadable", reason=error) from error
    if not any(place.holds(scheme, host, port) for place in means.places):
        raise Invalid("host_not_allowed", host=plain.origin() if host else request.url)
    needed = {p.name for p in tool.parameters if p.is_required or p.default_value is not None}
    for one in references(path):
        if one.is_secret:
            raise Invalid("secret_in_address", written=one.written)
        if one.name not in needed:
            raise Invalid("path_part_optional", written=one.written)
    if any(one.is_secret for one in references(found[4] or "")):
        raise Invalid("secret_in_query")


def _check_names(tool: CustomTool, means: CustomToolSettings) -> None:
    known = {parameter.name for parameter in tool.parameters}
    used: set[str] = set()
    for one in references({k: v for k, v in tool.definition.items() if k not in ("method",)}):
        if not one.is_secret:
            used.add(one.name)
            if one.name not in known:
                raise Invalid("not_a_parameter", written=one.written, tool=tool.name)
        elif tool.owner_id is not None:
            raise Invalid("own_tool_secrets")
        elif one.name not in means.secrets:
            raise Invalid("no_secret", written=one.written)
    if unused := sorted(known - used):
        raise Invalid("parameter_unused", name=unused[0])


def web_run(tool: CustomTool, means: CustomToolSettings, egress: Egress) -> Run:
    """The tool's `run`."""
    secrets = _Secrets(tool, means)

    async def run(context: ToolContext, input: JSONObject) -> JSON:
        request = _request(tool.definition, input, means, secrets)
        try:
            within = tool.definition.get("timeout", DEFAULT_SECONDS)
            answer = await egress.send(request, seconds=within)
        except ToolFailed as failure:
            raise ToolFailed(secrets.hidden(str(failure))) from None
        return _result(tool, answer, secrets)

    return run


def _request(
    definition: JSONObject, input: JSONObject, means: CustomToolSettings, secrets: _Secrets
) -> Outgoing:
    def look(reference: Reference) -> JSON:
        if reference.is_secret:
            return secrets.values[reference.name]
        return looked_up(input, reference)

    headers = {
        name: as_text(value) for name, value in filled(definition.get("headers", {}), look).items()
    }
    body, media_type = _body(definition, look)
    if media_type is not None and "content-type" not in {name.lower() for name in headers}:
        headers["Content-Type"] = media_type
    return Outgoing(
        method=definition.get("method", "GET"),
        url=_url(definition, look),
        places=means.places,
        headers=headers,
        body=body,
    )


def _url(definition: JSONObject, look: Any) -> str:
    """The address, every value encoded for its place."""
    found = _URL.fullmatch(definition["url"])
    assert found is not None
    path = "".join(
        part if isinstance(part, str) else _in_path(part, look(part)) for part in parsed(found[3])
    )
    # A value must not walk out of the folder it was put in.
    if any(unquote(segment) in (".", "..") for segment in path.split("/")):
        raise ToolFailed("A value in the path is '.' or '..', which is not allowed.")
    query = [
        "".join(
            part if isinstance(part, str) else quote(_plain(look(part)), safe="")
            for part in parsed(found[4] or "")
        )
    ]
    for name, value in filled(definition.get("query", {}), look).items():
        for one in value if isinstance(value, list) else [value]:
            query.append(f"{quote(name, safe='')}={quote(_plain(one), safe='')}")
    asked = "&".join(part for part in query if part)
    return f"{found[1]}://{found[2]}{path or '/'}{'?' + asked if asked else ''}"


def _in_path(reference: Reference, value: JSON) -> str:
    text = _plain(value)
    if not text:
        raise ToolFailed(f"{reference.written} is empty, and the request's path needs it.")
    return quote(text, safe="")


def _plain(value: JSON) -> str:
    return as_text(value)


def _body(definition: JSONObject, look: Any) -> tuple[bytes | None, str | None]:
    if "form" in definition:
        fields = filled(definition["form"], look)
        pairs = [f"{quote_plus(name)}={quote_plus(_plain(v))}" for name, v in fields.items()]
        return "&".join(pairs).encode(), "application/x-www-form-urlencoded"
    if "body" not in definition:
        return None, None
    body = filled(definition["body"], look)
    if body is MISSING:
        return None, None
    if isinstance(definition["body"], str) and isinstance(body, str):
        return body.encode("utf-8", "replace"), "text/plain; charset=utf-8"
    return dumps(body).encode(), "application/json"


def _result(tool: CustomTool, answer: Incoming, secrets: _Secrets) -> JSON:
    text = secrets.hidden(answer.text())
    if not 200 <= answer.status < 300:
        said = " ".join(text.split())[:MAX_ERROR]
        raise ToolFailed(f"{tool.name}: the server answered {answer.status}. {said}".strip())
    kind = answer.media_type
    if kind == "application/json" or kind.endswith("+json"):
        try:
            value = loads(answer.body)
        except ValueError:
            raise ToolFailed(f"{tool.name}: the answer says it is JSON and is not.") from None
        return _part(tool, secrets.hidden_in(value))
    if kind.startswith("text/") or kind in ("application/xml", "application/javascript"):
        return text
    if not answer.body:
        return {"status": answer.status}
    if kind in IMAGES:
        return image_block(kind, answer.body)
    return {"status": answer.status, "media_type": kind, "bytes": len(answer.body)}


def _part(tool: CustomTool, value: JSON) -> JSON:
    way = tool.definition.get("result")
    if not way:
        return value
    return looked_up({"answer": value}, Reference("answer", tuple(way.split("."))))


class _Secrets:
    """The secrets one tool uses, and how to keep them out of what comes back."""

    def __init__(self, tool: CustomTool, means: CustomToolSettings) -> None:
        self.values: Mapping[str, str] = {
            one.name: means.secrets[one.name]
            for one in references(tool.definition)
            if one.is_secret and one.name in means.secrets
        }
        self._forms = sorted(
            {
                form: name
                for name, value in self.values.items()
                for form in (value, quote(value, safe=""), quote_plus(value), _base64(value))
            }.items(),
            key=lambda pair: -len(pair[0]),
        )

    def hidden(self, text: str) -> str:
        for form, name in self._forms:
            text = text.replace(form, f"[secret {name}]")
        return text

    def hidden_in(self, value: JSON) -> JSON:
        if not self._forms:
            return value
        if isinstance(value, str):
            return self.hidden(value)
        if isinstance(value, list):
            return [self.hidden_in(item) for item in value]
        if isinstance(value, dict):
            return {self.hidden(key): self.hidden_in(inner) for key, inner in value.items()}
        return value


def _base64(value: str) -> str:
    return base64.b64encode(value.encode()).decode().rstrip("=")

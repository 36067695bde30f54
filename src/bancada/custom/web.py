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
from typing import Any
from urllib.parse import quote, quote_plus, unquote

from yarl import URL

from bancada.custom.addresses import DEFAULT_PORTS
from bancada.custom.egress import Egress, Incoming, Outgoing, check_header
from bancada.custom.organisation import Means
from bancada.custom.templates import (
    MISSING,
    Reference,
    as_text,
    filled,
    looked_up,
    parsed,
    references,
)
from bancada.domain.errors import BadDefinition, ToolFailed
from bancada.domain.json import JSON, JSONObject, dumps, loads
from bancada.store.custom_tools import CustomTool
from bancada.tools.result import IMAGES, image_block
from bancada.tools.tool import Run, ToolContext

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE")
READING = ("GET", "HEAD")
DEFAULT_SECONDS = 20.0
MAX_ERROR = 500
_KEYS = frozenset({"method", "url", "query", "headers", "body", "form", "result", "timeout"})
_URL = re.compile(r"(https?)://([^/?#]*)([^?#]*)(?:\?([^#]*))?", re.IGNORECASE)


def check_web(tool: CustomTool, means: Means) -> None:
    """Raises `BadDefinition` with the reason when the request could not be made as written."""
    definition = tool.definition
    if unknown := sorted(set(definition) - _KEYS):
        raise BadDefinition(f"An HTTP tool knows no {', '.join(unknown)}.")
    method = definition.get("method", "GET")
    if method not in METHODS:
        raise BadDefinition(f"method is one of {', '.join(METHODS)}.")
    if method not in READING and tool.effect != "write":
        raise BadDefinition(f"A {method} request changes something: its effect is 'write'.")
    _check_url(tool, means)
    for part in ("query", "headers", "form"):
        values = definition.get(part, {})
        if not isinstance(values, dict) or not all(isinstance(v, str) for v in values.values()):
            raise BadDefinition(f"{part} is an object of texts.")
    for name, value in definition.get("headers", {}).items():
        try:
            check_header(name, "".join(p for p in parsed(value) if isinstance(p, str)))
        except ValueError as error:
            raise BadDefinition(f"headers: {error}.") from error
    if "body" in definition and "form" in definition:
        raise BadDefinition("A request has a body or a form, not both.")
    if method in READING and ("body" in definition or "form" in definition):
        raise BadDefinition(f"A {method} request has no body.")
    if not isinstance(definition.get("result", ""), str):
        raise BadDefinition("result is the way to a part of the answer: data.items.0")
    _check_names(tool, means)


def _check_url(tool: CustomTool, means: Means) -> None:
    url = tool.definition.get("url")
    found = _URL.fullmatch(url) if isinstance(url, str) else None
    if found is None:
        raise BadDefinition("url is needed: https://host/path, without a fragment.")
    scheme, authority, path = found[1].lower(), found[2], found[3]
    if "{" in authority or "@" in authority:
        raise BadDefinition("The host is written out: no names in braces, no user name.")
    try:
        plain = URL(f"{scheme}://{authority}/")
        host, port = plain.raw_host or "", plain.port or 0
    except ValueError as error:
        raise BadDefinition(f"The host cannot be read: {error}.") from error
    if scheme not in DEFAULT_PORTS or not host:
        raise BadDefinition("url needs a host: https://host/path.")
    if not any(place.holds(scheme, host, port) for place in means.places):
        raise BadDefinition(
            f"{plain.origin()} is not among the hosts that this organisation allows (egress)."
        )
    needed = {p.name for p in tool.parameters if p.is_required or p.default_value is not None}
    for one in references(path):
        if one.is_secret:
            raise BadDefinition(f"{one.written}: a secret belongs in a header, not in the address.")
        if one.name not in needed:
            raise BadDefinition(f"{one.written} is part of the path, so it cannot be left out.")
    if any(one.is_secret for one in references(found[4] or "")):
        raise BadDefinition("Secrets in a query are written in 'query', not in the url.")


def _check_names(tool: CustomTool, means: Means) -> None:
    known = {parameter.name for parameter in tool.parameters}
    used: set[str] = set()
    for one in references({k: v for k, v in tool.definition.items() if k not in ("method",)}):
        if not one.is_secret:
            used.add(one.name)
            if one.name not in known:
                raise BadDefinition(f"{one.written} is not a parameter of {tool.name}.")
        elif tool.owner_id is not None:
            raise BadDefinition("A person's own tool cannot use the organisation's secrets.")
        elif one.name not in means.secrets:
            raise BadDefinition(f"{one.written}: the organisation has no secret of that name.")
    if unused := sorted(known - used):
        raise BadDefinition(f"The parameter {unused[0]} is not used anywhere.")


def web_run(tool: CustomTool, means: Means, egress: Egress) -> Run:
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
    definition: JSONObject, input: JSONObject, means: Means, secrets: _Secrets
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

    def __init__(self, tool: CustomTool, means: Means) -> None:
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

"""How the examples talk to a server: signed in as Rui, JSON in and out, and a stream of events."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

URL = os.environ.get("BANCADA_URL", "http://127.0.0.1:8321")


def send(method: str, path: str, body: Any = None, token: str | None = None) -> Any:
    """One request; what was answered."""
    with urlopen(_request(method, path, body, token)) as answer:
        text = answer.read()
        return json.loads(text) if text else None


def events(path: str, body: Any, token: str) -> Iterator[dict[str, Any]]:
    """A question's events, as they arrive."""
    with urlopen(_request("POST", path, body, token)) as stream:
        for line in stream:
            if line.startswith(b"data:"):
                yield json.loads(line[5:])


def sign_in(email: str = "rui@demo.com", password: str = "rui123") -> str:
    """A token for the requests that follow."""
    return str(send("POST", "/auth/login", {"email": email, "password": password})["token"])


def make_key(token: str, scope: str) -> str:
    """A key for one purpose; it is shown this once."""
    made = send("POST", "/me/keys", {"name": f"example {scope}", "scopes": [scope]}, token)
    return str(made["key"])


def _request(method: str, path: str, body: Any, token: str | None) -> Request:
    headers = {"content-type": "application/json"}
    if token is not None:
        headers["authorization"] = f"Bearer {token}"
    data = None if body is None else json.dumps(body).encode()
    return Request(URL + path, data=data, headers=headers, method=method)

"""The description of the API, held against the API: whatever is sent, only what is described comes back."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import SkipTest

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from bancada.domain.events import EVENTS
from bancada.server.app import create_app
from tests.server.site import PASSWORDS, served, settings_for

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
DESCRIPTION: dict[str, Any] = create_app(settings_for(Path("unused"))).openapi()
schema = schemathesis.openapi.from_dict(DESCRIPTION)


class Live:
    """A served demo in a thread of its own, for tests that are not coroutines."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(60)

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        async with served(self._folder) as site:
            self.address = site.address
            self._ready.set()
            await self._over.wait()

    def token(self, person: str) -> str:
        body = {"email": f"{person}@demo.com", "password": PASSWORDS[person]}
        answer = httpx.post(f"{self.address}/auth/login", json=body)
        return str(answer.json()["token"])

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join(30)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory, made_once: Path) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("live")
    shutil.copytree(made_once, folder / "data")
    opened = Live(folder)
    opened.admin = opened.token("admin")  # type: ignore[attr-defined]
    opened.known = known(opened)  # type: ignore[attr-defined]
    yield opened
    opened.close()


def known(live: Live) -> dict[str, list[str]]:
    """Things that are there, by the beginning of their address: without them all would be 404."""
    headers = {"Authorization": f"Bearer {live.token('admin')}"}
    with httpx.Client(base_url=live.address, headers=headers, timeout=30) as admin:
        conversation = admin.post("/conversations", json={"agent": "Qualidade"}).json()["id"]
        asked = admin.post(
            f"/conversations/{conversation}/messages", json={"content": "quantos defeitos?"}
        )
        assert asked.status_code == 200
        whole = admin.get(f"/conversations/{conversation}").json()
        item = {"type": "kpi", "data": {"widget": "kpi", "titulo": "Um", "valor": 1}}
        board = admin.post("/dashboards", json={"items": [item]}).json()["id"]
        call = {"name": "Estudo", "tool": "top_defeitos", "input": {}}
        study = admin.post("/studies", json=call).json()["id"]
        return {
            "/studies/{id}": [study],
            "/conversations/{id}": [conversation],
            "/conversas/{id}": [conversation],
            "/messages/{id}": [message["id"] for message in whole["messages"]],
            "/dashboards/{id}": [board],
            "/admin/users/{id}": ["2", "3"],
            "/admin/agents/{id}": ["2", "3"],
            "/admin/tools/{name}": ["contar_defeitos", "createTask"],
            "/admin/turns/{id}": [whole["turn_id"]],
            "/admin/organisations/{id}": ["1"],
        }


def name_what_is_there(case: Any, known: dict[str, list[str]]) -> None:
    """Every other case is about something that exists."""
    for template, names in known.items():
        if case.path.startswith(template) and len(repr(case.body)) % 2:
            parameter = template.rsplit("{", 1)[1].rstrip("}")
            case.path_parameters[parameter] = names[len(repr(case.query)) % len(names)]


def try_it(case: Any, live: Any) -> None:
    name_what_is_there(case, live.known)
    headers = {"Authorization": f"Bearer {live.admin}", "X-Api-Key": ""}
    answer = case.call(base_url=live.address, headers=headers, timeout=60)
    case.validate_response(answer, checks=CHECKS)


QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


# In pytest's hands the description is worked out whole by every worker before the first test
# runs, many cases for each operation; here each operation's are when its turn comes.
def try_all(label: str, live: Live, examples: int) -> None:
    """Every case that is worth trying for an operation, and so many that are drawn."""
    operation = schema.find_operation_by_label(label)
    assert operation is not None

    @settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        database=None,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=QUIET,
    )
    def one(case: Any) -> None:
        try_it(case, live)

    feedback = FeedbackSources(constants_value_source=make_constants_value_source(schema))
    trying = build_operation_test(
        config=schema.config, operation=operation, test_func=one, given_kwargs={}, feedback=feedback
    )
    try:
        trying()
    except SkipTest as nothing:
        raise AssertionError(f"nothing to try for {label}") from nothing


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in DESCRIPTION["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


every_operation = pytest.mark.parametrize("label", [label for label, _ in operations()])


@every_operation
def test_only_what_is_described_comes_back(label: str, live: Live) -> None:
    try_all(label, live, examples=3)


@pytest.mark.long
@pytest.mark.timeout(1800)
@every_operation
def test_only_what_is_described_comes_back_however_long_one_tries(label: str, live: Live) -> None:
    try_all(label, live, examples=60)


# ---------------------------------------------------------------------------- the description itself


def test_every_operation_says_what_it_does_and_what_may_go_wrong() -> None:
    silent = [name for name, operation in operations() if not operation.get("description")]
    assert silent == []
    for name, operation in operations():
        statuses = set(operation["responses"])
        if "requestBody" in operation:
            # The vendor's API says 400 to what does not fit, and so does ours where it speaks its wire.
            assert {"400", "413", *(() if " /v1/" in name else ("422",))} <= statuses, name
        if operation.get("security"):
            assert "401" in statuses, name
        if "/admin/" in name:
            assert {"401", "403"} <= statuses, name
        for status, response in operation["responses"].items():
            if int(status) >= 400:
                # Other wires have shapes of their own; their 422 is the framework's word alone.
                form = "problem+json"
                if status != "422" and " /v1/" in name:
                    form = "json"
                elif status != "422" and " /scim/" in name:
                    form = "scim+json"
                assert list(response["content"]) == [f"application/{form}"], name


def test_the_events_of_a_turn_are_described() -> None:
    shapes = DESCRIPTION["components"]["schemas"]
    described = {
        shapes[part["$ref"].rsplit("/", 1)[1]]["properties"]["type"]["const"]
        for part in shapes["TurnEvent"]["anyOf"]
    }
    assert described == set(EVENTS)


def test_an_address_that_takes_something_else_says_what(live: Live) -> None:
    answer = httpx.put(f"{live.address}/conversations/x")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "DELETE, GET, PATCH"

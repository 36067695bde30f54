"""The client under test, for the conformance suite: our own connections, and nothing of the SDK's.

The scenario's server is added, signed in to where it wants that, looked at, and its tools are
enabled and called through the gate, as people would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp.shared.auth import OAuthClientInformationFull

from bancada.domain.calls import Outcome
from bancada.domain.errors import Problem
from bancada.domain.json import JSONObject
from bancada.mcp.connections.desk import NewConnection
from bancada.mcp.connections.signin import OurAddress
from bancada.store.connections import ConnectedTool, ServerConnection
from bancada.tools.inquiries import Inquiry, InquiryAnswer
from tests.mcp.connections.booth import Booth

DOCUMENT = "https://conformance-test.local/client-metadata.json"
SIGN_INS = 3
"""How often one who is asked to sign in does so before they give up."""
VALUES = {
    "string": "words",
    "integer": 2,
    "number": 2.5,
    "boolean": True,
    "array": [],
    "object": {},
}


class Address(OurAddress):
    """Ours, as the suite expects it to be called."""

    @property
    def metadata_document(self) -> str | None:
        return DOCUMENT


Say = Callable[..., None]


async def talk(booth: Booth, url: str, scenario: str, context: JSONObject, say: Say) -> bool:
    """Do what people would with the scenario's server; whether it was well in the end."""
    eva = booth.house.eva
    auth = scenario.startswith("auth/")
    new = NewConnection(name="suite", url=url, credentials="shared" if auth else "none")
    connection = await booth.desk.add(eva, new)
    if "client_id" in context:
        known = OAuthClientInformationFull(
            client_id=context["client_id"],
            client_secret=context.get("client_secret"),
            redirect_uris=[Address(origin="http://localhost:3000").callback],  # type: ignore[list-item]
            token_endpoint_auth_method="client_secret_basic",
        )
        await booth.board.storage(connection, None).set_client_info(known)
    if auth:
        await sign_in(booth, connection, say)
    connection = await booth.desk.look(eva, connection.id)
    if connection.status == "sign_in":
        await sign_in(booth, connection, say)
        connection = await booth.desk.look(eva, connection.id)
    say("looked:", connection.status, connection.detail)
    rows = await booth.rows(connection)
    if "json_schema_echo" in rows:
        # What we keep of a schema is asked for: what administrators are shown, all of it.
        others = [row.offered["input_schema"] for name, row in rows.items() if "echo" not in name]
        echoed = {"name": "json_schema_echo", "arguments": {"schema": others[0]}}
        context = {**context, "toolCalls": [echoed]}
    for row in rows.values():
        if not row.problem:
            await call(booth, connection, row, context, say)
    return connection.status == "ok"


async def call(
    booth: Booth, connection: ServerConnection, row: ConnectedTool, context: JSONObject, say: Say
) -> None:
    await booth.enable(connection, row.remote_name)
    calls = [
        one["arguments"] for one in context.get("toolCalls", ()) if one["name"] == row.remote_name
    ]
    for given in calls or [made_up(row.offered["input_schema"])]:
        # What is null and need not be said is left out: the gate wants it so.
        arguments = {name: value for name, value in given.items() if value is not None}
        for _ in range(SIGN_INS):
            outcome = await booth.house.result(row.name, arguments, by=booth.house.eva, ask=answer)
            say("called:", row.name, str(outcome.content)[:200])
            if not wants_sign_in(outcome):
                break
            await sign_in(booth, connection, say)


def wants_sign_in(outcome: Outcome) -> bool:
    return outcome.is_error and "sign in first" in str(outcome.content)


async def answer(*questions: Inquiry) -> dict[str, InquiryAnswer]:
    """A person who takes every default, and makes up what is left."""
    return {
        one.key: InquiryAnswer(action="accept", content=made_up(one.schema, fill=True))
        for one in questions
    }


def made_up(schema: JSONObject, *, fill: bool = False) -> JSONObject:
    needed = schema.get("required", ())
    made: JSONObject = {}
    for name, shape in (schema.get("properties") or {}).items():
        if "default" in shape:
            made[name] = shape["default"]
        elif name in needed:
            made[name] = shape["enum"][0] if shape.get("enum") else VALUES.get(kind(shape), "words")
    return made


def kind(shape: JSONObject) -> str:
    types: Any = shape.get("type", "string")
    return str(types[0] if isinstance(types, list) else types)


async def sign_in(booth: Booth, connection: ServerConnection, say: Say) -> None:
    """As a browser would: go to the door, be let in, and come back."""
    eva = booth.house.eva
    try:
        door = await booth.desk.begin_sign_in(
            eva, connection.id, Address(origin="http://localhost:3000")
        )
    except Problem as problem:
        say("no sign-in:", problem)
        return
    async with httpx2.AsyncClient() as browser:
        found = await browser.get(door, follow_redirects=False)
    given = {
        name: one[0] for name, one in parse_qs(urlsplit(found.headers["location"]).query).items()
    }
    outcome = await booth.desk.came_back(eva, given.get("state", ""), given)
    say("signed in:", outcome)

"""A call that waits for a person: the question put through the client, or where to answer it.

The confirmation is in the queue all the same. Whoever decides first decides: here, or on the page.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any, Literal

from mcp import types
from sqlalchemy import Connection

from bancada.domain.calls import Outcome
from bancada.domain.errors import Conflict, Gone, Problem
from bancada.domain.json import JSONObject, dumps
from bancada.domain.people import Language, Person
from bancada.domain.wording import Wording
from bancada.gate import approvers
from bancada.gate.reasons import why_asked
from bancada.mcp.serving.clients import McpClient
from bancada.mcp.serving.desk import Context, McpDesk
from bancada.mcp.serving.results import kept_outcome
from bancada.mcp.serving.rounds import form
from bancada.store import confirmations
from bancada.store.confirmations import Confirmation
from bancada.tools.inquiries import InquiryAnswer

KEY = "confirmation"
"""Under which name the question is asked."""
LOOK_SECONDS = 0.5
"""How often we look whether somebody decided elsewhere."""
PATIENCE_SECONDS = 300.0
"""How long a client that was sent to the page is kept waiting; then it is told, and the call waits
without it."""
MOST_SHOWN = 2_000
"""Characters of arguments in a question; the page has them all."""


@dataclass(frozen=True)
class Pending:
    """A confirmation, and whether this person may decide it."""

    confirmation: Confirmation
    may_decide: bool


def pending(db: Connection, person: Person, id: str) -> Pending | None:
    """The person's own waiting call; of others' nothing is known here."""
    found = confirmations.find(db, id)
    if found is None or found.user_id != person.id:
        return None
    return Pending(found, approvers.authority(db, person, found, time.time()) is not None)


def schema(language: Language) -> JSONObject:
    def told(key: str) -> str:
        return Wording(key).told(language)

    decision = {
        "type": "string",
        "title": told("mcp_decision"),
        "oneOf": [
            {"const": "approve", "title": told("mcp_approve")},
            {"const": "reject", "title": told("mcp_reject")},
        ],
    }
    reason = {"type": "string", "title": told("mcp_reason"), "maxLength": 500}
    return {
        "type": "object",
        "properties": {"decision": decision, "reason": reason},
        "required": ["decision"],
    }


def message(found: Confirmation, language: Language) -> str:
    """What is about to run, and why a person is asked."""
    arguments = dumps(found.input)
    if len(arguments) > MOST_SHOWN:
        arguments = f"{arguments[:MOST_SHOWN]}… ({len(arguments):,})"
    why = why_asked(found.reason, found.tool, language)
    told = Wording("mcp_confirm", tool=found.tool, arguments=arguments, why=why)
    return told.told(language)


def link(desk: McpDesk, ctx: Context) -> str:
    return f"{desk.address(ctx)}/#/confirmations"


def requests(
    desk: McpDesk, ctx: Context, client: McpClient, person: Person, waiting: Pending
) -> dict[str, Any] | None:
    """How the client is to ask its person: a form, or the page; none where it can do neither, or
    the word is somebody else's."""
    if not waiting.may_decide:
        return None
    said = message(waiting.confirmation, person.language)
    if client.forms:
        return {KEY: form(said, schema(person.language))}
    if client.links:
        params = types.ElicitRequestURLParams(message=said, url=link(desk, ctx))
        return {KEY: types.ElicitRequest(params=params)}
    return None


def told_where(desk: McpDesk, ctx: Context, person: Person, waiting: Pending) -> str:
    """For a client that can ask nobody."""
    found = waiting.confirmation
    key = "mcp_waits" if waiting.may_decide else "mcp_waits_for_another"
    told = Wording(key, tool=found.tool, id=found.id, link=link(desk, ctx))
    return told.told(person.language)


async def decide(
    desk: McpDesk, person: Person, id: str, answer: InquiryAnswer, *, wait: bool = True
) -> str | None:
    """Do what the person said; a sentence where that cannot be done, or they said nothing.

    `wait`: until the call has ended; without, until the decision is on record."""
    if answer.action == "cancel":
        return Wording("mcp_not_decided").told(person.language)
    yes = answer.action == "accept" and answer.content.get("decision") == "approve"
    reason = str(answer.content.get("reason") or "") or None
    try:
        decision: Literal["approve", "reject"] = "approve" if yes else "reject"
        await desk.decide(person, id, decision, reason=reason, wait=wait)
    except (Conflict, Gone):
        pass  # somebody was quicker, or nobody quick enough: what counts is in the record
    except Problem as problem:
        return problem.wording.told(person.language)
    return None


async def settled(desk: McpDesk, person: Person, id: str) -> Outcome | None:
    """How the call ended, where it did; one that was approved is waited for."""
    while True:
        found = await desk.gate.database.read(pending, person, id)
        if found is None:
            return Outcome(content="There is no such confirmation.", is_error=True, code="expired")
        ended = outcome_of(found.confirmation)
        if ended is not None or found.confirmation.status != "approved":
            return ended
        await asyncio.sleep(LOOK_SECONDS / 5)


def outcome_of(found: Confirmation) -> Outcome | None:
    """How a call ended that waited for this confirmation; none: it waits, or runs now."""
    if found.status == "approved":
        return None if found.result is None else kept_outcome(found.result)
    if found.status == "rejected":
        why = f": {found.decision_reason}" if found.decision_reason else "."
        return Outcome(content=f"{found.tool} was rejected{why}", is_error=True, code="rejected")
    if found.status == "expired" or found.expires_at <= time.time():
        return Outcome(
            content=f"Nobody decided about {found.tool} in time; it did not run.",
            is_error=True,
            code="expired",
        )
    return None


async def ask_in_session(
    desk: McpDesk, ctx: Context, client: McpClient, person: Person, waiting: Pending
) -> Outcome | str:
    """Put the question to a client of before 2026, in mid-call; whoever decides first decides.

    How the call ended, or where it waits.
    """
    id = waiting.confirmation.id
    elsewhere = told_where(desk, ctx, person, waiting)
    asked = requests(desk, ctx, client, person, waiting)
    if asked is None or not ctx.session.can_send_request:
        return elsewhere
    params = asked[KEY].params
    asking = asyncio.ensure_future(_put(ctx, params, person, id))
    looking = asyncio.ensure_future(_decided_elsewhere(desk, person, id))
    try:
        await asyncio.wait({asking, looking}, timeout=None, return_when=asyncio.FIRST_COMPLETED)
        if not looking.done():
            answer = asking.result()
            if isinstance(params, types.ElicitRequestURLParams) and answer.action == "accept":
                await asyncio.wait({looking}, timeout=PATIENCE_SECONDS)
            else:
                problem = await decide(desk, person, id, answer)
                if problem is not None:
                    return f"{problem} {elsewhere}"
        return await settled(desk, person, id) or elsewhere
    finally:
        asking.cancel()
        looking.cancel()


async def _put(
    ctx: Context, params: types.ElicitRequestParams, person: Person, id: str
) -> InquiryAnswer:
    if isinstance(params, types.ElicitRequestURLParams):
        said = await ctx.session.elicit_url(params.message, params.url, id, ctx.request_id)
    else:
        said = await ctx.session.elicit_form(
            params.message, params.requested_schema, ctx.request_id
        )
    return InquiryAnswer(action=said.action, content=dict(said.content or {}))


async def _decided_elsewhere(desk: McpDesk, person: Person, id: str) -> None:
    while True:
        found = await desk.gate.database.read(pending, person, id)
        if found is None or found.confirmation.status != "pending":
            return
        await asyncio.sleep(LOOK_SECONDS)

"""Who may send a file is known before a byte of it is read."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import Request

from bancada.data.problems import DataProblem
from bancada.domain.people import Person
from bancada.engine.codetool import usable_code
from bancada.engine.variants import agent_of
from bancada.engine.workbench import Workbench
from bancada.gate.scope import CallScope
from bancada.server.auth import identify
from bancada.store import conversations


@dataclass(frozen=True)
class UploadPlace:
    """The conversation that a file may go to, and how its agent will see it."""

    conversation_id: str
    person: Person
    with_rows: bool
    """Whether the agent has no way to query, and is shown the first rows."""


async def may_upload(request: Request) -> UploadPlace:
    """The conversation's owner, where there is a wall to read a file behind and somebody to use it.

    A route that takes a file for the conversation `{id}` depends on this; it is asked once a
    request, before the body is read.
    """
    known: UploadPlace | None = getattr(request.state, "upload", None)
    if known is not None:
        return known
    person = (await identify(request)).person
    bench: Workbench = request.app.state.bench
    id = request.path_params["id"]
    conversation = await bench.database.read(conversations.owned, id, person.id)
    if bench.jail.missing is not None:
        raise DataProblem("no_wall")
    agent = await bench.database.read(agent_of, conversation)
    scope = CallScope(person_id=person.id, organisation_id=person.organisation_id, agent=agent)
    visible = await bench.gate.visible(scope)
    usable = [tool for tool, _ in visible]
    # Said before the file is read: an agent that could only see its first rows would answer of them.
    in_code = usable_code(agent.code, visible) == "local"
    if not (in_code or any(t.reads_files or (t.category == "code" and not t.core) for t in usable)):
        raise DataProblem("no_reader", agent=agent.name)
    # One made of others reads only through them, and they may be switched off.
    reads = any(tool.reads_files and tool.calls is None for tool in usable)
    place = UploadPlace(id, person, with_rows=not reads)
    request.state.upload = place
    return place


async def may_attach(request: Request) -> None:
    """The conversation's owner; asked, as above, before the body is read."""
    person = (await identify(request)).person
    bench: Workbench = request.app.state.bench
    await bench.database.read(conversations.owned, request.path_params["id"], person.id)

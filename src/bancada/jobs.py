"""What the commands do on an open workbench; `cli` reads the arguments and prints the answers."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

import bancada
from bancada.domain.agents import Agent
from bancada.domain.calls import Caller, Outcome, ToolCall
from bancada.domain.errors import Conflict, Forbidden, NotFound
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Person, RoleName
from bancada.domain.wording import Wording
from bancada.engine import keyring
from bancada.engine.accounts import change_account, invitation, note_added, open_account
from bancada.engine.erasure import Erased, check_erasable, erase, export, would_erase
from bancada.engine.keyring import agent_for, counts, find_key, make_key, until
from bancada.engine.passwords import hash_password
from bancada.engine.workbench import Workbench
from bancada.gate.administration import note
from bancada.gate.gate import must_be_confirmed
from bancada.gate.heads import SignedHeads
from bancada.gate.listing import definition
from bancada.gate.ocsf import event
from bancada.gate.reasons import why_asked
from bancada.gate.scope import CallScope
from bancada.store import agents, audit, keys, people
from bancada.store.installation_keys import note_sealing
from bancada.store.vault import Vault, new_key, seal_all
from bancada.tools.tool import Tool

Confirm = Callable[[str], bool]
"""Asks whoever is at the keys; none where nobody is."""


async def person_called(bench: Workbench, email: str | None) -> Person:
    """Who acts: `local` unless an address is given."""
    if email is None:
        return await bench.local_person()
    found = await bench.database.read(people.person_by_email, email)
    if found is None or not found.is_active:
        raise NotFound("no_active_account", email=email)
    return found


async def organisation_called(bench: Workbench, email: str | None, name: str | None) -> int:
    """The organisation a command is about: the person's own, or another by its name.

    Only administrators may; those of the first organisation look after all of them.
    """
    person = await person_called(bench, email)
    known = {
        int(row.id): str(row.name) for row in await bench.database.read(people.all_organisations)
    }
    if person.role != "admin":
        raise Forbidden("not_administrator", person=person.name)
    if name is None:
        return person.organisation_id
    found = next((id for id, called in known.items() if called == name), None)
    if person.organisation_id != min(known) and found != person.organisation_id:
        raise Forbidden("other_organisation", person=person.name)
    if found is None:
        there = ", ".join(known.values())
        raise NotFound("no_organisation_called", name=name, names=there)
    return found


async def agent_called(bench: Workbench, person: Person, name: str | None) -> Agent:
    """The agent of that name or number; the first one the person may use when none is given."""
    usable = await bench.database.read(agents.agents_for, person.id)
    for agent in usable:
        if name is None or name in (agent.name, str(agent.id)):
            return agent
    names = ", ".join(agent.name for agent in usable) or Wording("no_agents_yet")
    for agent in await bench.database.read(agents.agents_of, person.organisation_id):
        if name in (agent.name, str(agent.id)):
            raise Forbidden("agent_not_theirs", person=person.name, agent=agent.name, names=names)
    raise NotFound("no_agent_of_theirs", person=person.name, names=names)


async def tools_of(bench: Workbench, email: str | None) -> list[tuple[Tool, bool]]:
    """Every tool there is for this person, and whether they may use it."""
    person = await person_called(bench, email)
    usable = {tool.name for tool, _ in await bench.gate.visible(_outside_a_turn(person))}
    return [(tool, tool.name in usable) for tool in bench.registry.for_person(person)]


async def tool_card(bench: Workbench, email: str | None, name: str) -> JSONObject:
    """Everything a tool says of itself."""
    tool = bench.registry.find(name, await person_called(bench, email))
    if tool is None:
        raise NotFound("no_tool", name=name)
    return {
        **definition(tool),
        "category": tool.category,
        "effect": tool.effect,
        "permission_level": tool.permission_level,
        "allowed_callers": list(tool.allowed_callers),
        "timeout": tool.timeout,
        "switched_off": None if tool.switched_off is None else str(tool.switched_off),
    }


async def call_tool(
    bench: Workbench, email: str | None, name: str, input: JSON, confirm: Confirm | None
) -> tuple[JSON, bool]:
    """One call through the gate; its result, and whether it went well."""
    person = await person_called(bench, email)
    call = ToolCall(
        id=f"call_{secrets.token_hex(10)}", name=name, input=input, caller=Caller(via="terminal")
    )
    outcome = await bench.gate.call(call, _outside_a_turn(person))
    if not isinstance(outcome, Outcome) and confirm is not None:
        yes = confirm(f"{name}: {why_asked(outcome.reason, name, person.language)}")
        decided = await bench.confirmations.decide(
            person, outcome.confirmation_id, "approve" if yes else "reject"
        )
        if decided.result is None:
            return "It did not run.", False
        return decided.result["result"], not decided.result["is_error"]
    if not isinstance(outcome, Outcome):
        outcome = must_be_confirmed(call, outcome)
    return outcome.content if outcome.is_error else outcome.shown, not outcome.is_error


def _outside_a_turn(person: Person) -> CallScope:
    return CallScope(person_id=person.id, organisation_id=person.organisation_id)


async def add_person(
    bench: Workbench,
    actor: str | None,
    *,
    email: str,
    name: str | None,
    role: RoleName,
    password: str | None,
) -> str | None:
    """Let somebody in; without a password, the link where they set one."""
    admin = await administrator(bench, actor)
    hashed, takes = None, bench.settings.takes_password_of(email)
    if password is not None:
        if not takes:
            raise Conflict("passwords_off")
        hashed = await hash_password(password, cost=bench.settings.password_cost)

    def add(db: Connection) -> str | None:
        person = open_account(
            db,
            organisation_id=admin.organisation_id,
            email=email,
            name=name,
            role=role,
            password_hash=hashed,
        )
        note_added(db, person, by=admin, via="terminal")
        return invitation(db, person, by=admin, via="terminal") if takes and not hashed else None

    return await bench.database.run(add)


async def people_beside(bench: Workbench, actor: str | None) -> list[Person]:
    """Everybody in the organisation of whoever asks."""
    admin = await administrator(bench, actor)
    return await bench.database.read(people.people_of, admin.organisation_id)


async def disable_person(bench: Workbench, actor: str | None, email: str) -> None:
    """Take somebody's access away, at once."""
    admin = await administrator(bench, actor)
    person = await bench.database.read(_beside, admin, email)
    await bench.database.run(change_account, person, {"is_active": False}, by=admin, via="terminal")


async def export_person(bench: Workbench, actor: str | None, email: str, to: Path) -> JSONObject:
    """Everything of somebody, in a file; its manifest."""
    admin = await administrator(bench, actor)
    found = await bench.database.read(_beside, admin, email)
    return await export(bench, found, to, by=admin, via="terminal")


async def erase_person(bench: Workbench, actor: str | None, email: str, dry_run: bool) -> Erased:
    """Erase somebody, or tell what would go."""
    admin = await administrator(bench, actor)
    found = await bench.database.read(_beside, admin, email)
    await bench.database.read(check_erasable, found)
    if dry_run:
        return await would_erase(bench, found)
    return await erase(bench, found, by=admin, via="terminal")


def _beside(db: Connection, admin: Person, email: str) -> Person:
    found = people.person_by_email(db, email)
    if found is None or found.organisation_id != admin.organisation_id:
        raise NotFound("no_account", email=email)
    return found


async def administrator(bench: Workbench, email: str | None) -> Person:
    """Whoever acts, where they may; raises `Forbidden` where not."""
    person = await person_called(bench, email)
    if person.role != "admin":
        raise Forbidden("not_administrator", person=person.name)
    return person


async def add_key(
    bench: Workbench, email: str, new: keys.KeyTerms, days: float | None, agent: str | None
) -> str:
    """An API key of this person's, in the clear for the only time."""
    person = await person_called(bench, email)
    local = await bench.local_person()

    def add(db: Connection) -> str:
        agent_id = agent_for(db, person, agent)
        whole = replace(new, expires_at=until(days), agent_id=agent_id)
        return make_key(db, person, whole, by=local, via="terminal")[1]

    return await bench.database.run(add)


async def data_changed(
    bench: Workbench,
    email: str | None,
    organisation: str | None,
    about: str,
    change: tuple[JSONObject, JSONObject],
) -> None:
    """Write down what a command changed in a pack's data, from what to what."""
    person = await person_called(bench, email)
    id = await organisation_called(bench, email, organisation)

    def write(db: Connection) -> None:
        before, after = change
        note(
            db,
            person,
            "data_changed",
            about,
            before=before,
            after=after,
            organisation_id=id,
            via="terminal",
        )

    await bench.database.run(write)


async def list_keys(bench: Workbench, actor: str | None) -> list[Any]:
    """The keys of the organisation that count."""
    admin = await administrator(bench, actor)
    rows = await bench.database.read(keys.keys_of, admin.organisation_id)
    return [row for row in rows if counts(row)]


async def revoke_key(bench: Workbench, actor: str | None, id: int) -> None:
    """Make a key of the organisation's count no longer."""
    admin = await administrator(bench, actor)

    def revoke(db: Connection) -> None:
        row = find_key(db, admin.organisation_id, id)
        keyring.revoke_key(db, row, admin.organisation_id, by=admin, via="terminal")

    await bench.database.run(revoke)


async def chains(
    bench: Workbench, actor: str | None, copy: Path | None, recent: bool
) -> tuple[dict[int, audit.Verdict], SignedHeads]:
    """The state of every organisation's audit, and the signed heads it was checked against.

    `copy` is a file of heads that was kept elsewhere; it counts beside the one that is here.
    """
    await administrator(bench, actor)
    heads = await asyncio.to_thread(bench.heads.read)
    if copy is not None:
        heads = heads.with_(await asyncio.to_thread(bench.heads.check, copy))
    read = bench.database.read
    known = {*await read(audit.organisations_with_entries), *heads.by_organisation}
    verify = partial(audit.verify, recent=recent)
    return {id: await read(verify, id, heads.of(id)) for id in sorted(known)}, heads


async def audit_lines(bench: Workbench, email: str | None, ocsf: bool) -> list[JSONObject]:
    """Every call and change of the organisation, one line each."""
    admin = await administrator(bench, email)
    lines = await bench.database.read(audit.export, admin.organisation_id)
    return [event(line, bancada.__version__) for line in lines] if ocsf else lines


async def rotate_secrets(bench: Workbench) -> int:
    """Seal every organisation's secrets with a new key; how many there are.

    Configured keys are the operator's: the first of them is the new one.
    """
    if not bench.settings.secret_key:
        new_key(bench.settings.data)
    return await bench.database.run(_rotated, bench.vault)


def _rotated(db: Connection, vault: Vault) -> int:
    found = seal_all(db, vault, anew=True)
    note_sealing(db, vault)
    for row in people.all_organisations(db):
        where = {"id": row.id, "organisation_id": row.id}
        for name in sorted(row.settings.get("secrets") or ()):
            note(db, None, "secret_set", f"secrets.{name}", via="terminal", how="sealed", **where)
    return found

"""The demo: people, and the agents of all packs. Only what is missing is added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from bancada.domain.people import RoleName
from bancada.engine.accounts import note_added
from bancada.engine.passwords import hash_password
from bancada.gate.administration import note
from bancada.store import agents, people
from bancada.store.database import Database
from bancada.tools.pack import Pack


@dataclass(frozen=True)
class DemoPerson:
    id: int
    email: str
    name: str
    password: str
    role: RoleName
    agents: tuple[str, ...] | None = None
    """None: all of them."""


DEMO_PEOPLE = (
    DemoPerson(1, "admin@demo.com", "Admin", "admin123", "admin"),
    DemoPerson(2, "rui@demo.com", "Rui", "rui123", "responsavel"),
    DemoPerson(3, "ana@demo.com", "Ana", "ana123", "operador", ("Qualidade",)),
)

ORDER = ("quality", "workspace", "graph")
"""Packs whose agents come first, in this order."""


async def seed_demo(database: Database, packs: Sequence[Pack], *, cost: int) -> None:
    """Add the demo people and agents that are not there yet."""
    known = await database.read(_known)
    hashes = {
        person.email: await hash_password(person.password, cost=cost)
        for person in DEMO_PEOPLE
        if person.email not in known
    }
    await database.run(_seed, packs, hashes)


def _known(db: Connection) -> set[str]:
    return {person.email for person in people.everyone(db)}


def _seed(db: Connection, packs: Sequence[Pack], hashes: dict[str, str]) -> None:
    organisation_id = people.first_organisation(db)
    known = {agent.name: agent for agent in agents.agents_of(db, organisation_id)}
    added: set[str] = set()
    for pack in sorted(packs, key=_place):
        for agent in pack.agents:
            if agent.name not in known:
                known[agent.name] = agents.add_agent(db, organisation_id, agent)
                after = {"description": agent.description, "tools": list(agent.tools)}
                note(db, None, "agent_added", agent.name, after=after, via="start")
                added.add(agent.name)
    taken = {person.id for person in people.everyone(db)}
    for person in DEMO_PEOPLE:
        found = people.person_by_email(db, person.email)
        is_new = found is None
        if found is None and person.email in hashes:
            found = people.add_person(
                db,
                organisation_id=organisation_id,
                email=person.email,
                name=person.name,
                role=person.role,
                password_hash=hashes[person.email],
                id=person.id if person.id not in taken else None,
            )
        if found is None:
            continue
        for name, agent in known.items():
            wanted = person.agents is None or name in person.agents
            if wanted and agent.id is not None and (is_new or name in added):
                agents.grant(db, found.id, agent.id)
        if is_new:
            note_added(db, found, by=None, via="start")


def _place(pack: Pack) -> tuple[int, str]:
    return (ORDER.index(pack.name) if pack.name in ORDER else len(ORDER), pack.name)

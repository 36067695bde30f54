"""Dashboards from before the mark count as written with text from outside where that may be so."""

from __future__ import annotations

from importlib import import_module

import pytest
import sqlalchemy as sa
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.json import JSONObject
from bancada.store import agents, conversations, dashboards, messages, people
from bancada.store.dashboards import DashboardRow
from bancada.store.database import Database

FRAMES = import_module("bancada.store.migrations.versions.0007_frames")


def marked(db: Connection, said: JSONObject | None, html: str | None) -> bool:
    """Whether a dashboard is marked whose conversation holds a reply with this metadata."""
    organisation = people.add_organisation(db, "A")
    person = people.add_person(
        db, organisation_id=organisation, name="Ana", email="a@example.com", role="operador"
    )
    agent = agents.add_agent(
        db, organisation, Agent(name="Agent", description="", system_prompt="")
    )
    talk = conversations.add(db, organisation_id=organisation, user_id=person.id, agent_id=agent.id)
    if said is not None:
        messages.append(db, talk.id, role="assistant", kind="reply", content=[], metadata=said)
    row: DashboardRow = dashboards.add(
        db,
        organisation_id=organisation,
        user_id=person.id,
        conversation_id="gone" if said is None else talk.id,
        titulo="T",
        html=html,
    )
    db.execute(sa.text("ALTER TABLE dashboards DROP COLUMN outside"))
    with Operations.context(MigrationContext.configure(db)):
        FRAMES.upgrade()
    return dashboards.owned(db, row.id, person.id).outside


@pytest.mark.parametrize(
    ("said", "html", "counts"),
    [
        ({"outside": True}, "<p>x</p>", True),
        ({"model": "m", "outside": True}, "<p>x</p>", True),
        ({"model": "m"}, "<p>x</p>", False),
        (None, "<p>x</p>", True),
        ({"outside": True}, None, False),
    ],
    ids=["in view", "among other marks", "not in view", "conversation gone", "no page"],
)
async def test_what_is_not_known_counts(
    database: Database, said: JSONObject | None, html: str | None, counts: bool
) -> None:
    assert await database.run(marked, said, html) is counts

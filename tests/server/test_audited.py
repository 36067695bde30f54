"""The audit in sentences: every kind has one, in both languages, and says no more than is known."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, get_args

import pytest

from bancada.domain.calls import Caller
from bancada.domain.people import Language
from bancada.domain.wording import CATALOGUES
from bancada.gate.administration import CATEGORY, Action, Via, note
from bancada.server.audited import ENDINGS, Audited
from bancada.store import audit, erasures
from bancada.tools.tool import tool
from tests.house import House

NOBODY = Audited("en", lambda name: None)


def change(action: str, **says: Any) -> dict[str, Any]:
    return {"category": CATEGORY.get(action, "people"), "action": action, **says}  # type: ignore[call-overload]


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_action_and_every_ending_has_a_sentence(language: Language) -> None:
    audited = Audited(language, lambda name: None, {1: "Ana"}, {7: "Qualidade"})
    for action in CATEGORY:
        told = audited.told(change(action, person_id=1, about="THE THING"))
        assert "THE THING" in told or "Ana" in told, action
        assert action not in told
    for via in get_args(Via):
        assert f"audit_who_{via}" in CATALOGUES[language]
    for outcome in (*ENDINGS, "forbidden", "a code of tomorrow", None):
        line = {"category": "call", "tool": "look", "outcome": outcome, "person_id": 1}
        assert {"look", "Ana"} <= set(re.findall(r"\w+", audited.told(line)))


def test_what_another_version_wrote_is_told_as_it_stands() -> None:
    assert NOBODY.told(change("moon_painted", about="x")) == "moon_painted"


async def sentences(house: House, language: Language = "en") -> list[str]:
    def read(db: Any) -> list[str]:
        find = partial(house.registry.find, person=house.eva)
        lines = audit.calls(db, house.organisation_id)
        audited = Audited.of(db, house.organisation_id, lines, language, find)
        return [audited.told(line) for line in lines]

    return await house.database.read(read)


async def test_calls_are_told_by_who_decided_and_how_they_ended(house: House) -> None:
    @tool(
        effect="write",
        confirm="always",
        in_words={"pt": "Criar tarefa: {title}", "en": "Create task: {title}"},
    )
    async def add_task(title: str) -> str:
        """Add a task."""
        return "done"

    @tool(permission_level="admin")
    async def act() -> str:
        """Act."""
        return "done"

    await house.add(add_task, act)
    agent = await house.agent("Ajudante", "add_task")
    title = {"title": "Call the paint\u202e supplier"}
    # Of the first, Rui may not decide: a yes that does not count is no rejection of his.
    decisions = (
        ("c0", "approved", house.rui),
        ("c1", "approved", house.ana),
        ("c2", "rejected", house.rui),
    )
    for id, status, by in decisions:
        waiting = await house.waits("add_task", title, id=id, agent=agent)
        await house.decide(waiting, status, by=by)
        await house.result(
            "add_task", title, id=id, agent=agent, confirmation_id=waiting.confirmation_id
        )
    await house.waits("add_task", title, id="c3", caller=Caller(via="panel"))
    await house.result("act", id="c4", caller=Caller(via="panel"))
    assert await sentences(house) == [
        "Refused, for Ana: act",
        "Ana waits for a decision: Create task: Call the paint supplier",
        "Rui rejected, for Ajudante (for Ana): Create task: Call the paint supplier",
        "Ana approved, for Ajudante (for Ana): Create task: Call the paint supplier",
        "Refused, for Ajudante (for Ana): Create task: Call the paint supplier",
    ]
    last = (await sentences(house, "pt"))[-2]
    assert last == "Ana aprovou, para Ajudante (para Ana): Criar tarefa: Call the paint supplier"


async def test_what_was_erased_is_not_made_up(house: House) -> None:
    action: Action = "agent_changed"

    def write(db: Any) -> None:
        note(db, house.ana, action, "Ajudante", id=1, before={"a": 1}, after={"a": 2})
        note(
            db, None, "settings_changed", "Casa", organisation_id=house.organisation_id, via="start"
        )
        list(erasures.erase(db, house.organisation_id, house.ana.id, house.ana.email))

    await house.database.run(write)
    assert await sentences(house) == [
        "The server changed the settings of Casa",
        "Ana changed the agent (erased)",
    ]

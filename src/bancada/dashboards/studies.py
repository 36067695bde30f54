"""Studies that are kept by name, and the one way to make one again.

A study is a call of a tool that reads. Whoever makes it again (a person, a tile of a dashboard, a
schedule) makes the call through the gate, as the person it is made for and within one of their
agents, with their rights as they are then.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.dashboards.pinned import from_event
from bancada.dashboards.refreshing import Recalling, offers_to
from bancada.domain.calls import BrokenRule, Outcome, Via
from bancada.domain.errors import Invalid
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.studies import StudyCall
from bancada.domain.wording import Wording
from bancada.gate.administration import note
from bancada.gate.gate import Gate
from bancada.store import conversations, studies
from bancada.store.database import Database
from bancada.store.studies import SavedStudy

_RUNNING: ContextVar[frozenset[str]] = ContextVar("studies_running", default=frozenset())
"""The studies that are being made by whoever asks for another."""


@dataclass(frozen=True, kw_only=True)
class StudyRun:
    """How a study ended when it was made again."""

    study: SavedStudy
    at: float = field(default_factory=time.time)
    outcome: Outcome | None = None
    """What the tool gave; none where it could not be called or failed."""
    error: Wording | None = None
    """Why there is no outcome, for the person."""

    @property
    def value(self) -> JSONObject:
        """The study's own answer, as its tool gives it."""
        found = None if self.outcome is None else self.outcome.value
        return found if isinstance(found, dict) else {}

    @property
    def reading(self) -> str:
        """What the study says, in words."""
        return str(self.value.get("leitura") or "")

    @property
    def broken(self) -> tuple[BrokenRule, ...] | None:
        """The rules that were broken, chart by chart; none where the study has no control chart, or
        did not run."""
        return None if self.outcome is None else self.outcome.broken

    @property
    def in_control(self) -> bool | None:
        """Whether the charts show no broken rule; none where that cannot be said."""
        return None if self.broken is None else not self.broken


@dataclass
class StudyDesk:
    """Everything that can be done with kept studies and limits, each as one person."""

    database: Database
    gate: Gate

    async def save(
        self,
        person: Person,
        name: str,
        call: StudyCall,
        *,
        replace: bool = False,
    ) -> SavedStudy:
        """Keep a call under a name; only of a tool that reads, with arguments that fit it."""
        found = self.gate.registry.find(call.tool, person)
        if found is None:
            raise Invalid("no_tool", name=call.tool)
        if found.effect != "read":
            raise Invalid("study_reads_only", tool=call.tool)
        if problem := found.validator.problem(call.input):
            raise Invalid("bad_input", problem=problem)
        if call.conversation_id is not None:
            await self.database.read(conversations.owned, call.conversation_id, person.id)
        return await self.database.run(_save, person, name, call, replace)

    async def save_shown(
        self, person: Person, name: str, event_id: str, *, shared: bool = False
    ) -> SavedStudy:
        """Keep the call behind what an event of the person's own conversation showed."""
        shown = await self.database.read(from_event, person, event_id)
        if shown.tool is None:
            raise Invalid("study_from_call")
        call = StudyCall(
            tool=shown.tool,
            input=shown.input or {},
            conversation_id=shown.conversation_id,
            shared=shared,
        )
        return await self.save(person, name, call)

    async def visible(self, person: Person) -> list[SavedStudy]:
        """Their own, and those that others of the organisation share."""
        return await self.database.read(studies.visible, person)

    async def find(self, person: Person, which: str) -> SavedStudy:
        """One that they see, by its id or its name."""
        return await self.database.read(studies.find, person, which)

    async def change(
        self, person: Person, which: str, *, name: str | None = None, shared: bool | None = None
    ) -> SavedStudy:
        """Give one of their own another name, or share it, or not any more."""
        return await self.database.run(_change, person, which, name, shared)

    async def remove(self, person: Person, which: str) -> SavedStudy:
        """Remove one of their own."""
        return await self.database.run(_remove, person, which)

    async def run(self, person: Person, which: str, *, run: str | None = None) -> StudyRun:
        """Make a study again, with this person's rights as they are now; `run` is what its call is
        kept under, for a schedule's run that goes on where another process left it.

        `NotFound` where they see none of that id or name; everything that keeps it from being made
        is said in the answer.
        """
        study = await self.find(person, which)
        if study.id in _RUNNING.get():
            return StudyRun(study=study, error=Wording("study_in_itself", name=study.name))
        # A study may be of the tool that makes studies again: not of itself, whoever renamed what.
        token = _RUNNING.set(_RUNNING.get() | {study.id})
        try:
            return await self._run(person, study, run)
        finally:
            _RUNNING.reset(token)

    async def _run(self, person: Person, study: SavedStudy, run: str | None) -> StudyRun:
        offers = await offers_to(self.database, self.gate, person)
        via: Via = "study" if run is None else "schedule"
        calls = Recalling(self.database, self.gate, person, offers, via, run)
        which = None if run is None else study.id
        ended = await calls.made(study.tool, study.input, study.conversation_id, which)
        if isinstance(ended, Wording):
            return StudyRun(study=study, error=ended)
        return StudyRun(study=study, outcome=ended)


def _save(
    db: Connection,
    person: Person,
    name: str,
    call: StudyCall,
    replace: bool,
) -> SavedStudy:
    saved = studies.save(db, person, name, call, replace=replace)
    after = {"tool": call.tool, "input": call.input, "shared": call.shared}
    note(db, person, "study_saved", name, id=saved.id, after=after)
    return saved


def _change(
    db: Connection, person: Person, which: str, name: str | None, shared: bool | None
) -> SavedStudy:
    before = studies.owned(db, person, which)
    studies.change(db, before.id, name=name, shared=shared)
    after = studies.owned(db, person, before.id)
    told = [{"name": one.name, "shared": one.shared} for one in (before, after)]
    note(db, person, "study_changed", after.name, id=after.id, before=told[0], after=told[1])
    return after


def _remove(db: Connection, person: Person, which: str) -> SavedStudy:
    study = studies.owned(db, person, which)
    studies.remove(db, study.id)
    note(db, person, "study_removed", study.name, id=study.id)
    return study

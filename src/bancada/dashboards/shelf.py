"""What packs keep by name: limits of control charts, and studies. For tools, so it says what is
wrong as tools do."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sqlalchemy import Connection

from bancada.dashboards.studies import StudyDesk
from bancada.domain.calls import Outcome
from bancada.domain.errors import Problem, ToolFailed
from bancada.domain.json import JSONObject
from bancada.domain.people import Person
from bancada.domain.studies import ChartLimits, FrozenLimits, KeptStudy, StudyCall
from bancada.gate.administration import note
from bancada.store import control_limits
from bancada.store.database import Database
from bancada.tools.tool import ToolContext

T = TypeVar("T")


@dataclass
class PackStudies:
    """`StudyShelf`, as this installation has it."""

    database: Database
    desk: StudyDesk

    async def freeze(
        self,
        context: ToolContext,
        name: str,
        *,
        chart: str,
        parameters: JSONObject,
        origin: JSONObject,
        replace: bool = False,
    ) -> FrozenLimits:
        """Keep limits for the organisation."""
        limits = ChartLimits(chart=chart, parameters=parameters, origin=origin)
        return await _told(
            context, self.database.run(_freeze, context.person, name, limits, replace)
        )

    async def limits(self, context: ToolContext, name: str) -> FrozenLimits:
        """The organisation's limits of this name."""
        whose = context.person.organisation_id
        return await _told(context, self.database.read(control_limits.named, whose, name))

    async def all_limits(self, context: ToolContext) -> Sequence[FrozenLimits]:
        """The organisation's limits, by name."""
        whose = context.person.organisation_id
        return await self.database.read(control_limits.of_organisation, whose)

    async def unfreeze(self, context: ToolContext, name: str) -> FrozenLimits:
        """Remove limits, for everybody."""
        return await _told(context, self.database.run(_unfreeze, context.person, name))

    async def save(
        self,
        context: ToolContext,
        name: str,
        *,
        tool: str,
        input: JSONObject,
        shared: bool = False,
        replace: bool = False,
    ) -> KeptStudy:
        """Keep a call as a study of the person's; it reads this conversation's data sets."""
        conversation = context.conversation_id
        call = StudyCall(tool=tool, input=input, conversation_id=conversation, shared=shared)
        saving = self.desk.save(context.person, name, call, replace=replace)
        return (await _told(context, saving)).kept(context.person)

    async def studies(self, context: ToolContext) -> Sequence[KeptStudy]:
        """The person's own, and those that others of the organisation share."""
        found = await self.desk.visible(context.person)
        return [one.kept(context.person) for one in found]

    async def run(self, context: ToolContext, which: str) -> tuple[KeptStudy, Outcome]:
        """Make a study again as this person; `ToolFailed` says why it could not be."""
        ran = await _told(context, self.desk.run(context.person, which))
        if ran.outcome is None:
            reason = "" if ran.error is None else ran.error.told(context.language)
            raise ToolFailed(reason)
        return ran.study.kept(context.person), ran.outcome

    async def remove(self, context: ToolContext, which: str) -> KeptStudy:
        """Remove one of the person's own."""
        gone = await _told(context, self.desk.remove(context.person, which))
        return gone.kept(context.person)


async def _told(context: ToolContext, work: Awaitable[T]) -> T:
    try:
        return await work
    except Problem as problem:
        raise ToolFailed(problem.wording.told(context.language)) from None


def _freeze(
    db: Connection, person: Person, name: str, limits: ChartLimits, replace: bool
) -> FrozenLimits:
    there = {one.name: one for one in control_limits.of_organisation(db, person.organisation_id)}
    kept = control_limits.freeze(db, person, name, limits, replace=replace)
    before = _facts(there[name]) if name in there else None
    note(db, person, "limits_frozen", name, before=before, after=_facts(kept))
    return kept


def _unfreeze(db: Connection, person: Person, name: str) -> FrozenLimits:
    gone = control_limits.remove(db, person, name)
    note(db, person, "limits_removed", name, before=_facts(gone))
    return gone


def _facts(limits: FrozenLimits) -> JSONObject:
    return {key: value for key, value in vars(limits).items() if key != "name"}

"""A rule tried on the past: what it would have done to the calls that the audit holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from typing import Literal, TypeAlias

from sqlalchemy import Connection

from bancada.domain.calls import Caller
from bancada.domain.json import JSON, JSONObject
from bancada.domain.people import Person
from bancada.gate.case import GateContext
from bancada.policy import permissions
from bancada.policy.budgets import window_start
from bancada.policy.rules import LEVELS, LevelSetting, Rules, resolve
from bancada.store import audit, people
from bancada.store.people import PersonNow
from bancada.tools.defaults import filled_in
from bancada.tools.tool import Tool

MOST_CALLS = 10_000
"""Recorded calls that are looked at, the newest of them."""
MOST_SHOWN = 200

Verdict: TypeAlias = Literal["stopped", "asked", "allowed"]


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """A level's setting of a tool, before it is switched on."""

    tool: Tool
    setting: LevelSetting
    subject: str = ""

    def concerns(self, person: Person, agent_id: int | None) -> bool:
        subjects = {"role": person.role, "agent": str(agent_id), "user": str(person.id)}
        return subjects.get(self.setting.level, self.subject) == self.subject


@dataclass(frozen=True, kw_only=True)
class TriedCall:
    """One recorded call: what became of it, and what the rules of now and the new one say."""

    audit_id: int
    at: float
    person: str | None
    arguments: JSON
    outcome: str | None
    now: Verdict
    then: Verdict
    reason: str | None
    approver_role: str | None
    approver: str | None
    is_changed: bool


@dataclass(frozen=True)
class RulesAnswer:
    """What rules say of a call."""

    verdict: Verdict
    reason: str | None = None
    approver_role: str | None = None
    approver: str | None = None


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What a rule would have done."""

    tool: str
    calls: int
    is_cut: bool
    """There are older calls that were not looked at."""
    stopped: int
    asked: int
    allowed: int
    changed: int
    """Calls for which the new rule says something else than the rules of now."""
    examples: tuple[TriedCall, ...]
    """Those that change, the newest first."""

    def as_json(self) -> JSONObject:
        return asdict(self)


def tried(
    db: Connection, context: GateContext, organisation_id: int, proposal: Proposal, *, since: float
) -> Trial:
    """Judge every recorded call of the tool since then, by the rules of now and with the new one."""
    lines = audit.calls(
        db, organisation_id, tool=proposal.tool.name, since=since, limit=MOST_CALLS + 1
    )
    trying = _Trying(db, context, proposal)
    found = [trying.of_line(line) for line in reversed(lines[:MOST_CALLS])]
    counted = Counter(call.then for call in found)
    changed = [call for call in reversed(found) if call.is_changed]
    return Trial(
        tool=proposal.tool.name,
        calls=len(found),
        is_cut=len(lines) > MOST_CALLS,
        stopped=counted["stopped"],
        asked=counted["asked"],
        allowed=counted["allowed"],
        changed=len(changed),
        examples=tuple(changed[:MOST_SHOWN]),
    )


@dataclass
class _Trying:
    db: Connection
    context: GateContext
    proposal: Proposal
    _past: dict[str, list[tuple[float, int | None]]] = field(default_factory=dict)
    """When calls were let through and whose they were: by the rules of now, and by the new one."""
    _people_now: dict[int, PersonNow | None] = field(default_factory=dict)

    def of_line(self, line: JSONObject) -> TriedCall:
        agent_id = line.get("agent_id")
        person_now = self._person_now(line.get("person_id"))
        now = then = RulesAnswer("stopped", "forbidden")
        if person_now is not None:
            settings = self.context.rulebook.settings(
                self.db, person_now, self.proposal.tool, agent_id
            )
            changed = self._with_proposal(settings, person_now.person, agent_id)
            now = self._said(line, person_now.person, settings, "now")
            then = self._said(line, person_now.person, changed, "then")
        return TriedCall(
            audit_id=line["id"],
            at=line["at"],
            person=line.get("person"),
            arguments=line.get("arguments"),
            outcome=line.get("outcome"),
            now=now.verdict,
            then=then.verdict,
            reason=then.reason,
            approver_role=then.approver_role,
            approver=then.approver,
            is_changed=now != then,
        )

    def _person_now(self, person_id: int | None) -> PersonNow | None:
        if person_id is None:
            return None
        if person_id not in self._people_now:
            self._people_now[person_id] = people.person_now(self.db, person_id)
        return self._people_now[person_id]

    def _with_proposal(
        self, settings: list[LevelSetting], person: Person, agent_id: int | None
    ) -> list[LevelSetting]:
        """The settings with the new one in its place: what it does not speak of stays as it is."""
        new = self.proposal.setting
        if not self.proposal.concerns(person, agent_id):
            return settings
        said = {key: value for key, value in vars(new).items() if value is not None}
        there = next((setting for setting in settings if setting.level == new.level), None)
        merged = new if there is None else replace(there, **said)
        others = [setting for setting in settings if setting.level != new.level]
        return sorted([*others, merged], key=lambda setting: LEVELS.index(setting.level))

    def _input(self, line: JSONObject) -> JSONObject | None:
        """The arguments as they ran; none where the audit holds only a part of them."""
        given = line.get("arguments")
        if not isinstance(given, dict) or set(given) in ({"cut", "characters"}, {"not_json"}):
            return None
        filled: JSONObject = filled_in(self.proposal.tool.input_schema, given)
        return filled

    def _said(
        self, line: JSONObject, person: Person, settings: list[LevelSetting], which: str
    ) -> RulesAnswer:
        tool, rules = self.proposal.tool, resolve(self.proposal.tool, settings)
        caller = Caller.of(line.get("caller"))
        refused = (
            permissions.enabled(tool, rules, None, caller)
            or permissions.permitted(person, tool, rules)
            or permissions.caller_allowed(tool, rules, caller)
        )
        if refused is not None:
            return RulesAnswer("stopped", refused.code)
        if self._is_spent(rules, line["at"], person.id, which):
            return RulesAnswer("stopped", "budget_exceeded")
        self._past.setdefault(which, []).append((line["at"], person.id))
        reasons = rules.reasons_to_ask(tool, self._input(line))
        asks = permissions.asks((tool, rule) for rule in reasons)
        if asks is None:
            return RulesAnswer("allowed")
        return RulesAnswer("asked", asks.reason, asks.approver_role, asks.approver)

    def _is_spent(self, rules: Rules, at: float, person_id: int, which: str) -> bool:
        for budget in rules.budgets:
            since = window_start(budget["per"], at)
            whose = person_id if budget.get("by", "person") == "person" else None
            used = sum(
                when >= since and whose in (None, who) for when, who in self._past.get(which, ())
            )
            if used >= budget["calls"]:
                return True
        return False

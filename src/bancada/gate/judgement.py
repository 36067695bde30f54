"""Must this call be asked, and who may decide? One answer, on what will run.

The arguments are taken as the tool will see them, defaults filled in; a tool made of others is
unfolded into the calls it will make, to the last level. What is not known yet (a step's input
that an earlier step will bring) counts as everything it could be: every rule asks. The same
function judges a call when it is made, when an approver has changed it, and when it is about
to run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection

from bancada.domain.access import Ask
from bancada.domain.json import JSON, JSONObject, canonical
from bancada.gate.case import GateContext, KnownCase
from bancada.gate.scope import DEEPEST
from bancada.policy import permissions
from bancada.policy.rules import AskRule
from bancada.tools.defaults import filled_in
from bancada.tools.tool import Tool

OUTSIDE = AskRule("outside_content", remember=False)
PROPOSED = AskRule("proposed", remember=False)


@dataclass(frozen=True)
class Reason:
    """One rule that wants a person's word for one of the calls."""

    tool: Tool
    rule: AskRule
    key: str
    """Which rule it is, as it stands now, on which tools at which versions: what a yes is for."""


@dataclass(frozen=True)
class InnerStep:
    """A call that will be made inside; the input is none where it is not known yet."""

    tool: str
    input: JSON
    depth: int

    def as_json(self) -> JSONObject:
        return {"tool": self.tool, "input": self.input, "depth": self.depth}


@dataclass(frozen=True)
class Judgement:
    """Why a person must be asked, if one must, and everything that will run."""

    reasons: tuple[Reason, ...]
    steps: tuple[InnerStep, ...]


def asks(reasons: tuple[Reason, ...]) -> Ask | None:
    """The one question for these reasons, to the strictest approver."""
    return permissions.asks((reason.tool, reason.rule) for reason in reasons)


def judged(db: Connection, context: GateContext, case: KnownCase, *, tainted: bool) -> Judgement:
    """The judgement on a call; `tainted` says that the model reads text from outside."""
    found = list(_Unfolding(db, context, case).of_call(case, tainted))
    return Judgement(
        reasons=tuple(one for one in found if isinstance(one, Reason)),
        steps=tuple(one for one in found if isinstance(one, InnerStep)),
    )


@dataclass(frozen=True)
class _Unfolding:
    db: Connection
    context: GateContext
    case: KnownCase

    def of_call(self, case: KnownCase, tainted: bool) -> Iterator[Reason | InnerStep]:
        tool, path = case.tool, (*case.scope.path, case.tool.label)
        input = _as_run(tool, case.call.input)
        for rule in case.rules.reasons_to_ask(tool, input):
            yield Reason(tool, rule, _key(path, rule))
        if tainted and _reaches_others(tool):
            yield Reason(tool, OUTSIDE, _key(path, OUTSIDE))
        if case.scope.proposed:
            yield Reason(tool, PROPOSED, _key(path, PROPOSED))
        yield from self._inside(tool, input, path, tainted)

    def _inside(
        self, outer: Tool, input: JSONObject | None, path: tuple[str, ...], tainted: bool
    ) -> Iterator[Reason | InnerStep]:
        """What the steps of a tool ask. Text from outside that one brings counts for the next."""
        if outer.calls is None or len(path) > DEEPEST:
            return
        scope, person_now = self.case.scope, self.case.person_now
        agent_id = scope.agent.id if scope.agent else None
        # Without its input, a chain's steps are known by their tools alone.
        for inner in outer.calls({} if input is None else input):
            tool = self.context.registry.find(inner.tool, person_now.person)
            if tool is None:
                continue  # the step is refused by itself, or judged when it is made
            known = None if input is None else inner.input
            known = None if known is None else _as_run(tool, known)
            within = (*path, tool.label)
            rules = self.context.rulebook.rules(self.db, person_now, tool, agent_id)
            yield InnerStep(tool.name, known, len(within) - 1)
            for rule in rules.reasons_to_ask(tool, known):
                yield Reason(tool, rule, _key(within, rule))
            if tainted and _reaches_others(tool):
                yield Reason(tool, OUTSIDE, _key(within, OUTSIDE))
            yield from self._inside(tool, known, within, tainted)
            outside = tool.brings_outside_content(person_now.person)
            tainted = tainted or (outside and self._taint_counts())

    def _taint_counts(self) -> bool:
        settings = self.context.rulebook.organisation(self.db, self.case.person_now)
        return settings.get("outside_content_writes") != "allow"


def _reaches_others(tool: Tool) -> bool:
    """Whether a stranger's words could do something through this tool, unasked."""
    return tool.effect == "write" and not tool.own_shelf


def _as_run(tool: Tool, input: JSONObject) -> Any:
    """The arguments as the tool will see them."""
    return filled_in(
        tool.input_schema, tool.validator.without_blanks(input, filters=tool.effect == "read")
    )


def _key(path: tuple[str, ...], rule: AskRule) -> str:
    said = asdict(rule)
    del said["tell"]  # whoever hears of it, a yes is for the same
    return hashlib.sha256(canonical([list(path), said])).hexdigest()[:32]

"""One call on its way through the gate: what is known of it grows from step to step.

A `Case` begins with the call and where it is made; once the person and the tool are found it is
`KnownCase`; once it may run it is `Admitted`. Every step takes the whole and hands it on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from bancada.domain.calls import ToolCall
from bancada.domain.json import JSON
from bancada.domain.people import Person
from bancada.gate.scope import CallScope
from bancada.policy.rulebook import Rulebook
from bancada.policy.rules import Rules
from bancada.store.confirmations import Confirmation
from bancada.store.people import PersonNow
from bancada.tools.inquiries import AnsweredRound
from bancada.tools.registry import Registry
from bancada.tools.tool import Tool

CONFIRMATION_SECONDS = 7 * 24 * 3600.0


@dataclass(frozen=True, kw_only=True)
class GateContext:
    """What admission needs beside the database: the tools, the rules, the time."""

    registry: Registry
    rulebook: Rulebook
    now: float
    confirmation_seconds: float = CONFIRMATION_SECONDS


@dataclass(frozen=True, kw_only=True)
class Case:
    """A call, and what is known of it so far."""

    call: ToolCall
    scope: CallScope
    person_now: PersonNow | None = None
    """Who makes it; none: the account is gone, or was not looked for."""
    tool: Tool | None = None
    granted: Confirmation | None = None
    """What somebody decided about this very call."""
    again: int | None = None
    """The audit line of a call that was cut short, or has asked something, and runs again."""
    answered: tuple[AnsweredRound, ...] = ()
    """What the call has asked its person, and what they said."""
    process: str | None = None
    """Who runs it; none: nobody whom others would look for."""

    @property
    def person(self) -> Person | None:
        return None if self.person_now is None else self.person_now.person

    @property
    def line(self) -> int | None:
        """The audit line the call has already: it was asked about, or runs again."""
        return self.again if self.granted is None else self.granted.audit_ref


@dataclass(frozen=True, kw_only=True)
class KnownCase(Case):
    """A call whose person and tool are known, and so the rules in force."""

    person_now: PersonNow
    tool: Tool
    rules: Rules

    @property
    def person(self) -> Person:
        return self.person_now.person

    def running(self, input: JSON) -> KnownCase:
        """The same, with these arguments, less those that stand for nothing; what was asked for
        stays known."""
        input = self.tool.validator.without_blanks(input, filters=self.tool.effect == "read")
        if input is self.call.input:
            return self
        asked = self.call.input if self.call.as_asked is None else self.call.as_asked
        return replace(self, call=replace(self.call, input=input, as_asked=asked))


@dataclass(frozen=True, kw_only=True)
class Admitted(KnownCase):
    """The call may run, now and once; the audit says that it starts."""

    audit_ref: int
    approvals: tuple[Confirmation, ...] = ()
    """What people said yes to, for this call and the calls it makes."""
    cache_key: str | None = None
    tainted: bool = False
    """Text from outside stood before whoever wrote it, whatever the organisation makes of that."""

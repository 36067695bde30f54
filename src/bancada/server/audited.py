"""A line of the audit as a sentence: "Ana approved, for Rui: Create task: Call the paint supplier".

Made when it is read, in the reader's language, from what the entries say; the entries say it in no
language. What was erased is not made up: the sentence says that it is gone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection

from bancada.domain.json import JSONObject
from bancada.domain.people import Language
from bancada.domain.wording import Wording
from bancada.gate.administration import CATEGORY
from bancada.store import agents, confirmations, people
from bancada.store.entries import caller_name
from bancada.tools.spoken import call_in_words, on_a_line
from bancada.tools.tool import Tool

BY_AGENTS = frozenset({"model", "code", "keyword"})
"""Callers that are an agent's work for a person, not the person's own."""

ENDINGS = {
    "ok": "audit_call_ok",
    "failed": "audit_call_failed",
    "timeout": "audit_call_failed",
    "waiting": "audit_call_waiting",
    "rejected": "audit_call_rejected",
    "expired": "audit_call_expired",
    "unknown": "audit_call_unknown",
}
"""What is told of a call by how it ended; any other code is a refusal."""


@dataclass(frozen=True)
class Audited:
    """Who and what the lines speak of, for one reader."""

    language: Language
    find: Callable[[str], Tool | None]
    people: dict[int, str] = field(default_factory=dict)
    agents: dict[int, str] = field(default_factory=dict)
    rejected: frozenset[str] = frozenset()
    """Confirmations to which somebody said no: a call may be refused after a yes, too."""

    @staticmethod
    def of(
        db: Connection,
        organisation_id: int,
        lines: list[JSONObject],
        language: Language,
        find: Callable[[str], Tool | None],
    ) -> Audited:
        known = {one.id: one.name or one.email for one in people.accounts_of(db, organisation_id)}
        ours = {one.id: one.name for one in agents.agents_of(db, organisation_id) if one.id}
        no = [line for line in lines if line.get("outcome") == "rejected"]
        asked = {str(line["confirmation_id"]) for line in no if line.get("confirmation_id")}
        return Audited(language, find, known, ours, confirmations.rejected(db, asked))

    def told(self, line: JSONObject) -> str:
        """One line, as `store.audit.calls` gives it."""
        sentence = self._call(line) if line["category"] == "call" else self._change(line)
        return sentence.told(self.language)

    def _change(self, line: JSONObject) -> Wording:
        if line["action"] not in CATEGORY:  # another version wrote it
            return Wording("as_said", text=line["action"])
        about: Any = on_a_line(line.get("about") or "")
        if line.get("is_erased"):
            about = Wording("audit_erased")
        return Wording(f"audit_did_{line['action']}", who=self._who(line), about=about)

    def _call(self, line: JSONObject) -> Wording:
        outcome = line.get("outcome")
        if outcome is None:
            key = "audit_call_started"
        else:
            key = ENDINGS.get(outcome, "audit_call_not_allowed")
        decider = line.get("decided_by")
        if line.get("decision") == "approved" and key in ("audit_call_ok", "audit_call_failed"):
            key = "audit_call_approved" if key == "audit_call_ok" else "audit_call_approved_failed"
        elif key == "audit_call_rejected" and line.get("confirmation_id") not in self.rejected:
            key = "audit_call_not_allowed"
        who: Any = self._who(line)
        agent = self.agents.get(line.get("agent_id") or 0)
        if agent and caller_name(line.get("caller") or {}) in BY_AGENTS:
            who = Wording("audit_by_agent", agent=on_a_line(agent), person=who)
        return Wording(key, who=who, what=self._what(line), decider=self._named(decider))

    def _what(self, line: JSONObject) -> str:
        tool = self.find(line["tool"])
        if tool is None:
            return on_a_line(line["tool"])
        return call_in_words(tool, line.get("arguments"), self.language)

    def _who(self, line: JSONObject) -> str | Wording:
        id, email = line.get("person_id"), line.get("person")
        if id in self.people:
            return on_a_line(self.people[id])
        if email:
            return on_a_line(email)
        if id is not None:
            return Wording("audit_who_erased" if line.get("is_erased") else "audit_who_gone")
        return Wording(f"audit_who_{line.get('via') or 'web'}")

    def _named(self, id: int | None) -> str | Wording:
        return on_a_line(self.people[id]) if id in self.people else Wording("audit_who_gone")

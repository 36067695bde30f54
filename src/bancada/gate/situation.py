"""On whose behalf, and within what, a call is made."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bancada.domain.agents import Agent

DEEPEST = 4
"""How far tools may call tools that call tools."""


@dataclass(frozen=True, kw_only=True)
class Situation:
    """Everything the gate must know of a call beside the call itself."""

    person_id: int
    organisation_id: int
    conversation_id: str | None = None
    turn_id: str | None = None
    agent: Agent | None = None
    confirmation_id: str | None = None
    """An approved confirmation that this call uses, outside a turn."""
    confirmed: bool = False
    """Inside a composed tool that a person has already confirmed as a whole."""
    of_agent: bool = False
    """Made by a tool, but written by the model: the agent must have what is called."""
    depth: int = 0

    def deeper(self, *, confirmed: bool = False, of_agent: bool = False) -> Situation:
        """The situation of a call made by a tool: no turn of its own to be recorded in."""
        return replace(
            self,
            depth=self.depth + 1,
            confirmation_id=None,
            confirmed=self.confirmed or confirmed,
            of_agent=of_agent,
        )

"""On whose behalf, and within what, a call is made."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bancada.domain.agents import Agent
from bancada.store.confirmations import Confirmation
from bancada.store.turns import Tenure
from bancada.tools.inquiries import AskPerson, ReportProgress, nobody_to_ask, unheard

DEEPEST = 4
"""How far tools may call tools that call tools."""


@dataclass(frozen=True, kw_only=True)
class CallScope:
    """Everything the gate must know of a call beside the call itself."""

    person_id: int
    organisation_id: int
    conversation_id: str | None = None
    turn_id: str | None = None
    tenure: Tenure | None = None
    """Who may write for that turn: a process that lost it starts no call, and ends none."""
    agent: Agent | None = None
    confirmation_id: str | None = None
    """An approved confirmation that this call uses, outside a turn."""
    kept_as: str | None = None
    """Under which name a call outside a turn is kept, so that it is known again and runs once."""
    of_own: bool = False
    """Made by a tool of the person's own: it reaches what their agents have, and no further."""
    approvals: tuple[Confirmation, ...] = ()
    """What people said yes to, of the tool that makes this call; it covers what it was asked for."""
    path: tuple[str, ...] = ()
    """The tools that this call is a step of, outermost first, each with its version."""
    of_agent: bool = False
    """Made by a tool, but written by the model: the agent must have what is called."""
    tainted: bool = False
    """Text from outside stood before whoever wrote this call: calls that write ask first."""
    proposed: bool = False
    """Nobody made this call: it is proposed, and a person says yes first, whatever its level."""
    result_chars: int | None = None
    """How much of a result whoever asked can read, where that is less than usual."""
    ask: AskPerson = nobody_to_ask
    """How a tool's own question reaches the person."""
    progress: ReportProgress = unheard

    @property
    def own_turn(self) -> str | None:
        """The turn that the call itself belongs to: what a tool calls is part of that tool's call."""
        return self.turn_id if self.depth == 0 else None

    @property
    def row(self) -> str | None:
        """What the call's row is kept under; none: it leaves none."""
        return (self.own_turn or self.kept_as) if self.depth == 0 else None

    @property
    def depth(self) -> int:
        return len(self.path)

    def inside(
        self,
        tool: str,
        approvals: tuple[Confirmation, ...],
        *,
        of_agent: bool = False,
        tainted: bool = False,
        of_own: bool = False,
    ) -> CallScope:
        """The scope of a call made by a tool: no turn of its own to be recorded in."""
        return replace(
            self,
            path=(*self.path, tool),
            approvals=approvals,
            confirmation_id=None,
            of_agent=of_agent,
            tainted=self.tainted or tainted,
            of_own=self.of_own or of_own,
        )

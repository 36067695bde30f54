"""What the task of a turn is doing in this process: one state, moved in one place.

The record says where a turn stands for everybody: `running`, `waiting`, or how it ended. This
says what its task here does about it, for those who race for the task: whoever decides, stops
or takes up the turn, and the end of the process.

    WORKING   a reply streams →          REPLYING → WORKING
    WORKING   code waits for a person →  HELD     → WORKING  somebody decided in time
                                         HELD     → LET_GO   nobody did
    WORKING   the turn waits →           LEAVING  → WORKING  somebody had decided already
    any       the process stops →        DRAINING
    any       a person stops the turn →  STOPPING

What comes later in this list is stronger: nothing goes back to work from `LET_GO`, `DRAINING`
or `STOPPING`, whatever was on its way when they came.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import Enum, auto


class Phase(Enum):
    """Each names who may do what with the task."""

    WORKING = auto()
    """It takes steps: a decision only has to be told."""
    REPLYING = auto()
    """A reply streams: the end of the process cuts it, for a reply that is not whole is not kept."""
    HELD = auto()
    """The turn waits and readers were let go, but a container is kept: a decision goes on here."""
    LET_GO = auto()
    """Nobody decided in time and the container is ended: a decision takes the turn up anew."""
    LEAVING = auto()
    """The record is told that the turn waits: a decision takes it up once this task is over."""
    DRAINING = auto()
    """The process stops: the task ends at the next step, and the next start goes on from there."""
    STOPPING = auto()
    """A person stopped it: every open call is answered, and the turn ends."""


_ENDS = {Phase.DRAINING, Phase.STOPPING}
_MOVES = {
    Phase.WORKING: {Phase.REPLYING, Phase.HELD, Phase.LEAVING} | _ENDS,
    Phase.REPLYING: {Phase.WORKING} | _ENDS,
    # A container may die while it is held; then the calls beside it are all that waits.
    Phase.HELD: {Phase.WORKING, Phase.LET_GO, Phase.LEAVING} | _ENDS,
    Phase.LET_GO: _ENDS,
    Phase.LEAVING: {Phase.WORKING} | _ENDS,
    Phase.DRAINING: {Phase.STOPPING},
    Phase.STOPPING: set(),
}


@dataclass
class TurnState:
    """The state of one turn's task, and the decisions that reached it."""

    phase: Phase = Phase.WORKING
    reason: str = ""
    """Why it is stopped, as its open calls will read."""
    let_go: asyncio.Event = field(default_factory=asyncio.Event)
    """Set once the phase has been `LET_GO`, for calls that wait in code."""
    _decisions: dict[str, asyncio.Event] = field(default_factory=dict)

    def move(self, to: Phase) -> bool:
        """Move there; false, and nothing changes, where something stronger came first."""
        if to not in _MOVES[self.phase]:
            return False
        self.phase = to
        if to is Phase.LET_GO:
            self.let_go.set()
        return True

    def stop(self, reason: str) -> bool:
        """A person stops the turn; false: somebody did already, and their reason stands."""
        if not self.move(Phase.STOPPING):
            return False
        self.reason = reason
        return True

    @property
    def ends(self) -> bool:
        """Whether the task is about to end and will do nothing more for the turn as it is now."""
        return self.phase in (Phase.LET_GO, Phase.LEAVING, Phase.STOPPING)

    def decision(self, confirmation_id: str) -> asyncio.Event:
        """Set once this confirmation was decided while the task runs."""
        return self._decisions.setdefault(confirmation_id, asyncio.Event())

"""Who sends a request to the gateway: a person, by a key of theirs or a sign-in."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.domain.people import Person
from bancada.store.keys import KeyLimits


@dataclass(frozen=True)
class GatewayClient:
    """A client of somebody's, and what it may use."""

    person: Person
    key_id: int | None = None
    agent_id: int | None = None
    """The agent whose tools its key offers."""
    limits: KeyLimits = field(default_factory=KeyLimits)

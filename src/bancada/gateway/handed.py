"""The client's own tools: not ours to run, and on record as the client's."""

from __future__ import annotations

import time

from sqlalchemy import Connection

from bancada.domain.calls import Caller
from bancada.domain.messages import Block
from bancada.gateway.client import GatewayClient
from bancada.store import audit

OF_CLIENT = "client:"
"""Before the name of a tool that a client runs: no tool of ours is called like that."""


def hand_over(db: Connection, client: GatewayClient, calls: list[Block]) -> None:
    """Write that the model asked for these, and that they went to the client to run."""
    for block in calls:
        caller = Caller.of(block.get("caller") if isinstance(block.get("caller"), dict) else None)
        audit.append(
            db,
            client.person.organisation_id,
            "ended",
            at=time.time(),
            person_id=client.person.id,
            conversation_id=None,
            turn_id=None,
            call_id=str(block.get("id") or ""),
            tool=f"{OF_CLIENT}{block.get('name')}",
            says={
                "agent_id": client.agent_id,
                "person": client.person.email,
                "role": client.person.role,
                "caller": {**caller.as_json(), "via": "gateway"},
                "key_id": client.key_id,
                "decision": "client",
                "outcome": "handed_over",
            },
        )

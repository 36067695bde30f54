"""What the host asks of the zygote: one container, told in one message."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from bancada.sandbox.sandbox import Limits


@dataclass(frozen=True)
class Spawn:
    """What a child must know to become one container."""

    id: str
    data: str | None
    disk: str | None
    """A folder of the host's that it may fill, in place of a small one in memory."""
    limits: Limits
    seed: int | None
    started_at: float | None


def write_order(order: Spawn) -> bytes:
    return json.dumps(asdict(order)).encode()


def read_order(message: bytes) -> Spawn:
    fields = json.loads(message)
    return Spawn(**{**fields, "limits": Limits(**fields["limits"])})

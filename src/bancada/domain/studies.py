"""What is kept of studies by name: limits that were set from a period, and the study itself."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.domain.json import JSONObject


@dataclass(frozen=True, kw_only=True)
class FrozenLimits:
    """Limits of a chart that were set from a period and kept by name: later data do not move them."""

    name: str
    chart: str
    """Of which kind of chart they are."""
    parameters: JSONObject
    """What the limits are computed from."""
    origin: JSONObject
    """Which data they were set from."""
    set_by: str
    """Who set them, by name."""
    set_at: float


@dataclass(frozen=True, kw_only=True)
class KeptStudy:
    """A study that is kept by name: a call of a tool that reads."""

    id: str
    name: str
    tool: str
    input: JSONObject
    owner: str
    """Whose it is, by name."""
    own: bool
    """Whether it is the asking person's."""
    shared: bool

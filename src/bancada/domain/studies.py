"""What is kept of studies by name: limits that were set from a period, and the study itself."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.domain.json import JSONObject


@dataclass(frozen=True, kw_only=True)
class ChartLimits:
    """Limits of a chart, set from a period."""

    chart: str
    """Of which kind of chart they are."""
    parameters: JSONObject
    """What the limits are computed from."""
    origin: JSONObject
    """Which data they were set from."""


@dataclass(frozen=True, kw_only=True)
class FrozenLimits(ChartLimits):
    """Limits of a chart that were set from a period and kept by name: later data do not move them."""

    name: str
    set_by: str
    """Who set them, by name."""
    set_at: float


@dataclass(frozen=True, kw_only=True)
class StudyCall:
    """What a study is: a call of a tool that reads."""

    tool: str
    input: JSONObject
    conversation_id: str | None = None
    """Whose data sets the call reads."""
    shared: bool = False
    """Whether others of the organisation see it and may run it."""


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

"""Experiments: variants of an agent, who gets which, and what may be said of the outcome.

Nothing here knows the database. A conversation's variant follows from its id alone, so it is
the same wherever and whenever it is asked for; what is compared are conversations, because they
are what was assigned.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    model_validator,
)

from bancada.domain.agents import Agent, CodeMode
from bancada.domain.errors import misfit
from bancada.domain.json import JSON, JSONObject

MOST_VARIANTS = 8
ENOUGH = 30
"""Conversations a variant needs before anything is said of it."""
CONFIDENCE = 0.95

Measure: TypeAlias = Literal["thumbs_up", "turns", "cost_usd", "latency_s", "errors"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
BETTER_WHEN: Mapping[Measure, Literal["higher", "lower", "neither"]] = {
    "thumbs_up": "higher",
    "turns": "neither",
    "cost_usd": "lower",
    "latency_s": "lower",
    "errors": "lower",
}
"""More turns may mean more interest, or more trouble: the figure is shown without a verdict."""

Verdict: TypeAlias = Literal["not_enough_data", "no_difference", "better", "worse", "different"]

# ---------------------------------------------------------------------------- variants


Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=100_000)]


class Changes(BaseModel):
    """What a variant has in place of the agent's own; what is not named stays."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    tools: list[str] | None = None
    tools_off: bool = False
    """No tools at all."""
    code: CodeMode | None = None
    model: Text | None = None
    system_prompt: Text | None = None
    effort: Text | None = None
    mode: Literal["model", "keyword"] | None = None
    """`keyword`: the planner without a model."""

    @model_validator(mode="after")
    def _agrees(self) -> Changes:
        if self.tools_off and self.tools:
            raise misfit("tools_and_none")
        return self


class Variant(BaseModel):
    """One way an agent may be. The first of an experiment is what others are compared with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Annotated[str, StringConstraints(strip_whitespace=True, pattern=r"^[\w -]{1,40}$")]
    weight: Annotated[int, Field(ge=1, le=100, strict=True)] = 1
    changes: Changes = Changes()


def _comparable(variants: list[Variant]) -> list[Variant]:
    if len({variant.name for variant in variants}) < len(variants):
        raise misfit("variant_names")
    changes = [variant.changes for variant in variants]
    if any(one in changes[:place] for place, one in enumerate(changes)):
        raise misfit("nothing_to_compare")
    return variants


Variants = Annotated[
    list[Variant], Field(min_length=2, max_length=MOST_VARIANTS), AfterValidator(_comparable)
]
_VARIANTS = TypeAdapter[list[Variant]](Variants)


def read_variants(shapes: JSON) -> list[Variant]:
    """The variants as they are kept: `[{name, weight?, changes}]`."""
    return _VARIANTS.validate_python(shapes)


def as_shapes(variants: Sequence[Variant]) -> list[JSONObject]:
    """How variants are kept and shown: what they change, and nothing else."""
    return [
        {
            "name": variant.name,
            "weight": variant.weight,
            "changes": variant.changes.model_dump(exclude_unset=True),
        }
        for variant in variants
    ]


def assigned(experiment_id: int, conversation_id: str, variants: Sequence[Variant]) -> Variant:
    """The conversation's variant: always the same one, and each as often as its weight says."""
    digest = hashlib.sha256(f"{experiment_id}:{conversation_id}".encode()).digest()
    place = int.from_bytes(digest[:8], "big") % sum(variant.weight for variant in variants)
    for variant in variants:
        place -= variant.weight
        if place < 0:
            return variant
    raise AssertionError("the weights add up")


def varied(agent: Agent, variant: Variant) -> Agent:
    """The agent as this variant has it."""
    changes = variant.changes.model_dump(exclude_none=True, exclude={"tools", "tools_off"})
    if variant.changes.tools_off:
        changes |= {"tools": (), "code": "direct"}
    elif variant.changes.tools is not None:
        changes["tools"] = tuple(variant.changes.tools)
    return agent.model_copy(update=changes)


# ---------------------------------------------------------------------------- outcomes


@dataclass(frozen=True)
class Sums:
    """A measure over the conversations of one variant: how many, their sum, the sum of squares."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float | None:
        return self.total / self.n if self.n else None

    @property
    def variance(self) -> float:
        """Of one conversation; rounding must not make it negative."""
        if self.n < 2:
            return 0.0
        return max(0.0, (self.squares - self.total**2 / self.n) / (self.n - 1))


@dataclass(frozen=True, kw_only=True)
class VariantOutcome:
    """What became of the conversations of one variant."""

    variant: str
    conversations: int
    measures: Mapping[Measure, Sums]


def outcomes(
    variants: Sequence[Variant],
    conversations: Mapping[str, int],
    measured: Iterable[tuple[str, str, Sums]],
) -> list[VariantOutcome]:
    """What the store counted, by variant in the experiment's order; `(variant, measure, sums)`."""
    found = {(variant, measure): sums for variant, measure, sums in measured}
    return [
        VariantOutcome(
            variant=variant.name,
            conversations=conversations.get(variant.name, 0),
            measures={measure: found.get((variant.name, measure), Sums()) for measure in MEASURES},
        )
        for variant in variants
    ]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """A mean and the interval it lies in, nineteen times of twenty."""

    n: int
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One measure of one variant against the first: how they differ, and what may be said."""

    measure: Measure
    variant: str
    against: str
    difference: float | None
    low: float | None
    high: float | None
    verdict: Verdict
    needed: int
    """Conversations still missing, in the variant that has fewer, before anything is said."""


def estimate(sums: Sums) -> Estimate:
    """The mean with its interval; none for the interval of a single conversation."""
    if sums.mean is None or sums.n < 2:
        return Estimate(n=sums.n, mean=sums.mean, low=None, high=None)
    half = _t(sums.n - 1) * math.sqrt(sums.variance / sums.n)
    return Estimate(n=sums.n, mean=sums.mean, low=sums.mean - half, high=sums.mean + half)


def compare(outcomes: Sequence[VariantOutcome]) -> list[Comparison]:
    """Every variant against the first, measure by measure."""
    if not outcomes:
        return []
    first, *others = outcomes
    # Several looks at the same data find something by chance: each is held to more.
    looks = max(1, len(others))
    return [_compared(measure, first, other, looks) for other in others for measure in MEASURES]


def _compared(
    measure: Measure, first: VariantOutcome, other: VariantOutcome, looks: int
) -> Comparison:
    a, b = first.measures.get(measure, Sums()), other.measures.get(measure, Sums())
    fewer = min(a.n, b.n)
    low = high = difference = None
    if a.mean is not None and b.mean is not None:
        difference = b.mean - a.mean
    if difference is not None and fewer >= 2:
        half = _welch(a, b, 1 - (1 - CONFIDENCE) / looks)
        low, high = difference - half, difference + half
    return Comparison(
        measure=measure,
        variant=other.variant,
        against=first.variant,
        difference=difference,
        low=low,
        high=high,
        verdict=_verdict(measure, low, high) if fewer >= ENOUGH else "not_enough_data",
        needed=max(0, ENOUGH - fewer),
    )


def _verdict(measure: Measure, low: float | None, high: float | None) -> Verdict:
    if low is None or high is None:
        return "not_enough_data"
    if low <= 0 <= high:
        return "no_difference"
    wanted = BETTER_WHEN[measure]
    if wanted == "neither":
        return "different"
    return "better" if (low > 0) == (wanted == "higher") else "worse"


def _welch(a: Sums, b: Sums, confidence: float) -> float:
    """Half the width of the interval of a difference of means, variances not taken for equal."""
    one, other = a.variance / a.n, b.variance / b.n
    if one + other == 0:
        return 0.0
    freedom = (one + other) ** 2 / (one**2 / (a.n - 1) + other**2 / (b.n - 1))
    return _t(freedom, confidence) * math.sqrt(one + other)


def _t(freedom: float, confidence: float = CONFIDENCE) -> float:
    """Student's quantile: exact below three degrees of freedom, else by expansion (within 1 %)."""
    if freedom < 2:
        return math.tan(math.pi * confidence / 2)
    if freedom < 3:
        return confidence * math.sqrt(2 / (1 - confidence**2))
    z, d = NormalDist().inv_cdf(0.5 + confidence / 2), freedom
    return (
        z
        + (z**3 + z) / (4 * d)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * d**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * d**3)
    )

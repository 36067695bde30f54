"""What a server does with the parts of a request: as it was found, or assumed until it is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast, get_args

Feature: TypeAlias = Literal[
    "answers",
    "streaming",
    "tools",
    "results",
    "tool_choice_none",
    "cache",
    "effort",
    "thinking",
    "images",
    "documents",
    "count_tokens",
]
FEATURES: tuple[Feature, ...] = get_args(Feature)
Finds: TypeAlias = Literal["yes", "no", "ignored", "text"]
"""`ignored`: taken without effect; `text`: calls come as words instead of blocks."""


@dataclass(frozen=True)
class ProbeAnswer:
    """What one question showed."""

    finds: Finds
    says: str = ""
    """What the server said, where it said no."""


@dataclass(frozen=True)
class Honours:
    """What a server is known to do. What nobody has asked about is taken to work."""

    found: Mapping[Feature, ProbeAnswer] = field(default_factory=dict)

    def refuses(self, feature: Feature) -> bool:
        """Whether sending it makes a request fail."""
        return self._finds(feature) == "no"

    def does(self, feature: Feature) -> bool:
        """Whether sending it has the effect that it should."""
        return self._finds(feature) in ("yes", None)

    @property
    def calls_in_words(self) -> bool:
        return self._finds("tools") == "text"

    def _finds(self, feature: Feature) -> Finds | None:
        found = self.found.get(feature)
        return None if found is None else found.finds

    def as_json(self) -> dict[str, dict[str, str]]:
        return {
            name: {"finds": found.finds, "says": found.says} for name, found in self.found.items()
        }

    @staticmethod
    def of(stored: Mapping[str, Mapping[str, str]]) -> Honours:
        """As it was stored; what another version knew and this one does not is left out."""
        return Honours(
            {
                name: ProbeAnswer(cast(Finds, stored[name]["finds"]), stored[name]["says"])
                for name in FEATURES
                if name in stored
            }
        )

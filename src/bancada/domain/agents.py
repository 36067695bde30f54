"""An agent: a prompt, the tools it may use, and its limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

EVERY_TOOL = "*"

CodeMode: TypeAlias = Literal["direct", "local", "anthropic"]


@dataclass(frozen=True, kw_only=True)
class Agent:
    """What a pack or an administrator declares; `id` is known once it is stored."""

    name: str
    description: str
    system_prompt: str
    tools: tuple[str, ...] = ()
    """Names, in the order the model sees; `*` stands for every other tool the person may use."""
    starters: tuple[str, ...] = ()
    model: str | None = None
    """A model id; none: the installation's default."""
    max_iterations: int = 8
    max_history: int = 20
    max_tokens: int = 4096
    code: CodeMode = "direct"
    last_answer: bool = True
    """At the iteration limit, ask once more for an answer without tools."""
    effort: str | None = None
    mode: Literal["model", "keyword"] = "model"
    id: int | None = None

    def has(self, tool: str) -> bool:
        """Whether the agent may use the tool of this name."""
        return tool in self.tools or EVERY_TOOL in self.tools

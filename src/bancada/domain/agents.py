"""An agent: a prompt, the tools it may use, and its limits."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field, StringConstraints

from bancada.domain.shapes import Shape

EVERY_TOOL = "*"

CodeMode: TypeAlias = Literal["direct", "local", "anthropic"]
AgentName = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]
ToolName = Annotated[str, StringConstraints(min_length=1, max_length=80)]
Starter = Annotated[str, StringConstraints(max_length=200)]
PROSE = 100_000


class AgentFields(Shape):
    """What an agent is made of, listed here alone: the shapes of the panel and the columns of the
    store are these."""

    model_config = ConfigDict(frozen=True)

    name: AgentName
    description: str = Field(default="", max_length=PROSE)
    system_prompt: str = Field(default="", max_length=PROSE)
    tools: tuple[ToolName, ...] = Field(default=(), max_length=500, strict=False)
    """Names, in the order the model sees; `mcp:NAME` stands for a connection's tools, `*` for every
    other tool the person may use, new ones included."""
    starters: tuple[Starter, ...] = Field(default=(), max_length=20, strict=False)
    model: str | None = Field(default=None, min_length=1, max_length=120)
    """A model id; none: the installation's default."""
    max_iterations: int = Field(default=8, ge=1, le=100)
    max_history: int = Field(default=20, ge=1, le=1000)
    max_tokens: int = Field(default=4096, ge=1, le=1_000_000)
    code: CodeMode = "direct"
    last_answer: bool = True
    """At the iteration limit, ask once more for an answer without tools."""
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    mode: Literal["model", "keyword"] = "model"


class Agent(AgentFields):
    """What a pack or an administrator declares; `id` is known once it is stored."""

    id: int | None = None

    def has(self, tool: str, group: str | None = None) -> bool:
        """Whether the agent may use the tool of this name, which came with this group."""
        return tool in self.tools or EVERY_TOOL in self.tools or group in self.tools

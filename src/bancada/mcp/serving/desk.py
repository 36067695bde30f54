"""What the server of MCP is handed, and for whom it works: one person at a time, read fresh."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from mcp.server.context import ServerRequestContext

from bancada.domain.agents import Agent
from bancada.domain.people import Person
from bancada.gate.gate import Gate
from bancada.store.confirmations import Confirmation
from bancada.tools.pack import Pack

Context: TypeAlias = ServerRequestContext[Any, Any]


@dataclass(frozen=True, kw_only=True)
class Guest:
    """Whose client asks, as the database has them now."""

    person: Person
    agent_id: int | None = None
    """The one agent that their key is for."""


class Decide(Protocol):
    """Approve or reject a waiting call; it runs by itself."""

    def __call__(
        self,
        person: Person,
        id: str,
        decision: Literal["approve", "reject"],
        *,
        reason: str | None = None,
        wait: bool = True,
    ) -> Awaitable[Confirmation]: ...


class ReadFile(Protocol):
    """The content of a kept file, by its place on the shelf; none where it is gone."""

    def __call__(self, path: str) -> Awaitable[bytes | None]: ...


@dataclass(frozen=True, kw_only=True)
class McpDesk:
    """The rooms that the server reaches into."""

    gate: Gate
    decide: Decide
    starters: Callable[[Agent, Person], Awaitable[list[str]]]
    prompt: Callable[[Agent, Person], Awaitable[str]]
    """How an agent is told to work, as this person's model would read it."""
    read_file: ReadFile
    packs: Sequence[Pack]
    app_page: Callable[[], str]
    """The page in which clients show our widgets."""
    who: Callable[[Context], Awaitable[Guest]]
    principal: Callable[[Context], str]
    """The same person in a word, without asking the database."""
    address: Callable[[Context], str]
    """Where people find us, without a slash at the end."""
    secret: str
    """Seals what a client carries between two requests; the same after a restart."""

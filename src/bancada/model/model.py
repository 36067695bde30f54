"""The seam to whatever writes replies: one request in, pieces and one whole reply out."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from bancada.domain.errors import BancadaError
from bancada.domain.events import ErrorCode
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block
from bancada.domain.tables import TableShape
from bancada.domain.wording import Wording


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is asked of a model, in the Messages API's own terms."""

    model: str
    max_tokens: int
    system: list[Block]
    messages: list[JSONObject]
    tools: list[JSONObject] = field(default_factory=list)
    tool_choice: JSONObject | None = None
    container: str | None = None
    extra: JSONObject = field(default_factory=dict)
    """Further top-level fields (`output_config`, `thinking`, …) an agent's settings ask for."""
    organisation_id: int | None = None
    """Whose question it is: for a model that reads it against the organisation's own data. Not sent."""
    tables: tuple[TableShape, ...] = ()
    """What can be queried, as structure: for the offline model, and never sent."""
    tokens_shown: int = 0
    """About how many the images and documents in it are; its text does not tell. Not sent."""

    def body(self) -> JSONObject:
        """The request as it is sent; absent fields are absent.

        What stays the same from request to request comes first, so that the bytes of one are
        a prefix of the next.
        """
        body: JSONObject = {"model": self.model, "max_tokens": self.max_tokens}
        if self.system:
            body["system"] = self.system
        if self.tools:
            body["tools"] = self.tools
        body["messages"] = self.messages
        if self.tool_choice is not None:
            body["tool_choice"] = self.tool_choice
        if self.container is not None:
            body["container"] = self.container
        return {**body, **self.extra}


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """What a reply used."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    estimated: bool = False


@dataclass(frozen=True)
class Began:
    """A reply has begun, and is paid for from here on, also if it is cut: what it used so far."""

    usage: Tokens
    model: str


@dataclass(frozen=True)
class TextPiece:
    """A piece of the answer, as it arrives."""

    text: str


@dataclass(frozen=True)
class ThinkingPiece:
    """A piece of visible thinking, as it arrives."""

    text: str


@dataclass(frozen=True)
class Restarted:
    """The reply starts over; pieces since the request was made are void."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class Reply:
    """A finished reply: its blocks exactly as they must be sent back."""

    content: list[Block]
    stop_reason: str
    usage: Tokens
    model: str
    container: JSONObject | None = None
    """`{id, expires_at}` where the provider runs code for us."""
    raw: JSONObject = field(default_factory=dict)
    """Other top-level fields of the reply (id, stop_sequence, context_management, …)."""


ModelEvent: TypeAlias = Began | TextPiece | ThinkingPiece | Restarted | Reply


class Model(Protocol):
    """Anything that answers a request: a provider, the offline planner, a script."""

    @property
    def name(self) -> str: ...

    def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """Yield `Began`, where that is known, and pieces as they come, then exactly one `Reply`; raise `ModelFailed` instead of it."""


class ModelAround:
    """A model that stands before another one, and is called as it is."""

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def name(self) -> str:
        return self._model.name

    async def aclose(self) -> None:
        """Let go of the model's connections, where it has any."""
        close = getattr(self._model, "aclose", None)
        if close is not None:
            await close()


class ModelFailed(BancadaError):
    """No reply came. `code` chooses the sentence for the person, the text is for the operator."""

    def __init__(
        self,
        code: ErrorCode,
        message: str,
        *,
        retryable: bool,
        retry_after: float | None = None,
        status: int | None = None,
        detail: Wording | None = None,
    ) -> None:
        super().__init__(message)
        self.code: ErrorCode = code
        self.retryable = retryable
        self.retry_after = retry_after
        self.status = status
        self.detail = detail
        """What can be changed, where the provider said it (an unknown field, a wrong model), in
        each language."""

"""What a tool may do while it runs, beside its work: ask its person something, say how far it is.

Whoever makes a call says in its scope how a question reaches the person; where nobody can be
asked, the tool fails with a sentence. A tool that asks may be run again from its beginning once
the answers are there, so it asks before it changes anything.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from bancada.domain.errors import ToolFailed
from bancada.domain.json import JSON, JSONObject


@dataclass(frozen=True, kw_only=True)
class Inquiry:
    """A small form for the person: `schema` is an object of plain fields, in JSON Schema."""

    key: str
    """Its name within the call: the same question has the same key when the tool runs again."""
    message: str
    schema: JSONObject
    url: str | None = None
    """Where the person does what is asked of them, in place of filling in a form."""
    state: JSON = None
    """What the tool wants back with the answer; nobody is shown it."""


@dataclass(frozen=True, kw_only=True)
class InquiryAnswer:
    """What the person made of a question; `content` fits its schema where they accepted."""

    action: Literal["accept", "decline", "cancel"]
    content: JSONObject = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class AnsweredRound:
    """Questions that were put together, and what the person made of them."""

    questions: tuple[Inquiry, ...]
    answers: Mapping[str, InquiryAnswer]


class AskPerson(Protocol):
    """Put questions to the person; the answers by their keys."""

    def __call__(self, *questions: Inquiry) -> Awaitable[Mapping[str, InquiryAnswer]]: ...


class ReportProgress(Protocol):
    """Say how far the work is, to whoever listens; `done` only grows."""

    def __call__(
        self, done: float, total: float | None = None, message: str | None = None, /
    ) -> Awaitable[None]: ...


class AnswerNeeded(ToolFailed):
    """The call ends here; made again with the answers, it goes on."""

    def __init__(self, questions: Sequence[Inquiry]) -> None:
        super().__init__("It asks the person first: " + " ".join(one.message for one in questions))
        self.questions = tuple(questions)


async def nobody_to_ask(*questions: Inquiry) -> Mapping[str, InquiryAnswer]:
    raise ToolFailed(
        "It asks the person something, and nobody can be asked here: "
        + " ".join(one.message for one in questions)
    )


async def unheard(done: float, total: float | None = None, message: str | None = None) -> None:
    """Nobody listens."""

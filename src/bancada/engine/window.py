"""Which part of a conversation the model sees: the last messages, turns kept whole.

A message here is what a person would count: a question, an upload, or a turn's answer with
all its tool blocks. The cut moves several messages at a time, and never within a turn, so that
the beginning of what is sent stands still in between and stays in the provider's cache.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from bancada.domain.messages import Role
from bancada.store.messages import Kind, StoredMessage

STEP = 10
"""How many messages the cut moves at a time."""


class Countable(Protocol):
    """What the window needs to know of a message."""

    @property
    def position(self) -> int: ...
    @property
    def role(self) -> Role: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def turn_id(self) -> str | None: ...


M = TypeVar("M", bound=Countable)


def window(messages: list[M], max_history: int) -> list[M]:
    """The messages that are sent, oldest first: `max_history` of those there were at the last
    question, and up to a step more."""
    messages = whole_turns(messages)
    units = counted(messages)
    questions = [at for at, unit in enumerate(units) if unit[0].kind == "question"]
    asked = questions[-1] + 1 if questions else len(units)
    step = max(1, min(STEP, max_history // 2))
    cut = min(max(0, asked - max_history) // step * step, max(0, asked - 1))
    # An answer never travels without its question.
    while cut > 0 and units[cut][0].role != "user":
        cut -= 1
    return [message for unit in units[cut:] for message in unit]


def from_outside(seen: Iterable[StoredMessage]) -> bool:
    """Whether text from outside is among what the model sees.

    A reply made with such text in view is marked like the text itself: it may repeat what it
    read, so it counts for as long as it is seen, after its source has left the window.
    """
    return any(message.kind == "upload" or message.metadata.get("outside") for message in seen)


def whole_turns(messages: list[M]) -> list[M]:
    """The messages with each turn in one piece: what came in between comes after it.

    An upload may arrive while a turn runs. It must not stand between a call and its result.
    """
    began: dict[str, int] = {}
    for message in messages:
        if message.turn_id is not None:
            began.setdefault(message.turn_id, message.position)

    def place(message: M) -> tuple[int, int]:
        turn_id, position = message.turn_id, message.position
        return (position if turn_id is None else began[turn_id]), position

    return sorted(messages, key=place)


def counted(messages: list[M]) -> list[list[M]]:
    """Group messages into what counts as one."""
    units: list[list[M]] = []
    for message in messages:
        answers = message.kind in ("reply", "results", "code")
        goes_on = (
            answers
            and units
            and units[-1][0].kind in ("reply", "results", "code")
            and units[-1][0].turn_id == message.turn_id
        )
        if goes_on:
            units[-1].append(message)
        else:
            units.append([message])
    return units

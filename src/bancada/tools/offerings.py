"""What a pack offers MCP clients beside tools: documents to read, and prompts to begin with."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias
from urllib.parse import unquote

from bancada.domain.calls import Attachment
from bancada.domain.errors import BadDefinition
from bancada.domain.messages import Block
from bancada.domain.people import Person
from bancada.tools.inquiries import AskPerson, nobody_to_ask

Suggest: TypeAlias = Callable[[Person, str, str], Awaitable[Sequence[str]]]
"""Values for the argument of this name that begin like this, the likeliest first."""

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, kw_only=True)
class PackResource:
    """A document that clients may read; `{name}` in its address stands for something to choose."""

    uri: str
    name: str
    description: str
    media_type: str = "text/plain"
    read: Callable[[Person, Mapping[str, str]], Awaitable[str | bytes | None]]
    """Its content for this person, with what stands in the address; none: there is no such thing,
    or it is not theirs."""
    suggest: Suggest | None = None

    def __post_init__(self) -> None:
        if "://" not in self.uri or self.uri.startswith(("bancada://", "ui://")):
            raise BadDefinition(f"{self.uri!r} is not an address of its own, like press://manual.")

    @property
    def is_template(self) -> bool:
        """Whether something is to be chosen in its address."""
        return _FIELD.search(self.uri) is not None

    def parts_of(self, uri: str) -> Mapping[str, str] | None:
        """What stands in the places of this address; none: it is another's."""
        pattern = "".join(
            f"(?P<{part}>[^/]+)" if at % 2 else re.escape(part)
            for at, part in enumerate(_FIELD.split(self.uri))
        )
        found = re.fullmatch(pattern, uri)
        if found is None:
            return None
        return {name: unquote(text) for name, text in found.groupdict().items()}


@dataclass(frozen=True, kw_only=True)
class PromptArgument:
    """Something a prompt is made with."""

    name: str
    description: str = ""
    required: bool = False


@dataclass(frozen=True, kw_only=True)
class PromptMessage:
    """One message of a prompt: text, an image block, a sound or a document."""

    role: Literal["user", "assistant"] = "user"
    content: str | Block | Attachment


@dataclass(frozen=True, kw_only=True)
class PromptContext:
    """For whom a prompt is made."""

    person: Person
    ask: AskPerson = nobody_to_ask
    """Asks the person, as a tool does."""


MakePrompt: TypeAlias = Callable[
    [PromptContext, Mapping[str, str]], Awaitable[Sequence[PromptMessage]]
]


@dataclass(frozen=True, kw_only=True)
class PackPrompt:
    """A way to begin, made from a few arguments."""

    name: str
    description: str
    arguments: tuple[PromptArgument, ...] = ()
    make: MakePrompt
    suggest: Suggest | None = None

"""What goes in and out of the routes, typed; OpenAPI and the web app's types come from here."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
)

from bancada.domain.people import Language, RoleName
from bancada.domain.shapes import JSONMap, Shape, example
from bancada.engine.attachments import MOST
from bancada.store.conversation_shares import ConversationShare
from bancada.store.conversations import Conversation


def isoformat(moment: float | datetime | str) -> str:
    """A moment as people and programs read it."""
    if isinstance(moment, float | int):
        moment = datetime.fromtimestamp(moment, UTC)
    return moment if isinstance(moment, str) else moment.isoformat()


Moment = Annotated[str, BeforeValidator(isoformat)]


class Out(BaseModel):
    """What we send. Most of it stands in a row under the same names."""

    @classmethod
    def of(cls, row: object, **beside: Any) -> Self:
        """From a row; what is given `beside` it goes first."""
        names = (name for name in cls.model_fields if name not in beside and hasattr(row, name))
        return cls(**{name: getattr(row, name) for name in names}, **beside)


Name = Annotated[str, StringConstraints(min_length=1, max_length=120, strip_whitespace=True)]
Password = Annotated[str, StringConstraints(min_length=6, max_length=1000)]


class Credentials(Shape):
    email: Annotated[str, StringConstraints(max_length=254)]
    password: Annotated[str, StringConstraints(max_length=1000)]
    cookie: bool = False
    """A token for ten minutes and a refresh cookie, for pages; otherwise one token for the whole
    session."""

    model_config = example(email="rui@demo.com", password="rui123")  # noqa: S106 - the demo's


class SignedIn(BaseModel):
    token: str
    name: str
    nome: str
    role: RoleName


class AgentOut(Out):
    """An agent as a person who may use it sees it."""

    id: int
    name: str
    description: str
    tools: list[str]
    starters: list[str]
    shown: list[Literal["images", "documents"]]
    """What can be attached to a question: what its model can be shown."""


class OrganisationRef(BaseModel):
    id: int
    name: str


class Me(Out):
    """The person who is signed in, and what answers them."""

    id: int
    email: str
    name: str
    nome: str
    role: RoleName
    language: Language
    language_chosen: bool
    """Whether they chose it; until then a page may speak as their browser does."""
    organisation: OrganisationRef
    offline: bool
    model: str
    version: str
    may_define_tools: bool
    """Whether the organisation lets people define tools of their own."""


class MeChange(Shape):
    name: Name | None = None
    language: Language | None = None


class AgentRef(BaseModel):
    id: int
    name: str


class ConversationOut(Out):
    id: str
    title: str
    agent: AgentRef
    mode: Literal["model", "keyword"]
    status: str | None
    created_at: Moment
    updated_at: Moment
    pinned: bool
    archived: bool

    @classmethod
    def told(cls, row: Conversation, agent: str, status: str | None, **beside: Any) -> Self:
        return cls.of(
            row,
            agent=AgentRef(id=row.agent_id, name=agent),
            status=status,
            pinned=row.pinned_at is not None,
            archived=row.archived_at is not None,
            **beside,
        )


class PieceOut(Out):
    """A stretch of text, and whether it is what was looked for."""

    text: str
    hit: bool


class PassageOut(Out):
    """Where in a conversation the words were found."""

    message_id: str
    turn_id: str | None
    role: str
    pieces: list[PieceOut]


class FoundConversation(ConversationOut):
    """A conversation of the list; `passage` when words were looked for and a message has them."""

    passage: PassageOut | None = None


class NewConversation(Shape):
    agent: Annotated[int, Field(ge=1, le=2**31 - 1)] | Name
    """The agent's name or id."""

    model_config = example(agent="Qualidade")


class ConversationChange(Shape):
    title: Annotated[str, StringConstraints(max_length=200)] | None = None
    mode: Literal["model", "keyword"] | None = None
    pinned: bool | None = None
    archived: bool | None = None


class MessageOut(Out):
    id: str
    role: Literal["user", "assistant"]
    content: list[dict[str, Any]]
    created_at: Moment
    metadata: dict[str, Any]


class ConversationUsage(Out):
    replies: int
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    cache_write_tokens: int
    cost_usd: float
    context_tokens: int


class DatasetOut(BaseModel):
    id: str
    name: str
    table: str
    rows: int
    summary: dict[str, Any]


class ConversationShareOut(Out):
    """A link by which colleagues read a conversation, as it was at `at`."""

    url: str
    """Within the app."""
    turn_id: str
    """The last turn that they see."""
    at: Moment

    @classmethod
    def told(cls, row: ConversationShare) -> Self:
        return cls.of(row, url=f"/#/s/{row.token}")


class WholeConversation(ConversationOut):
    turn_id: str | None
    share: ConversationShareOut | None
    """None: only its person reads it."""
    messages: list[MessageOut]
    usage: ConversationUsage
    datasets: list[DatasetOut]
    shown: list[Literal["images", "documents"]]
    """What can be attached to the next question: what the model that answers it can be shown."""


FileId = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class AttachmentOut(Out):
    """An image or document that goes with a question, and where its bytes are."""

    id: str
    name: str
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp", "application/pdf"]
    size: int
    sha256: str
    url: str
    width: int | None
    height: int | None
    pages: int | None
    """Of a PDF, where it says so plainly."""


class Question(Shape):
    content: Annotated[str, StringConstraints(min_length=1, max_length=200_000)]
    attachments: list[FileId] = Field(default=[], max_length=MOST)
    """Images and documents that go with it: the ids of what `POST …/attachments` answered."""

    model_config = example(content="qual é o defeito mais frequente?")


TurnId = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class Retry(Shape):
    content: Annotated[str, StringConstraints(min_length=1, max_length=200_000)] | None = None
    turn_id: TurnId | None = None
    """The turn whose question is asked again; without it, the last one."""


class Branch(Shape):
    turn_id: TurnId
    """The version of a question to go on from."""

    model_config = example(turn_id="t0123456789abcdef")


class Stopped(BaseModel):
    status: str


class ReadingOut(BaseModel):
    """An uploaded file that is being read, and how much of the work is done, from 0 to 1."""

    name: str
    share: float


class Upload(BaseModel):
    """A recorded upload: the message, the data set's table, and a summary in words."""

    message_id: str
    dataset: DatasetOut
    summary: str


class PersonRef(Out):
    id: int
    name: str


class ConfirmationOut(Out):
    id: str
    tool_use_id: str
    name: str
    tool_name: str
    """What people call the tool, in the reader's language."""
    title: str
    """What the call will do, in words."""
    input: Any
    input_schema: dict[str, Any] | None
    caller: dict[str, Any]
    reason: str
    status: Literal["pending", "approved", "rejected", "expired"]
    created_at: Moment
    expires_at: Moment
    conversation_id: str | None
    turn_id: str | None
    person: PersonRef
    approver_role: str | None
    """Who decides; null: the person who asked."""
    approver: str | None
    """`other`: never the person who asked."""
    steps: list[dict[str, Any]]
    """What the call will make other tools do: `{tool, input, depth}`, `input` null where it is
    known only when it runs."""
    question: dict[str, Any] | None
    """What the tool asks in the middle of the call: `inquiries` with `key`, `message`, `schema`,
    `url`. To approve is to answer: `input` has the content by key."""
    reminded_at: Moment | None
    """When whoever decides was last reminded."""
    decided_by: PersonRef | None
    decided_for: PersonRef | None
    """Whose stand-in decided."""
    decided_at: Moment | None
    decision_reason: str | None
    edited_input: Any
    result: Any


class Decision(Shape):
    decision: Literal["approve", "reject"]
    input: JSONMap | None = None
    reason: Annotated[str, StringConstraints(max_length=2000)] | None = None
    remember: Literal["conversation"] | None = None


EventName = Annotated[
    str, StringConstraints(min_length=3, max_length=80, pattern=r"^[A-Za-z0-9_]+-[0-9]{1,9}$")
]


Reason = Literal["wrong", "incomplete", "misunderstood", "unclear", "slow"]
"""What may have been the matter with an answer."""


class FeedbackIn(Shape):
    value: Literal[-1, 0, 1]
    reasons: list[Reason] = Field(default_factory=list, max_length=5)
    """Why the thumb is down, of a few reasons."""
    comment: Annotated[str, StringConstraints(max_length=2000, strip_whitespace=True)] | None = None

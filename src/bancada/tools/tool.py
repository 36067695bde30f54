"""A tool: what the model may ask for, and all that it says of itself.

`Tool.run(context, input)` is the whole seam. However a tool runs (a coroutine, a thread, the
jail, an HTTP request, a chain of others), the room that owns the machinery makes a `Tool`,
and the gate calls `run`.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, overload

from bancada.domain.calls import Attachment, BrokenRule, Outcome, Widget
from bancada.domain.errors import BadDefinition
from bancada.domain.json import JSON, JSONObject
from bancada.domain.messages import Block
from bancada.domain.people import Language, Person, RoleName
from bancada.domain.wording import Wording
from bancada.tools.inquiries import AnsweredRound, AskPerson, ReportProgress, nobody_to_ask, unheard
from bancada.tools.schema import Arguments, signature_of
from bancada.tools.validation import Validator

NAME = re.compile(r"^[a-zA-Z0-9_-]{1,64}$")

Category: TypeAlias = Literal["data", "render", "dashboard", "code", "graph", "action"]
Effect: TypeAlias = Literal["read", "write"]
Background: TypeAlias = Literal["never", "may", "must"]
"""Whether a client that can come back for the result may be told to."""
Confirm: TypeAlias = Literal["never", "always"] | Callable[[JSONObject], bool]
"""When a person is asked first: never, always, or when a predicate on the arguments holds."""
OutsideContent: TypeAlias = bool | Callable[[Person], bool]
"""Whether results hold text from outside; a predicate where that depends on whose data they are."""


class CallTool(Protocol):
    """Call another tool through the gate, as the same person."""

    def __call__(self, name: str, input: JSONObject) -> Awaitable[Outcome]: ...


@dataclass(frozen=True, kw_only=True)
class ToolContext:
    """For whom and within what a tool runs."""

    person: Person
    call_id: str
    conversation_id: str | None = None
    turn_id: str | None = None
    tainted: bool = False
    """Text from outside stood before whoever wrote this call: what it brings may repeat it."""
    call: CallTool
    """Calls another tool, through the gate, as the same person: `await ctx.call(name, input)` gives
    its `Outcome`, which is an error where it was refused or failed."""
    ask: AskPerson = nobody_to_ask
    """Asks the person: `await ctx.ask(Inquiry(…))` gives an `InquiryAnswer` by each inquiry's key."""
    answered: Sequence[AnsweredRound] = ()
    """What this very call has asked before, in order: it runs again because of the answers."""
    progress: ReportProgress = unheard
    """Says how far the work is: `await ctx.progress(3, 10, "reading")`."""

    @property
    def language(self) -> Language:
        """What the person reads: sentences for them are in it."""
        return self.person.language


@dataclass(frozen=True, kw_only=True)
class Result:
    """What a tool may return when plain JSON or text is not enough.

    `value` is what code and events see; `content` replaces its text for the model (images,
    files); `widgets` are shown to the person beside it; `attachments` (sounds, documents) go to
    clients that can use them; `broken` are the rules that its control charts show broken (none: it
    has no such charts), for schedules that watch them.
    """

    value: JSON = None
    content: str | list[Block] | None = None
    widgets: Sequence[Widget] = ()
    attachments: Sequence[Attachment] = ()
    broken: Sequence[BrokenRule] | None = None
    is_error: bool = False


Run: TypeAlias = Callable[[ToolContext, JSONObject], Awaitable[Any]]


@dataclass(frozen=True)
class InnerCall:
    """A call that a tool made of others will make; without its input where that is not known yet."""

    tool: str
    input: JSONObject | None = None
    of_agent: bool = False
    """The model wrote this call, so its agent must have the tool too. Other steps were chosen by
    whoever defined the outer tool, and need not be among the agent's."""


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Everything the registry, the gate and the model need to know of a tool."""

    name: str
    description: str
    input_schema: JSONObject
    run: Run = field(repr=False)
    names: Mapping[Language, str] = field(default_factory=dict, repr=False)
    """What people call it, by language; without, its name."""
    in_words: Mapping[Language, str] = field(default_factory=dict, repr=False)
    """One call in words for whoever decides about it, `{argument}` where an argument stands:
    "Create task: {title}"."""
    category: Category = "data"
    effect: Effect = "read"
    permission_level: RoleName = "operador"
    confirm: Confirm = "never"
    confirm_reason: str | None = None
    allowed_callers: tuple[str, ...] = ("direct",)
    timeout: float = 60.0
    cache_seconds: int = 0
    same_for_everyone: bool = False
    """A cached answer may be given to another person of the same organisation."""
    data_version: Callable[[], str] | None = None
    """What the answer depends on beside the arguments; a new version forgets cached answers."""
    parallel: bool = True
    outside_content: OutsideContent = False
    """The result holds text from outside; `write` tools ask first while the model sees it."""
    own_shelf: bool = False
    """It writes to the person's own shelf only, where nothing acts and what may carry a stranger's
    words is shown without its script. Such a call does not ask because of text from outside."""
    output_schema: JSONObject | None = None
    output_description: str | None = None
    examples: tuple[JSONObject, ...] = ()
    deferred: bool = False
    background: Background = "never"
    """It takes long: a client that knows tasks comes back for the result. `must`: others cannot
    call it."""
    asks_first: bool = False
    """What it asks its person it asks before the long work: the client answers before it leaves."""
    literal: tuple[str, ...] = ()
    """Arguments that name values of the data, where `none` or `all` may be one: the tool itself
    judges what such a word means (`stands_for_nothing`)."""
    reads_files: bool = False
    """Answers questions about the conversation's files: an agent that has it can be given some."""
    version: str = "1"
    switched_off: str | Wording | None = None
    """Set when the machine cannot run it: the sentence says why."""
    core: bool = False
    """Part of the workbench itself: every agent has it."""
    own: bool = False
    """The person's own: it goes with them to every agent."""
    group: str | None = None
    """What it came with: an agent that has the group has the tool."""
    under: Tool | None = field(default=None, repr=False)
    """A tool whose rules hold for this one as well."""
    calls: Callable[[JSONObject], Sequence[InnerCall]] | None = field(default=None, repr=False)
    """For a tool made of others: the calls it will make with this input. A person is asked once,
    before it starts, if any of them would ask; their word then covers them all."""

    def __post_init__(self) -> None:
        if not NAME.match(self.name):
            raise BadDefinition(
                f"{self.name!r} is not a tool name: 1 to 64 letters, digits, '_' or '-'."
            )
        if self.input_schema.get("type") != "object":
            raise BadDefinition(f"{self.name}: the input schema must be an object.")

    @cached_property
    def validator(self) -> Validator:
        """Checks arguments against the schema; the gate asks it before every run."""
        return Validator(self.input_schema, self.literal)

    @property
    def label(self) -> str:
        """Name and version: which tool it is, exactly."""
        return f"{self.name}@{self.version}"

    @property
    def parameters(self) -> tuple[str, ...]:
        """Parameter names in the schema's order: how positional arguments are read in code."""
        return tuple(self.input_schema.get("properties", ()))

    def brings_outside_content(self, person: Person) -> bool:
        """Whether what this person gets from the tool was written by somebody outside."""
        outside = self.outside_content
        return outside(person) if callable(outside) else outside

    def asks_for(self, input: JSONObject) -> bool:
        """Whether the tool itself wants a person's word before this call."""
        if callable(self.confirm):
            return bool(self.confirm(input))
        return self.confirm == "always"


@overload
def tool(function: Callable[..., Any], /) -> Tool: ...
@overload
def tool(
    *,
    name: str | None = None,
    category: Category = "data",
    effect: Effect = "read",
    permission_level: RoleName = "operador",
    confirm: Confirm = "never",
    confirm_reason: str | None = None,
    allowed_callers: Sequence[str] = ("direct",),
    timeout: float = 60.0,
    cache_seconds: int = 0,
    same_for_everyone: bool = False,
    data_version: Callable[[], str] | None = None,
    parallel: bool = True,
    outside_content: OutsideContent = False,
    own_shelf: bool = False,
    output_schema: JSONObject | None = None,
    output_description: str | None = None,
    examples: Sequence[JSONObject] = (),
    deferred: bool = False,
    background: Background = "never",
    asks_first: bool = False,
    literal: Sequence[str] = (),
    reads_files: bool = False,
    version: str = "1",
    switched_off: str | Wording | None = None,
    names: Mapping[Language, str] = ...,
    in_words: Mapping[Language, str] = ...,
    calls: Callable[[JSONObject], Sequence[InnerCall]] | None = None,
) -> Callable[[Callable[..., Any]], Tool]: ...
def tool(function: Callable[..., Any] | None = None, /, **says: Any) -> Any:
    """Make a tool of a typed function; its docstring and signature become the schema.

    A first parameter annotated `ToolContext` receives the context and is not part of the
    schema. An `async def` runs on the loop; a plain function runs in a thread.
    """
    if function is not None:
        return _make(function, {})
    return lambda function: _make(function, says)


def _make(function: Callable[..., Any], says: dict[str, Any]) -> Tool:
    arguments = signature_of(function, context=ToolContext)
    name = says.pop("name", None) or function.__name__
    for key in ("allowed_callers", "examples", "literal"):
        if key in says:
            says[key] = tuple(says[key])
    if says.get("output_schema") is None and arguments.output_schema is not None:
        says["output_schema"] = arguments.output_schema
    return Tool(
        name=name,
        description=arguments.description,
        input_schema=arguments.schema,
        run=_runner(function, arguments),
        **says,
    )


def _runner(function: Callable[..., Any], arguments: Arguments) -> Run:
    """Bind a validated input to the function's parameters, in a thread if it is not async."""
    if inspect.iscoroutinefunction(function):

        async def run(context: ToolContext, input: JSONObject) -> Any:
            return await function(**arguments.bind(context, input))

    else:

        async def run(context: ToolContext, input: JSONObject) -> Any:
            bound = arguments.bind(context, input)
            value, error = await asyncio.to_thread(_attempted, function, bound)
            if error is not None:
                raise error
            return value

    return run


def _attempted(
    function: Callable[..., Any], bound: dict[str, Any]
) -> tuple[Any, BaseException | None]:
    """The result or the error. A future cannot carry every error, or loses where it came from."""
    try:
        return function(**bound), None
    except BaseException as error:
        return None, error

"""The fixtures that the official conformance suite expects of a server, as a pack of ours.

Installed for a real `bancada serve`: every call of the suite goes through the gate.
"""

import asyncio
import json
import os

import httpx

from bancada import (
    Agent,
    Attachment,
    Inquiry,
    Pack,
    PackPrompt,
    PackResource,
    PromptArgument,
    PromptMessage,
    Result,
    Tool,
    ToolContext,
    ToolFailed,
    tool,
)

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
SOUND = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA="
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PIXEL}}


def form(key, message, required=None, **fields):
    needed = list(fields) if required is None else required
    schema = {"type": "object", "properties": fields, "required": needed}
    return Inquiry(key=key, message=message, schema=schema)


def text(**says):
    return {"type": "string", **says}


@tool
async def test_simple_text() -> str:
    """A text."""
    return "This is a simple text response for testing."


@tool
async def test_image_content() -> list:
    """An image."""
    return [IMAGE]


@tool
async def test_audio_content() -> Result:
    """A sound."""
    return Result(attachments=[Attachment(kind="audio", media_type="audio/wav", data=SOUND)])


@tool
async def test_embedded_resource() -> Result:
    """A document."""
    document = Attachment(
        kind="resource",
        media_type="text/plain",
        uri="test://embedded-resource",
        text="This is an embedded resource content.",
    )
    return Result(attachments=[document])


@tool
async def test_multiple_content_types() -> Result:
    """A text, an image and a document."""
    document = Attachment(
        kind="resource",
        media_type="application/json",
        uri="test://mixed-content-resource",
        text=json.dumps({"test": "data", "value": 123}),
    )
    said = [{"type": "text", "text": "Multiple content types test:"}, IMAGE]
    return Result(content=said, attachments=[document])


@tool
async def test_error_handling() -> str:
    """Fail."""
    raise ToolFailed("This tool intentionally returns an error for testing")


@tool
async def test_tool_with_progress(ctx: ToolContext) -> str:
    """Say how far it is."""
    for done in (0, 50, 100):
        await ctx.progress(done, 100)
        await asyncio.sleep(0.05)
    return "done"


@tool(background="may")
async def test_reconnection() -> str:
    """Take a second."""
    await asyncio.sleep(1)
    return "Reconnection test completed successfully."


@tool
async def test_logging_tool() -> str:
    """Nothing is logged to clients."""
    return "done"


@tool
async def test_elicitation(ctx: ToolContext, message: str) -> str:
    """Ask two things."""
    asked = form(
        "user",
        message,
        username=text(description="User's response"),
        email=text(description="User's email address"),
    )
    answer = (await ctx.ask(asked))["user"]
    return f"User response: action={answer.action}, content={json.dumps(answer.content)}"


async def _said(ctx, inquiry):
    answer = (await ctx.ask(inquiry))[inquiry.key]
    return f"Elicitation completed: action={answer.action}, content={json.dumps(answer.content)}"


@tool
async def test_elicitation_sep1034_defaults(ctx: ToolContext) -> str:
    """Ask with defaults."""
    asked = form(
        "defaults",
        "Please review",
        [],
        name=text(default="John Doe"),
        age={"type": "integer", "default": 30},
        score={"type": "number", "default": 95.5},
        status=text(enum=["active", "inactive", "pending"], default="active"),
        verified={"type": "boolean", "default": True},
    )
    return await _said(ctx, asked)


@tool
async def test_elicitation_sep1330_enums(ctx: ToolContext) -> str:
    """Ask with choices."""
    options = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{n}", "title": f"{word} Option"}
        for n, word in enumerate(("First", "Second", "Third"), 1)
    ]
    asked = form(
        "enums",
        "Choose",
        [],
        untitledSingle=text(enum=options),
        titledSingle=text(oneOf=titled),
        legacyEnum=text(
            enum=["opt1", "opt2", "opt3"], enumNames=["Option One", "Option Two", "Option Three"]
        ),
        untitledMulti={"type": "array", "items": {"type": "string", "enum": options}},
        titledMulti={"type": "array", "items": {"anyOf": titled}},
    )
    return await _said(ctx, asked)


@tool
async def test_streaming_elicitation(ctx: ToolContext) -> str:
    """Say how far it is, then ask."""
    return await _said(ctx, form("name", "What is your name?", name=text()))


@tool
async def test_input_required_result_elicitation(ctx: ToolContext) -> str:
    """Ask for a name."""
    answer = (await ctx.ask(form("user_name", "What is your name?", name=text())))["user_name"]
    return f"Hello, {answer.content.get('name')}!"


@tool
async def test_input_required_result_request_state(ctx: ToolContext) -> str:
    """Ask for a word."""
    await ctx.ask(form("confirm", "Please confirm", ok={"type": "boolean"}))
    return "state-ok"


@tool
async def test_input_required_result_tampered_state(ctx: ToolContext) -> str:
    """Ask for a word."""
    await ctx.ask(form("confirm", "Please confirm", ok={"type": "boolean"}))
    return "state-ok"


@tool
async def test_input_required_result_multi_round(ctx: ToolContext) -> str:
    """Ask twice."""
    name = (await ctx.ask(form("step1", "Step 1: What is your name?", name=text())))["step1"]
    colour = (await ctx.ask(form("step2", "Step 2: What is your favorite color?", color=text())))[
        "step2"
    ]
    return f"{name.content['name']} likes {colour.content['color']}."


@tool
async def greet(name: str) -> str:
    """Greet."""
    return f"Hello, {name}!"


@tool(background="may")
async def slow_compute(seconds: float = 0, label: str = "") -> str:
    """Compute for a while."""
    await asyncio.sleep(seconds)
    return f"Computed for {seconds} s."


@tool(background="must")
async def failing_job() -> str:
    """Fail after a while."""
    await asyncio.sleep(1)
    raise ToolFailed("The job failed.")


@tool(background="may")
async def protocol_error_job() -> str:
    """Break."""
    raise RuntimeError("broken")


@tool(background="may")
async def confirm_delete(ctx: ToolContext, filename: str = "it") -> str:
    """Ask before it deletes."""
    answer = (await ctx.ask(form("confirm", f"Delete {filename}?", confirm={"type": "boolean"})))[
        "confirm"
    ]
    return f"{answer.action}: {answer.content}"


@tool(background="may")
async def multi_input(ctx: ToolContext) -> str:
    """Ask two things at once."""
    answers = await ctx.ask(
        form("first", "Name?", name=text()), form("second", "Another?", name=text())
    )
    return " ".join(str(one.content) for one in answers.values())


@tool(background="must", asks_first=True)
async def test_tool_with_task(ctx: ToolContext) -> str:
    """Ask, then take a while."""
    name = (await ctx.ask(form("user_name", "What is your name?", name=text())))["user_name"]
    await asyncio.sleep(0.2)
    return f"Hello, {name.content}!"


async def _admin(method, path, body=None):
    """Change something as an administrator does."""
    headers = {"x-api-key": os.environ["CONFORMANCE_KEY"]}
    async with httpx.AsyncClient(base_url=os.environ["CONFORMANCE_URL"], headers=headers) as client:
        answer = await client.request(method, path, json=body)
        answer.raise_for_status()
        return answer.json()


@tool
async def test_trigger_tool_change() -> str:
    """Switch a tool on or off, as an administrator would."""
    now = await _admin("GET", "/admin/tools/test_spare")
    await _admin("PATCH", "/admin/tools/test_spare", {"is_enabled": not now["is_enabled"]})
    return "changed"


@tool
async def test_trigger_prompt_change() -> str:
    """Give an agent another starter, as an administrator would."""
    mine = next(one for one in await _admin("GET", "/admin/agents") if one["name"] == "Conformance")
    starters = [*mine["starters"], f"Question {len(mine['starters'])}?"]
    await _admin("PATCH", f"/admin/agents/{mine['id']}", {"starters": starters})
    return "changed"


@tool
async def test_spare() -> str:
    """A tool that comes and goes."""
    return "here"


async def _echo(context: ToolContext, input: dict) -> dict:
    return input


SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
json_schema_2020_12_tool = Tool(
    name="json_schema_2020_12_tool",
    description="Tool with JSON Schema 2020-12 features",
    input_schema=SCHEMA,
    run=_echo,
)


def with_headers(name, nullable):
    kind = {"type": ["string", "null"] if nullable else "string"}
    return Tool(
        name=name,
        description="Values that travel as headers too",
        input_schema={
            "type": "object",
            "properties": {
                "region": {**kind, "x-mcp-header": "Region"},
                "query": {"type": "string"},
            },
        },
        run=_echo,
    )


TOOLS = [one for one in list(globals().values()) if isinstance(one, Tool)] + [
    with_headers("test_custom_headers", False),
    with_headers("test_custom_headers_null", True),
]


async def static_text(person, parts):
    return "This is the content of the static text resource."


async def static_binary(person, parts):
    import base64

    return base64.b64decode(PIXEL)


async def from_template(person, parts):
    id = parts["id"]
    return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


async def watched(person, parts):
    return "watched"


RESOURCES = [
    PackResource(
        uri="test://static-text", name="static-text", description="A text.", read=static_text
    ),
    PackResource(
        uri="test://static-binary",
        name="static-binary",
        description="A pixel.",
        media_type="image/png",
        read=static_binary,
    ),
    PackResource(
        uri="test://template/{id}/data",
        name="template",
        description="Data by id.",
        media_type="application/json",
        read=from_template,
    ),
    PackResource(
        uri="test://watched-resource", name="watched", description="Watched.", read=watched
    ),
]


async def simple(context, given):
    return [PromptMessage(content="This is a simple prompt for testing.")]


async def with_arguments(context, given):
    said = f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"
    return [PromptMessage(content=said)]


async def with_resource(context, given):
    document = Attachment(
        kind="resource",
        media_type="text/plain",
        uri=given["resourceUri"],
        text="Embedded resource content for testing.",
    )
    return [
        PromptMessage(content=document),
        PromptMessage(content="Please process the embedded resource above."),
    ]


async def with_image(context, given):
    return [PromptMessage(content=IMAGE), PromptMessage(content="Please analyze the image above.")]


async def asking(context, given):
    asked = form("user_context", "What context should the prompt use?", context=text())
    answer = (await context.ask(asked))["user_context"]
    return [PromptMessage(content=f"Use {answer.content}.")]


async def suggest(person, argument, begun):
    return [city for city in ("paris", "park", "party") if city.startswith(begun)]


def argument(name):
    return PromptArgument(name=name, description=name, required=True)


PROMPTS = [
    PackPrompt(name="test_simple_prompt", description="Simple.", make=simple),
    PackPrompt(
        name="test_prompt_with_arguments",
        description="With arguments.",
        arguments=(argument("arg1"), argument("arg2")),
        make=with_arguments,
        suggest=suggest,
    ),
    PackPrompt(
        name="test_prompt_with_embedded_resource",
        description="With a document.",
        arguments=(argument("resourceUri"),),
        make=with_resource,
    ),
    PackPrompt(name="test_prompt_with_image", description="With an image.", make=with_image),
    PackPrompt(name="test_input_required_result_prompt", description="It asks.", make=asking),
]


def build(services):
    agent = Agent(
        name="Conformance",
        description="Everything that the suite asks for.",
        system_prompt="",
        starters=("Question?",),
        tools=tuple(one.name for one in TOOLS),
    )
    return Pack(
        name="conformance", tools=TOOLS, agents=[agent], resources=RESOURCES, prompts=PROMPTS
    )

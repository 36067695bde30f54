"""A request as a client sent it: read as far as we must know it, and kept as it came."""

from __future__ import annotations

from dataclasses import dataclass, field

from bancada.domain.json import JSONObject, loads
from bancada.domain.messages import Block, text_block
from bancada.gateway.errors import GatewayRefused

NO_THREADS = "thread_unsupported_request"


@dataclass(frozen=True)
class Asked:
    """What a client asks for: its bytes, and the same as JSON."""

    content: bytes
    body: JSONObject
    headers: dict[str, str] = field(default_factory=dict)
    """Those that a model's server is to see: versions and betas."""
    query: str = ""

    @property
    def model(self) -> str:
        model = self.body.get("model")
        return model if isinstance(model, str) else ""

    @property
    def stream(self) -> bool:
        return self.body.get("stream") is True

    @property
    def container(self) -> str | None:
        """The container that was asked for by its id."""
        given = self.body.get("container")
        given = given.get("id") if isinstance(given, dict) else given
        return given if isinstance(given, str) else None

    @property
    def knows_server_calls(self) -> bool:
        """Whether the client has said that it knows blocks for calls a server makes."""
        return "mcp-client" in self.headers.get("anthropic-beta", "")


def most_tokens(body: JSONObject) -> int:
    """How long the reply may be. Raises `GatewayRefused` where that is not a whole number."""
    given = body.get("max_tokens")
    if not isinstance(given, int) or isinstance(given, bool) or given < 1:
        raise GatewayRefused("max_tokens: Input should be a positive integer")
    return given


def read(content: bytes, headers: dict[str, str] | None = None, query: str = "") -> Asked:
    """Raises `GatewayRefused` where it is not a JSON object, or wants what nobody here has."""
    try:
        body = loads(content)
    except ValueError:
        raise GatewayRefused("The request body is not valid JSON.") from None
    if not isinstance(body, dict):
        raise GatewayRefused("The request body must be a JSON object.")
    if body.get("thread") is not None:
        raise GatewayRefused(
            "thread: this server keeps no threads; send the whole conversation.",
            details={"error_code": NO_THREADS},
        )
    return Asked(content, body, headers or {}, query)


def blocks_of(content: object, where: str) -> list[Block]:
    """A message's content as blocks; a string is one block of text."""
    if isinstance(content, str):
        return [text_block(content)]
    if not isinstance(content, list):
        raise GatewayRefused(f"{where}: Input should be a valid string or a list of blocks")
    for at, block in enumerate(content):
        if not isinstance(block, dict) or not isinstance(block.get("type"), str):
            raise GatewayRefused(f"{where}.{at}.type: Field required")
    return content


def messages_of(body: JSONObject) -> list[JSONObject]:
    """The conversation, each message with a role and blocks."""
    given = body.get("messages")
    if not isinstance(given, list) or not given:
        raise GatewayRefused("messages: at least one message is required")
    read: list[JSONObject] = []
    for at, message in enumerate(given):
        if not isinstance(message, dict) or message.get("role") not in ("user", "assistant"):
            raise GatewayRefused(f"messages.{at}.role: Input should be 'user' or 'assistant'")
        content = blocks_of(message.get("content"), f"messages.{at}.content")
        read.append({**message, "content": content})
    return read


def named_tools(body: JSONObject) -> list[JSONObject]:
    """The tools on offer, each of which has a name."""
    given = body.get("tools")
    if given is None:
        return []
    if not isinstance(given, list):
        raise GatewayRefused("tools: Input should be a valid list")
    for at, tool in enumerate(given):
        if not isinstance(tool, dict) or not isinstance(tool.get("name"), str):
            raise GatewayRefused(f"tools.{at}.name: Field required")
        schema = tool.get("input_schema")
        if schema is not None and not isinstance(schema, dict):
            raise GatewayRefused(f"tools.{at}.custom.input_schema: Input should be an object")
    return given

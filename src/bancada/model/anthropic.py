"""Replies from any server that speaks the Messages API.

The official SDK opens the request (authentication, addresses, cloud variants, typed errors);
the stream it returns is read by our own parser. The SDK never retries: `Retrying` does.
It takes longer to import than all the rest together, so it is loaded with the first client:
an installation without a provider never waits for it.
"""

from __future__ import annotations

import asyncio
import email.utils
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import aiohttp
import httpx2

from bancada.domain.errors import SettingsError
from bancada.domain.json import JSONObject, dumps
from bancada.model.failures import cut_off, from_status, unreachable
from bancada.model.model import ModelEvent, ModelFailed, Request
from bancada.model.sse import Frames, ReplyBuilder, parse

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic, AsyncStream

MESSAGES = "/v1/messages"
COUNT_TOKENS = "/v1/messages/count_tokens"

_NO_LIMIT = httpx2.Limits(max_connections=0, keepalive_expiry=30.0)
"""For aiohttp 0 means no limit; the SDK reads `None` as a silent 100."""

BROKEN = (httpx2.HTTPError, aiohttp.ClientError, OSError)
"""What reading a response can raise when the other side goes away."""

_NOT_COUNTED = ("max_tokens", "container", "stream", "metadata", "service_tier", "stop_sequences")
"""Fields that `count_tokens` does not take."""


class AnthropicModel:
    """A model behind the Messages API: the vendor's, a cloud's, or one on this machine."""

    def __init__(
        self,
        *,
        model: str,
        api_key: str | None = None,
        auth_token: str | None = None,
        base_url: str | None = None,
        betas: Sequence[str] = (),
        headers: Mapping[str, str] | None = None,
        read_timeout: float = 600.0,
        client: AsyncAnthropic | None = None,
    ) -> None:
        """`client` replaces all of the connection's settings, e.g. with a cloud variant's."""
        import anthropic

        self._sdk = anthropic
        self._model = model
        self._client = client or _connect(api_key, auth_token, base_url, read_timeout)
        # Only the vendor's own client sends the body as it is; a cloud's rewrites it.
        self._rewrites = type(self._client) is not anthropic.AsyncAnthropic
        self._headers = {
            **({"anthropic-beta": ",".join(betas)} if betas else {}),
            **(headers or {}),
        }

    @property
    def name(self) -> str:
        return self._model

    @property
    def address(self) -> str:
        """Where it is, for people: a name of the network, without a path or a password."""
        return httpx2.URL(str(self._client.base_url)).host

    async def stream(self, request: Request) -> AsyncIterator[ModelEvent]:
        """Ask, and hand on what comes.

        Raises:
            ModelFailed: with the code, the wait and the hint that the server's answer allows.
        """
        response = await self.send(MESSAGES, {**request.body(), "stream": True})
        builder = ReplyBuilder()
        try:
            if "json" in response.headers.get("content-type", ""):
                # Some local servers do not stream although they were asked to.
                for piece in builder.whole(_message(await response.aread())):
                    yield piece
            else:
                frames = Frames()
                chunks = body_chunks(response)
                began = None
                async for chunk in chunks:
                    pieces = builder.feed(frames.feed(chunk))
                    if began is None and (began := builder.began) is not None:
                        yield began
                    for piece in pieces:
                        yield piece
                    if builder.finished:
                        await _read_to_the_end(chunks)
                        break
                else:
                    builder.feed(frames.close())
        except BROKEN as error:
            raise cut_off(f"The stream broke off: {_said(error)}") from None
        finally:
            await response.aclose()
        yield builder.reply()

    async def count_tokens(self, request: Request) -> int:
        """How many tokens the request holds, as the provider counts."""
        body = {name: value for name, value in request.body().items() if name not in _NOT_COUNTED}
        response = await self.send(COUNT_TOKENS, body)
        try:
            return int(_message(await response.aread())["input_tokens"])
        except (*BROKEN, KeyError, TypeError, ValueError) as error:
            raise cut_off("The answer holds no token count.") from error
        finally:
            await response.aclose()

    async def aclose(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    async def send(
        self, path: str, body: JSONObject, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """Open a request and return its response, whose body is still to be read.

        Raises:
            ModelFailed: with the code, the wait and the hint that the server's answer allows.
        """
        try:
            return await self._open(path, dumps(body).encode(), headers or {})
        except self._sdk.APIStatusError as error:
            raise _refused(error, body) from error

    async def forward(
        self, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> httpx2.Response:
        """Send what somebody else wrote, as it is; whatever the server says, its response.

        Without content it is a GET. Raises `ModelFailed` where no response came at all.
        """
        try:
            return await self._open(path, content, headers)
        except self._sdk.APIStatusError as error:
            return error.response

    async def _open(
        self, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> httpx2.Response:
        how: dict[str, Any] = {"options": {"headers": {**self._headers, **headers}}}
        ask = self._client.get if content is None else self._client.post
        if content is not None:
            how |= {"body": parse(content)} if self._rewrites else {"content": content}
        try:
            opened: AsyncStream[Any] = await ask(
                path, cast_to=object, stream=True, stream_cls=self._sdk.AsyncStream[Any], **how
            )
        except self._sdk.APIStatusError:
            raise
        except self._sdk.APIConnectionError as error:
            reason = _said(error.__cause__ or error)
            raise unreachable(f"No answer from {self.address}: {reason}") from None
        except self._sdk.APIError as error:
            raise ModelFailed("internal", str(error), retryable=False) from error
        except self._sdk.CredentialsError as error:
            raise ModelFailed("invalid_api_key", str(error), retryable=False) from error
        return opened.response


def _connect(
    api_key: str | None, auth_token: str | None, base_url: str | None, read_timeout: float
) -> AsyncAnthropic:
    """A client of the vendor's SDK, on aiohttp, with nothing but what our settings say."""
    if base_url is not None:
        # People paste the address with the version; the SDK adds it again.
        base_url = base_url.rstrip("/").removesuffix("/v1")
        if not (api_key or auth_token):
            # A server on this machine wants no key. Without one the SDK would go looking for
            # credentials of its own, which are not meant for that server.
            api_key = "none"
    if not (api_key or auth_token):
        raise SettingsError(
            "A model needs ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN or ANTHROPIC_BASE_URL."
        )
    from anthropic import AsyncAnthropic

    return AsyncAnthropic(
        api_key=None if auth_token else api_key,
        auth_token=auth_token,
        base_url=base_url,
        **connection(read_timeout),
    )


def connection(read_timeout: float = 600.0) -> dict[str, Any]:
    """How every client of the SDK connects: on aiohttp, without limits or tries of its own."""
    from anthropic import DefaultAioHttpClient

    timeout = timeout_after(read_timeout)
    return {
        "max_retries": 0,
        "timeout": timeout,
        # A compressed stream arrives later than a plain one.
        "default_headers": {"Accept-Encoding": "identity"},
        "http_client": DefaultAioHttpClient(limits=_NO_LIMIT, timeout=timeout),
    }


def timeout_after(silence: float) -> httpx2.Timeout:
    """How long to wait for a connection, and for the next byte over it."""
    return httpx2.Timeout(silence, connect=10.0)


def _said(error: BaseException) -> str:
    """What broke, in few words. aiohttp's own hold the request's headers, and with them the key."""
    if isinstance(error, aiohttp.ClientResponseError):
        return f"{type(error).__name__}: {error.message}"
    return f"{type(error).__name__}: {error}"


def body_chunks(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The body of a streamed response as server-sent events, by the shortest way."""
    if "amazon.eventstream" in response.headers.get("content-type", ""):
        return _unwrapped(response)
    if response.headers.get("content-encoding", "identity") == "identity":
        return response.aiter_raw()
    return response.aiter_bytes()


async def _unwrapped(response: httpx2.Response) -> AsyncIterator[bytes]:
    """Amazon's frames around the events, taken off by the SDK's own decoder."""
    from anthropic.lib.bedrock._stream_decoder import AWSEventStreamDecoder

    async for event in AWSEventStreamDecoder().aiter_bytes(response.aiter_bytes()):
        yield f"event: {event.event}\ndata: {event.data}\n\n".encode()


async def _read_to_the_end(chunks: AsyncIterator[bytes]) -> None:
    """A connection can be used again only once its last byte was read; wait for it, a little."""
    with suppress(TimeoutError, *BROKEN):
        async with asyncio.timeout(0.5):
            async for _ in chunks:
                pass


def _message(body: bytes) -> JSONObject:
    try:
        message = parse(body)
    except ValueError as error:
        raise cut_off("The answer is not JSON.") from error
    if not isinstance(message, dict):
        raise cut_off("The answer is not a message.")
    return message


def _refused(error: APIStatusError, body: JSONObject) -> ModelFailed:
    """The server said no: what kind of no, for how long, and about which field."""
    headers = error.response.headers
    return from_status(
        error.status_code,
        error.api_message or _words(error),
        retry_after=_retry_after(headers),
        retry={"true": True, "false": False}.get(headers.get("x-should-retry", "")),
        fields=[name for name in body if name not in ("model", "messages", "system", "tools")],
    )


def _words(error: APIStatusError) -> str:
    """An error body of another shape than the vendor's, as text."""
    body = error.body
    if isinstance(body, dict):
        body = body.get("error") or body.get("detail") or body.get("message") or body
    return body if isinstance(body, str) else str(body)[:2000]


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from a number, a number of milliseconds, or a date."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            return max(0.0, float(value) / unit)
        except ValueError:
            pass
        try:
            return max(0.0, email.utils.parsedate_to_datetime(value).timestamp() - time.time())
        except ValueError:
            pass
    return None

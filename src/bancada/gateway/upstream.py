"""Whoever answers: a server that speaks the Messages API, or a model of ours in its words.

Both give status, headers and bytes. What a server says is handed on as it came; a model that is
no server (the offline one) is written down as the wire would have it.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import unquote

import httpx2

from bancada.domain.errors import BancadaError
from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block
from bancada.domain.tables import TableShape
from bancada.engine.context import THINKING
from bancada.engine.models import Models
from bancada.gateway import asked as requests
from bancada.gateway.asked import Asked
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.history import ClientHistory
from bancada.gateway.wire import frame, message_events, message_of
from bancada.model.anthropic import BROKEN, body_chunks
from bancada.model.model import ModelFailed, Reply, Request
from bancada.model.providers import Asker, Route

log = logging.getLogger("bancada.gateway")

HANDED_ON = ("content-type", "request-id", "retry-after", "retry-after-ms", "x-should-retry")
MESSAGES = "/v1/messages"
COUNT_TOKENS = "/v1/messages/count_tokens"
MODELS = "/v1/models"
ELSEWHERE = frozenset((401, 402, 403, 404, 408, 409, 425, 429, *range(500, 600)))
"""Statuses after which another provider may answer: what is wrong is there, not in the question."""
PROVIDER = "bancada-provider"
INSTEAD_OF = "bancada-instead-of"
"""Headers that say who answered in whose place."""


@dataclass
class GatewayAnswer:
    """What came back: bytes still to be read, in the vendor's form whatever they say."""

    status: int
    headers: dict[str, str]
    chunks: AsyncIterator[bytes]

    async def read(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks])


class Upstream(Protocol):
    """Answers requests of clients."""

    @property
    def route(self) -> Route:
        """Who answers: after a failure, who answered instead."""

    async def send(self, path: str, asked: Asked) -> GatewayAnswer: ...
    async def models(self, path: str, query: str) -> GatewayAnswer: ...


def upstream_for(
    models: Models,
    client: GatewayClient,
    model: str,
    agent: str | None = None,
    tables: Sequence[TableShape] = (),
) -> Upstream:
    """Who answers for a model of this name, and who instead; the default one where nobody claims it.

    `tables` are for the offline model, which reads questions against them.
    """
    organisation_id = client.person.organisation_id
    planner = ModelUpstream(models.keyword, organisation_id, tuple(tables))
    if models.is_offline:
        return planner
    asker = Asker(organisation_id=organisation_id, agent=agent)
    try:
        routes = models.providers.routes(model or None, asker)
    except ModelFailed as failed:
        raise GatewayRefused("This model may not be asked with this key.", status=403) from failed
    found: list[Upstream] = [
        ModelUpstream(r) if r.provider.upstream is None else ModelServer(r) for r in routes
    ]
    if models.providers.ends_in_keyword:
        found.append(planner)
    return found[0] if len(found) == 1 else InOrder(found)


def check_outside(upstream: Upstream) -> None:
    """Text from outside goes only to providers that may have it."""
    if not upstream.route.provider.outside_data:
        raise GatewayRefused("Text from outside may not go to this model's provider.", status=403)


@dataclass(frozen=True)
class ModelServer:
    """A model's server; nothing is tried twice here, since clients do that themselves."""

    route: Route

    async def send(self, path: str, asked: Asked) -> GatewayAnswer:
        where = f"{path}?{asked.query}" if asked.query else path
        content = asked.content
        if asked.model != self.route.model:
            # Asked for as `provider/model`, or not at all: the server knows it by its own name.
            content = dumps({**asked.body, "model": self.route.model}).encode()
        return await self._open(where, content, asked.headers)

    async def models(self, path: str, query: str) -> GatewayAnswer:
        return await self._open(f"{path}?{query}" if query else path, None, {})

    async def _open(
        self, path: str, content: bytes | None, headers: Mapping[str, str]
    ) -> GatewayAnswer:
        provider = self.route.provider
        assert provider.upstream is not None
        try:
            if provider.pace is not None:
                await provider.pace.wait()
            response = await provider.upstream.forward(path, content, headers)
        except ModelFailed as failed:
            raise unreachable(failed) from failed
        kept = {
            name: value
            for name, value in response.headers.items()
            if name in HANDED_ON or name.startswith("anthropic-")
        }
        return GatewayAnswer(response.status_code, kept, _bytes_of(response))


@dataclass
class InOrder:
    """Several that may answer: the next is asked where one does not, and the answer says which."""

    upstreams: Sequence[Upstream]
    _at: int = 0
    """Who answered stays the one that is asked."""

    @property
    def route(self) -> Route:
        return self.upstreams[self._at].route

    async def send(self, path: str, asked: Asked) -> GatewayAnswer:
        first = self.route.provider.name
        failed = await self._try(self._at, path, asked)
        if isinstance(failed, GatewayAnswer):
            return failed
        brings_text = ClientHistory(requests.messages_of(asked.body)).brings_text
        for at in range(self._at + 1, len(self.upstreams)):
            provider = self.upstreams[at].route.provider
            if brings_text and not provider.outside_data:
                continue
            log.warning("the gateway asks %s instead of %s", provider.name, first)
            answer = await self._try(at, path, _without_thinking(asked))
            if isinstance(answer, GatewayAnswer):
                self._at = at
                told = {PROVIDER: provider.name, INSTEAD_OF: first}
                return replace(answer, headers={**answer.headers, **told})
        if failed.answer is None:
            assert failed.refused is not None
            raise failed.refused
        return failed.answer

    async def _try(self, at: int, path: str, asked: Asked) -> GatewayAnswer | _NotAnswered:
        try:
            answer = await self.upstreams[at].send(path, asked)
        except GatewayRefused as refused:
            if refused.status in ELSEWHERE:
                return _NotAnswered(refused=refused)
            raise
        if answer.status not in ELSEWHERE:
            return answer
        # Read now: the connection is not kept while another is asked.
        said = await answer.read()
        return _NotAnswered(answer=replace(answer, chunks=each(said)))

    async def models(self, path: str, query: str) -> GatewayAnswer:
        return await self.upstreams[self._at].models(path, query)


@dataclass(frozen=True)
class _NotAnswered:
    """What went wrong at one of them: told where nobody else answers."""

    answer: GatewayAnswer | None = None
    refused: GatewayRefused | None = None


def _without_thinking(asked: Asked) -> Asked:
    """The request for another provider: thinking that one has signed is not sent to another."""
    messages = [
        {**message, "content": [b for b in message["content"] if b.get("type") not in THINKING]}
        for message in requests.messages_of(asked.body)
    ]
    body = {**asked.body, "messages": [message for message in messages if message["content"]]}
    return replace(asked, body=body, content=dumps(body).encode())


async def _bytes_of(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The body as it arrives; where the other side goes away in mid-air, `BrokenOff`."""
    if response.is_closed:
        yield response.content
        return
    try:
        async for chunk in body_chunks(response):
            yield chunk
    except BROKEN as error:
        raise BrokenOff(repr(error)) from error
    finally:
        await response.aclose()


class BrokenOff(BancadaError):
    """The answer ended before its end."""


def unreachable(failed: ModelFailed) -> GatewayRefused:
    """No answer came at all: what the client is told, which is not where the server stands."""
    if failed.code == "rate_limited":
        wait = {"retry-after": str(round(failed.retry_after or 1))}
        return GatewayRefused("The model's server is used to its limit.", status=429, headers=wait)
    if failed.code == "invalid_api_key":
        return GatewayRefused("The model's server did not take this gateway's key.", status=502)
    return GatewayRefused("The model's server could not be reached.", status=502)


@dataclass(frozen=True)
class ModelUpstream:
    """A model that is no server: its replies, in the vendor's words."""

    route: Route
    organisation_id: int | None = None
    tables: tuple[TableShape, ...] = ()

    @property
    def name(self) -> str:
        return self.route.model

    async def send(self, path: str, asked: Asked) -> GatewayAnswer:
        if path == COUNT_TOKENS:
            sentence = f"The model {self.name} does not count tokens."
            raise GatewayRefused(sentence, status=404)
        request = _request(asked.body, self.name)
        request = replace(request, organisation_id=self.organisation_id, tables=self.tables)
        message = message_of(await self._reply(request))
        if asked.stream:
            events = [frame(event) for event in message_events(message)]
            return GatewayAnswer(
                200, {"content-type": "text/event-stream; charset=utf-8"}, each(*events)
            )
        return _json(message)

    async def models(self, path: str, query: str) -> GatewayAnswer:
        known = {
            "type": "model",
            "id": self.name,
            "display_name": self.name,
            "created_at": "1970-01-01T00:00:00Z",
        }
        one = unquote(path.removeprefix(MODELS).strip("/"))
        if one and one != self.name:
            raise GatewayRefused(f"model: {one}", status=404)
        if one:
            return _json(known)
        ends = {"has_more": False, "first_id": self.name, "last_id": self.name}
        return _json({"data": [known], **ends})

    async def _reply(self, request: Request) -> Reply:
        try:
            async for event in self.route.provider.model.stream(request):
                if isinstance(event, Reply):
                    return event
        except ModelFailed as failed:
            status = failed.status or 502
            raise GatewayRefused(str(failed), status=status) from failed
        raise GatewayRefused("The model gave no answer.", status=502)


def _request(body: JSONObject, name: str) -> Request:
    """A client's request as a model of ours takes it."""
    system = body.get("system")
    tool_choice = body.get("tool_choice")
    max_tokens = requests.most_tokens(body)
    system_blocks: list[Block] = [] if system is None else requests.blocks_of(system, "system")
    return Request(
        model=name,
        max_tokens=max_tokens,
        system=system_blocks,
        messages=requests.messages_of(body),
        tools=[tool for tool in requests.named_tools(body) if "input_schema" in tool],
        tool_choice=tool_choice if isinstance(tool_choice, dict) else None,
    )


def _json(body: JSONObject) -> GatewayAnswer:
    return GatewayAnswer(200, {"content-type": "application/json"}, each(dumps(body).encode()))


async def each(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk

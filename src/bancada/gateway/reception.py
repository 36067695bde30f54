"""Whether a request is one that we add something to, and whether it may have that."""

from __future__ import annotations

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.engine.codetool import usable_code
from bancada.engine.containers import last_entry
from bancada.engine.workbench import Workbench
from bancada.gate.listing import visible_tools
from bancada.gateway.asked import Asked, messages_of
from bancada.gateway.books import GatewayBooks, KeyStanding, agent_of
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.exchange import Exchange, scope_of
from bancada.gateway.history import NO_CONTAINER, ClientHistory
from bancada.gateway.offered import Offered, offered, wants_code
from bancada.gateway.served import ServedRequest
from bancada.gateway.upstream import Upstream, upstream_for
from bancada.policy.rules import Rules
from bancada.store import journals
from bancada.store.gateway_containers import ContainerRow
from bancada.tools.tool import Tool


async def served(
    books: GatewayBooks, client: GatewayClient, asked: Asked, admitted: KeyStanding
) -> ServedRequest | None:
    """The answer that is to be made; none where nothing of it is ours.

    Raises:
        GatewayRefused: in the words of the vendor's own API.
    """
    row = None
    if asked.container is not None:
        row = await books.exchanges.find(client, asked.container)
        if row is None and client.agent_id is None and not wants_code(asked.body):
            return None
    told = ClientHistory(messages_of(asked.body))
    told.check()
    agent, tools = await books.bench.database.read(_within, books.bench, client)
    upstream = await _upstream(books, client, asked, agent)
    is_small = upstream.route.provider.limits.is_small
    offer = offered(asked.body, tools if agent is not None else [], brief=not is_small)
    if offer.version is not None and usable_code("anthropic", tools) == "direct":
        raise GatewayRefused("code_execution: this key may not run code here", status=403)
    exchange = None
    if asked.container is not None:
        exchange = await _held(books, client, asked.container, row, told, offer)
        exchange.agent = agent
        exchange.tainted = exchange.tainted or told.brings_text
    if told.inner_pending:
        if exchange is None:
            raise GatewayRefused(NO_CONTAINER)
        told.check_only_results()
        await _check_sources(books, exchange, told)
    elif exchange is not None:
        await _check_rests(books, exchange)
    return ServedRequest(
        books=books,
        client=client,
        asked=asked,
        history=told,
        offered=offer,
        upstream=upstream,
        admitted=admitted,
        agent=agent,
        exchange=exchange,
    )


async def _upstream(
    books: GatewayBooks, client: GatewayClient, asked: Asked, agent: Agent | None
) -> Upstream:
    bench, name = books.bench, agent.name if agent else None
    tables = (
        await bench.tables.shapes(None, client.person.organisation_id)
        if agent is not None and (bench.models.is_offline or bench.models.providers.ends_in_keyword)
        else ()
    )
    return upstream_for(bench.models, client, asked.model, name, tables)


def _within(
    db: Connection, bench: Workbench, client: GatewayClient
) -> tuple[Agent | None, list[tuple[Tool, Rules]]]:
    """The key's agent as it is now, and the tools that its person may use there."""
    bench.models.refresh(db)
    agent = agent_of(db, client)
    scope = scope_of(client, agent, "", tainted=False)
    return agent, visible_tools(db, bench.registry, bench.gate.rulebook, scope)


async def _held(
    books: GatewayBooks,
    client: GatewayClient,
    id: str,
    row: ContainerRow | None,
    told: ClientHistory,
    offer: Offered,
) -> Exchange:
    """The container that the client names, if it is theirs and still there."""
    if row is None:
        raise GatewayRefused(f"container: Container `{id}` not found.")
    if row.is_over:
        raise GatewayRefused(
            f"container: Container `{id}` has expired. Send the request again without `container`."
        )
    if row.functions != offer.fingerprint:
        raise GatewayRefused(
            "tools: the tools that code execution may call have changed since the container was "
            "made; send the same `tools`, or leave `container` out."
        )
    live = books.exchanges.live(row)
    return live or books.exchanges.keep(Exchange(books.bench, client, row, offer))


async def _check_sources(books: GatewayBooks, exchange: Exchange, told: ClientHistory) -> None:
    """Code that waits was begun in this very container."""
    for block in told.inner_pending:
        source = str(block["caller"].get("tool_id"))
        if last_entry(await exchange.record.journal(source), "began") is None:
            raise GatewayRefused(
                f"source tool `{source}` not found for tool use block `{block.get('id')}`"
            )


async def _check_rests(books: GatewayBooks, exchange: Exchange) -> None:
    """Nothing waits in a container that is used for something else."""
    cells = await books.bench.database.read(journals.cells_of, exchange.row.id)
    if cells and last_entry(await exchange.record.journal(cells[-1].code_id), "ended") is None:
        raise GatewayRefused(
            f"container: Container `{exchange.row.id}` waits for the results of pending "
            "programmatic tool calls. Send them, or leave `container` out."
        )

"""Whether a request is one that we add something to, and whether it may have that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.engine.codetool import usable_code
from bancada.engine.containers import last_entry
from bancada.engine.workbench import Workbench
from bancada.gate.listing import visible_tools
from bancada.gateway.asked import Asked, messages_of
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.exchange import Exchange, scope_of
from bancada.gateway.history import NO_CONTAINER, ClientHistory
from bancada.gateway.offered import Offered, offered, wants_code
from bancada.gateway.served import Served
from bancada.gateway.upstream import upstream_for
from bancada.policy.rules import Rules
from bancada.store import agents, journals
from bancada.store.gateway_containers import ContainerRow
from bancada.tools.tool import Tool

if TYPE_CHECKING:
    from bancada.gateway.desk import GatewayDesk


async def served(desk: GatewayDesk, client: GatewayClient, asked: Asked) -> Served | None:
    """The answer that is to be made; none where nothing of it is ours.

    Raises:
        GatewayRefused: in the words of the vendor's own API.
    """
    row = None
    if asked.container is not None:
        row = await desk.exchanges.find(client, asked.container)
        if row is None and client.agent_id is None and not wants_code(asked.body):
            return None
    told = ClientHistory(messages_of(asked.body))
    told.check()
    agent, tools = await desk.bench.database.read(_within, desk.bench, client)
    offer = offered(asked.body, tools if agent is not None else [])
    if offer.version is not None and usable_code("anthropic", tools) == "direct":
        raise GatewayRefused("code_execution: this key may not run code here", status=403)
    exchange = None
    if asked.container is not None:
        exchange = await _held(desk, client, asked.container, row, told, offer)
        exchange.agent = agent
        exchange.tainted = exchange.tainted or told.brings_text
    if told.inner_pending:
        if exchange is None:
            raise GatewayRefused(NO_CONTAINER)
        told.check_only_results()
        await _check_sources(desk, exchange, told)
    elif exchange is not None:
        await _check_rests(desk, exchange)
    return Served(
        desk=desk,
        client=client,
        asked=asked,
        told=told,
        offered=offer,
        upstream=upstream_for(
            desk.bench.models, client, asked.model, agent.name if agent else None
        ),
        agent=agent,
        exchange=exchange,
        shows_calls=asked.knows_server_calls,
    )


def _within(
    db: Connection, bench: Workbench, client: GatewayClient
) -> tuple[Agent | None, list[tuple[Tool, Rules]]]:
    """The key's agent as it is now, and the tools that its person may use there."""
    agent = None if client.agent_id is None else agents.any_agent(db, client.agent_id)
    mine = {each.id for each in agents.agents_for(db, client.person.id)}
    if client.agent_id is not None and (agent is None or agent.id not in mine):
        raise GatewayRefused("The agent of this key is not its person's any more.", status=403)
    scope = scope_of(client, agent, "", tainted=False)
    return agent, visible_tools(db, bench.registry, bench.gate.rulebook, scope)


async def _held(
    desk: GatewayDesk,
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
    live = desk.exchanges.live(id)
    if live is not None:
        live.check_free()
        return live
    return desk.exchanges.keep(Exchange(desk.bench, client, row, offer))


async def _check_sources(desk: GatewayDesk, exchange: Exchange, told: ClientHistory) -> None:
    """Code that waits was begun in this very container."""
    for block in told.inner_pending:
        source = str(block["caller"].get("tool_id"))
        if last_entry(await exchange.record.journal(source), "began") is None:
            raise GatewayRefused(
                f"source tool `{source}` not found for tool use block `{block.get('id')}`"
            )


async def _check_rests(desk: GatewayDesk, exchange: Exchange) -> None:
    """Nothing waits in a container that is used for something else."""
    cells = await desk.bench.database.read(journals.cells_of, exchange.row.id)
    if cells and last_entry(await exchange.record.journal(cells[-1].code_id), "ended") is None:
        raise GatewayRefused(
            f"container: Container `{exchange.row.id}` waits for the results of pending "
            "programmatic tool calls. Send them, or leave `container` out."
        )

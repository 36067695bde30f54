"""What the gateway checks a client against, and what it writes down: limits, use, calls, containers."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.messages import Block
from bancada.engine.costs import used
from bancada.engine.money import CHARACTERS, MoneyUnderWay, Payer, may_cost
from bancada.engine.workbench import Workbench
from bancada.gateway.asked import Asked, most_tokens
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.exchange import Exchange, Exchanges
from bancada.gateway.handed import hand_over
from bancada.gateway.limits import KeyCounts, check_money, has_room, is_limited, key_use
from bancada.gateway.metering import Meter
from bancada.gateway.offered import Offered
from bancada.gateway.wire import new_id
from bancada.model.model import Reply
from bancada.model.providers import Route
from bancada.store import agents, gateway_containers, keys, replies, reservations
from bancada.store.gateway_containers import ContainerRow


@dataclass(frozen=True)
class KeyStanding:
    """Where a client stands that may ask."""

    headers: dict[str, str]
    """The same in the vendor's words."""
    counts_money: bool
    """Whether the key, its person or their organisation may spend only so much."""


@dataclass
class GatewayBooks:
    """One for the process."""

    bench: Workbench
    limits: KeyCounts = field(default_factory=KeyCounts)
    exchanges: Exchanges = field(init=False)

    def __post_init__(self) -> None:
        self.exchanges = Exchanges(self.bench)

    @property
    def money(self) -> MoneyUnderWay:
        return self.bench.money

    async def close(self) -> None:
        await self.exchanges.close()

    async def admitted(self, client: GatewayClient) -> KeyStanding:
        """The headers that say what is left; refused where nothing is."""
        use, spent = await self.bench.database.read(key_use, client, time.time())
        check_money(client, use, spent)
        return KeyStanding(self.limits.check(client, use), is_limited(client, spent))

    async def reserve(
        self, client: GatewayClient, asked: Asked, route: Route, admitted: KeyStanding
    ) -> str | None:
        """Set the reply's money aside, where money is limited; refused where others may need it all."""
        if not admitted.counts_money:
            return None
        # What some server might read as a number, and we do not, nobody would have set aside.
        output = most_tokens(asked.body)
        usd = may_cost(route, asked.model or route.model, len(asked.content) // CHARACTERS, output)
        person = client.person
        payer = Payer(
            organisation_id=person.organisation_id, user_id=person.id, key_id=client.key_id
        )
        return await self.money.reserve(payer, usd, has_room(client, time.time()))

    async def check_key(self, client: GatewayClient) -> None:
        """Refuse to go on with a key that was revoked or has ended since the request came."""
        key_id = client.key_id
        if key_id and await self.bench.database.read(keys.holder_of, key_id) is None:
            raise GatewayRefused("This API key does not count any more.", status=401)

    async def agent(self, client: GatewayClient) -> Agent | None:
        """The agent that a key is bound to; refused where it is not its person's any more."""
        return await self.bench.database.read(agent_of, client)

    async def keep(
        self,
        client: GatewayClient,
        asked: Asked,
        meter: Meter,
        seconds: float,
        reserved: str | None,
    ) -> None:
        """Write down what a reply used, and the calls it hands to the client; what was set aside for
        it is free again."""
        if not meter.heard:
            await self.money.settle(reserved)
            return
        await self.bench.database.run(_write, client, asked, meter, seconds, reserved)
        if reserved is not None:
            self.money.settled(reserved)

    async def handed_over(self, client: GatewayClient, calls: list[Block]) -> None:
        """Write that these calls went to the client to run."""
        if calls:
            await self.bench.database.run(hand_over, client, calls)

    async def new_container(
        self, client: GatewayClient, offered: Offered, agent: Agent | None, *, tainted: bool
    ) -> Exchange:
        """A container for a client that has none yet."""
        now = time.time()
        row = ContainerRow(
            id=new_id("container"),
            organisation_id=client.person.organisation_id,
            user_id=client.person.id,
            key_id=client.key_id,
            functions=offered.fingerprint,
            created_at=now,
            expires_at=now + self.bench.settings.gateway_container_days * 86_400,
            held_by=None,
            held_until=now,
        )
        await self.bench.database.run(gateway_containers.add, row)
        made = Exchange(self.bench, client, row, offered, agent, tainted=tainted)
        await made.take()
        return self.exchanges.keep(made)


def agent_of(db: Connection, client: GatewayClient) -> Agent | None:
    """The agent that a key is bound to, as it is now."""
    if client.agent_id is None:
        return None
    mine = {each.id: each for each in agents.agents_for(db, client.person.id)}
    if client.agent_id not in mine:
        raise GatewayRefused("The agent of this key is not its person's any more.", status=403)
    return mine[client.agent_id]


def _write(
    db: Connection,
    client: GatewayClient,
    asked: Asked,
    meter: Meter,
    seconds: float,
    reserved: str | None,
) -> None:
    if reserved is not None:
        reservations.settle(db, reserved)
    person = client.person
    reply = Reply(
        content=[],
        stop_reason=meter.stop_reason,
        usage=meter.tokens,
        model=meter.model or asked.model,
    )
    row = used(
        reply,
        meter.route.provider.price(reply.usage, reply.model),
        seconds * 1000,
        organisation_id=person.organisation_id,
        user_id=person.id,
        agent_id=client.agent_id or 0,
        key_id=client.key_id,
    )
    replies.add(db, row)
    hand_over(db, client, meter.calls)

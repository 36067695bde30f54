"""Which model answers a turn: a provider, those that stand in for it, or the offline planner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.model.honours import Feature, Honours
from bancada.model.model import ModelFailed
from bancada.model.offline import OfflineModel
from bancada.model.providers import KEYWORD, Asker, Provider, Providers, Route
from bancada.store import probes
from bancada.store.conversations import Conversation


@dataclass(frozen=True, kw_only=True)
class Models:
    """The models of this installation."""

    providers: Providers
    """None of them: there is no key and no address, so the offline model answers everything."""
    offline: OfflineModel
    vendor_search: str = "auto"
    """Who searches deferred tools: `vendor`, `ours`, or whichever can."""
    keyword: Route = field(init=False)
    """The way to the offline model."""

    def __post_init__(self) -> None:
        name = self.offline.name
        planner = Provider(name=KEYWORD, kind="offline", model=self.offline, default=name)
        object.__setattr__(self, "keyword", Route(provider=planner, model=name))

    @property
    def is_offline(self) -> bool:
        return not len(self.providers)

    def refresh(self, db: Connection) -> None:
        """Know what servers were found to honour, whichever process asked them."""
        if not self.is_offline:
            for probe in probes.every(db):
                self.providers.learn(probe.provider, probe.model, Honours.of(probe.found))

    @property
    def default(self) -> str:
        """The model of agents that name none."""
        first = self.providers.default
        return self.offline.name if first is None else first.default

    async def close(self) -> None:
        """Let go of the providers' connections."""
        await self.providers.close()

    def routes(self, agent: Agent, conversation: Conversation) -> Sequence[Route]:
        """Who answers a turn, and then who is asked instead, in this order.

        Raises:
            ModelFailed: nobody may be asked on this agent's behalf.
        """
        if self.is_offline or KEYWORD in (conversation.mode, agent.mode):
            return [self.keyword]
        return self.routes_for(agent, conversation.organisation_id)

    def routes_for(self, agent: Agent, organisation_id: int) -> Sequence[Route]:
        """The same where there is no conversation."""
        if self.is_offline:
            return [self.keyword]
        asker = Asker(organisation_id=organisation_id, agent=agent.name)
        found = self.providers.routes(agent.model, asker)
        return [*found, self.keyword] if self.providers.ends_in_keyword else found

    def does(self, route: Route, features: Iterable[Feature]) -> bool:
        """Whether who answers there can be shown what needs these; the offline model only reads words."""
        if not (needed := list(features)):
            return True
        if route.provider.kind == "offline":
            return False
        return all(map(self.providers.honours(route).does, needed))

    def shown_to(
        self, agent: Agent, organisation_id: int, conversation: Conversation | None = None
    ) -> list[Feature]:
        """Which of images and documents questions of this agent's may bring."""
        try:
            if conversation is None:
                route = self.routes_for(agent, organisation_id)[0]
            else:
                route = self.routes(agent, conversation)[0]
        except ModelFailed:
            return []
        if agent.mode == KEYWORD or not self.does(route, ["images"]):
            return []
        return ["images", "documents"] if self.does(route, ["documents"]) else ["images"]

    def searches(self, route: Route) -> bool:
        """Whether the provider searches deferred tools itself."""
        if self.vendor_search == "auto":
            return route.provider.kind == "anthropic"
        return self.vendor_search == "vendor" and route is not self.keyword

"""Which model answers a turn: the provider, or the offline planner in keyword mode."""

from __future__ import annotations

from dataclasses import dataclass

from bancada.domain.agents import Agent
from bancada.model.model import Model
from bancada.model.offline import OfflineModel
from bancada.model.retry import Retrying
from bancada.store.conversations import Conversation


@dataclass(frozen=True, kw_only=True)
class Models:
    """The models of this installation."""

    provider: Model | None
    """None: there is no key and no address, so the offline model answers everything."""
    offline: OfflineModel
    default: str
    """The provider's model id where an agent names none."""
    vendor_search: bool = False
    """Whether the provider can search deferred tools itself."""

    @property
    def is_offline(self) -> bool:
        return self.provider is None

    async def close(self) -> None:
        """Let go of the provider's connections."""
        if isinstance(self.provider, Retrying):
            await self.provider.aclose()

    def choose(self, agent: Agent, conversation: Conversation) -> tuple[Model, str]:
        """The model for a turn, and the id it goes by."""
        keyword = conversation.mode == "keyword" or agent.mode == "keyword"
        if self.provider is None or keyword:
            return self.offline, self.offline.name
        return self.provider, agent.model or self.default

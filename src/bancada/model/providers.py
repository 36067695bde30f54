"""Where models are, and which of these places serves a request: the seam to every provider.

    for route in providers.routes("claude-sonnet-5-5", Asker(organisation_id=1, agent="Análise")):
        route.provider.model.stream(…)      # retried, within the provider's limits
        route.provider.upstream.send(…)     # the bare connection, for whoever passes bytes on

The first route is the one that serves the name; the others are who is asked when it does not answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bancada.domain.wording import Wording
from bancada.model.anthropic import AnthropicModel
from bancada.model.honours import Honours
from bancada.model.limits import Pace, ProviderLimits
from bancada.model.model import Model, ModelFailed, Tokens
from bancada.model.prices import Price, context_window, price

KEYWORD = "keyword"
"""The name under which the offline model stands in a fallback order."""


@dataclass(frozen=True, kw_only=True)
class Asker:
    """On whose behalf a model is asked."""

    organisation_id: int | None = None
    agent: str | None = None


ANYBODY = Asker()


@dataclass(frozen=True, kw_only=True)
class Provider:
    """One place where models are."""

    name: str
    kind: str
    model: Model
    """Answers requests: tries again where that helps, and keeps to the limits."""
    upstream: AnthropicModel | None = None
    """The connection itself; none where a test or the offline model stands in."""
    models: tuple[str, ...] = ()
    """What it serves; none: whatever it is asked for."""
    default: str
    """The model of those who name none."""
    prices: Mapping[str, Price] = field(default_factory=dict)
    limits: ProviderLimits = field(default_factory=ProviderLimits)
    pace: Pace | None = None
    """Who sends through `upstream` itself waits here first."""
    outside_data: bool = True
    organisations: frozenset[int] | None = None
    agents: frozenset[str] | None = None
    default_for: frozenset[int] = frozenset()
    address: str = ""
    """Where it is, for people."""

    def allows(self, asker: Asker) -> bool:
        """Whether questions of this organisation and agent may go there."""
        if self.organisations is not None and asker.organisation_id not in self.organisations:
            return False
        return self.agents is None or asker.agent in self.agents

    def serves(self, model: str) -> bool:
        """Whether it names this model as one of its own."""
        return model in self.models

    def price(self, tokens: Tokens, model: str) -> float | None:
        """What these tokens cost here; none when nobody knows."""
        return price(tokens, model, self.prices, kind=self.kind)

    def reads(self, model: str) -> int | None:
        """How many tokens the model takes at once here; none when nobody knows."""
        return self.limits.max_context or context_window(model, kind=self.kind)


@dataclass(frozen=True, kw_only=True)
class Route:
    """A provider, and the name by which it knows the model."""

    provider: Provider
    model: str


NOTHING_KNOWN = Honours()


class Providers:
    """The providers of this installation, the one that answers by default first."""

    def __init__(self, known: Sequence[Provider], fallback: Sequence[str] = ()) -> None:
        self._known = {provider.name: provider for provider in known}
        self._fallback = tuple(fallback)
        self._honours: dict[tuple[str, str], Honours] = {}

    def __iter__(self) -> Iterator[Provider]:
        return iter(self._known.values())

    def __len__(self) -> int:
        return len(self._known)

    def named(self, name: str) -> Provider | None:
        return self._known.get(name)

    @property
    def fallback(self) -> tuple[str, ...]:
        return self._fallback

    def learn(self, provider: str, model: str, honours: Honours) -> None:
        """What this server was found to do with requests for this model."""
        self._honours[provider, model] = honours

    def honours(self, route: Route) -> Honours:
        """What is known of the server: by this model, or else by the one asked for by default."""
        name = route.provider.name
        known = self._honours.get((name, route.model))
        return known or self._honours.get((name, route.provider.default), NOTHING_KNOWN)

    @property
    def default(self) -> Provider | None:
        return next(iter(self._known.values()), None)

    @property
    def ends_in_keyword(self) -> bool:
        """Whether the offline model answers when nobody else does."""
        return KEYWORD in self._fallback

    def routes(self, model: str | None, asker: Asker = ANYBODY) -> list[Route]:
        """Who serves this model for this asker, then who is asked in its place.

        `provider/model` and a provider's own name choose that provider; otherwise the first that
        names the model serves it, and what nobody names goes to the default one as it is.

        Raises:
            ModelFailed: nobody may be asked, or the provider that was named may not.
        """
        first = self._serving(model, asker)
        routes = [first]
        before = self._fallback.index(KEYWORD) if self.ends_in_keyword else None
        for name in self._fallback[:before]:
            other = self._known[name]
            if other.name != first.provider.name and other.allows(asker):
                known = other.serves(first.model)
                routes.append(Route(provider=other, model=first.model if known else other.default))
        return routes

    def _serving(self, model: str | None, asker: Asker) -> Route:
        chosen, rest = self._chosen(model)
        if chosen is not None:
            if not chosen.allows(asker):
                raise _not_allowed(chosen.name)
            return Route(provider=chosen, model=rest or chosen.default)
        allowed = [one for one in self._in_order(asker) if one.allows(asker)]
        if not allowed:
            raise _not_allowed(", ".join(self._known))
        if model is None:
            return Route(provider=allowed[0], model=allowed[0].default)
        naming = next((one for one in allowed if one.serves(model)), allowed[0])
        return Route(provider=naming, model=model)

    def _chosen(self, model: str | None) -> tuple[Provider | None, str]:
        """The provider that the name itself names, and the model's name there."""
        if model is None:
            return None, ""
        name, _, rest = model.partition("/")
        return self._known.get(name), rest

    def _in_order(self, asker: Asker) -> list[Provider]:
        """The organisation's own first, then as they are written down."""
        return sorted(
            self._known.values(), key=lambda one: asker.organisation_id not in one.default_for
        )

    async def close(self) -> None:
        """Let go of every connection."""
        for provider in self._known.values():
            close = getattr(provider.model, "aclose", None)
            if close is not None:
                await close()


def _not_allowed(names: str) -> ModelFailed:
    return ModelFailed(
        "internal",
        f"questions of this organisation or agent may not go to {names}",
        retryable=False,
        detail=Wording("provider_not_allowed", names=names),
    )


def another_may_answer(failed: ModelFailed) -> bool:
    """Whether asking somebody else makes sense: what is wrong is there, not in the question."""
    if failed.code == "internal":
        return failed.retryable or failed.status in (402, 404) or (failed.status or 0) >= 500
    return failed.code in ("invalid_api_key", "rate_limited", "overloaded")

"""Providers, opened from the settings: each kind through the SDK's own client for it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from bancada.domain.errors import SettingsError
from bancada.model.anthropic import AnthropicModel, connection, timeout_after
from bancada.model.limits import Limited, Pace, ProviderLimits
from bancada.model.model import Model
from bancada.model.prices import Price
from bancada.model.providers import Provider, Providers
from bancada.model.retry import Retrying
from bancada.settings import ProviderSettings, Settings

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

FROM_ENVIRONMENT = "env:"
CloudClient: TypeAlias = tuple[str, dict[str, Any]]
"""The SDK's client for a cloud, by name, and what it is given."""


def open_providers(settings: Settings, organisations: Mapping[int | str, int]) -> Providers:
    """Every provider that the settings name; `organisations` are known by id and by name."""
    if settings.is_offline:
        return Providers(())
    known = settings.known_providers
    return Providers(
        [open_provider(name, one, settings, organisations) for name, one in known.items()],
        settings.fallback,
    )


def open_provider(
    name: str,
    one: ProviderSettings,
    settings: Settings,
    organisations: Mapping[int | str, int],
) -> Provider:
    default = one.models[0] if one.models else settings.anthropic_model
    limits = ProviderLimits(
        concurrency=one.concurrency, rpm=one.rpm, tpm=one.tpm, max_context=one.max_context
    )
    pace = Pace(limits)
    upstream = _upstream(name, one, default, settings.silence_seconds)
    prices = {**settings.prices, **one.prices}
    return Provider(
        name=name,
        kind=one.kind,
        model=Retrying(
            Limited(upstream, pace),
            attempts=settings.retry_attempts,
            first_wait=settings.retry_seconds,
        ),
        upstream=upstream,
        models=tuple(one.models),
        default=default,
        prices={model: Price.read(model, written) for model, written in prices.items()},
        limits=limits,
        pace=pace,
        outside_data=one.outside_data,
        organisations=_ids(name, one.organisations, organisations) if one.organisations else None,
        agents=frozenset(one.agents) or None,
        default_for=_ids(name, one.default_for, organisations),
        address=upstream.address,
    )


def stand_in(model: Model, settings: Settings) -> Providers:
    """A model in a provider's place, for tests."""
    prices = {name: Price.read(name, written) for name, written in settings.prices.items()}
    only = Provider(
        name="anthropic",
        kind="anthropic",
        model=model,
        default=settings.anthropic_model,
        prices=prices,
    )
    return Providers([only], [name for name in settings.fallback if name == "keyword"])


def _ids(
    name: str, written: Sequence[int | str], organisations: Mapping[int | str, int]
) -> frozenset[int]:
    """Ids of organisations that the settings name.

    Raises:
        SettingsError: one does not exist. Going on without it could let data go where it may not.
    """
    unknown = [one for one in written if one not in organisations]
    if unknown:
        raise SettingsError(f"[providers.{name}]: there is no organisation {unknown[0]!r}.")
    return frozenset(organisations[one] for one in written)


def _upstream(name: str, one: ProviderSettings, default: str, silence: float) -> AnthropicModel:
    key, token = _secret(name, one.api_key), _secret(name, one.auth_token)
    client = None
    if one.kind in _CLOUDS:
        made = _cloud(name, one, key, token)
        client = made.with_options(timeout=timeout_after(silence))
    if client is None and not (key or token or one.base_url):
        raise SettingsError(f"[providers.{name}] needs an api_key, an auth_token or a base_url.")
    # The SDK sends a key as a bearer token; some servers look for it where it used to be.
    headers = {"x-api-key": key} if key and one.kind == "compatible" else {}
    return AnthropicModel(
        model=default,
        api_key=key,
        auth_token=token,
        base_url=one.base_url,
        headers=headers,
        read_timeout=silence,
        client=client,
    )


def _secret(name: str, written: str | None) -> str | None:
    if written is None or not written.startswith(FROM_ENVIRONMENT):
        return written
    variable = written.removeprefix(FROM_ENVIRONMENT)
    found = os.environ.get(variable)
    if not found:
        raise SettingsError(f"[providers.{name}]: the environment has no {variable}.")
    return found


def _bedrock(one: ProviderSettings, key: str | None, token: str | None) -> CloudClient:
    given = {"aws_region": one.region, "aws_profile": one.profile, "api_key": key or token}
    return "AsyncAnthropicBedrock", given


def _vertex(one: ProviderSettings, key: str | None, token: str | None) -> CloudClient:
    given = {"region": one.region, "project_id": one.project, "access_token": token or key}
    return "AsyncAnthropicVertex", given


def _foundry(one: ProviderSettings, key: str | None, token: str | None) -> CloudClient:
    async def bearer() -> str:
        return token or ""

    bearers = {"azure_ad_token_provider": bearer if token else None}
    return "AsyncAnthropicFoundry", {"resource": one.resource, "api_key": key, **bearers}


def _cloud(name: str, one: ProviderSettings, key: str | None, token: str | None) -> AsyncAnthropic:
    """A cloud's client, with what the settings say; the rest is the cloud's own configuration."""
    import anthropic

    client, given = _CLOUDS[one.kind](one, key, token)
    said = {key: value for key, value in given.items() if value is not None}
    if one.base_url is not None:
        said["base_url"] = one.base_url
    try:
        made: AsyncAnthropic = getattr(anthropic, client)(**said, **connection())
    except ImportError as error:
        raise SettingsError(
            f"[providers.{name}] needs more packages: pip install 'bancada[{one.kind}]'."
        ) from error
    except Exception as error:
        # The SDK's own words name its arguments and variables, never a secret's value.
        raise SettingsError(f"[providers.{name}]: {error}") from error
    return made


_CLOUDS: dict[str, Callable[..., CloudClient]] = {
    "bedrock": _bedrock,
    "vertex": _vertex,
    "foundry": _foundry,
}

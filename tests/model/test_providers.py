"""Who serves a model's name, for whom, and what it costs there."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bancada.domain.errors import SettingsError
from bancada.model.connecting import open_providers
from bancada.model.model import ModelFailed, Tokens
from bancada.model.providers import Asker, Providers
from bancada.settings import load_settings

HOUSES: dict[int | str, int] = {1: 1, 2: 2, "Fábrica": 1, "Segunda": 2}
LOCAL = {"base_url": "http://127.0.0.1:8099", "models": ["qwen", "phi"]}


def opened(tmp_path: Path, **given: Any) -> Providers:
    settings = load_settings(data=tmp_path, environment={}, **given)
    return open_providers(settings, HOUSES)


def served_by(providers: Providers, model: str | None, **asker: Any) -> list[tuple[str, str]]:
    routes = providers.routes(model, Asker(**asker))
    return [(route.provider.name, route.model) for route in routes]


def test_a_model_goes_to_whoever_names_it_and_otherwise_to_the_default_as_it_is(
    tmp_path: Path,
) -> None:
    providers = opened(tmp_path, anthropic_api_key="k", providers={"local": LOCAL})

    assert served_by(providers, None) == [("anthropic", "claude-sonnet-5-5")]
    assert served_by(providers, "phi") == [("local", "phi")]
    assert served_by(providers, "claude-opus-5-5") == [("anthropic", "claude-opus-5-5")]
    assert served_by(providers, "local") == [("local", "qwen")]
    assert served_by(providers, "local/mistral") == [("local", "mistral")]
    assert served_by(providers, "unknown/model") == [("anthropic", "unknown/model")]


def test_an_organisation_has_a_provider_of_its_own(tmp_path: Path) -> None:
    providers = opened(
        tmp_path, anthropic_api_key="k", providers={"local": {**LOCAL, "default_for": ["Segunda"]}}
    )

    assert served_by(providers, None, organisation_id=2) == [("local", "qwen")]
    assert served_by(providers, None, organisation_id=1)[0][0] == "anthropic"


def test_a_provider_is_not_asked_for_organisations_and_agents_it_is_not_for(tmp_path: Path) -> None:
    providers = opened(
        tmp_path,
        providers={"local": {**LOCAL, "organisations": ["Fábrica"], "agents": ["Qualidade"]}},
    )

    assert served_by(providers, None, organisation_id=1, agent="Qualidade") == [("local", "qwen")]
    for asker in ({"organisation_id": 2, "agent": "Qualidade"}, {"organisation_id": 1}):
        for model in (None, "qwen", "local/qwen"):
            with pytest.raises(ModelFailed) as refused:
                providers.routes(model, Asker(**asker))
            assert "local" in str(refused.value.detail)


def test_the_fallback_order_leaves_out_who_may_not_be_asked(tmp_path: Path) -> None:
    providers = opened(
        tmp_path,
        anthropic_api_key="k",
        providers={
            "private": {"base_url": "http://127.0.0.1:1", "organisations": [2]},
            "local": LOCAL,
        },
        fallback=["private", "local", "keyword"],
    )

    assert served_by(providers, None, organisation_id=1) == [
        ("anthropic", "claude-sonnet-5-5"),
        ("local", "qwen"),
    ]
    assert providers.ends_in_keyword


def test_prices_are_a_providers_own(tmp_path: Path) -> None:
    free = {"*": {"input": 0, "output": 0}}
    providers = opened(
        tmp_path, anthropic_api_key="k", providers={"local": {**LOCAL, "prices": free}}
    )
    local, vendor = providers.named("local"), providers.named("anthropic")
    assert local is not None
    assert vendor is not None
    million = Tokens(input=1_000_000)

    assert local.price(million, "qwen") == 0.0
    assert vendor.price(million, "qwen") is None
    assert (vendor.price(million, "claude-sonnet-5-5") or 0) > 0


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"providers": {"a": {"kind": "compatible"}}}, "needs a base_url"),
        ({"providers": {"a": {"kind": "unheard"}}}, "providers.a.kind"),
        ({"providers": {"a": {**LOCAL, "api_key": "k", "auth_token": "t"}}}, "not both"),
        ({"providers": {"a": {**LOCAL, "organisations": ["Nobody"]}}}, "Nobody"),
        ({"providers": {"a": {**LOCAL, "api_key": "env:NOT_THERE_AT_ALL"}}}, "NOT_THERE_AT_ALL"),
        ({"providers": {"a": LOCAL}, "fallback": ["b"]}, "[providers.b]"),
        ({"providers": {"keyword": LOCAL}}, "keyword"),
        ({"anthropic_api_key": "k", "default_provider": "b"}, "[providers.b]"),
    ],
)
def test_a_provider_that_cannot_be_is_named_when_we_start(
    tmp_path: Path, given: dict[str, Any], says: str
) -> None:
    with pytest.raises(SettingsError, match=says.replace("[", r"\[")):
        opened(tmp_path, **given)


def test_a_secret_is_in_no_words_about_a_provider(tmp_path: Path) -> None:
    settings = load_settings(
        data=tmp_path,
        environment={"ANTHROPIC_AUTH_TOKEN": "s3cret-token"},
        providers={"local": {**LOCAL, "api_key": "s3cret-key"}},
    )

    assert "s3cret" not in repr(settings)
    assert "s3cret" not in repr([*open_providers(settings, HOUSES)])

from __future__ import annotations

import pytest

from bancada.domain.errors import SettingsError
from bancada.model.model import Tokens
from bancada.model.prices import Price, price

TOKENS = Tokens(input=1000, output=200, cache_read=50_000, cache_write=400)


def test_a_known_model_has_a_price() -> None:
    expected = (1000 * 3 + 200 * 15 + 50_000 * 0.3 + 400 * 3.75) / 1_000_000

    assert price(TOKENS, "claude-sonnet-4-20250514") == pytest.approx(expected)


def test_the_default_model_has_a_price() -> None:
    cost = price(Tokens(input=1000, output=1000), "claude-sonnet-5-5")

    assert cost is not None
    assert cost > 0


def test_cached_input_is_cheaper_than_fresh_input() -> None:
    fresh = price(Tokens(input=10_000), "claude-sonnet-5-5")
    cached = price(Tokens(cache_read=10_000), "claude-sonnet-5-5")

    assert fresh is not None
    assert cached is not None
    assert 0 < cached < fresh


def test_an_unknown_model_has_none_and_the_offline_one_is_free() -> None:
    assert price(TOKENS, "qwen3:8b") is None
    assert price(TOKENS, "offline") == 0.0


def test_settings_override_what_is_known() -> None:
    own = {
        "qwen3:8b": Price.read("qwen3:8b", {"input": 1, "output": 2, "cache_read": 0}),
        "claude-sonnet-5-5": Price(input=0, output=0),
    }

    assert price(Tokens(input=1_000_000, output=500_000), "qwen3:8b", own) == pytest.approx(2.0)
    assert price(Tokens(cache_read=500), "qwen3:8b", own) == 0.0
    assert price(TOKENS, "claude-sonnet-5-5", own) == 0.0


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ({"input": 1}, "output missing"),
        ({"input": 1, "output": -2}, "output must be a number"),
        ({"input": "1", "output": 2}, "input must be a number"),
        ({"input": 1, "output": 2, "per_day": 3}, "'per_day' is not one of its fields"),
    ],
)
def test_a_price_written_wrongly_stops_the_start(written: dict[str, object], says: str) -> None:
    with pytest.raises(SettingsError, match=f"qwen.*{says}"):
        Price.read("qwen", written)

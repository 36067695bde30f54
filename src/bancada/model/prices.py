"""What a reply costs, in US dollars, and how much its model reads at once.

The prices are those of the `genai-prices` package, tiers and cache prices included; an
installation may state its own. A model nobody knows has no price: that is said, not guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from bancada.domain.errors import SettingsError
from bancada.model.model import Tokens
from bancada.model.offline import NAME as OFFLINE

EVERY_MODEL = "*"
"""In a list of prices: whatever has none of its own."""

SELLERS = {"bedrock": "aws", "vertex": "google", "foundry": "azure"}
"""Kinds of providers that have prices of their own in `genai-prices`."""


@dataclass(frozen=True, kw_only=True)
class Price:
    """Dollars for a million tokens; cache prices default to the vendor's usual shares."""

    input: float
    output: float
    cache_read: float | None = None
    cache_write: float | None = None

    def of(self, tokens: Tokens) -> float:
        read = self.input * 0.1 if self.cache_read is None else self.cache_read
        write = self.input * 1.25 if self.cache_write is None else self.cache_write
        dollars = (
            tokens.input * self.input
            + tokens.output * self.output
            + tokens.cache_read * read
            + tokens.cache_write * write
        )
        return dollars / 1_000_000

    @staticmethod
    def read(model: str, written: Mapping[str, object]) -> Price:
        """A price as settings write it: `{input, output, cache_read, cache_write}`."""
        numbers: dict[str, float] = {}
        for name, value in written.items():
            if name not in Price.__dataclass_fields__:
                raise SettingsError(f"Price of {model}: {name!r} is not one of its fields.")
            if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
                raise SettingsError(f"Price of {model}: {name} must be a number, not {value!r}.")
            numbers[name] = float(value)
        missing = {"input", "output"} - set(numbers)
        if missing:
            raise SettingsError(f"Price of {model}: {' and '.join(sorted(missing))} missing.")
        return Price(**numbers)


def price(
    tokens: Tokens,
    model: str,
    overrides: Mapping[str, Price] | None = None,
    *,
    kind: str = "anthropic",
) -> float | None:
    """What these tokens cost with this model; none when nobody knows its price."""
    stated = (overrides or {}).get(model) or (overrides or {}).get(EVERY_MODEL)
    if stated is not None:
        return stated.of(tokens)
    if model == OFFLINE:
        return 0.0
    # Imported when first needed: it brings a large table with it.
    from genai_prices import Usage, calc_price

    try:
        found = calc_price(
            # There the input includes what came from and went to the cache; here it does not.
            Usage(
                input_tokens=tokens.input + tokens.cache_read + tokens.cache_write,
                output_tokens=tokens.output,
                cache_read_tokens=tokens.cache_read,
                cache_write_tokens=tokens.cache_write,
            ),
            model_ref=model,
            provider_id=SELLERS.get(kind, "anthropic"),
        )
    except LookupError:
        return None
    return float(found.total_price)


@lru_cache(maxsize=256)
def context_window(model: str, *, kind: str = "anthropic") -> int | None:
    """How many tokens this model takes at once; none when nobody knows."""
    if model == OFFLINE:
        return None
    # Imported when first needed, as above.
    from genai_prices.data_snapshot import get_snapshot

    try:
        _, found = get_snapshot().find_provider_model(
            model, None, SELLERS.get(kind, "anthropic"), None
        )
    except LookupError:
        return None
    return found.context_window

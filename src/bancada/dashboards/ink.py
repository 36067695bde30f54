"""What every picture on paper is drawn with: the size, the colours, axes and legends."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from bancada.domain.json import JSONObject

WIDTH, HEIGHT = 720.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 46.0, 12.0, 58.0
COLOURS = ("#3d7ebf", "#d1495b", "#2a9d8f", "#e9a03b", "#7a5ea8", "#5f6b76", "#b5651d", "#1f6f50")
FONT = 'font-family="Libertinus Serif" font-size="12"'
HUGE = 1e300
"""Beyond it a difference of two values is no number any more: drawn at the edge, told whole in the table."""
GRID = "#e3e6ea"


@dataclass(frozen=True)
class Scale:
    """Values on a vertical axis."""

    low: float
    high: float

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    @property
    def ticks(self) -> list[float]:
        step = _step(self.high - self.low)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]


def scale_of(values: Sequence[float], *, from_zero: bool = False) -> Scale:
    """An axis with a little room around the values."""
    if not values:
        return Scale(0.0, 1.0)
    low, high = min(values), max(values)
    if from_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    room = (high - low) * 0.06 or abs(high) * 0.1 or 1.0
    return Scale(low if from_zero and low == 0 else low - room, high + room)


def _step(width: float) -> float:
    rough = width / 5
    power = 10.0 ** math.floor(math.log10(rough))
    steps = (power * one for one in (1, 2, 2.5, 5, 10))
    # Where numbers end, near nought, a tenth is not a tenth of what it should be.
    return next((step for step in steps if step >= rough), rough)


def said(value: float, language: str) -> str:
    return f"{value:.6g}".replace(".", "," if language == "pt" else ".")


def axis(scale: Scale, language: str, *, left: bool) -> str:
    edge = LEFT if left else WIDTH - RIGHT
    parts = []
    for tick in scale.ticks:
        y = scale.at(tick)
        if left:
            parts.append(
                f'<line x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}" stroke="{GRID}"/>'
            )
        anchor, x = ("end", edge - 6) if left else ("start", edge + 6)
        told = said(tick, language)
        parts.append(f'<text x="{x:g}" y="{y + 4:.1f}" text-anchor="{anchor}" {FONT}>{told}</text>')
    return "".join(parts)


def legend(series: Sequence[JSONObject]) -> str:
    if len(series) < 2:
        return ""
    x, y, parts = LEFT, HEIGHT - 14, []
    for at, one in enumerate(series):
        label = str(one.get("label") or at + 1)[:28]
        dash = ' stroke-dasharray="5 3"' if one.get("borderDash") else ""
        parts.append(
            f'<line x1="{x:g}" x2="{x + 18:g}" y1="{y - 4:g}" y2="{y - 4:g}" '
            f'stroke="{colour_of(one, at)}" stroke-width="2.4"{dash}/>'
            f'<text x="{x + 23:g}" y="{y:g}" {FONT}>{escape(label)}</text>'
        )
        x += 40 + 6.4 * len(label)
    return "".join(parts)


def colour_of(one: JSONObject, at: int, point: int | None = None) -> str:
    for key in ("borderColor", "backgroundColor"):
        given: Any = one.get(key)
        if isinstance(given, list) and point is not None and point < len(given):
            return safe(given[point], at)
        if isinstance(given, str):
            return safe(given, at)
    return COLOURS[at % len(COLOURS)]


def safe(colour: object, at: int = 0) -> str:
    """A colour that is one: what a widget says goes into a picture."""
    text = str(colour)
    plain = (
        len(text) in (4, 7)
        and text[0] == "#"
        and all(c in "0123456789abcdefABCDEF" for c in text[1:])
    )
    return text if plain else COLOURS[at % len(COLOURS)]


def number(value: object) -> float | None:
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and not (isinstance(value, float) and not math.isfinite(value))
    ):
        # Compared as it came: a whole number may be larger than any float.
        return float(max(-HUGE, min(HUGE, value)))
    return None


def text(x: float, y: float, words: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {FONT}>{escape(words)}</text>'


def short(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[: most - 1]}…"


def drawing(parts: Iterable[str], height: float = HEIGHT) -> str:
    """The picture, without words of its own beside labels and legend."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" '
        f'width="{WIDTH:g}" height="{height:g}">{"".join(parts)}</svg>'
    )

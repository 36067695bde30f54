"""A chart widget as SVG, for paper: lines and bars, limits dashed, broken points red."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from bancada.domain.json import JSONObject

WIDTH, HEIGHT = 720.0, 300.0
LEFT, RIGHT, TOP, BOTTOM = 62.0, 46.0, 12.0, 58.0
COLOURS = ("#3d7ebf", "#d1495b", "#2a9d8f", "#e9a03b", "#7a5ea8", "#5f6b76", "#b5651d", "#1f6f50")
FONT = 'font-family="Libertinus Serif" font-size="12"'
MOST_LABELS = 12
"""Labels below the axis; between them the points go unnamed, and stand in the table of data."""


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


def drawable(data: JSONObject) -> bool:
    """Whether the chart can be drawn here; others are shown by their figures."""
    return data.get("tipo") in ("line", "bar") and bool(data.get("labels"))


def svg(data: JSONObject, language: str) -> str:
    """The chart as a picture without words of its own beside labels and legend."""
    labels = [str(label) for label in data["labels"]]
    series: list[JSONObject] = list(data.get("datasets") or ())
    options = data.get("opcoes") or {}
    scales = options.get("scales") or {}
    stacked = bool((scales.get("y") or {}).get("stacked"))
    bars = [one for one in series if (one.get("type") or data["tipo"]) == "bar"]
    first = [one for one in series if one.get("yAxisID") != "y1"]
    second = [one for one in series if one.get("yAxisID") == "y1"]
    main = _scale(first, bool(bars), stacked and bool(bars))
    parts = [_axis(main, language, left=True), _names(labels)]
    if second:
        beside = scales.get("y1") or {}
        low, high = _number(beside.get("min")), _number(beside.get("max"))
        right = _scale(second, False, False)
        if low is not None and high is not None and low < high:
            right = Scale(low, high)
        parts.append(_axis(right, language, left=False))
    parts += _bars(bars, main, len(labels), series, stacked)
    for one in series:
        if one not in bars:
            scale = right if one in second else main
            parts.append(_line(one, scale, len(labels), _colour(one, series.index(one))))
    parts.append(_legend(series))
    body = "".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {HEIGHT:g}" '
        f'width="{WIDTH:g}" height="{HEIGHT:g}">{body}</svg>'
    )


def _scale(series: Sequence[JSONObject], from_zero: bool, stacked: bool) -> Scale:
    rows = [[_number(value) for value in one.get("data") or ()] for one in series]
    values = [value for row in rows for value in row if value is not None]
    if stacked:
        columns = zip(*([value or 0.0 for value in row] for row in rows), strict=False)
        values = [sum(column) for column in columns]
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
    return next(power * one for one in (1, 2, 2.5, 5, 10) if power * one >= rough)


def _axis(scale: Scale, language: str, *, left: bool) -> str:
    edge = LEFT if left else WIDTH - RIGHT
    parts = []
    for tick in scale.ticks:
        y = scale.at(tick)
        if left:
            parts.append(
                f'<line x1="{LEFT:g}" x2="{WIDTH - RIGHT:g}" y1="{y:.1f}" y2="{y:.1f}" stroke="#e3e6ea"/>'
            )
        anchor, x = ("end", edge - 6) if left else ("start", edge + 6)
        said = f"{tick:.6g}".replace(".", "," if language == "pt" else ".")
        parts.append(f'<text x="{x:g}" y="{y + 4:.1f}" text-anchor="{anchor}" {FONT}>{said}</text>')
    return "".join(parts)


def _x(at: int, count: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (at + 0.5) / count


def _names(labels: Sequence[str]) -> str:
    every = max(1, math.ceil(len(labels) / MOST_LABELS))
    y = HEIGHT - BOTTOM + 16
    return "".join(
        f'<text x="{_x(at, len(labels)):.1f}" y="{y:g}" text-anchor="middle" {FONT}>'
        f"{escape(_short(label, len(labels)))}</text>"
        for at, label in enumerate(labels)
        if at % every == 0
    )


def _short(label: str, count: int) -> str:
    most = 10 if count > 6 else 18
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _bars(
    bars: Sequence[JSONObject],
    scale: Scale,
    count: int,
    series: Sequence[JSONObject],
    stacked: bool,
) -> list[str]:
    wide = (WIDTH - LEFT - RIGHT) / count * 0.7
    each = wide if stacked else wide / max(1, len(bars))
    below = [0.0] * count
    parts = []
    for place, one in enumerate(bars):
        for at, value in enumerate(_number(each) for each in one.get("data") or ()):
            if value is None or at >= count:
                continue
            base = below[at] if stacked else 0.0
            top, bottom = scale.at(max(base, base + value)), scale.at(min(base, base + value))
            x = _x(at, count) - wide / 2 + (0 if stacked else place * each)
            colour = _colour(one, series.index(one), at)
            parts.append(
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{max(each - 1, 0.5):.1f}" '
                f'height="{max(bottom - top, 0):.1f}" fill="{colour}"/>'
            )
            below[at] += value
    return parts


def _line(one: JSONObject, scale: Scale, count: int, colour: str) -> str:
    places = [
        None if value is None else (_x(at, count), scale.at(value))
        for at, value in enumerate(_number(each) for each in (one.get("data") or ())[:count])
    ]
    path, drawing = "", False
    for place in places:
        if place is None:
            drawing = False
            continue
        path += f"{'L' if drawing else 'M'}{place[0]:.1f} {place[1]:.1f}"
        drawing = True
    dash = one.get("borderDash")
    dashed = f' stroke-dasharray="{" ".join(f"{float(n):g}" for n in dash)}"' if dash else ""
    drawn = f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4"{dashed}/>'
    if one.get("pointRadius") == 0:
        return drawn
    radius = 1.6 if count > 120 else 2.6
    marks = one.get("pointBackgroundColor")
    for at, place in enumerate(places):
        if place is not None:
            fill = _safe(marks[at]) if isinstance(marks, list) and at < len(marks) else colour
            drawn += f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius}" fill="{fill}"/>'
    return drawn


def _legend(series: Sequence[JSONObject]) -> str:
    if len(series) < 2:
        return ""
    x, y, parts = LEFT, HEIGHT - 14, []
    for at, one in enumerate(series):
        label = str(one.get("label") or at + 1)[:28]
        dash = ' stroke-dasharray="5 3"' if one.get("borderDash") else ""
        parts.append(
            f'<line x1="{x:g}" x2="{x + 18:g}" y1="{y - 4:g}" y2="{y - 4:g}" '
            f'stroke="{_colour(one, at)}" stroke-width="2.4"{dash}/>'
            f'<text x="{x + 23:g}" y="{y:g}" {FONT}>{escape(label)}</text>'
        )
        x += 40 + 6.4 * len(label)
    return "".join(parts)


def _colour(one: JSONObject, at: int, point: int | None = None) -> str:
    for key in ("borderColor", "backgroundColor"):
        given: Any = one.get(key)
        if isinstance(given, list) and point is not None and point < len(given):
            return _safe(given[point], at)
        if isinstance(given, str):
            return _safe(given, at)
    return COLOURS[at % len(COLOURS)]


def _safe(colour: object, at: int = 0) -> str:
    """A colour that is one: what a widget says goes into a picture."""
    text = str(colour)
    plain = (
        len(text) in (4, 7)
        and text[0] == "#"
        and all(c in "0123456789abcdefABCDEF" for c in text[1:])
    )
    return text if plain else COLOURS[at % len(COLOURS)]


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    return None

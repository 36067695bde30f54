"""A chart widget as SVG, for paper: every kind there is; limits dashed, broken points red."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from bancada.dashboards.ink import (
    BOTTOM,
    FONT,
    HEIGHT,
    LEFT,
    RIGHT,
    WIDTH,
    Scale,
    axis,
    colour_of,
    drawing,
    legend,
    number,
    safe,
    scale_of,
    short,
)
from bancada.dashboards.pointpicture import dot, points_picture
from bancada.dashboards.roundpicture import radar_picture, round_picture
from bancada.domain.json import JSONObject

POINTS = ("scatter", "bubble")
ROUND = ("pie", "doughnut", "polarArea")
MOST_LABELS = 12
"""Labels below the axis; between them the points go unnamed, and stand in the table of data."""


def drawable(data: JSONObject) -> bool:
    """Whether there is anything to draw; what is of no known kind is shown by its figures."""
    kind, series = data.get("tipo"), data.get("datasets")
    return bool(series) and (
        kind in POINTS or (kind in ("line", "bar", "radar", *ROUND) and bool(data.get("labels")))
    )


def svg(data: JSONObject, language: str) -> str:
    """The chart as a picture."""
    kind, series = data["tipo"], list(data.get("datasets") or ())
    if kind in POINTS:
        return points_picture(series, kind, language)
    labels = [str(label) for label in data["labels"]]
    if kind in ROUND:
        return round_picture(labels, series, kind, language)
    if kind == "radar":
        return radar_picture(labels, series, language)
    return _rows_of_values(data, language)


def _rows_of_values(data: JSONObject, language: str) -> str:
    """Lines and bars over labels; a series of points among them stands at its places."""
    labels = [str(label) for label in data["labels"]]
    series: list[JSONObject] = list(data.get("datasets") or ())
    options = data.get("opcoes") or {}
    scales = options.get("scales") or {}
    stacked = bool((scales.get("y") or {}).get("stacked"))
    bars = [one for one in series if (one.get("type") or data["tipo"]) == "bar"]
    first = [one for one in series if one.get("yAxisID") != "y1"]
    second = [one for one in series if one.get("yAxisID") == "y1"]
    main = _scale(first, bool(bars), stacked and bool(bars))
    parts = [axis(main, language, left=True), _names(labels)]
    if second:
        beside = scales.get("y1") or {}
        low, high = number(beside.get("min")), number(beside.get("max"))
        right = _scale(second, False, False)
        if low is not None and high is not None and low < high:
            right = Scale(low, high)
        parts.append(axis(right, language, left=False))
    parts += _bars(bars, main, len(labels), series, stacked)
    for one in series:
        scale = right if one in second else main
        kind = one.get("type") or data["tipo"]
        if kind in POINTS:
            parts += _among(one, scale, labels, colour_of(one, series.index(one)))
        elif kind != "bar":
            parts.append(_line(one, scale, len(labels), colour_of(one, series.index(one))))
    parts.append(legend(series))
    return drawing(parts)


def _scale(series: Sequence[JSONObject], from_zero: bool, stacked: bool) -> Scale:
    rows = [[_height(value) for value in one.get("data") or ()] for one in series]
    values = [value for row in rows for value in row if value is not None]
    if stacked:
        columns = zip(*([value or 0.0 for value in row] for row in rows), strict=False)
        values = [sum(column) for column in columns]
    return scale_of(values, from_zero=from_zero)


def _height(value: object) -> float | None:
    """Of a value, or of a point that stands among bars or lines."""
    return number(value.get("y") if isinstance(value, dict) else value)


def _x(at: int, count: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * (at + 0.5) / count


def _names(labels: Sequence[str]) -> str:
    every = max(1, math.ceil(len(labels) / MOST_LABELS))
    y = HEIGHT - BOTTOM + 16
    return "".join(
        f'<text x="{_x(at, len(labels)):.1f}" y="{y:g}" text-anchor="middle" {FONT}>'
        f"{escape(short(label, 10 if len(labels) > 6 else 18))}</text>"
        for at, label in enumerate(labels)
        if at % every == 0
    )


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
        for at, value in enumerate(number(each) for each in one.get("data") or ()):
            if value is None or at >= count:
                continue
            base = below[at] if stacked else 0.0
            top, bottom = scale.at(max(base, base + value)), scale.at(min(base, base + value))
            x = _x(at, count) - wide / 2 + (0 if stacked else place * each)
            colour = colour_of(one, series.index(one), at)
            parts.append(
                f'<rect x="{x:.1f}" y="{top:.1f}" width="{max(each - 1, 0.5):.1f}" '
                f'height="{max(bottom - top, 0):.1f}" fill="{colour}"/>'
            )
            below[at] += value
    return parts


def _line(one: JSONObject, scale: Scale, count: int, colour: str) -> str:
    places = [
        None if value is None else (_x(at, count), scale.at(value))
        for at, value in enumerate(number(each) for each in (one.get("data") or ())[:count])
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
            fill = safe(marks[at]) if isinstance(marks, list) and at < len(marks) else colour
            drawn += f'<circle cx="{place[0]:.1f}" cy="{place[1]:.1f}" r="{radius}" fill="{fill}"/>'
    return drawn


def _among(one: JSONObject, scale: Scale, labels: Sequence[str], colour: str) -> list[str]:
    """Points over labels: at the label they name, or by its number."""
    parts = []
    for point in one.get("data") or ():
        x, y = number(point.get("x")), number(point.get("y"))
        if x is None or y is None:
            continue
        named = f"{x:g}"
        place = labels.index(named) if named in labels else x
        at = LEFT + (WIDTH - LEFT - RIGHT) * (place + 0.5) / len(labels)
        if LEFT <= at <= WIDTH - RIGHT:
            parts.append(dot(at, scale.at(y), number(point.get("r")), colour))
    return parts

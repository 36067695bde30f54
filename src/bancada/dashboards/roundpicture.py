"""Round charts on paper: pies, rings, polar areas and radars."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bancada.dashboards.ink import (
    COLOURS,
    GRID,
    HEIGHT,
    WIDTH,
    colour_of,
    drawing,
    legend,
    number,
    safe,
    said,
    scale_of,
    short,
    text,
)
from bancada.domain.json import JSONObject

MIDDLE_X, MIDDLE_Y, RADIUS = 190.0, HEIGHT / 2, 132.0
MOST_NAMED = 16
"""Parts that stand beside the picture by name; the table of data has all of them."""


def round_picture(
    labels: Sequence[str], series: Sequence[JSONObject], kind: str, language: str
) -> str:
    """Parts of a whole. Of several series each is a ring, the first outermost."""
    rows = [
        [abs(number(value) or 0.0) for value in (one.get("data") or ())[: len(labels)]]
        for one in series
    ]
    parts: list[str] = []
    if kind == "polarArea":
        parts += _polar(rows, series, language)
    else:
        hole = 0.5 if kind == "doughnut" else 0.0
        thick = RADIUS * (1 - hole) / max(1, len(rows))
        for ring, (row, one) in enumerate(zip(rows, series, strict=True)):
            outer = RADIUS - ring * thick
            parts += _ring(row, one, outer - thick, outer)
    return drawing([*parts, *_named(labels, rows[0] if rows else [], series, language)])


def _ring(row: Sequence[float], one: JSONObject, inner: float, outer: float) -> list[str]:
    # Divided first: the sum of numbers that each can be drawn may be too large to be one.
    largest = max(row, default=0.0)
    whole = sum(value / largest for value in row) if largest else 0.0
    parts, turned = [], 0.0
    for at, value in enumerate(row):
        if value and whole:
            share = value / largest / whole
            parts.append(_slice(turned, turned + share, inner, outer, _part_colour(one, at)))
            turned += share
    return parts


def _polar(
    rows: Sequence[Sequence[float]], series: Sequence[JSONObject], language: str
) -> list[str]:
    """Equal angles; how far each reaches is its value."""
    flat = [value for row in rows for value in row]
    scale = scale_of(flat, from_zero=True)
    parts = []
    for row, one in zip(rows, series, strict=True):
        for at, value in enumerate(row):
            reach = RADIUS * value / scale.high
            if reach > 0:
                colour = _part_colour(one, at)
                parts.append(_slice(at / len(row), (at + 1) / len(row), 0, reach, colour, 0.75))
    return [*parts, *_rings(scale.ticks, scale.high, language)]


def radar_picture(labels: Sequence[str], series: Sequence[JSONObject], language: str) -> str:
    """A spoke for each label, a closed line for each series."""
    rows = [[number(value) for value in (one.get("data") or ())[: len(labels)]] for one in series]
    scale = scale_of([value for row in rows for value in row if value is not None], from_zero=True)
    centre = WIDTH / 2

    def place(at: int, value: float) -> tuple[float, float]:
        reach = 105.0 * (value - scale.low) / (scale.high - scale.low)
        turn = 2 * math.pi * at / len(labels) - math.pi / 2
        return centre + reach * math.cos(turn), 128.0 + reach * math.sin(turn)

    parts = []
    for tick in scale.ticks:
        spokes = [place(at, tick) for at in range(len(labels))]
        ring = " ".join(f"{x:.1f},{y:.1f}" for x, y in spokes)
        parts.append(f'<polygon points="{ring}" fill="none" stroke="{GRID}"/>')
        parts.append(text(spokes[0][0] + 4, spokes[0][1], said(tick, language)))
    for at, label in enumerate(labels):
        x, y = place(at, scale.high)
        parts.append(f'<line x1="{centre:g}" y1="128" x2="{x:.1f}" y2="{y:.1f}" stroke="{GRID}"/>')
        anchor = "middle" if abs(x - centre) < 2 else ("start" if x > centre else "end")
        away = 6 if anchor == "start" else -6 if anchor == "end" else 0
        parts.append(text(x + away, y + (12 if y > 128 else -6), short(label, 18), anchor))
    for at, (one, row) in enumerate(zip(series, rows, strict=True)):
        there = [place(n, value) for n, value in enumerate(row) if value is not None]
        line, colour = " ".join(f"{x:.1f},{y:.1f}" for x, y in there), colour_of(one, at)
        parts.append(
            f'<polygon points="{line}" fill="{colour}" fill-opacity="0.15" stroke="{colour}" '
            'stroke-width="1.4"/>'
        )
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.4" fill="{colour}"/>' for x, y in there]
    return drawing([*parts, legend(series)])


def _rings(ticks: Sequence[float], high: float, language: str) -> list[str]:
    parts = []
    for tick in ticks:
        reach = RADIUS * tick / high
        if reach > 0:
            parts.append(
                f'<circle cx="{MIDDLE_X:g}" cy="{MIDDLE_Y:g}" r="{reach:.1f}" fill="none" stroke="{GRID}"/>'
            )
            parts.append(text(MIDDLE_X + 3, MIDDLE_Y - reach - 2, said(tick, language)))
    return parts


def _slice(
    start: float, end: float, inner: float, outer: float, colour: str, opacity: float = 1.0
) -> str:
    """From one share of the turn to another; clockwise from the top."""
    # A whole turn is no arc: it ends where it begins.
    end = min(end, start + 0.99999)

    def at(share: float, radius: float) -> str:
        turn = 2 * math.pi * share - math.pi / 2
        return f"{MIDDLE_X + radius * math.cos(turn):.2f} {MIDDLE_Y + radius * math.sin(turn):.2f}"

    large = 1 if end - start > 0.5 else 0
    path = f"M{at(start, outer)}A{outer:.2f} {outer:.2f} 0 {large} 1 {at(end, outer)}"
    if inner > 0:
        path += f"L{at(end, inner)}A{inner:.2f} {inner:.2f} 0 {large} 0 {at(start, inner)}Z"
    else:
        path += f"L{MIDDLE_X:g} {MIDDLE_Y:g}Z"
    return f'<path d="{path}" fill="{colour}" fill-opacity="{opacity:g}" stroke="#ffffff" stroke-width="1.2"/>'


def _named(
    labels: Sequence[str], row: Sequence[float], series: Sequence[JSONObject], language: str
) -> list[str]:
    """What each part is called, how much it is, and of one series its share."""
    whole = sum(row)
    parts = []
    for at, label in enumerate(labels[:MOST_NAMED]):
        y = 24 + at * (HEIGHT - 30) / MOST_NAMED
        value = row[at] if at < len(row) else 0.0
        share = f" ({said(round(100 * value / whole, 1), language)} %)" if whole else ""
        told = f"{short(label, 40)}: {said(value, language)}{share}" if len(series) == 1 else label
        colour = _part_colour(series[0], at) if series else COLOURS[0]
        parts.append(f'<rect x="370" y="{y - 9:.1f}" width="10" height="10" fill="{colour}"/>')
        parts.append(text(388, y, told))
    if len(labels) > MOST_NAMED:
        parts.append(text(388, HEIGHT - 4, f"… +{len(labels) - MOST_NAMED}"))
    return parts


def _part_colour(one: JSONObject, at: int) -> str:
    given = one.get("backgroundColor")
    if isinstance(given, list) and at < len(given):
        return safe(given[at], at)
    return COLOURS[at % len(COLOURS)]

"""Points and bubbles on paper: two axes of numbers, and a net of things and their connections."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bancada.dashboards.ink import (
    BOTTOM,
    GRID,
    HEIGHT,
    LEFT,
    RIGHT,
    TOP,
    WIDTH,
    axis,
    colour_of,
    drawing,
    legend,
    number,
    said,
    scale_of,
    short,
    text,
)
from bancada.domain.json import JSONObject

LARGEST = 40.0
"""Of a bubble's radius; the page draws it as many points wide as it says."""


def points_picture(series: Sequence[JSONObject], kind: str, language: str) -> str:
    found = [[_placed(point) for point in one.get("data") or ()] for one in series]
    flat = [point for points in found for point in points if point is not None]
    across, up = scale_of([x for x, _, _ in flat]), scale_of([y for _, y, _ in flat])
    wide = WIDTH - LEFT - RIGHT

    def place(x: float) -> float:
        return LEFT + wide * (x - across.low) / (across.high - across.low)

    parts = [axis(up, language, left=True)]
    for tick in across.ticks:
        x = place(tick)
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{TOP:g}" y2="{HEIGHT - BOTTOM:g}" stroke="{GRID}"/>'
        )
        parts.append(text(x, HEIGHT - BOTTOM + 16, said(tick, language), "middle"))
    for at, (one, points) in enumerate(zip(series, found, strict=True)):
        colour = colour_of(one, at)
        kept = [(place(x), up.at(y), r) for x, y, r in (p for p in points if p is not None)]
        if one.get("showLine") or one.get("type") == "line":
            path = "".join(
                f"{'L' if n else 'M'}{x:.1f} {y:.1f}" for n, (x, y, _) in enumerate(kept)
            )
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="1.4"/>')
        parts += [dot(x, y, r if kind == "bubble" else None, colour) for x, y, r in kept]
    parts.append(legend(series))
    return drawing(parts)


def dot(x: float, y: float, radius: float | None, colour: str) -> str:
    """A point; one with a radius lets others be seen through it."""
    if radius is None:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.8" fill="{colour}"/>'
    size = max(1.0, min(abs(radius), LARGEST))
    return (
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size:.1f}" fill="{colour}" fill-opacity="0.55" '
        f'stroke="{colour}"/>'
    )


def _placed(point: object) -> tuple[float, float, float | None] | None:
    if not isinstance(point, dict):
        return None
    x, y = number(point.get("x")), number(point.get("y"))
    return None if x is None or y is None else (x, y, number(point.get("r")))


# ---------------------------------------------------------------------------- nets


def net_picture(nodes: Sequence[JSONObject], edges: Sequence[JSONObject]) -> str:
    """Things in a ring, and a line for each connection."""
    height = 420.0
    middle, ring = (WIDTH / 2, height / 2), (WIDTH / 2 - 130, height / 2 - 40)
    places = {}
    for at, node in enumerate(nodes):
        turn = 2 * math.pi * at / max(1, len(nodes)) - math.pi / 2
        places[str(node.get("id"))] = (
            middle[0] + ring[0] * math.cos(turn),
            middle[1] + ring[1] * math.sin(turn),
        )
    parts = []
    for edge in edges:
        ends = [places.get(str(edge.get(end))) for end in ("source", "target")]
        if ends[0] is not None and ends[1] is not None:
            (x1, y1), (x2, y2) = ends[0], ends[1]
            parts.append(
                f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#9aa3ad"/>'
            )
    kinds = list(dict.fromkeys(str(node.get("label")) for node in nodes))
    for node in nodes:
        x, y = places[str(node.get("id"))]
        colour = colour_of({}, kinds.index(str(node.get("label"))))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{colour}"/>')
        left = x < middle[0] - 1
        name = short(str(node.get("name") or node.get("id") or ""), 22)
        parts.append(text(x - 10 if left else x + 10, y + 4, name, "end" if left else "start"))
    return drawing(parts, height)

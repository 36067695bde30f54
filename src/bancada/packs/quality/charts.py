"""The charts that quality work draws: Pareto, control chart, histogram."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from bancada import JSONObject, Widget
from bancada.packs.quality.control import ControlChart

MAX_LABELS = 1_000
RED, BLUE, GREY = "#c0392b", "#2c6fbb", "#7f8c8d"


def pareto(title: str, rows: Sequence[JSONObject]) -> Widget:
    """Bars for the counts, a line for the running share on its own axis."""
    return Widget.chart(
        "bar",
        title,
        [row["categoria"] for row in rows[:MAX_LABELS]],
        [
            {"label": "Defeitos", "data": [row["total"] for row in rows[:MAX_LABELS]]},
            {
                "label": "% acumulada",
                "type": "line",
                "yAxisID": "y1",
                "data": [row["acumulada"] for row in rows[:MAX_LABELS]],
            },
        ],
        {
            "scales": {
                "y": {"beginAtZero": True},
                "y1": {
                    "position": "right",
                    "min": 0,
                    "max": 100,
                    "grid": {"drawOnChartArea": False},
                },
            }
        },
    )


def control_chart(title: str, labels: Sequence[str], found: ControlChart) -> Widget:
    """The points, the centre line and the limits; points that break a rule are red."""
    broken = {number for signal in found.signals for number in signal.points}
    count = len(found.points)

    def line(label: str, values: Sequence[float], colour: str) -> JSONObject:
        return {
            "label": label,
            "data": list(values),
            "borderColor": colour,
            "borderDash": [6, 4],
            "borderWidth": 1,
            "pointRadius": 0,
        }

    return Widget.chart(
        "line",
        title,
        labels,
        [
            {
                "label": "Valor",
                "data": list(found.points),
                "borderColor": BLUE,
                "tension": 0,
                "pointBackgroundColor": [
                    RED if number in broken else BLUE for number in range(1, count + 1)
                ],
            },
            line("LSC", found.upper, RED),
            line("LC", [found.centre] * count, GREY),
            line("LIC", found.lower, RED),
        ],
    )


def histogram(
    title: str, values: Sequence[float], lower: float | None, upper: float | None
) -> Widget:
    """How often values fall in each of a few equal classes; classes outside the limits are red."""
    low, high = min(values), max(values)
    classes = min(30, math.ceil(math.log2(len(values))) + 1)
    width = (high - low) / classes
    counts = [0] * classes
    for value in values:
        counts[min(classes - 1, int((value - low) / width))] += 1
    edges = [low + width * number for number in range(classes + 1)]

    def outside(start: float, end: float) -> bool:
        return (lower is not None and end <= lower) or (upper is not None and start >= upper)

    return Widget.chart(
        "bar",
        title,
        [f"{start:.4g} – {end:.4g}" for start, end in pairwise(edges)],
        [
            {
                "label": _limits_in_words(lower, upper),
                "data": counts,
                "backgroundColor": [
                    RED if outside(start, end) else BLUE for start, end in pairwise(edges)
                ],
            }
        ],
    )


def _limits_in_words(lower: float | None, upper: float | None) -> str:
    if lower is None:
        return f"Frequência (máximo {upper:g})"
    if upper is None:
        return f"Frequência (mínimo {lower:g})"
    return f"Frequência (limites {lower:g} a {upper:g})"

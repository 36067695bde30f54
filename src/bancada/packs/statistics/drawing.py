"""The widgets of a study: charts with their limits told apart, and tables of what was found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bancada import JSONObject, Language, Widget

RED, BLUE, GREY = "#d1495b", "#3d7ebf", "#8a94a0"
MANY = 120
"""Points beyond which each is drawn without a mark of its own, unless it broke a rule."""


def line(
    label: str, values: Sequence[float | None], colour: str, dash: Sequence[int]
) -> JSONObject:
    """A line to compare points with: limits are dashed, the centre is dotted."""
    return {
        "label": label,
        "data": list(values),
        "borderColor": colour,
        "borderDash": list(dash),
        "borderWidth": 1.5,
        "pointRadius": 0,
        "tension": 0,
    }


def control(
    title: str,
    labels: Sequence[str],
    found: JSONObject,
    language: Language,
    note: str | None = None,
) -> Widget:
    """The points, the centre and the limits; points of a broken rule are red."""
    upper, centre, lower = ("LSC", "LC", "LIC") if language == "pt" else ("UCL", "CL", "LCL")
    broken = set(found["broken"])
    count = len(found["points"])
    points: JSONObject = {
        "label": found["name"],
        "data": found["points"],
        "borderColor": BLUE,
        "backgroundColor": BLUE,
        "borderWidth": 1.5,
        "tension": 0,
        "pointBackgroundColor": [RED if at in broken else BLUE for at in range(count)],
    }
    if count > MANY:
        points["pointRadius"] = 1.5
    return Widget.chart(
        "line",
        f"{title} — {found['name']}",
        labels,
        [
            points,
            line(upper, found["upper"], RED, (7, 4)),
            line(centre, found["centre"], GREY, (2, 3)),
            line(lower, found["lower"], RED, (7, 4)),
        ],
        note=note,
    )


def versioned(widgets: Sequence[Widget], versions: JSONObject) -> list[Widget]:
    """The widgets, each saying which contents the data had that it shows."""
    return [replace(one, data={**one.data, "versao_dados": versions}) for one in widgets]

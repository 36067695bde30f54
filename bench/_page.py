"""`docs/performance.md` and its drawing, made of the figures of a run."""

from __future__ import annotations

import math
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from bench._figures import Figure

TITLES = {
    "code": "Code in the sandbox",
    "data": "Files and counting",
    "gate": "The gate",
    "gateway": "The gateway",
    "graph": "The graph",
    "growth": "Growth with data and load",
    "mcp": "MCP",
    "peers": "Turns, beside other frameworks",
    "scale": "Many processes",
    "streams": "Streams",
    "studies": "Statistics",
    "tokens": "Tokens",
    "turn": "A turn",
}
HEAD = """# Performance

Made by `make bench ARGS=--write` and `make bench-peers`; do not edit. Each figure is ours beside a peer's that did the same
work in the same run: the ratio says more than the milliseconds, which are this machine's. Where we are slower,
it stands here too.

"""
_BAR, _ROW, _WIDE = 300, 22, 860


def page(kept: dict[str, Any], folder: Path) -> None:
    """Write `performance.md` and `performance.svg`."""
    figures = sorted((Figure(**one) for one in kept["figures"]), key=lambda one: one.bench)
    here = kept["machine"]
    versions = ", ".join(f"{name} {number}" for name, number in here["versions"].items())
    parts = [
        HEAD,
        f"Measured on {here['measured']}: {here['cores']} cores ({here['processor']}), load "
        f"{here['load_before']} before, Python {here['python']}, {versions}.\n\n",
        "![Ours over the peer's, a line each](performance.svg)\n",
    ]
    for bench, group in groupby(figures, key=lambda one: one.bench):
        parts.append(f"\n## {TITLES.get(bench, bench)}\n\n`python -m bench.{bench}`\n\n")
        parts.append(
            "| What | Ours | Peer's | Ratio | Peer | Aim |\n|---|---:|---:|---:|---|---|\n"
        )
        parts += [_row(one) for one in group]
    (folder / "performance.md").write_text("".join(parts), "utf-8")
    (folder / "performance.svg").write_text(_drawing(figures), "utf-8")


def _row(one: Figure) -> str:
    aim = "—"
    if one.aim is not None:
        bound = "at least" if one.more_is_better else "at most"
        aim = f"{bound} {one.aim:g}: {'met' if one.is_kept else '**missed**'}"
    ours, theirs = (f"{_short(value)} {one.unit}".strip() for value in (one.ours, one.theirs))
    return f"| {one.what} | {ours} | {theirs} | {_short(one.ratio)} | {one.peer} | {aim} |\n"


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _drawing(figures: list[Figure]) -> str:
    """A bar a figure on a scale of powers of ten: left of the line we are better, right worse."""
    middle = _WIDE - _BAR
    most = max((abs(math.log10(_worse(one))) for one in figures), default=1) or 1
    rows = []
    for number, one in enumerate(figures):
        y = _ROW * number + 24
        length = math.log10(_worse(one)) / most * _BAR
        left, wide = (middle + min(length, 0), abs(length))
        colour = "#b45309" if length > 0 else "#0f766e"
        label = escape(f"{one.what} / {one.peer}")
        rows.append(
            f'<text x="0" y="{y + 12}">{label}</text>'
            f'<rect x="{left:.1f}" y="{y + 2}" width="{max(wide, 1):.1f}" height="14" fill="{colour}"/>'
        )
    height = _ROW * len(figures) + 32
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDE + 40} {height}" '
        'font-family="system-ui, sans-serif" font-size="11" fill="#64748b">'
        f'<text x="{middle - 120}" y="14">better than the peer</text>'
        f'<text x="{middle + 8}" y="14">worse</text>'
        f'<line x1="{middle}" y1="20" x2="{middle}" y2="{height}" stroke="#64748b"/>'
        f"{''.join(rows)}</svg>\n"
    )


def _worse(one: Figure) -> float:
    """How much more it costs us."""
    return 1 / one.ratio if one.more_is_better else one.ratio

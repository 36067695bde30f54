"""Chart widgets: Chart.js configurations checked and kept small on the server.

A widget is `{"widget": "chart", "tipo", "titulo", "labels", "datasets", "opcoes"?}`: the type,
the data and the options of Chart.js, as plain data. Only fields listed here reach a browser.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias, cast, get_args

from bancada import JSON, JSONObject, ToolFailed, Widget

Kind: TypeAlias = Literal[
    "bar", "line", "pie", "doughnut", "radar", "polarArea", "scatter", "bubble"
]
POINTS = ("scatter", "bubble")

MAX_LABELS = 1_000
MAX_DATASETS = 20
MAX_POINTS = 5_000
MAX_TEXT = 200
MAX_OPTION_NODES = 300
MAX_OPTION_DEPTH = 8

COLOUR = re.compile(
    r"#[0-9a-fA-F]{3,8}|[a-zA-Z]{3,30}|(?:rgb|hsl)a?\([0-9\s.,%/+-]{1,60}(?:deg)?[0-9\s.,%/]*\)"
)


def chart(
    kind: str,
    title: str,
    labels: Sequence[str | float] = (),
    datasets: Sequence[JSONObject] = (),
    options: JSONObject | None = None,
) -> Widget:
    """A checked chart; `ToolFailed` says what is wrong with it."""
    if kind not in get_args(Kind):
        raise ToolFailed(
            f"Tipo de gráfico desconhecido: '{kind}'. Use {', '.join(get_args(Kind))}."
        )
    if len(labels) > MAX_LABELS:
        raise ToolFailed(
            f"O gráfico tem {len(labels)} etiquetas; o máximo é {MAX_LABELS}. Agregue os dados."
        )
    if not datasets:
        raise ToolFailed("O gráfico não tem dados: indique 'valores' ou 'datasets'.")
    if len(datasets) > MAX_DATASETS:
        raise ToolFailed(f"O gráfico tem {len(datasets)} séries; o máximo é {MAX_DATASETS}.")
    checked = [_dataset(one, number, kind) for number, one in enumerate(datasets, start=1)]
    points = sum(len(one["data"]) for one in checked)
    if points > MAX_POINTS:
        raise ToolFailed(
            f"O gráfico tem {points} pontos; o máximo é {MAX_POINTS}. Agregue os dados."
        )
    _fit_labels(kind, labels, checked)
    named = [_label(label) for label in labels]
    return Widget.chart(kind, title, named, checked, _options(options) if options else None)


def _label(label: JSON) -> str:
    """A year or a class number is a label too."""
    is_number = isinstance(label, int | float) and not isinstance(label, bool)
    return _text(str(label) if is_number else label, "labels")


def _fit_labels(kind: str, labels: Sequence[JSON], datasets: Sequence[JSONObject]) -> None:
    if kind in POINTS:
        return
    for number, one in enumerate(datasets, start=1):
        if len(one["data"]) != len(labels):
            raise ToolFailed(
                f"A série {number} tem {len(one['data'])} valores para {len(labels)} etiquetas; "
                "devem ser tantos como as etiquetas."
            )


def _dataset(raw: JSONObject, number: int, kind: str) -> JSONObject:
    where = f"datasets[{number - 1}]"
    if not isinstance(raw.get("data"), list) or not raw["data"]:
        raise ToolFailed(f"{where}: falta 'data', uma lista de valores.")
    raw = {key: value for key, value in raw.items() if not DECORATION.fullmatch(key)}
    unknown = [key for key in raw if key != "data" and key not in FIELDS]
    if unknown:
        raise ToolFailed(
            f"{where}: campo '{unknown[0][:40]}' não suportado. Suportados: data, {', '.join(FIELDS)}."
        )
    checked: JSONObject = {
        key: FIELDS[key](value, f"{where}.{key}") for key, value in raw.items() if key != "data"
    }
    one = _point if raw.get("type", kind) in POINTS else _value
    checked["data"] = [one(value, f"{where}.data[{i}]") for i, value in enumerate(raw["data"])]
    return checked


def _value(value: JSON, where: str) -> float | None:
    return None if value is None else _number(value, where)


def _point(value: JSON, where: str) -> JSONObject:
    if not isinstance(value, dict) or not {"x", "y"} <= set(value) <= {"x", "y", "r"}:
        raise ToolFailed(f"{where}: espera-se um ponto {{x, y}}, ou {{x, y, r}}.")
    return {axis: _number(value[axis], f"{where}.{axis}") for axis in value}


def _number(value: JSON, where: str) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    # Compared, not converted: a whole number may be larger than any that a browser can draw.
    if not (is_number and abs(value) <= sys.float_info.max):
        raise ToolFailed(f"{where}: espera-se um número.")
    return cast(float, value)


def _text(value: JSON, where: str) -> str:
    if not isinstance(value, str) or len(value) > MAX_TEXT:
        raise ToolFailed(f"{where}: espera-se um texto até {MAX_TEXT} caracteres.")
    return value


def _truth(value: JSON, where: str) -> bool:
    if not isinstance(value, bool):
        raise ToolFailed(f"{where}: espera-se true ou false.")
    return value


def _colour(value: JSON, where: str) -> JSON:
    """One colour, or one for each point. Nothing that could name an address is a colour."""
    if isinstance(value, list) and len(value) <= MAX_LABELS:
        return [_colour(one, where) for one in value if not isinstance(one, list)]
    if not isinstance(value, str) or not COLOUR.fullmatch(value):
        raise ToolFailed(f"{where}: espera-se uma cor, ex.: '#2c6fbb' ou 'rgb(44, 111, 187)'.")
    return value


def _dash(value: JSON, where: str) -> list[float]:
    if not isinstance(value, list) or len(value) > 6:
        raise ToolFailed(f"{where}: espera-se uma lista curta de números.")
    return [_number(one, where) for one in value]


def _mixed(value: JSON, where: str) -> str:
    if value not in ("bar", "line", "scatter", "bubble"):
        raise ToolFailed(f"{where}: uma série mista é 'bar', 'line', 'scatter' ou 'bubble'.")
    return str(value)


def _fill(value: JSON, where: str) -> bool | str:
    if isinstance(value, bool):
        return value
    if value in ("origin", "start", "end"):
        return str(value)
    raise ToolFailed(f"{where}: espera-se true, false, 'origin', 'start' ou 'end'.")


FIELDS: Mapping[str, Callable[[JSON, str], JSON]] = {
    "label": _text,
    "type": _mixed,
    "backgroundColor": _colour,
    "borderColor": _colour,
    "borderWidth": _number,
    "borderDash": _dash,
    "pointBackgroundColor": _colour,
    "pointRadius": _number,
    "tension": _number,
    "fill": _fill,
    "stack": _text,
    "yAxisID": _text,
    "xAxisID": _text,
    "hidden": _truth,
    "showLine": _truth,
    "order": _number,
    "borderRadius": _number,
    "barPercentage": _number,
    "categoryPercentage": _number,
}
"""What a data set may say beside its data, and how each is checked."""

DECORATION = re.compile(
    r"hover\w*|pointHover\w*|point(Style|Border\w*|Hit\w*)|borderSkipped|borderJoinStyle|clip|spacing"
    r"|offset|weight|barThickness|maxBarThickness|minBarLength|cubicInterpolationMode|stepped|spanGaps"
)
"""What models like to add to a data set and nobody misses: left out, not refused."""

OPTIONS = ("indexAxis", "scales", "plugins", "elements", "cutout", "rotation", "circumference")
OURS = frozenset(
    ("responsive", "maintainAspectRatio", "aspectRatio", "animation", "animations", "transitions",
     "interaction", "hover", "layout", "locale", "devicePixelRatio", "resizeDelay", "events")
)  # fmt: skip
"""Sections that the page decides; left out, not refused."""
FUNCTION = re.compile(r"callbacks?|on[A-Z]\w*|generateLabels|filter|sort|formatter|itemSort")
"""Options that are programs. No program comes from a model: the chart is drawn without."""
SCALES = ("linear", "logarithmic", "category", "radialLinear")


def _options(options: JSONObject) -> JSONObject:
    """Options as plain data: known sections, bounded, no address and no way to a prototype."""
    options = {key: value for key, value in options.items() if key not in OURS}
    unknown = [key for key in options if key not in OPTIONS]
    if unknown:
        raise ToolFailed(
            f"opcoes: secção '{unknown[0][:40]}' não suportada. Suportadas: {', '.join(OPTIONS)}."
        )
    _fit_scales(options.get("scales"))
    budget = [MAX_OPTION_NODES]
    return {key: _plain(value, f"opcoes.{key}", 1, budget) for key, value in options.items()}


def _fit_scales(scales: JSON) -> None:
    """An axis of a kind that the page does not know would draw nothing at all."""
    for name, scale in scales.items() if isinstance(scales, dict) else ():
        kind = scale.get("type", "linear") if isinstance(scale, dict) else None
        if kind not in SCALES:
            raise ToolFailed(
                f"opcoes.scales.{name[:40]}: espera-se um objeto cujo 'type', se o tiver, "
                f"é {', '.join(SCALES)}."
            )


def _plain(value: JSON, where: str, depth: int, budget: list[int]) -> JSON:
    budget[0] -= 1
    if budget[0] < 0 or depth > MAX_OPTION_DEPTH:
        raise ToolFailed("opcoes: demasiado grandes; indique só o necessário.")
    if isinstance(value, dict):
        for key in value:
            if not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9]{0,40}", key) or key in (
                "constructor",
                "prototype",
            ):
                raise ToolFailed(f"{where}: nome de opção '{key[:40]}' não suportado.")
        return {
            k: _plain(v, f"{where}.{k}", depth + 1, budget)
            for k, v in value.items()
            if not FUNCTION.fullmatch(k)
        }
    if isinstance(value, list):
        return [_plain(one, where, depth + 1, budget) for one in value]
    if isinstance(value, str):
        if "://" in value or re.match(r"\s*(data|javascript|//)", value, re.IGNORECASE):
            raise ToolFailed(f"{where}: endereços não são permitidos nas opções.")
        return _text(value, where)
    if value is None or isinstance(value, bool):
        return value
    return _number(value, where)

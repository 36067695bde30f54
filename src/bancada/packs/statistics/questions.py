"""Questions about charts of a table's column, read without a model, in both languages.

A question is taken only where every word of it was understood; what it then calls is a tool like
any other, and what it says is the tool's own answer in words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from bancada import Intent, JSONObject, Results, Sentence, Step, TableColumn, TableShape
from bancada.packs.statistics import words
from bancada.packs.statistics.capacities import capability_told
from bancada.packs.statistics.columns import ColumnReading, studied, tables_of, titles
from bancada.packs.statistics.figures import listed

CHART = "carta_controlo"
CAPABILITY = "estudo_capacidade"
SURE = 1.8
"""Before every other reading: a chart was named, and a column of a table."""
UNSURE = 0.56
MOST_CHARS = 300

_KINDS = {
    "i-mr": r"i\s*-?\s*mr|x\s*-\s*mr|valor(?:es)? individua(?:l|is)|individuals?|individual values",
    "xbarra-s": r"x\s*-?\s*(?:barra|bar)?\s*-?\s*(?:e\s+|and\s+)?s|medias e desvios(?:-padrao)?|means and (?:standard )?deviations",
    "xbarra-r": r"x\s*-?\s*(?:barra|bar)?\s*-?\s*(?:e\s+|and\s+)?r|medias e amplitudes|means and ranges",
    "p-laney": r"p['′]?\s*(?:de\s+)?laney|laney p['′]?",
    "u-laney": r"u['′]?\s*(?:de\s+)?laney|laney u['′]?",
    "ewma": r"ewma",
    "cusum": r"cusum",
    "np": r"np",
    "p": r"p",
    "c": r"c",
    "u": r"u",
}
_NAMES_CHART = r"cartas?(?:\s+de\s+control[oe])?|control charts?|charts?|grafico de control[oe]"
_CONTROL_CHART = r"cartas?(?:\s+de\s+control[oe])?|control charts?|graficos? de control[oe]"
"""Words that name a control chart by themselves; a chart may be any picture."""
_IN_CONTROL = r"(?:sob|em|fora de) control[oe]|in control|under control|out of control|(?:e|esta) estavel|stable"
_RULES = {
    "nelson": r"(?:com\s+as\s+|com\s+|with\s+)?(?:as\s+|the\s+)?(?:regras (?:de )?)?nelson(?:'s)?(?: rules)?",
    "western_electric": r"(?:com\s+as\s+|com\s+|with\s+)?(?:as\s+|the\s+)?(?:regras )?western electric(?: rules)?",
    "limites": r"so (?:com )?os limites|limits only|only the limits",
}
_SIZE = r"(?:com\s+|with\s+|em\s+|in\s+)?(?:subgrupos?|subgroups?|amostras?|samples?|grupos?|groups?) (?:de|of) (\d+)"


@dataclass(frozen=True)
class AskedStudy:
    """What a question asks for: the input of a tool; or which columns it may have meant."""

    input: JSONObject
    among: tuple[str, ...] = ()
    """Columns to choose from, where the question named none and several would do."""


def read(sentence: Sentence) -> AskedStudy | None:
    """The chart a sentence asks for; none where it asks for something else."""
    if len(sentence.text) > MOST_CHARS:
        return None
    for table in tables_of(sentence):
        found = _of_table(sentence, table)
        if found is not None:
            return found
    return None


def _of_table(sentence: Sentence, table: TableShape) -> AskedStudy | None:
    reading = ColumnReading(sentence.plain, table)
    _take_titles(reading, table)
    given: JSONObject = {"tabela": table.name}
    for name, pattern in _RULES.items():
        if reading.take(pattern):
            given["regras"] = name
    if size := reading.take(_SIZE):
        given["tamanho"] = int(size[1])
    asks = reading.take(_IN_CONTROL) is not None
    reading.columns()
    kind = _kind(reading)
    if kind is None and not asks:
        return None
    if reading.left:
        return None
    if "value" not in reading.found:
        return _without_column(sentence, table, reading, given, kind) if asks else None
    return AskedStudy(_input(given, reading, kind))


def _take_titles(reading: ColumnReading, table: TableShape) -> None:
    """What the table is called counts as understood."""
    for title in sorted(titles(table), key=len, reverse=True):
        reading.take(
            rf"(?:(?:do|no|of|in|from|da|na)\s+)?(?:(?:the\s+)?(?:ficheiro|file|tabela|table)\s+)?{re.escape(title)}"
        )


def _kind(reading: ColumnReading) -> str | None:
    """The kind of chart that is named; `""` where a chart is, and no kind."""
    for kind, pattern in _KINDS.items():
        plain = kind in ("np", "p", "c", "u")
        around = rf"(?:{_NAMES_CHART})\s+(?:{pattern})|(?:{pattern})\s+(?:{_NAMES_CHART})"
        if reading.take(around if plain else rf"{around}|{pattern}"):
            reading.take(_NAMES_CHART)
            return kind
    return "" if reading.take(_CONTROL_CHART) else None


def _input(given: JSONObject, reading: ColumnReading, kind: str | None) -> JSONObject:
    found = reading.found
    grouped = "group" in found or given.get("tamanho", 1) > 1
    roles = {
        "coluna": found["value"],
        "ordem": found.get("order"),
        "subgrupo": found.get("group"),
        "inspecionados": found.get("inspected"),
        "etapa": found.get("stage"),
    }
    chosen = kind or ("xbarra-r" if grouped else "i-mr")
    return {"tipo": chosen, **given, **{name: one for name, one in roles.items() if one}}


def _without_column(
    sentence: Sentence,
    table: TableShape,
    reading: ColumnReading,
    given: JSONObject,
    kind: str | None,
) -> AskedStudy | None:
    """Whether a process is in control, of no column: of the chart before, or of the only one."""
    earlier = sentence.before
    if earlier is not None and CHART in earlier.tools and not kind and len(given) == 1:
        # The same chart again, so that one answer never contradicts the other.
        return read(earlier)
    columns = studied(table) if table.file else []
    if len(columns) == 1:
        reading.found["value"] = columns[0].name
        return AskedStudy(_input(given, reading, kind))
    if not columns:
        return None
    return AskedStudy({}, among=tuple(one.name for one in columns))


def fits(sentence: Sentence) -> float:
    """How surely a sentence asks for a chart of a column."""
    found = read(sentence)
    if found is None:
        return 0.0
    return UNSURE if found.among else SURE


def plan(sentence: Sentence) -> Sequence[Step] | None:
    found = read(sentence)
    if found is None:
        return None
    return [] if found.among else [Step(tool=CHART, input=found.input)]


def tell(sentence: Sentence, results: Results) -> str:
    value = results.of(CHART)
    if isinstance(value, dict):
        return words.chart_told(value, sentence.language)
    found = read(sentence)
    names = listed(list(found.among if found else ()), sentence.language)
    return sentence.say(
        "De que coluna? Há {names}. Por exemplo: «carta I-MR de {first}».",
        "Of which column? There are {names}. For example: “I-MR chart of {first}”.",
        names=names,
        first=found.among[0] if found and found.among else "",
    )


def examples(sentence: Sentence) -> list[str]:
    """What can be asked of the newest file."""
    for table in tables_of(sentence):
        columns: list[TableColumn] = studied(table) if table.file else []
        if columns:
            name = columns[0].name
            return [sentence.say("Carta I-MR de {name}", "I-MR chart of {name}", name=name)]
    return []


# ---------------------------------------------------------------------------- capability

_CAPABLE = r"capacidade|capability|estudo de capacidade|capability study|cpk|ppk|cp|pp"
_NUMBER = r"-?\d+(?:[.,]\d+)?"
_BOTH = rf"(?:com\s+|with\s+)?(?:os\s+|the\s+)?(?:limites?|limits?|especificacao|specification|entre|between)(?:\s+(?:de|of|entre|between))?\s+({_NUMBER})\s*(?:e|a|and|to|,|-)\s*({_NUMBER})"
_LOWER = rf"(?:com\s+|with\s+)?(?:o\s+|a\s+)?(?:limite inferior|minimo|lower limit|minimum)(?:\s+(?:de|of))?\s+({_NUMBER})"
_UPPER = rf"(?:com\s+|with\s+|e\s+|and\s+)?(?:o\s+|an?\s+)?(?:limite superior|maximo|upper limit|maximum)(?:\s+(?:de|of))?\s+({_NUMBER})"


def read_capability(sentence: Sentence) -> JSONObject | None:
    """The capability a sentence asks for, of a table's column within limits it names."""
    if len(sentence.text) > MOST_CHARS:
        return None
    for table in tables_of(sentence):
        reading = ColumnReading(sentence.plain, table)
        _take_titles(reading, table)
        if reading.take(_CAPABLE) is None:
            return None
        reading.take(_CAPABLE)
        given: JSONObject = {"tabela": table.name}
        if both := reading.take(_BOTH):
            given |= {"limite_inferior": _float(both[1]), "limite_superior": _float(both[2])}
        else:
            if lower := reading.take(_LOWER):
                given["limite_inferior"] = _float(lower[1])
            if upper := reading.take(_UPPER):
                given["limite_superior"] = _float(upper[1])
        if size := reading.take(_SIZE):
            given["tamanho"] = int(size[1])
        reading.columns()
        found = reading.found
        if (
            reading.left
            or "value" not in found
            or len(given) < 2
            or {"inspected", "stage"} & set(found)
        ):
            continue
        roles = {
            "coluna": found["value"],
            "subgrupo": found.get("group"),
            "ordem": found.get("order"),
        }
        return {**given, **{name: one for name, one in roles.items() if one}}
    return None


def _float(text: str) -> float:
    return float(text.replace(",", "."))


def tell_capability(sentence: Sentence, results: Results) -> str:
    return capability_told(results.of(CAPABILITY), sentence.language)


STATISTICS_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="control_chart_of_column",
        phrases={"pt": (), "en": ()},
        fits=fits,
        tools=(CHART,),
        plan=plan,
        tell=tell,
        examples=examples,
    ),
    Intent(
        name="capability_of_column",
        phrases={"pt": (), "en": ()},
        fits=lambda sentence: SURE if read_capability(sentence) else 0.0,
        tool=CAPABILITY,
        tools=(CAPABILITY,),
        arguments=read_capability,
        tell=tell_capability,
    ),
)

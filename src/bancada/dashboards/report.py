"""What a report says: of a study, a dashboard or a conversation, with its data, limits, rules, who, when, and which
version of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bancada.dashboards.picture import POINTS, drawable, svg
from bancada.dashboards.pinned import ShownCall
from bancada.dashboards.pointpicture import net_picture
from bancada.dashboards.prose import blocks
from bancada.dashboards.studies import StudyRun
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.people import Language, Person
from bancada.domain.said import SHOWN, Utterance
from bancada.domain.wording import Wording
from bancada.store.dashboards import DashboardRow

MOST_ROWS = 1_000
"""Rows of one table on paper; a note says how many there are."""
MOST_TEXT = 2_000
DRAWN = ("chart", "graph")
"""Widgets whose figures stand at the end as well."""
_EMPTY: JSONObject = {
    "title": "",
    "svg": "",
    "figure": "",
    "note": "",
    "facts": [],
    "table": None,
    "blocks": [],
}


def of_study(ran: StudyRun, person: Person, tool: str) -> JSONObject:
    """A study as it was made just now."""
    language = person.language
    study = ran.study
    facts = [
        ("report_study", tool),
        ("report_owner", study.person),
        ("report_made_by", person.name),
        ("report_made_at", moment(ran.at)),
    ]
    widgets = [] if ran.outcome is None else [(one.kind, one.data) for one in ran.outcome.widgets]
    failed = "" if ran.error is None else ran.error.told(language)
    return _report(
        study.name,
        person,
        [*_said(facts, language), *_about(ran.value, study.input, language)],
        ran.reading or failed,
        [_section(data, kind, language) for kind, data in widgets],
        [data for kind, data in widgets if kind in DRAWN],
    )


def of_call(shown: ShownCall, person: Person, tool: str) -> JSONObject:
    """What a call of a conversation showed, as it was then."""
    language = person.language
    first = shown.widgets[0][1]
    facts = [
        ("report_study", tool),
        ("report_made_by", person.name),
        ("report_made_at", moment(shown.made_at)),
    ]
    value = shown.result if isinstance(shown.result, dict) else {}
    return _report(
        str(first.get("titulo") or tool),
        person,
        [*_said(facts, language), *_about(value, shown.input, language)],
        str(value.get("leitura") or ""),
        [_section(data, kind, language) for kind, data in shown.widgets],
        [data for kind, data in shown.widgets if kind in DRAWN],
    )


def of_dashboard(row: DashboardRow, person: Person, tools: Mapping[str, str]) -> JSONObject:
    """A dashboard's items as they are kept, each with the call behind it and when it was made."""
    language = person.language
    facts = [("report_made_by", person.name), ("report_printed_at", moment(datetime.now(UTC)))]
    sections = []
    for item in row.items:
        call = item.get("call")
        beside: list[tuple[str, str]] = []
        if item.get("refreshed_at"):
            beside.append(("report_made_at", moment(item["refreshed_at"])))
        if call is not None:
            beside.append(
                ("report_call", f"{tools.get(call['name'], call['name'])} {_text(call['input'])}")
            )
        beside += [("report_version", one) for one in _versions(item["data"].get("versao_dados"))]
        if item.get("error"):
            beside.append(("report_problem", _error(item["error"], language)))
        section = _section(item["data"], item["type"], language)
        sections.append({**section, "facts": _said(beside, language)})
    reading = Wording("report_page_left_out").told(language) if row.html is not None else ""
    charts = [item["data"] for item in row.items if item["type"] in DRAWN]
    return _report(row.titulo, person, _said(facts, language), reading, sections, charts)


def of_conversation(
    title: str, agent: str, said: Sequence[Utterance], person: Person
) -> JSONObject:
    """A conversation: what was asked, said and shown, in order."""
    language = person.language
    facts = [
        ("report_agent", agent),
        ("report_made_by", person.name),
        ("report_printed_at", moment(datetime.now(UTC))),
    ]
    sections: list[JSONObject] = []
    charts: list[JSONObject] = []
    for one in said:
        if one.kind != "answer":
            file = f"{Wording('said_file').told(language)} " if one.kind == "upload" else ""
            text = "\n".join(filter(None, (f"{file}{one.text}", attached(one, language))))
            asked = {"kind": "question", "text": text, "note": moment(one.at)}
            sections.append({**_EMPTY, "blocks": [asked]})
        for part in one.parts:
            if part["type"] in SHOWN:
                sections.append(_section(part["data"], part["type"], language))
                charts += [part["data"]] if part["type"] in DRAWN else []
            elif part["type"] != "outside":
                sections.append({**_EMPTY, "blocks": _prose(part, language)})
    return _report(title, person, _said(facts, language), "", sections, charts)


def attached(one: Utterance, language: Language) -> str:
    """What went with a question, by name; nothing where nothing did."""
    if not one.attachments:
        return ""
    names = ", ".join(str(each["name"]) for each in one.attachments)
    return f"{Wording('said_attachment').told(language)} {names}"


def _prose(part: JSONObject, language: Language) -> list[JSONObject]:
    if part["type"] == "error":
        told = Wording("said_error").told(language)
        return [{"kind": "note", "text": f"{told} {part['content']}"}]
    return blocks(str(part["content"]), Wording("said_not_drawn").told(language))


def _report(
    title: str,
    person: Person,
    facts: list[list[str]],
    reading: str,
    sections: list[JSONObject],
    charts: Sequence[JSONObject],
) -> JSONObject:
    told = Wording("report_data").told(person.language)
    return {
        "title": title,
        "language": person.language,
        "footer": f"Bancada · {person.name} · {moment(datetime.now(UTC))}",
        "facts": facts,
        "reading": reading,
        "sections": sections,
        "data": [
            {
                "title": f"{told}: {data.get('titulo') or ''}",
                "table": figures(data, person.language),
            }
            for data in charts
            if has_figures(data)
        ],
    }


def _about(value: JSONObject, input: JSONObject, language: Language) -> list[list[str]]:
    """Which data, which rules, which limits, which version: what a reader needs to repeat it."""
    facts: list[tuple[str, str]] = []
    if value.get("dados"):
        facts.append(("report_data", str(value["dados"])))
    if value.get("regras"):
        numbers = ", ".join(str(one) for one in value.get("numeros_regras") or ())
        facts.append(
            ("report_rules", f"{str(value['regras']).replace('_', ' ').title()} {numbers}")
        )
    if isinstance(limits := value.get("limites"), dict):
        said = (
            f"{limits['nome']}: {limits['de']} – {limits['ate']} ({limits['pontos']}), "
            f"{limits['fixados_por']}, {limits['fixados_em']}"
        )
        facts.append(("report_limits", said))
    facts += [("report_version", one) for one in _versions(value.get("versao_dados"))]
    facts.append(("report_call", _text(input)))
    return _said(facts, language)


def _versions(found: object) -> list[str]:
    if not isinstance(found, dict):
        return []
    return [
        " · ".join(
            str(part) for part in (name, one.get("file"), one.get("version"), one.get("at")) if part
        )
        for name, one in found.items()
        if isinstance(one, dict)
    ]


def _section(data: JSONObject, kind: str, language: Language) -> JSONObject:
    section: JSONObject = {
        **_EMPTY,
        "title": str(data.get("titulo") or data.get("title") or ""),
        "note": str(data.get("nota") or ""),
    }
    if kind == "chart" and drawable(data):
        return {**section, "svg": svg(data, language)}
    if kind == "graph" and data.get("nodes"):
        return {**section, "svg": net_picture(data["nodes"], data.get("edges") or [])}
    if kind == "text":
        return {**section, "note": str(data.get("text") or "")}
    if kind == "kpi":
        return {**section, "figure": figure(data, language)}
    if kind == "table":
        columns = [str(one) for one in data.get("colunas") or ()]
        return {**section, "table": rows_of(columns, data.get("linhas") or [], language)}
    return {**section, "note": Wording("report_not_drawn").told(language)}


def figure(data: JSONObject, language: Language) -> str:
    """A KPI's value as it is written, with its unit."""
    return f"{_cell(data.get('valor'), language)} {data.get('unidade') or ''}".strip()


def has_figures(data: JSONObject) -> bool:
    """Whether what is drawn can be told in numbers."""
    return bool(data.get("labels") or data.get("nodes")) or data.get("tipo") in POINTS


def figures(data: JSONObject, language: Language) -> JSONObject:
    """What was drawn, in numbers; of points their places, of a net its connections."""
    series = list(data.get("datasets") or ())
    if data.get("nodes"):
        names = {str(one.get("id")): one.get("name") or one.get("id") for one in data["nodes"]}
        ends = [
            [
                *(names.get(str(one.get(end)), one.get(end)) for end in ("source", "target")),
                one.get("type"),
            ]
            for one in data.get("edges") or ()
        ]
        return rows_of(["", "", ""], ends or [[name, "", ""] for name in names.values()], language)
    if data.get("tipo") in POINTS:
        axes = ("x", "y", "r") if data["tipo"] == "bubble" else ("x", "y")
        places = [
            [one.get("label") or "", *(point.get(axis) for axis in axes)]
            for one in series
            for point in one.get("data") or ()
            if isinstance(point, dict)
        ]
        return rows_of(["", *axes], places, language)
    rows = [
        [label, *(_at(one.get("data") or (), place) for one in series)]
        for place, label in enumerate(data["labels"])
    ]
    return rows_of(["", *(str(one.get("label") or "") for one in series)], rows, language)


def _at(values: Sequence[Any], place: int) -> JSON:
    return values[place] if place < len(values) else None


def rows_of(columns: list[str], rows: Sequence[Any], language: Language) -> JSONObject:
    """A table's cells as they are written; a note says what was cut."""
    listed = [list(row.values()) if isinstance(row, dict) else list(row) for row in rows]
    shown = listed[:MOST_ROWS]
    width = len(columns) or (len(shown[0]) if shown else 1)
    cut = ""
    if len(listed) > len(shown):
        cut = Wording("report_cut", shown=len(shown), total=len(listed)).told(language)
    return {
        "columns": [*columns, *[""] * (width - len(columns))],
        "rows": [[_cell(_at(row, place), language) for place in range(width)] for row in shown],
        "numeric": [
            all(isinstance(_at(row, place), int | float | None) for row in shown)
            for place in range(width)
        ],
        "note": cut,
    }


def _cell(value: JSON, language: Language) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        text = f"{value:.6g}"
        return text.replace(".", ",") if language == "pt" else text
    return str(value)[:MOST_TEXT]


def _said(facts: Sequence[tuple[str, str]], language: Language) -> list[list[str]]:
    return [[Wording(key).told(language), text] for key, text in facts if text]


def _text(input: JSONObject) -> str:
    return dumps({key: value for key, value in input.items() if value is not None})[:MOST_TEXT]


def _error(error: JSONObject | str, language: Language) -> str:
    return Wording.of(error).told(language) if isinstance(error, dict) else error


def moment(at: float | datetime | None) -> str:
    """A moment as reports write it."""
    if at is None:
        return ""
    found = at if isinstance(at, datetime) else datetime.fromtimestamp(at, UTC)
    return found.strftime("%Y-%m-%d %H:%M UTC")

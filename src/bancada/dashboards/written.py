"""A conversation as Markdown: the words as they were written, charts and tables as tables.

Whoever opens it must not load anything by that: pictures from elsewhere and tags stand there as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from bancada.dashboards.report import DRAWN, attached, figure, figures, has_figures, moment, rows_of
from bancada.domain.json import JSONObject
from bancada.domain.people import Language, Person
from bancada.domain.said import Utterance
from bancada.domain.wording import Wording

_FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)")
_CLOSING = re.compile(r" {0,3}(`+|~+)[ \t]*")
_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!https?://|mailto:)")


def of_conversation(title: str, agent: str, said: Sequence[Utterance], person: Person) -> str:
    language = person.language
    printed = Wording("report_printed_at").told(language)
    agent, name = _cell(agent), _cell(person.name)
    parts = [f"# {_cell(title)}", f"{agent} · {name} · {printed} {moment(datetime.now(UTC))}"]
    for one in said:
        if one.kind == "question":
            quoted = "\n".join(f"> {line}" for line in _still(one.text).splitlines())
            parts.append(f"---\n\n**{name}** · {moment(one.at)}\n\n{quoted}")
            parts.append(_cell(attached(one, language)))
        elif one.kind == "upload":
            parts.append(f"---\n\n**{Wording('said_file').told(language)}** {_cell(one.text)}")
        else:
            parts += [f"**{agent}**", *(_part(part, language) for part in one.parts)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _part(part: JSONObject, language: Language) -> str:
    kind = part["type"]
    if kind == "text":
        return _still(str(part["content"])).strip()
    if kind == "error":
        return f"> **{Wording('said_error').told(language)}** {_cell(str(part['content']))}"
    data = part.get("data") or {}
    title = _cell(str(data.get("titulo") or data.get("title") or ""))
    if kind == "kpi":
        return f"**{title}**: {_cell(figure(data, language))}"
    if kind == "table":
        columns = [str(one) for one in data.get("colunas") or ()]
        return f"**{title}**\n\n{_table(rows_of(columns, data.get('linhas') or [], language))}"
    if kind in DRAWN and has_figures(data):
        return f"**{title}**\n\n{_table(figures(data, language))}"
    if kind in DRAWN:
        return f"**{title}** {Wording('said_not_drawn').told(language)}"
    return ""


def _table(made: JSONObject) -> str:
    columns = [_cell(one) for one in made["columns"]]
    rules = ["---:" if numeric else "---" for numeric in made["numeric"]]
    rows = [[_cell(cell) for cell in row] for row in made["rows"]]
    lines = "\n".join(f"| {' | '.join(row)} |" for row in (columns, rules, *rows))
    return f"{lines}\n\n{made['note']}".strip()


def _still(text: str) -> str:
    """The words with what would load something written out, except in blocks of code, where it is text
    already. What counts as code within a line readers do not agree on."""
    fence, lines = "", []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if fence:
            lines.append(line)
            if (closes := _CLOSING.fullmatch(line)) and closes[1].startswith(fence):
                fence = ""
        elif opens := _FENCE.fullmatch(line):
            fence = opens[1] or opens[2]
            lines.append(line)
        else:
            lines.append(_written_out(line))
    # Left open, it would go on into what the next one says.
    return "\n".join([*lines, fence] if fence else lines)


def _written_out(text: str) -> str:
    return _TAG.sub("&lt;", text.replace("![", "&#33;["))


def _cell(text: str) -> str:
    """Text of one line that neither ends a cell nor becomes a tag, a link or a picture."""
    for what in ("\\", "|", "<", "*", "_", "`", "["):
        text = text.replace(what, f"\\{what}")
    return " ".join(text.split())

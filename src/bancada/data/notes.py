"""What was odd about a file that was taken all the same: said line by line, never swallowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bancada.domain.json import JSONObject
from bancada.domain.people import Language

_SENTENCES: dict[str, tuple[str, str]] = {
    "short_row": (
        "tem {found} células em vez de {expected}; as que faltam ficaram vazias",
        "has {found} cells instead of {expected}; the missing ones were left empty",
    ),
    "long_row": (
        "tem {found} células em vez de {expected}; foi posta à parte na tabela {table}",
        "has {found} cells instead of {expected}; it was set aside in table {table}",
    ),
    "open_quote": (
        "tem aspas que não fecham; foi lida como texto simples",
        "has a quote that is not closed; it was read as plain text",
    ),
    "above": (
        "está por cima da tabela e não faz parte dela: «{text}»",
        "stands above the table and is not part of it: “{text}”",
    ),
    "odd_value": (
        "a coluna «{column}» ficou como texto: {count} valor(es) de {filled} não são do tipo {kind}, por exemplo «{text}»",
        "column “{column}” was kept as text: {count} value(s) of {filled} are not of type {kind}, for example “{text}”",
    ),
    "thousands": (
        "na coluna «{column}», «{text}» foi lido como {read} (três casas decimais); se o ponto separa milhares, multiplique por 1000",
        "in column “{column}”, “{text}” was read with three decimals; if the point parts thousands, multiply by 1000",
    ),
    "empty_sheet": (
        "a folha «{sheet}» está vazia e ficou de fora",
        "sheet “{sheet}” is empty and was left out",
    ),
    "sheets_left_out": (
        "há mais de {limit} folhas; as restantes ficaram de fora: {sheets}",
        "there are more than {limit} sheets; the others were left out: {sheets}",
    ),
    "more": (
        "… e mais {count} linhas com este problema: {sentence}",
        "… and {count} more lines with this problem: {sentence}",
    ),
}

_KIND_WORDS: dict[str, tuple[str, str]] = {
    "integer": ("número inteiro", "whole number"),
    "number": ("número", "number"),
    "date": ("data", "date"),
    "datetime": ("data e hora", "date and time"),
    "time": ("hora", "time of day"),
    "boolean": ("sim/não", "yes/no"),
}

_SHOWN = 50
"""Notes of one sort that are told one by one; the rest are counted."""


@dataclass(frozen=True)
class Note:
    """One oddity. `line` is the line of the file (the row, in a workbook), where there is one."""

    line: int | None
    code: str
    values: dict[str, Any] = field(default_factory=dict)

    def sentence(self, language: Language) -> str:
        values = dict(self.values)
        if "kind" in values:
            values["kind"] = _KIND_WORDS[values["kind"]][language == "en"]
        return _SENTENCES[self.code][language == "en"].format(**values)


class Notes:
    """Notes of one table, bounded: a file of two million bad rows must not become two million notes."""

    def __init__(self) -> None:
        self._kept: list[Note] = []
        self._counts: Counter[str] = Counter()

    def add(self, code: str, line: int | None = None, **values: Any) -> None:
        self._counts[code] += 1
        if self._counts[code] <= _SHOWN:
            self._kept.append(Note(line, code, values))

    def told(self, language: Language) -> list[JSONObject]:
        """`{line, what}` in the order of the file, then how many more there were."""
        return [
            {"line": note.line, "what": note.sentence(language)}
            for note in sorted(self._kept, key=lambda note: (note.line is None, note.line or 0))
        ] + list(self._rest(language))

    def _rest(self, language: Language) -> Iterator[JSONObject]:
        for code, count in self._counts.items():
            if count > _SHOWN:
                last = next(note for note in reversed(self._kept) if note.code == code)
                what = _SENTENCES["more"][language == "en"].format(
                    count=count - _SHOWN, sentence=last.sentence(language)
                )
                yield {"line": None, "what": what}

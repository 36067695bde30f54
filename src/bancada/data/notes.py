"""What was guessed, left out or odd about a file that was taken all the same.

A note is a code with named parts. It becomes a sentence only where somebody reads it, in that
reader's language; the page has the same sentences in its own catalogues.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from bancada.domain.json import JSONObject
from bancada.domain.people import Language

Part: TypeAlias = str | int | float

SENTENCES: dict[str, dict[Language, str]] = {
    "thousands": {
        "pt": "na coluna «{column}», «{text}» foi lido como {read} (três casas decimais); se o sinal separa milhares, multiplique por 1000",
        "en": "in column “{column}”, “{text}” was read as {read} (three decimals); if the sign parts thousands, multiply by 1000",
    },
    "parted": {
        "pt": "na coluna «{column}», «{text}» foi lido como {read} (o sinal separa milhares); se separa casas decimais, divida por 1000",
        "en": "in column “{column}”, “{text}” was read as {read} (the sign parts thousands); if it is a decimal sign, divide by 1000",
    },
    "day_first": {
        "pt": "na coluna «{column}», «{text}» foi lido com o dia primeiro ({read}); nenhuma célula diz se é o mês",
        "en": "in column “{column}”, “{text}” was read with the day first ({read}); no cell says whether it is the month",
    },
    "percent": {
        "pt": "na coluna «{column}», «{text}» foi lido como {read}: os valores são percentagens",
        "en": "in column “{column}”, “{text}” was read as {read}: the values are percentages",
    },
    "currency": {
        "pt": "na coluna «{column}», «{text}» foi lido como {read}: os valores são em {sign}",
        "en": "in column “{column}”, “{text}” was read as {read}: the values are in {sign}",
    },
    "currencies": {
        "pt": "a coluna «{column}» ficou como texto: mistura moedas ({signs})",
        "en": "column “{column}” was kept as text: it mixes currencies ({signs})",
    },
    "text_numbers": {
        "pt": "na coluna «{column}», {count} célula(s) de texto foram lidas como números, por exemplo «{text}» como {read}",
        "en": "in column “{column}”, {count} cell(s) of text were read as numbers, for example “{text}” as {read}",
    },
    "mixed_numbers": {
        "pt": "a coluna «{column}» ficou como texto: mistura números e textos como «{text}»",
        "en": "column “{column}” was kept as text: it mixes numbers and texts such as “{text}”",
    },
    "odd_value": {
        "pt": "a coluna «{column}» ficou como texto: {count} valor(es) de {filled} não são do tipo {kind}, por exemplo «{text}»",
        "en": "column “{column}” was kept as text: {count} value(s) of {filled} are not of type {kind}, for example “{text}”",
    },
    "formulas": {
        "pt": "na coluna «{column}», {count} fórmula(s) não têm valor guardado e ficaram vazias, por exemplo {text}; abra e guarde o livro no Excel para as ter",
        "en": "in column “{column}”, {count} formula(s) have no kept value and were left empty, for example {text}; open and save the workbook in Excel to have them",
    },
    "merged": {
        "pt": "na coluna «{column}», {count} célula(s) unidas na vertical dão o seu texto a cada linha que cobrem",
        "en": "in column “{column}”, {count} cell(s) merged over several rows give their text to each row they cover",
    },
    "merged_numbers": {
        "pt": "na coluna «{column}», {count} número(s) em células unidas contam uma vez, na primeira linha; as outras ficaram vazias",
        "en": "in column “{column}”, {count} number(s) in merged cells count once, in the first row; the other rows were left empty",
    },
    "totals": {
        "pt": "é uma linha de totais («{text}») e ficou de fora: as somas contam só as linhas de dados",
        "en": "is a row of totals (“{text}”) and was left out: sums count the rows of data alone",
    },
    "totals_kept": {
        "pt": "parece uma linha de totais («{text}»), mas não é a soma das outras: ficou na tabela",
        "en": "looks like a row of totals (“{text}”) but is not the sum of the others: it stays in the table",
    },
    "headings": {
        "pt": "o cabeçalho ocupa {count} linhas; cada coluna tem o nome de todas elas, por exemplo «{text}»",
        "en": "the heading takes {count} rows; each column is named by all of them, for example “{text}”",
    },
    "above": {
        "pt": "está por cima da tabela e não faz parte dela: «{text}»",
        "en": "stands above the table and is not part of it: “{text}”",
    },
    "below": {
        "pt": "está por baixo da tabela e não faz parte dela: «{text}»",
        "en": "stands below the table and is not part of it: “{text}”",
    },
    "short_row": {
        "pt": "tem {found} células em vez de {expected}; as que faltam ficaram vazias",
        "en": "has {found} cells instead of {expected}; the missing ones were left empty",
    },
    "long_row": {
        "pt": "tem {found} células em vez de {expected}; foi posta à parte na tabela {table}",
        "en": "has {found} cells instead of {expected}; it was set aside in table {table}",
    },
    "open_quote": {
        "pt": "tem aspas que não fecham; foi lida como texto simples",
        "en": "has a quote that is not closed; it was read as plain text",
    },
    "more": {
        "pt": "… e mais {count} linhas com o mesmo problema",
        "en": "… and {count} more lines with the same problem",
    },
    "empty_sheet": {
        "pt": "a folha «{sheet}» está vazia e ficou de fora",
        "en": "sheet “{sheet}” is empty and was left out",
    },
    "heading_sheet": {
        "pt": "a folha «{sheet}» não tem linhas de dados, só «{text}», e ficou de fora",
        "en": "sheet “{sheet}” has no rows of data, only “{text}”, and was left out",
    },
    "hidden_sheets": {
        "pt": "as folhas escondidas ficaram de fora; podem pedir-se pelo nome: {sheets}",
        "en": "hidden sheets were left out; they can be asked for by name: {sheets}",
    },
    "hidden_read": {
        "pt": "todas as folhas com dados estão escondidas; foram lidas: {sheets}",
        "en": "every sheet with data is hidden; they were read: {sheets}",
    },
    "other_sheets": {
        "pt": "foi lida só a folha «{sheet}», como pedido; as outras podem pedir-se pelo nome: {sheets}",
        "en": "only sheet “{sheet}” was read, as asked; the others can be asked for by name: {sheets}",
    },
    "sheets_left_out": {
        "pt": "há mais de {limit} folhas; as restantes ficaram de fora e podem pedir-se pelo nome: {sheets}",
        "en": "there are more than {limit} sheets; the others were left out and can be asked for by name: {sheets}",
    },
}
"""In the order in which they are told: what changes figures comes first."""

TYPE_WORDS: dict[str, dict[Language, str]] = {
    "integer": {"pt": "número inteiro", "en": "whole number"},
    "number": {"pt": "número", "en": "number"},
    "date": {"pt": "data", "en": "date"},
    "datetime": {"pt": "data e hora", "en": "date and time"},
    "time": {"pt": "hora", "en": "time of day"},
    "boolean": {"pt": "sim/não", "en": "yes/no"},
    "text": {"pt": "texto", "en": "text"},
}

_ORDER = {code: place for place, code in enumerate(SENTENCES)}
_SHOWN = 50
"""Notes of one sort that are told one by one; the rest are counted."""


@dataclass(frozen=True)
class Note:
    """One oddity. `line` is the line of the file (the row, in a workbook), where there is one."""

    code: str
    line: int | None = None
    parts: dict[str, Part] = field(default_factory=dict)

    @property
    def column(self) -> str | None:
        """The column it is about, where it is about one."""
        column = self.parts.get("column")
        return None if column is None else str(column)

    def as_json(self) -> JSONObject:
        return {"code": self.code, "line": self.line, "parts": dict(self.parts)}

    @staticmethod
    def of(shape: JSONObject) -> Note:
        return Note(shape["code"], shape["line"], shape["parts"])

    def sentence(self, language: Language) -> str:
        """Say it, its line first."""
        words = {name: _written(name, part, language) for name, part in self.parts.items()}
        said = SENTENCES[self.code][language].format(**words)
        if self.line is None:
            return said
        return f"linha {self.line}: {said}" if language == "pt" else f"line {self.line}: {said}"


def _written(name: str, part: Part, language: Language) -> str:
    if name == "kind":
        return TYPE_WORDS[str(part)][language]
    if isinstance(part, float):
        plain = f"{part:.12g}"
        return plain.replace(".", ",") if language == "pt" else plain
    return str(part)


class Notes:
    """Notes of one table, bounded: a file of two million bad rows must not become two million notes."""

    def __init__(self) -> None:
        self._kept: list[Note] = []
        self._counts: Counter[str] = Counter()

    def add(self, code: str, line: int | None = None, **parts: Part) -> None:
        self._counts[code] += 1
        if self._counts[code] <= _SHOWN:
            self._kept.append(Note(code, line, parts))

    def all(self) -> list[Note]:
        """Sort by sort, in the order of the file; after each sort how many more there were."""
        over = (
            Note("more", None, {"count": count - _SHOWN, "of": code})
            for code, count in self._counts.items()
            if count > _SHOWN
        )
        return sorted([*self._kept, *over], key=_place)


def _place(note: Note) -> tuple[int, bool, int]:
    more = note.code == "more"
    code = str(note.parts["of"]) if more else note.code
    return _ORDER[code], more, note.line or 0


def sentences(notes: Iterable[JSONObject], language: Language) -> list[str]:
    """Kept notes as sentences."""
    return [Note.of(note).sentence(language) for note in notes]

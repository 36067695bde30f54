"""Columns that a sentence names, and the words around them that say what each is for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bancada import Sentence, TableColumn, TableShape, plain

CODES = frozenset(
    ("id", "ids", "codigo", "code", "numero", "number", "num", "nr", "n", "index", "indice")
)
"""Names of columns that number things: nobody draws a chart of them unasked."""

_ROLES = {
    "stage": r"(?:por\s+|by\s+)?(?:etapas?|fases?|stages?|phases?)(?:\s+(?:por|by|na|em|in))?",
    "order": r"(?:(?:pela|na|por|in the|in)\s+)?(?:ordem|ordenad[oa]s?|order(?:ed)?|sorted)(?:\s+(?:por|by|of))?",
    "inspected": r"inspecionad[oa]s(?:\s+em)?|inspected(?:\s+in)?|out of|de um total de",
    "group": r"(?:agrupad[oa]s?\s+|grouped\s+|(?:com\s+|with\s+)?(?:subgrupos?|subgroups?|amostras?|samples?)\s+)?(?:por|by|per|subgrupos?|subgroups?|amostras?|samples?)",
}
_SMALL = r"(?:\s+(?:a|o|as|os|the|coluna|column|da|do|de|das|dos|of))*\s*"


@dataclass
class ColumnReading:
    """A sentence being read: what was understood of it is taken out."""

    text: str
    table: TableShape
    found: dict[str, str] = field(default_factory=dict)

    def take(self, pattern: str) -> re.Match[str] | None:
        """The first place that fits; it counts as understood."""
        match = re.search(rf"(?<!\w)(?:{pattern})(?!\w)", self.text)
        if match:
            self._cut(match.start(), match.end())
        return match

    def columns(self) -> None:
        """Every column named, in the sentence's order, with its role."""
        for start, end in reversed(self._assigned(self._mentions())):
            self._cut(start, end)

    def _mentions(self) -> list[tuple[int, int, TableColumn]]:
        """Where columns are named; of two that overlap, the longer name."""
        taken: list[tuple[int, int, TableColumn]] = []
        for name, column in _names(self.table):
            for match in re.finditer(_written(name), self.text):
                free = all(match.end() <= start or end <= match.start() for start, end, _ in taken)
                if free and column not in [one for _, _, one in taken]:
                    taken.append((match.start(), match.end(), column))
        return sorted(taken, key=lambda one: one[0])

    def _assigned(self, mentions: Sequence[tuple[int, int, TableColumn]]) -> list[tuple[int, int]]:
        """The places that have a role, each from the words that give it."""
        used = []
        for start, end, column in mentions:
            role, begin = self._role(start, column)
            if role is not None and role not in self.found:
                self.found[role] = column.name
                used.append((begin, end))
        return used

    def _role(self, start: int, column: TableColumn) -> tuple[str | None, int]:
        number = is_number(column)
        for role, words in _ROLES.items():
            match = re.search(rf"(?<!\w)(?:{words}){_SMALL}$", self.text[:start])
            if match and (role != "inspected" or number):
                return role, match.start()
        if "value" not in self.found and (number or column.type == "boolean"):
            return "value", start
        if "inspected" not in self.found and number:
            return "inspected", start
        return None, start

    def _cut(self, start: int, end: int) -> None:
        self.text = f"{self.text[:start]} § {self.text[end:]}"

    @property
    def left(self) -> list[str]:
        """Words that were not understood."""
        return [word for word in re.findall(r"[\w%]+", self.text) if word not in FILLER]


FILLER = frozenset(
    [
        "a",
        "o",
        "as",
        "os",
        "um",
        "uma",
        "de",
        "do",
        "da",
        "dos",
        "das",
        "em",
        "no",
        "na",
        "nos",
        "nas",
        "e",
        "por",
        "para",
        "com",
        "que",
        "coluna",
        "colunas",
        "ficheiro",
        "tabela",
        "dados",
        "valores",
        "faz",
        "faca",
        "mostra",
        "mostrar",
        "mostre",
        "desenha",
        "quero",
        "queria",
        "preciso",
        "ver",
        "me",
        "favor",
        "qual",
        "e",
        "carta",
        "cartas",
        "controlo",
        "grafico",
        "graficos",
        "the",
        "an",
        "of",
        "in",
        "on",
        "for",
        "with",
        "and",
        "column",
        "columns",
        "file",
        "table",
        "data",
        "values",
        "chart",
        "charts",
        "control",
        "make",
        "draw",
        "show",
        "me",
        "please",
        "i",
        "want",
        "would",
        "like",
        "to",
        "see",
        "is",
        "its",
        "this",
        "it",
        "that",
        "esta",
        "este",
        "processo",
        "process",
        "medicoes",
        "measurements",
        "csv",
        "xlsx",
    ]
)


def is_number(column: TableColumn) -> bool:
    return column.type in ("integer", "number")


def _names(table: TableShape) -> Iterator[tuple[str, TableColumn]]:
    """What columns may be called, the longest name first."""
    named = [
        (plain(name), column)
        for column in table.columns
        for name in dict.fromkeys(
            (column.name, *(one for each in column.words.values() for one in each))
        )
        if len(name) > 1
    ]
    yield from sorted(named, key=lambda one: -len(one[0]))


def _written(name: str) -> str:
    """A name as people write it: `peso_kg`, `peso kg` and `peso-kg` are one."""
    parts = [re.escape(part) for part in re.findall(r"[^\W_]+", name)]
    inside = r"[\s_-]+".join(parts)
    return rf"(?<!\w){inside}(?!\w)" if parts else r"(?!)"


def tables_of(sentence: Sentence) -> Sequence[TableShape]:
    """The tables a sentence may mean: those it names, else files, the newest first, then others."""
    text = sentence.plain
    files = [one for one in reversed(sentence.tables) if one.file]
    others = [one for one in sentence.tables if not one.file]
    named = [one for one in (*files, *others) if _named(one, text)]
    return named or [*files, *others]


def _named(table: TableShape, text: str) -> bool:
    return any(re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) for name in titles(table))


def titles(table: TableShape) -> list[str]:
    """What a table is called: its file, with and without the ending, and its name in queries."""
    file = plain(table.file)
    stem = file.rpartition(".")[0]
    return [name for name in dict.fromkeys((file, stem, plain(table.name))) if name]


def studied(table: TableShape) -> list[TableColumn]:
    """The columns of a table that one would study: numbers that are no codes."""
    return [
        one
        for one in table.columns
        if is_number(one) and not CODES & set(re.findall(r"[^\W_]+", plain(one.name)))
    ]

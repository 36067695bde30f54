"""The tables of a conversation, as the record lists them beside a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import Literal, TypeAlias, cast, get_args

from bancada.packs.tables.questions.tokens import stop_word, words_of

Family: TypeAlias = Literal["boolean", "integer", "number", "date", "datetime", "time", "text"]

_LINE = re.compile(r"(\w+) \((\d+) linhas, de (.+?\.(?:csv|xlsx))\): (.+)", re.IGNORECASE)
_COLUMN = re.compile(
    rf'(?:"((?:[^"]|"")+)"|(.+?)) ({"|".join(get_args(Family))})'
    r"(?:, |$|(?=; linhas postas à parte: ))"
)
"""A name as SQL writes it, and the kind of its cells."""

RATES = frozenset(
    (
        "preco", "price", "taxa", "rate", "percentagem", "percent", "percentage", "idade", "age",
        "temperatura", "temperature", "pressao", "pressure", "humidade", "humidity", "velocidade",
        "speed", "espessura", "thickness", "nota", "score", "rating", "media", "average", "posicao",
        "position", "unitario", "unit", "ano", "year",
    )
)  # fmt: skip
"""Words of columns whose sum says nothing."""
CODES = frozenset(
    (
        "id", "ids", "codigo", "code", "numero", "number", "num", "nr", "key", "chave", "index",
        "indice", "ref", "referencia", "nif", "telefone", "phone", "postal", "zip",
    )
)  # fmt: skip
"""Words of columns that number things."""
NAMES = frozenset(("nome", "name"))
YEARS = frozenset(("ano", "year"))


@dataclass(frozen=True)
class Column:
    """A column and the words of its name."""

    name: str
    family: Family

    @cached_property
    def words(self) -> tuple[str, ...]:
        """What one says to mean it, articles aside; all of it where there is nothing else."""
        said = tuple(words_of(self.name))
        return tuple(word for word in said if not stop_word(word)) or said

    @property
    def is_number(self) -> bool:
        return self.family in ("integer", "number")

    @property
    def is_date(self) -> bool:
        return self.family in ("date", "datetime")

    @property
    def is_code(self) -> bool:
        return self.family == "integer" and bool(CODES.intersection(self.words))

    @property
    def is_rate(self) -> bool:
        return self.is_number and bool(RATES.intersection(self.words))

    @property
    def adds_up(self) -> bool:
        """Whether its sum means something."""
        return self.is_number and not self.is_code and not self.is_rate


@dataclass(frozen=True)
class Table:
    """One table that queries may read."""

    name: str
    file: str
    rows: int
    columns: tuple[Column, ...]

    @property
    def stem(self) -> tuple[str, ...]:
        """The words of the file's name."""
        return tuple(words_of(self.file.rpartition(".")[0]))

    @property
    def numbers(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.is_number)

    @property
    def dates(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.is_date)

    @property
    def texts(self) -> tuple[Column, ...]:
        return tuple(column for column in self.columns if column.family == "text")


@lru_cache(maxsize=64)
def tables_in(note: str) -> tuple[Table, ...]:
    """The tables that a question's note lists, oldest first; a reply reads the note many times."""
    _, _, listed = note.strip().removeprefix("[").partition(": ")
    found = (_LINE.fullmatch(line) for line in listed.removesuffix("]").split("\n"))
    return tuple(
        Table(line[1], line[3], int(line[2]), tuple(_columns(line[4]))) for line in found if line
    )


def latest(tables: Sequence[Table]) -> list[Table]:
    """The tables of the file that came last: one, or one a sheet."""
    last = tables[-1].file
    same = list(takewhile(lambda table: table.file == last, reversed(tables)))[::-1]
    if not last.casefold().endswith(".xlsx"):
        return same[-1:]
    # A file that came twice under one name: its first sheet's table is numbered.
    main = re.compile(re.escape("_".join(same[0].stem)) + r"_*(?:_\d+)?")
    starts = [at for at, table in enumerate(same) if main.fullmatch(re.sub("_+", "_", table.name))]
    return same[starts[-1] if starts else 0 :]


def _columns(text: str) -> list[Column]:
    return [
        Column(found[1].replace('""', '"') if found[1] else found[2], cast(Family, found[3]))
        for found in _COLUMN.finditer(text)
    ]

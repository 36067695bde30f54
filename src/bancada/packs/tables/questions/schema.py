"""A table as questions see it: what its columns are good for, and the words that name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import takewhile
from weakref import WeakKeyDictionary

from bancada import Language, TableColumn, TableShape
from bancada.packs.tables.questions.tokens import singulars, stop_word, words_of

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

QUANTITIES = frozenset(("qtd", "qtde", "quantidade", "quantity", "qty", "count", "contagem"))
NUMBERS = QUANTITIES | {"n", "no", "nr", "num", "numero", "number"}
"""Words beside which the name of a thing in the plural says what is counted."""

YEARS = frozenset(("ano", "year"))


@dataclass(frozen=True, eq=False)
class AskedColumn:
    """A column, and what can be done with it."""

    shape: TableColumn

    @property
    def name(self) -> str:
        return self.shape.name

    @property
    def family(self) -> str:
        return self.shape.type

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of its name, articles aside; all of them where there is nothing else."""
        said = tuple(words_of(self.name))
        return tuple(word for word in said if not stop_word(word)) or said

    def label(self, language: Language) -> str:
        return next(iter(self.shape.words.get(language, ())), self.name)

    @property
    def is_number(self) -> bool:
        return self.family in ("integer", "number")

    @property
    def is_date(self) -> bool:
        return self.family in ("date", "datetime")

    @cached_property
    def counted(self) -> str | None:
        """What it is a number of: the `defeitos` of `N.º defeitos`. A `Número da encomenda` is a
        code: one thing has it; a `Total vendas` may be money."""
        things = [word for word in self.words if word not in NUMBERS]
        if self.family != "integer" or len(things) != 1 or len(things) == len(self.words):
            return None
        several = len(singulars(things[0])) > 1 or not QUANTITIES.isdisjoint(self.words)
        return things[0] if several else None

    @property
    def is_code(self) -> bool:
        named = self.family == "integer" and bool(CODES.intersection(self.words))
        return named and self.counted is None

    @property
    def is_year(self) -> bool:
        return self.family == "integer" and not YEARS.isdisjoint(self.words)

    @property
    def is_rate(self) -> bool:
        return self.is_number and ("%" in self.name or bool(RATES.intersection(self.words)))

    @property
    def adds_up(self) -> bool:
        """Whether its sum means something."""
        return self.is_number and not self.is_code and not self.is_rate


@dataclass(frozen=True, eq=False)
class AskedTable:
    """One table that queries may read."""

    shape: TableShape
    columns: tuple[AskedColumn, ...] = field(default=())

    @property
    def name(self) -> str:
        return self.shape.name

    @property
    def file(self) -> str:
        return self.shape.file

    @property
    def rows(self) -> int:
        return self.shape.rows

    @property
    def first(self) -> date | None:
        return self.shape.first

    @property
    def last(self) -> date | None:
        return self.shape.last

    @property
    def stem(self) -> tuple[str, ...]:
        """The words of the file's name."""
        return tuple(words_of(self.file.rpartition(".")[0] or self.name))

    @property
    def dates(self) -> tuple[AskedColumn, ...]:
        return tuple(column for column in self.columns if column.is_date)

    @property
    def kind(self) -> AskedColumn | None:
        """The column that says what a row is."""
        return next((one for one in self.columns if one.name == self.shape.kind), None)

    def noun(self, language: Language, count: object = 2) -> str:
        """What a row is called."""
        one, several = self.shape.row.get(language) or _ROW[language]
        return one if count == 1 else several

    def place(self, language: Language) -> str:
        """` em vendas.csv`; nothing where the word for a row says where it is from."""
        if not self.file and self.shape.row:
            return ""
        return f" {'em' if language == 'pt' else 'in'} {self.title}"

    @property
    def title(self) -> str:
        return self.file or self.name

    def value_label(self, value: str, language: Language) -> str:
        words = self.shape.value_words.get(value, {}).get(language, ())
        return next(iter(words), value)


_ROW: dict[Language, tuple[str, str]] = {"pt": ("linha", "linhas"), "en": ("row", "rows")}
_TABLES: WeakKeyDictionary[TableShape, AskedTable] = WeakKeyDictionary()


def table_of(shape: TableShape) -> AskedTable:
    """The same table for the same shape: what was read of it is kept with it."""
    found = _TABLES.get(shape)
    if found is None:
        found = _TABLES[shape] = AskedTable(shape, tuple(map(AskedColumn, shape.columns)))
    return found


def latest(tables: Sequence[AskedTable]) -> list[AskedTable]:
    """The tables of the file that came last: one, or one a sheet, the first sheet first."""
    if not tables:
        return []
    last = tables[-1].file
    same = list(takewhile(lambda table: table.file == last, reversed(tables)))[::-1]
    if not last.casefold().endswith(".xlsx"):
        return same[-1:]
    # A file that came twice under one name: its later first sheet begins the later file.
    sheets = [at for at, table in enumerate(same) if table.columns and table.shape.first_sheet]
    return same[sheets[-1] if sheets else 0 :]

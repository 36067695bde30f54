"""Names of tables and columns, made from whatever people call their files and headings."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from pathlib import PurePosixPath

_MAX_TABLE = 60
_MAX_COLUMN = 100
_MAX_FILENAME = 150
_MAX_SUFFIX = 10

_RESERVED = frozenset(
    word
    for line in (
        "all analyse analyze and anti any array as asc asof asymmetric at authorization between",
        "binary both by case cast check collate collation column columns concurrently constraint",
        "create cross current_catalog current_date current_role current_schema current_time",
        "current_timestamp current_user default deferrable desc describe distinct do else end",
        "except false fetch for foreign freeze from full generated glob grant group having ilike",
        "in initially inner intersect into is isnull join lambda lateral leading left like limit",
        "localtime localtimestamp map natural not notnull null offset on only or order outer",
        "overlaps pivot pivot_longer pivot_wider placing positional primary qualify references",
        "returning right row rows select semi session_user show similar some struct summarize",
        "symmetric table tablesample then to trailing true try_cast tuple union unique unpack",
        "unpivot user using values variadic verbose when where window with",
    )
    for word in line.split()
)
"""Words that cannot stand as a table name without quotes; a model would forget the quotes."""


def table_name(text: str, taken: Collection[str] = ()) -> str:
    """`Produção 2026.csv`'s stem → `producao_2026`; `_2`, `_3` … when taken."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in folded if not unicodedata.combining(c))
    base = re.sub(r"[^a-z0-9]", "_", plain)[:_MAX_TABLE]
    if not base.strip("_"):
        base = "tabela"
    elif base[0].isdigit():
        base = f"t_{base}"
    if base in _RESERVED:
        base += "_"
    return _free(base, {name.casefold() for name in taken})


def shown(filename: str) -> str:
    """A file's name as it may stand in a sentence: no folders, nothing that breaks the line."""
    last = PurePosixPath(filename.replace("\\", "/")).name
    printable = "".join(c if c.isprintable() else " " for c in last)
    name = PurePosixPath(" ".join(printable.split()))
    return name.stem[:_MAX_FILENAME] + name.suffix[:_MAX_SUFFIX]


def stem(filename: str) -> str:
    """The name without its extension."""
    return PurePosixPath(filename).stem


def column_names(headings: Sequence[str]) -> list[str]:
    """Headings as written, with the empty ones named by position and the repeated ones numbered.

    DuckDB compares names without regard to case, so `ID` and `id` repeat each other.
    """
    names: list[str] = []
    used: set[str] = set()
    for position, heading in enumerate(headings, start=1):
        printable = "".join(c if c.isprintable() else " " for c in heading)
        base = " ".join(printable.split())[:_MAX_COLUMN] or f"coluna_{position}"
        name = _free(base, used)
        used.add(name.casefold())
        names.append(name)
    return names


def quoted(name: str) -> str:
    """A name as SQL writes it, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def _free(base: str, taken: Collection[str]) -> str:
    name, number = base, 1
    while name.casefold() in taken:
        number += 1
        name = f"{base}_{number}"
    return name

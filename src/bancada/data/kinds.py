"""Kinds of column: how text becomes numbers, dates and truth values.

A kind is an SQL expression over a cell that is null where the cell is not of that kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

Family: TypeAlias = Literal["boolean", "integer", "number", "date", "datetime", "time", "text"]
"""The word a person reads for a column's type."""

_MISSING = (
    *("na", "n/a", "#n/a", "#n/d", "n/d", "nd", "n.d.", "nan", "null", "none", "nulo", "nil"),
    *("-", "--", "—", "?", "#div/0!", "#value!", "#valor!", "#ref!", "#name?", "#nome?", "#num!"),
    "#null!",
)
"""What people and programs write where a value is missing. In a text column it stays as written."""

_MISSING_WORDS = frozenset(_MISSING)
_MISSING_PATTERN = "|".join(re.escape(word).replace("'", "''") for word in _MISSING)


def is_missing(column: str) -> str:
    """SQL: whether a cell says that it has no value.

    A pattern, not `IN`: DuckDB makes a join of a long `IN`, and rows would lose their order.
    """
    return f"regexp_full_match(lower({column}), '{_MISSING_PATTERN}')"


def is_missing_word(text: str) -> bool:
    """The same of a text."""
    return text.strip().lower() in _MISSING_WORDS


Dress: TypeAlias = Literal["percent", "currency", "brackets"]
"""What numbers may be written with: a percent sign, the sign of a currency, or, where they are
below zero, an accountant's brackets."""


@dataclass(frozen=True, eq=False)
class Kind:
    """One way to read a column. `{c}` in the expression stands for the cell."""

    name: str
    family: Family
    sql_type: str
    expression: str
    characters: str = ""
    """What its cells are written with: a column with other characters need not be tried."""
    needs: str = ""
    """At least one of these must be there; without any, a simpler kind reads the cell as well."""
    dress: Dress | None = None
    proof: re.Pattern[str] | None = None
    """What one of the first cells must look like for the kind to be tried at all."""

    def value(self, column: str) -> str:
        return self.expression.replace("{c}", column)

    def convert(self, column: str) -> str:
        """The cell's value; a cell that does not fit stops the query, naming the column."""
        value = self.value(column)
        if self is TEXT:
            return value
        return (
            f"CASE WHEN {column} IS NULL THEN NULL ELSE coalesce({value}, CASE WHEN NOT "
            f"{is_missing(column)} THEN error('{column} is not of kind {self.name}') END) END"
        )


def _grouped(name: str, group: str, decimal: str) -> tuple[Kind, Kind]:
    """Whole and decimal numbers whose thousands may be set apart."""
    whole = rf"[+-]?(?:\d{{1,15}}|\d{{1,3}}(?:{group}\d{{3}}){{1,4}})"
    fraction = rf"(?:{decimal}\d*(?:[eE][+-]?\d{{1,3}})?|[eE][+-]\d{{1,3}})?"
    bare = f"regexp_replace({{c}}, '{group}', '', 'g')"
    marks = group.strip("[]\\")
    point = f"replace({bare}, '{decimal[-1]}', '.')" if decimal[-1] != "." else bare
    return (
        Kind(
            f"whole {name}",
            "integer",
            "BIGINT",
            f"CASE WHEN NOT {_CODE} AND regexp_full_match({{c}}, '{whole}') "
            f"THEN TRY_CAST({bare} AS BIGINT) END",
            _DIGITS + marks,
            marks,
        ),
        Kind(
            name,
            "number",
            "DOUBLE",
            f"CASE WHEN NOT {_CODE} AND regexp_full_match({{c}}, '{whole}{fraction}') "
            f"THEN TRY_CAST({point} AS DOUBLE) END",
            _DIGITS + marks + decimal[-1] + "eE",
            marks + decimal[-1],
        ),
    )


def _date(name: str, order: str, separator: str) -> tuple[Kind, Kind]:
    """A date in an order of parts, and the same with a time of day."""
    pattern = order.replace("-", separator)
    moments = f"['{pattern} %H:%M', '{pattern} %H:%M:%S', '{pattern}']"

    def shaped(text: str) -> str:
        """Where the separators are: `%Y` alone would read 26 as the year 26."""
        if order.startswith("%Y"):
            return f"{text}[5] = '{separator}'"
        if order.endswith("%Y"):
            return f"({text}[-5] = '{separator}' AND {text}[-3] <> '{separator}')"
        return f"{text}[-3] = '{separator}'"

    return (
        Kind(
            f"{name} {separator}",
            "date",
            "DATE",
            f"CASE WHEN {shaped('({c})')} THEN CAST(try_strptime({{c}}, '{pattern}') AS DATE) END",
            _DIGITS + separator,
            separator,
        ),
        Kind(
            f"{name} {separator} and time",
            "datetime",
            "TIMESTAMP",
            f"CASE WHEN {shaped(_DAY)} THEN try_strptime({{c}}, {moments}) END",
            _DIGITS + separator + " :",
            separator,
        ),
    )


_DIGITS = "0123456789+-"
_DAY = "(split_part({c}, ' ', 1))"

# 007 and 0012 are codes, not numbers: a postal code must keep its zeros.
_CODE = "(({c})[1] = '0' AND ({c})[2] BETWEEN '0' AND '9')"

BOOLEAN = Kind(
    "boolean",
    "boolean",
    "BOOLEAN",
    "CASE WHEN lower({c}) IN ('true', 'verdadeiro', 'sim', 'yes') THEN true "
    "WHEN lower({c}) IN ('false', 'falso', 'não', 'nao', 'no') THEN false END",
    "abcdefghijklmnopqrstuvwxyzãABCDEFGHIJKLMNOPQRSTUVWXYZÃ",
)
# The cast alone would round 1.7 and read 0x1F; what was written must come back.
INTEGER = Kind(
    "integer",
    "integer",
    "BIGINT",
    "CASE WHEN CAST(TRY_CAST({c} AS BIGINT) AS VARCHAR) = {c} THEN TRY_CAST({c} AS BIGINT) END",
    _DIGITS,
)
# A whole number of more digits than a double holds is a code as well, and so is 2026E5: programs
# that write powers of ten put a point before the E or a sign after it.
_POINT = (
    "CASE WHEN isfinite(TRY_CAST({c} AS DOUBLE)) AND NOT contains({c}, '_') "
    f"AND NOT {_CODE} AND CASE WHEN contains(lower({{c}}), 'e') THEN [POWERS] "
    "ELSE length({c}) <= 16 OR contains({c}, '.') END THEN TRY_CAST({c} AS DOUBLE) END"
)
POINT = Kind(
    "decimal point",
    "number",
    "DOUBLE",
    _POINT.replace("[POWERS]", r"NOT regexp_full_match({c}, '[+-]?\d+[eE]\d+')"),
    _DIGITS + ".eE",
)
POWERS = Kind(
    "powers of ten",
    "number",
    "DOUBLE",
    _POINT.replace("[POWERS]", "true"),
    _DIGITS + ".eE",
    "eE",
    proof=re.compile(r"[+-]?\d*(?:\.\d*[eE][+-]?|\d[eE][+-])\d+"),
)
WHOLE_COMMA, COMMA = _grouped("decimal comma", r"\.", ",")
WHOLE_ENGLISH, ENGLISH = _grouped("thousands comma", ",", r"\.")
WHOLE_SPACED, SPACED = _grouped("thousands space", "[ \u00a0\u202f]", ",")

ISO_DATE = Kind(
    "iso date",
    "date",
    "DATE",
    "CASE WHEN length({c}) = 10 AND ({c})[5] IN ('-', '/') THEN TRY_CAST({c} AS DATE) END",
    _DIGITS + "/",
    "-/",
)
# With the session in UTC an offset is applied, and a time without one is kept as written.
ISO_MOMENT = Kind(
    "iso moment",
    "datetime",
    "TIMESTAMP",
    "CASE WHEN length({c}) >= 10 AND ({c})[5] IN ('-', '/') "
    "AND (length({c}) = 10 OR ({c})[11] IN (' ', 'T')) "
    "THEN CAST(TRY_CAST({c} AS TIMESTAMPTZ) AS TIMESTAMP) END",
    _DIGITS + "/ :.TZ",
    "-/",
)
TIME = Kind(
    "time of day",
    "time",
    "TIME",
    r"CASE WHEN regexp_full_match({c}, '\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?') "
    "THEN TRY_CAST({c} AS TIME) END",
    _DIGITS + ":.",
    ":",
)
TEXT = Kind("text", "text", "VARCHAR", "nullif(trim({c}), '')")

_PARTED = [
    _date(name, order, separator)
    for name, order in (
        ("year first", "%Y-%m-%d"),
        ("day first", "%d-%m-%Y"),
        ("day first, short year", "%d-%m-%y"),
        ("month first", "%m-%d-%Y"),
    )
    for separator in "/-."
]

NUMBERS: tuple[Kind, ...] = (
    INTEGER,
    POINT,
    POWERS,
    WHOLE_COMMA,
    COMMA,
    WHOLE_ENGLISH,
    ENGLISH,
    WHOLE_SPACED,
    SPACED,
)

SIGNS = {
    "€": "€", "EUR": "€", "R$": "R$", "BRL": "R$", "US$": "$", "USD": "$", "$": "$", "£": "£",
    "GBP": "£", "CHF": "CHF",
}  # fmt: skip
"""How currencies are written, and the sign that each is told with."""
SIGN = f"({'|'.join(map(re.escape, sorted(SIGNS, key=len, reverse=True)))})"
_GAP = "[ \u00a0\u202f]*"
_BARE: dict[Dress, str] = {
    "percent": f"regexp_extract({{c}}, '^(.*[0-9.,]){_GAP}%$', 1)",
    # The sign may stand before the number, within its own sign, or after it; or be left out.
    "currency": f"regexp_replace(regexp_replace({{c}}, '^([+-]?){_GAP}{SIGN}{_GAP}([+-]?[0-9])', "
    f"'\\1\\3'), '([0-9]){_GAP}{SIGN}$', '\\1')",
    "brackets": "regexp_replace({c}, '^\\(([0-9].*)\\)$', '-\\1')",
}
_DRESS: dict[Dress, str] = {"percent": "%", "currency": "".join(SIGNS), "brackets": "()"}
_ACCOUNTING = re.compile(r"\([\d.,\s]*[.,]\d\d\)")
"""Only an amount is below zero because it is in brackets: `(12)` may be a reference."""


def _dressed(kind: Kind, dress: Dress) -> Kind:
    """The kind of number, written with a sign."""
    signs = _DRESS[dress]
    return Kind(
        f"{dress} {kind.name}",
        kind.family,
        kind.sql_type,
        kind.expression.replace("{c}", f"({_BARE[dress]})"),
        kind.characters + signs + " \u00a0\u202f",
        signs,
        dress,
        _ACCOUNTING if dress == "brackets" else None,
    )


DRESSED: dict[Dress, dict[Kind, Kind]] = {
    dress: {kind: _dressed(kind, dress) for kind in NUMBERS if kind is not POWERS}
    for dress in _BARE
}
"""Kinds of number by how they are dressed and what they are without it."""
UNDRESSED: dict[Kind, Kind] = {
    dressed: kind for pairs in DRESSED.values() for kind, dressed in pairs.items()
}

KINDS: tuple[Kind, ...] = (
    BOOLEAN,
    *NUMBERS,
    ISO_DATE,
    *(date for date, _ in _PARTED),
    ISO_MOMENT,
    *(moment for _, moment in _PARTED),
    TIME,
    *UNDRESSED,
)
"""In the order in which they are preferred; text is what remains."""
LATE = tuple(kind for kind in KINDS if kind.proof is None)
"""Those that may be tried on cells other than the first, which prove nothing."""
DAY_FIRST = frozenset(
    kind for pair in _PARTED for kind in pair if kind.name.startswith("day first")
)
POINT_GROUPS = frozenset(
    (
        WHOLE_COMMA,
        COMMA,
        *(pairs[kind] for pairs in DRESSED.values() for kind in (WHOLE_COMMA, COMMA)),
    )
)
"""Kinds that read the point of `1.234` as parting thousands."""

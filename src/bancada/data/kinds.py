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

_MISSING_PATTERN = "|".join(re.escape(word).replace("'", "''") for word in _MISSING)


def is_missing(column: str) -> str:
    """SQL: whether a cell says that it has no value.

    A pattern, not `IN`: DuckDB makes a join of a long `IN`, and rows would lose their order.
    """
    return f"regexp_full_match(lower({column}), '{_MISSING_PATTERN}')"


@dataclass(frozen=True)
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
    fraction = rf"(?:{decimal}\d*)?(?:[eE][+-]?\d{{1,3}})?"
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
# A whole number of more digits than a double holds is a code as well.
POINT = Kind(
    "decimal point",
    "number",
    "DOUBLE",
    "CASE WHEN isfinite(TRY_CAST({c} AS DOUBLE)) AND NOT contains({c}, '_') "
    "AND (length({c}) <= 16 OR contains({c}, '.') OR contains(lower({c}), 'e')) "
    f"AND NOT {_CODE} THEN TRY_CAST({{c}} AS DOUBLE) END",
    _DIGITS + ".eE",
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
    WHOLE_COMMA,
    COMMA,
    WHOLE_ENGLISH,
    ENGLISH,
    WHOLE_SPACED,
    SPACED,
)
KINDS: tuple[Kind, ...] = (
    BOOLEAN,
    *NUMBERS,
    ISO_DATE,
    *(date for date, _ in _PARTED),
    ISO_MOMENT,
    *(moment for _, moment in _PARTED),
    TIME,
)
"""In the order in which they are preferred; text is what remains."""

"""Read a Cypher query word by word, and let through only what reads the graph.

Every word of the query must be one that is known to be harmless where it stands: a reading
clause or operator, a listed function, a listed procedure, or a name. What is not recognised is
refused, so a statement this file has never heard of is refused too. The query that runs is put
together again from the words that were checked: what the engine reads is what was read here.

This is the second wall. The first is the jail in which every query of a model runs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

LONGEST = 8_000
DEEPEST = 40

CLAUSES = ("MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL")
"""How a query, or the part after UNION, may begin."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


KEYWORDS = _words("""
    MATCH OPTIONAL WHERE WITH UNWIND RETURN CALL YIELD UNION ALL DISTINCT AS
    ORDER BY ASC ASCENDING DESC DESCENDING SKIP LIMIT
    AND OR XOR NOT IN IS NULL TRUE FALSE STARTS ENDS CONTAINS
    CASE WHEN THEN ELSE END EXISTS COUNT ANY NONE SINGLE
    SHORTEST TRAIL ACYCLIC WALK
""")

VALUES = _words("NULL TRUE FALSE END")
"""Keywords that end an expression, as a name or a number does."""

FUNCTIONS = _words("""
    count sum avg min max collect
    id label labels type nodes rels relationships length properties is_trail is_acyclic
    startnode endnode keys offset
    lower upper tolower toupper lcase ucase trim ltrim rtrim left right substring substr
    contains starts_with ends_with prefix suffix reverse replace split split_part size
    concat concat_ws string_split regexp_matches regexp_full_match regexp_replace levenshtein
    tostring tointeger tofloat toboolean string cast coalesce ifnull nullif
    list_value list_creation range list_extract list_element list_concat list_cat list_append
    list_contains list_has list_position list_slice list_sort list_reverse_sort list_sum
    list_product list_distinct list_unique list_any_value list_to_string list_transform
    list_filter list_reduce list_has_all list_reverse any all none single
    abs ceil ceiling floor round sqrt pow power log log2 log10 ln exp sign pi even mod
    sin cos tan cot asin acos atan atan2 degrees radians greatest least bitwise_and bitwise_or
    date timestamp interval date_part datepart date_trunc datetrunc dayname monthname last_day
    make_date to_days to_months to_years to_hours to_minutes to_seconds century
    year month day current_date current_timestamp
    map map_extract element_at cardinality map_keys map_values struct_pack struct_extract
""")

PROCEDURES = _words("show_tables table_info show_connection")

FORBIDDEN = _words("""
    CREATE MERGE SET DELETE DETACH REMOVE DROP ALTER RENAME COPY LOAD IMPORT EXPORT ATTACH USE
    INSTALL UNINSTALL UPDATE FORCE EXTENSION CHECKPOINT BEGIN COMMIT ROLLBACK TRANSACTION
    PROFILE EXPLAIN MACRO SEQUENCE TABLE GRAPH PROJECT COMMENT INSERT GRANT REVOKE FOREACH
    START STOP SHOW TERMINATE PERIODIC
""")
"""Not needed for the verdict: they only make the refusal say which word was meant."""

ALLOWED = (
    "Allowed is one reading statement: MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, RETURN, UNION,"
    " ORDER BY, SKIP, LIMIT, with the usual functions and"
    f" CALL {', '.join(sorted(PROCEDURES))} (…)."
)

Kind = Literal["word", "quoted", "string", "number", "symbol"]

_TOKEN = re.compile(
    r"""
      (?P<space>   [\ \t\r\n]+ | //[^\r\n]* | /\*.*?\*/ )
    | (?P<word>    [A-Za-z_\u00c0-\u024f][\w\u00c0-\u024f]* )
    | (?P<quoted>  `[^`\\\r\n]+` )
    | (?P<string>  '(?:[^'\\]|\\['"\\nrtbf])*' | "(?:[^"\\]|\\['"\\nrtbf])*" )
    | (?P<number>  \d+\.\d+(?:[eE][-+]?\d+)? | \d+(?:[eE][-+]?\d+)?(?![\w]) )
    | (?P<symbol>  \.\. | <> | <= | >= | =~ | -> | <- | [-+*/%^=<>()\[\]{},.:|] )
    """,
    re.VERBOSE | re.DOTALL,
)
_OPEN, _CLOSE = "([{", ")]}"


class QueryRefused(Exception):
    """The query is not let through; the text says why and what is allowed."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason} {ALLOWED}")


@dataclass(frozen=True)
class CypherToken:
    """One word of a query; `spaced` says whether it stood apart from the one before."""

    kind: Kind
    text: str
    spaced: bool

    @property
    def upper(self) -> str:
        return self.text.upper()

    def is_symbol(self, *texts: str) -> bool:
        return self.kind == "symbol" and self.text in texts


_NOTHING = CypherToken("symbol", "", spaced=False)


def checked(query: str) -> str:
    """The query as it may run; raises `QueryRefused` when it does anything but read."""
    tokens = tokenise(query)
    while tokens and tokens[-1].text == ";":
        tokens.pop()
    if not tokens:
        raise QueryRefused("The query is empty.")
    _check_nesting(tokens)
    _check_beginnings(tokens)
    before, complete = _NOTHING, False
    for token, after in zip(tokens, [*tokens[1:], _NOTHING], strict=True):
        complete = _check(token, before, after, complete)
        before = token
    return "".join((" " if token.spaced else "") + token.text for token in tokens).strip()


def tokenise(query: str) -> list[CypherToken]:
    """The words of a query; comments and spaces only set them apart."""
    if len(query) > LONGEST:
        raise QueryRefused(f"The query is longer than {LONGEST} characters.")
    tokens: list[CypherToken] = []
    place, spaced = 0, False
    while place < len(query):
        found = _TOKEN.match(query, place)
        if found is None:
            if query[place] != ";":
                raise QueryRefused(_unreadable(query, place))
            tokens.append(CypherToken("symbol", ";", spaced))
            place, spaced = place + 1, False
            continue
        place = found.end()
        if found.lastgroup == "space":
            spaced = True
            continue
        tokens.append(CypherToken(found.lastgroup, found.group(), spaced))  # type: ignore[arg-type]
        spaced = False
    return tokens


def _unreadable(query: str, place: int) -> str:
    sign = query[place]
    if sign == "$":
        return "Parameters ($name) cannot be used: write the value."
    if sign in "'\"`":
        return (
            f"The text that begins at character {place + 1} does not end, or holds an odd escape."
        )
    return f"The character {sign!r} at position {place + 1} cannot be used."


def _check_nesting(tokens: Sequence[CypherToken]) -> None:
    open: list[str] = []
    for token in tokens:
        if token.is_symbol(*_OPEN):
            open.append(_CLOSE[_OPEN.index(token.text)])
            if len(open) > DEEPEST:
                raise QueryRefused(f"Brackets are nested more than {DEEPEST} deep.")
        elif token.is_symbol(*_CLOSE) and (not open or open.pop() != token.text):
            raise QueryRefused(f"There is a {token.text!r} too many, or in the wrong place.")
    if open:
        raise QueryRefused(f"A {open[-1]!r} is missing.")


def _check_beginnings(tokens: Sequence[CypherToken]) -> None:
    """The query, and each part after UNION, begins with a reading clause."""
    begins = True
    for token in tokens:
        if begins and token.upper != "ALL":
            if token.kind != "word" or token.upper not in CLAUSES:
                raise QueryRefused(f"A query cannot begin with {token.text!r}.")
            begins = False
        if token.kind == "word" and token.upper == "UNION":
            begins = True
    if begins:
        raise QueryRefused("The query is not finished.")


def _check(token: CypherToken, before: CypherToken, after: CypherToken, complete: bool) -> bool:
    """Check one word where it stands.

    `complete` says whether an expression may end before it; the answer says the same after it.
    Two names, numbers or texts never stand side by side in what is let through, so a word that
    begins a statement unknown here cannot pass for a name.
    """
    if token.text == ";":
        raise QueryRefused("Only one statement may be run.")
    if token.kind == "symbol":
        return token.text in _CLOSE
    if token.kind == "word" and not before.is_symbol(".", ":"):
        if token.upper in FORBIDDEN:
            raise QueryRefused(
                f"{token.upper} is not allowed (a name like that goes in backticks)."
            )
        if before.kind == "word" and before.upper == "CALL":
            _check_procedure(token, after)
            return True
        if token.upper in KEYWORDS and not _is_function(token, after, complete):
            if token.upper == "CALL" and after.kind != "word":
                raise QueryRefused("CALL must name a procedure.")
            return token.upper in VALUES
    if complete:
        raise QueryRefused(f"{token.text[:40]!r} cannot stand directly after {before.text[:40]!r}.")
    if after.is_symbol("(") and token.kind != "number" and token.text.lower() not in FUNCTIONS:
        raise QueryRefused(f"The function {token.text[:40]} is not among the allowed ones.")
    return True


def _is_function(word: CypherToken, after: CypherToken, complete: bool) -> bool:
    """Whether a keyword is used as the function of that name: `count(…)`, not `COUNT { … }`."""
    return not complete and after.is_symbol("(") and word.text.lower() in FUNCTIONS


def _check_procedure(word: CypherToken, after: CypherToken) -> None:
    if word.text.lower() not in PROCEDURES or not after.is_symbol("("):
        raise QueryRefused(f"The procedure {word.text[:40]} may not be called.")

"""Regular expressions that people write: searched in time proportional to the text, or refused.

Python's own `re` can be made to think for years by one line; here nothing looks back. Conditions
use RE2, and schemas the engine of the validator that promises the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import jsonschema_rs
import re2  # type: ignore[import-untyped]

from bancada.domain.errors import Invalid
from bancada.domain.json import JSON
from bancada.domain.wording import Wording

LONGEST = 1_000
"""Characters of the longest regular expression taken from a person."""
LARGEST = 1 << 20
"""Bytes that a compiled one may take."""

IN_SCHEMAS = jsonschema_rs.RegexOptions(size_limit=LARGEST, dfa_size_limit=LARGEST)


def found_in(pattern: str, text: str) -> bool:
    """Whether the pattern matches somewhere. Raises `Invalid` for one we do not take."""
    return compiled(pattern).search(text) is not None


@lru_cache(maxsize=512)
def compiled(pattern: str) -> Any:
    """Raises `Invalid` with the reason for one we do not take."""
    _check_length(pattern)
    options = re2.Options()
    options.log_errors = False
    options.max_mem = LARGEST
    try:
        return re2.compile(pattern, options)
    except Exception as error:
        raise Invalid("pattern_refused", pattern=pattern[:80], why=_said(error)) from error


def check_schema_patterns(schema: JSON) -> None:
    """Raises `Invalid` for the first `pattern` of a schema that we do not take."""
    if isinstance(schema, dict):
        if "pattern" in schema and isinstance(schema["pattern"], str):
            _check_in_schema(schema["pattern"])
        for key in schema.get("patternProperties") or ():
            _check_in_schema(key)
        for value in schema.values():
            check_schema_patterns(value)
    elif isinstance(schema, list):
        for value in schema:
            check_schema_patterns(value)


def _check_in_schema(pattern: str) -> None:
    _check_length(pattern)
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=IN_SCHEMAS)
    except Exception as error:
        why = Wording("pattern_not_understood")
        raise Invalid("pattern_refused", pattern=pattern[:80], why=why) from error


def _check_length(pattern: str) -> None:
    if len(pattern) > LONGEST:
        raise Invalid("pattern_too_long", most=LONGEST)


def _said(error: Exception) -> str:
    said = error.args[0] if error.args else ""
    return said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)

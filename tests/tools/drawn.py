"""Arbitrary JSON and arbitrary small schemas, for property tests."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

NAMES = st.sampled_from(["a", "b", "c"])
TYPES = st.sampled_from(["string", "integer", "number", "boolean", "null", "array", "object"])
_SIZE = st.integers(0, 3)

scalars = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, 1.0, 1.5, -2.0, 1e300, 2**70, -(10**40)])
    | st.sampled_from(["", "a", "b", "ab", "abc", "é", "😀"])
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
inputs = st.dictionaries(NAMES, values, max_size=3)

anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=5)
    | st.binary(max_size=3)
    | st.sampled_from(["\ud800", 10**400, object()]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(), max_size=2) | st.integers(), inner, max_size=3)
        | st.tuples(inner)
    ),
    max_leaves=8,
)
"""What a tool call should never hold, but may."""


def _larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    keywords: dict[str, st.SearchStrategy[Any]] = {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=3, unique=True),
        "enum": st.lists(values, min_size=1, max_size=3),
        "const": values,
        "minimum": st.integers(-2, 2),
        "exclusiveMaximum": st.integers(-2, 2),
        "multipleOf": st.sampled_from([1, 2, 3]),
        "minLength": _SIZE,
        "maxLength": _SIZE,
        "pattern": st.sampled_from(["^a", "b$", "^[a-c]+$"]),
        "minItems": _SIZE,
        "maxItems": _SIZE,
        "uniqueItems": st.booleans(),
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "items": inner,
        "contains": inner,
        "required": st.lists(NAMES, max_size=2, unique=True),
        "properties": st.dictionaries(NAMES, inner, max_size=3),
        "additionalProperties": st.booleans() | inner,
        "propertyNames": inner,
        "minProperties": _SIZE,
        "maxProperties": _SIZE,
        "anyOf": st.lists(inner, min_size=1, max_size=3),
        "oneOf": st.lists(inner, min_size=1, max_size=3),
        "allOf": st.lists(inner, min_size=1, max_size=2),
        "not": inner,
        "if": inner,
        "then": inner,
        "else": inner,
    }
    few = st.lists(st.sampled_from(sorted(keywords)), min_size=1, max_size=4, unique=True)
    return few.flatmap(
        lambda names: st.fixed_dictionaries({name: keywords[name] for name in names})
    )


_leaf = st.booleans() | st.fixed_dictionaries({}, optional={"type": TYPES})
schemas = _larger(st.recursive(_leaf, _larger, max_leaves=4))

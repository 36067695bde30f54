"""Parameter types the tools share, with schemas as short as the model needs.

Every tool's schema travels with every request, so an optional text is written as one type
list rather than as a union.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, WithJsonSchema

READ = ("direct", "code_execution_20260120")
"""Callers of the query tool: the model itself, and code it writes."""

Text = Annotated[str | None, WithJsonSchema({"type": ["string", "null"]})]
Title = Annotated[str, Field(min_length=1, max_length=200)]

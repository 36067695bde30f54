"""Annotations as pydantic understands them, and the texts they carry into the schema."""

from __future__ import annotations

import inspect
import types
import typing
from dataclasses import is_dataclass
from typing import Annotated, Any, get_args, get_origin

import typing_extensions
from pydantic import Field
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from bancada.domain.errors import BadDefinition
from bancada.tools.docstring import read_docstring


def text_in(annotation: Any) -> str | None:
    """The text of `Annotated[…, "text"]`, or of a `Doc("text")` in its place."""
    if get_origin(annotation) is not Annotated:
        return None
    for extra in reversed(annotation.__metadata__):
        text = extra if isinstance(extra, str) else getattr(extra, "documentation", None)
        if isinstance(text, str):
            return text
    return None


def prepared(annotation: Any, inside: tuple[Any, ...] = ()) -> Any:
    """The annotation as pydantic understands it.

    Texts inside become descriptions, and a `typing.TypedDict`, which pydantic does not take
    before Python 3.12, becomes the same class of `typing_extensions`; `inside` are those being
    made, to notice one that contains itself.
    """
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        text = text_in(annotation)
        described = () if text is None else (Field(description=text),)
        extras = tuple(extra for extra in annotation.__metadata__ if not isinstance(extra, str))
        return Annotated[(prepared(annotation.__origin__, inside), *described, *extras)]
    if origin in (typing.Union, types.UnionType):
        return typing.Union[tuple(prepared(one, inside) for one in arguments)]  # noqa: UP007
    if origin is not None and origin is not typing.Literal and arguments:
        changed = tuple(
            one if isinstance(one, list) else prepared(one, inside) for one in arguments
        )
        if all(new is old for new, old in zip(changed, arguments, strict=True)):
            return annotation
        copy_with = getattr(annotation, "copy_with", None)
        return copy_with(changed) if copy_with else origin[changed]
    if typing.is_typeddict(annotation) and type(annotation).__module__ == "typing":
        return _typed_dict(annotation, inside)
    return annotation


def _typed_dict(kind: Any, inside: tuple[Any, ...]) -> Any:
    """The same class, made by `typing_extensions`; which keys it needs is read from the hints.

    (`__required_keys__` is wrong before Python 3.12 where annotations are postponed.)
    """
    if kind in inside:
        raise BadDefinition(f"The type {kind.__name__!r} contains itself.")
    fields: dict[str, Any] = {}
    for name, hint in typing.get_type_hints(kind, include_extras=True).items():
        needed: Any = typing.Required if name in kind.__required_keys__ else typing.NotRequired
        if get_origin(hint) in (typing.Required, typing.NotRequired):
            needed, hint = get_origin(hint), get_args(hint)[0]
        fields[name] = needed[prepared(hint, (*inside, kind))]
    make: Any = typing_extensions.TypedDict
    made = make(kind.__name__, fields)
    made.__doc__, made.__module__ = kind.__doc__, kind.__module__
    made.__qualname__ = kind.__qualname__
    return made


class AnnotationSchema(GenerateJsonSchema):
    """Pydantic's generator, which also reads texts and docstrings of the classes it meets."""

    ignored_warning_kinds = {"skipped-choice", "non-serializable-default"}  # noqa: RUF012

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return _described(super().model_schema(schema), schema["cls"])

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        return _described(super().dataclass_schema(schema), schema["cls"])

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        return _described(super().typed_dict_schema(schema), schema.get("cls"))

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        if self.mode == "serialization":  # as `outcome_of` writes them
            return {"anyOf": [{"type": "number"}, {"type": "string"}]}
        return super().decimal_schema(schema)


def _described(made: JsonSchemaValue, kind: Any) -> JsonSchemaValue:
    """Add what the class says of itself and of its fields, where pydantic did not look."""
    properties = made.get("properties")
    if kind is None or not isinstance(properties, dict):
        return made
    doc = read_docstring(inspect.cleandoc(kind.__doc__ or ""))
    if (
        inspect.isclass(kind)
        and is_dataclass(kind)
        and doc.description.startswith(f"{kind.__name__}(")
    ):
        doc = read_docstring("")  # the signature that @dataclass writes where there is no docstring
    made.pop("description", None)
    if doc.description:
        made["description"] = doc.description
    try:
        hints = typing.get_type_hints(kind, include_extras=True)
    except Exception:  # a name known only where the class was made; pydantic has resolved it
        hints = {}
    for name, shape in properties.items():
        text = text_in(hints.get(name)) or doc.parameters.get(name)
        if text and "description" not in shape:
            shape["description"] = text
    return made

"""From a typed function to the JSON Schema the model reads, and back to the call.

The signature is the only source: annotations give the types, defaults say what may be left
out, and the docstring's `Args:` section or an `Annotated` text says what each parameter is for.
Everything is written out in place, because models and other readers of tool schemas cope badly
with `$ref`; a type that contains itself can therefore not be a parameter.
"""

from __future__ import annotations

import inspect
import sys
import types
import typing
import warnings
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin

import jsonschema_rs
import pydantic
from pydantic import TypeAdapter
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from bancada.domain.errors import BadDefinition, ToolFailed
from bancada.domain.json import JSON, JSONObject
from bancada.tools.annotations import AnnotationSchema, prepared, text_in
from bancada.tools.docstring import read_docstring
from bancada.tools.references import inlined, tidy

_PLAIN: tuple[Any, ...] = (str, bool, Any, object)
"""Types whose JSON value is already the Python value."""
_ENVELOPES = ("bancada.tools.tool", "bancada.domain.calls")


@dataclass(frozen=True, kw_only=True)
class Parameter:
    """One parameter: the name it has in Python and in the schema, and how to build its value."""

    name: str
    key: str
    schema: JSONObject
    required: bool
    build: Callable[[JSON], Any] | None = None
    """Builds the Python value from validated JSON; none when the JSON is the value."""
    default: Callable[[], Any] | None = None
    """Only where Python itself does not know the default: `x: int = Field(default=3)`."""


@dataclass(frozen=True, kw_only=True)
class Arguments:
    """What a function asks for, as the model reads it, and how to hand it over."""

    schema: JSONObject
    description: str
    output_schema: JSONObject | None = None
    context_name: str | None = None
    parameters: Mapping[str, Parameter] = field(default_factory=lambda: MappingProxyType({}))
    """By the name they have in the schema."""

    def bind(self, context: Any, input: JSONObject) -> dict[str, Any]:
        """Keyword arguments for the function, from input that passed the schema.

        What was left out stays out, so that Python's own defaults apply. A value that fits the
        schema may still be refused by a validator of the author's; the model is told which.
        """
        bound: dict[str, Any] = {}
        if self.context_name is not None:
            bound[self.context_name] = context
        for key, parameter in self.parameters.items():
            if key in input:
                value = input[key]
                bound[parameter.name] = (
                    value if parameter.build is None else _built(parameter, value)
                )
            elif parameter.default is not None:
                bound[parameter.name] = parameter.default()
        return bound


def signature_of(function: Callable[..., Any], *, context: type) -> Arguments:
    """Read a function's signature; raise `BadDefinition` with the reason where it cannot be used.

    A parameter annotated with `context` receives the context and is not part of the schema.
    """
    key, held = _sameness(function, context)
    if key in _known:
        return _known[key][0]
    hints = _hints_of_module(function)
    if hints is None:
        # It names what only its maker's frame knows: the next of the same code may mean another.
        return _read(function, _hints_of_makers(function), context)
    read = _read(function, hints, context)
    if key is not None:
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[key] = read, held
    return read


_known: dict[Hashable, tuple[Arguments, object]] = {}
"""What was read, by `_sameness`, with what the ids in that key are of: a pack builds its tools
anew each time it is loaded, from the same code."""
_MOST_KNOWN = 4096


def _sameness(function: Callable[..., Any], context: type) -> tuple[Hashable, object]:
    """A key that two functions share only where their signatures are the same, and what it is of.

    None where that is not known.
    """
    plain = function.__func__ if isinstance(function, types.MethodType) else function
    if not isinstance(plain, types.FunctionType) or plain.__dict__:  # wrapped, or with a signature
        return None, None
    hints, named = plain.__annotations__, plain.__kwdefaults__ or {}
    values = (plain.__globals__, *hints.values(), *(plain.__defaults__ or ()), *named.values())
    said = (plain.__name__, plain.__doc__, tuple(hints), tuple(named), plain is function)
    # By identity: 1 and True are equal, and are shown differently.
    return (plain.__code__, context, said, tuple(map(id, values))), values


def _read(function: Callable[..., Any], hints: dict[str, Any], context: type) -> Arguments:
    where = _name_of(function)
    doc = read_docstring(inspect.getdoc(function) or "")
    context_name: str | None = None
    parameters: dict[str, Parameter] = {}
    for parameter in inspect.signature(function).parameters.values():
        _refuse_odd_kinds(parameter, where)
        if parameter.name not in hints:
            raise BadDefinition(
                f"{where}: parameter {parameter.name!r} has no annotation, so its schema cannot be known."
            )
        if _is_context(hints[parameter.name], context):
            if context_name is not None:
                raise BadDefinition(f"{where}: two parameters are annotated {context.__name__}.")
            context_name = parameter.name
            continue
        made = _parameter(parameter, hints[parameter.name], doc.parameters, where)
        if made.key in parameters:
            raise BadDefinition(f"{where}: two parameters are called {made.key!r} in the schema.")
        parameters[made.key] = made
    return Arguments(
        schema=_object_of(parameters),
        description=doc.description,
        output_schema=_output_schema(hints.get("return")),
        context_name=context_name,
        parameters=MappingProxyType(parameters),
    )


def _is_context(hint: Any, context: type) -> bool:
    """Also as `Annotated[Context, …]` or `Context | None`."""
    if get_origin(hint) is Annotated:
        hint = hint.__origin__
    return hint is context or (
        get_origin(hint) in (typing.Union, types.UnionType) and context in get_args(hint)
    )


def _object_of(parameters: Mapping[str, Parameter]) -> JSONObject:
    schema: JSONObject = {
        "type": "object",
        "properties": {key: parameter.schema for key, parameter in parameters.items()},
    }
    required = [key for key, parameter in parameters.items() if parameter.required]
    if required:
        schema["required"] = required
    schema["additionalProperties"] = False
    return schema


def _name_of(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", repr(function))


def _hints_of_module(function: Callable[..., Any]) -> dict[str, Any] | None:
    """The annotations as types; none where they name something that the module does not know."""
    try:
        return typing.get_type_hints(function, include_extras=True)
    except NameError:
        return None
    except Exception as error:
        raise BadDefinition(
            f"{_name_of(function)}: an annotation cannot be read: {error}"
        ) from error


def _hints_of_makers(function: Callable[..., Any]) -> dict[str, Any]:
    """The same, where they name something local to the defining function."""
    try:
        return typing.get_type_hints(function, localns=_names_of_callers(), include_extras=True)
    except Exception as error:
        raise BadDefinition(
            f"{_name_of(function)}: an annotation cannot be read: {error}. "
            "Import what it names outside `if TYPE_CHECKING`."
        ) from error


def _names_of_callers() -> dict[str, Any]:
    """Local names of the functions being run now, the innermost first.

    A pack may declare its argument types inside `build`; with postponed annotations those are
    names that only the frame of `build` knows.
    """
    frames = []
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code.co_name != "<module>":
            frames.append(frame.f_locals)
    return {name: value for names in reversed(frames) for name, value in names.items()}


def _refuse_odd_kinds(parameter: inspect.Parameter, where: str) -> None:
    if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
        stars = "*" if parameter.kind is parameter.VAR_POSITIONAL else "**"
        raise BadDefinition(
            f"{where}: {stars}{parameter.name} accepts anything, so the model cannot be told what to send; "
            "name each parameter."
        )
    if parameter.kind is parameter.POSITIONAL_ONLY:
        raise BadDefinition(
            f"{where}: parameter {parameter.name!r} is positional-only, but arguments arrive by name."
        )


def _parameter(
    parameter: inspect.Parameter, hint: Any, documented: Mapping[str, str], where: str
) -> Parameter:
    annotation, default, factory = hint, parameter.default, None
    said = _field_in(hint)
    if isinstance(default, FieldInfo):
        said = default
        annotation = Annotated[hint, default]
        factory = None if default.is_required() else _default_factory(default)
        default = PydanticUndefined if factory is None else factory()
    elif default is parameter.empty:
        default = PydanticUndefined
        if said is not None and not said.is_required():
            factory = _default_factory(said)
            default = factory()
    adapter = _adapter(annotation, parameter.name, where)
    schema = _schema_of(adapter, parameter.name, where)
    description = text_in(hint) or documented.get(parameter.name)
    if said is not None and said.description:
        description = said.description
    schema.pop("default", None)
    if description:
        schema["description"] = description
    if default is not PydanticUndefined:
        shown = _shown_default(adapter, default, schema)
        if shown is not PydanticUndefined:
            schema["default"] = shown
    return Parameter(
        name=parameter.name,
        key=(said.alias if said is not None and said.alias else parameter.name),
        schema=tidy(schema),
        required=default is PydanticUndefined,
        build=None if hint in _PLAIN else adapter.validate_python,
        default=factory,
    )


def _field_in(hint: Any) -> FieldInfo | None:
    """The `Field(…)` an annotation carries, if any."""
    if get_origin(hint) is Annotated:
        for extra in hint.__metadata__:
            if isinstance(extra, FieldInfo):
                return extra
    return None


def _default_factory(said: FieldInfo) -> Callable[[], Any]:
    return lambda: said.get_default(call_default_factory=True, validated_data={})


def _adapter(annotation: Any, name: str, where: str) -> TypeAdapter[Any]:
    try:
        with warnings.catch_warnings():
            # An alias is read by us; pydantic warns that it will not use it here.
            warnings.simplefilter("ignore")
            return TypeAdapter(prepared(annotation))
    except BadDefinition as error:
        raise BadDefinition(f"{where}: parameter {name!r}: {error}") from error
    except Exception as error:
        reason = str(error).partition("\n")[0]
        raise BadDefinition(
            f"{where}: parameter {name!r} has a type that cannot come from JSON: {reason}"
        ) from error


def _schema_of(adapter: TypeAdapter[Any], name: str, where: str) -> JSONObject:
    try:
        return inlined(adapter.json_schema(schema_generator=AnnotationSchema))
    except BadDefinition as error:
        raise BadDefinition(f"{where}: parameter {name!r}: {error}") from error
    except pydantic.PydanticUserError as error:
        reason = str(error).partition("\n")[0]
        raise BadDefinition(
            f"{where}: parameter {name!r} has a type without a JSON form: {reason}"
        ) from error


def _shown_default(adapter: TypeAdapter[Any], default: Any, schema: JSONObject) -> JSON:
    """The default as JSON; undefined when it has none that fits, as a private marker object has."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shown = adapter.dump_python(default, mode="json")
        fits = jsonschema_rs.Draft202012Validator(schema, offline=True).is_valid(shown)
    except Exception:
        return PydanticUndefined
    return shown if fits and shown == shown else PydanticUndefined


def _built(parameter: Parameter, value: JSON) -> Any:
    assert parameter.build is not None
    try:
        return parameter.build(value)
    except pydantic.ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        path = parameter.key + "".join(
            f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
        )
        raise ToolFailed(f"Field '{path}': {first['msg']}.") from error


def _output_schema(annotation: Any) -> JSONObject | None:
    """What the function returns, where its annotation says more than "some JSON" or "some text"."""
    if annotation is None or _has_envelope(annotation):
        return None
    try:
        adapter = TypeAdapter(prepared(annotation))
        schema = inlined(
            adapter.json_schema(mode="serialization", schema_generator=AnnotationSchema)
        )
    except (BadDefinition, pydantic.PydanticUserError):
        return None
    return tidy(schema) if _says_something(schema) else None


def _has_envelope(annotation: Any) -> bool:
    """Whether the annotation speaks of `Result` or `Outcome`: how an answer travels, not what it is."""
    return getattr(annotation, "__module__", None) in _ENVELOPES or any(
        _has_envelope(one) for one in get_args(annotation)
    )


def _says_something(schema: JSONObject) -> bool:
    """Whether a schema describes a structure, not just a scalar or "an object"."""
    if schema.get("properties") or schema.get("prefixItems"):
        return True
    inner = [schema.get("items"), schema.get("additionalProperties"), *schema.get("anyOf", ())]
    return any(isinstance(one, dict) and _says_something(one) for one in inner) or (
        schema.get("type") in ("array", "object")
        and any(isinstance(one, dict) and one for one in inner)
    )

"""The public names for Python, read from the source: `bancada` and `bancada.testing`."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from types import ModuleType
from typing import TypeAlias

from pydantic import BaseModel

import bancada
from bancada import testing

MODULES: tuple[ModuleType, ...] = (bancada, testing)

Statement: TypeAlias = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.expr


@dataclass(frozen=True)
class Name:
    """A public name, or a public part of one, and what the source says of it."""

    path: str
    """`bancada.Agent`, `bancada.Agent.has`."""
    shape: str
    """What to write: `has(tool: str) -> bool`, `tools: tuple[str, ...] = ()`."""
    says: str
    parts: list[Name] = field(default_factory=list)
    is_field: bool = False


def public_names(module: ModuleType) -> list[Name]:
    """Every name that the module offers, in the order of its `__all__`."""
    return [_name(f"{module.__name__}.{name}", *_made(module, name)) for name in module.__all__]


def undocumented() -> list[str]:
    """Public names, and methods of them, of which nothing says what they are for.

    A field may speak for itself: its name and its type stand on the page.
    """
    every = [name for module in MODULES for name in public_names(module)]
    must = [one for name in every for one in (name, *name.parts) if not one.is_field]
    return [one.path for one in must if not one.says]


def _made(module: ModuleType, name: str) -> tuple[Statement, str]:
    """Where a name is made, through the modules that only hand it on, and what stands beneath it."""
    if module is bancada:
        return _made(importlib.import_module(bancada._HOMES[name]), name)
    for node, says in _statements(module.__name__):
        match node:
            case ast.ClassDef() if node.name == name:
                return _with_fields(module, node), ast.get_docstring(node) or ""
            case ast.FunctionDef() | ast.AsyncFunctionDef() if node.name == name:
                if "overload" not in [ast.unparse(one) for one in node.decorator_list]:
                    return node, ast.get_docstring(node) or ""
            case ast.Assign(targets=[ast.Name(id=made)], value=value) if made == name:
                return value, says
            case ast.AnnAssign(target=ast.Name(id=made), value=ast.expr() as value) if made == name:
                return value, says
            case ast.ImportFrom(module=str(home)) if name in [one.name for one in node.names]:
                return _made(importlib.import_module(home), name)
    raise LookupError(f"{module.__name__} does not say where {name} is made")


def _with_fields(module: ModuleType, made: ast.ClassDef) -> ast.ClassDef:
    """A class with the fields it has from shapes of its module: whoever writes it writes them too."""
    bases = [one.id for one in made.bases if isinstance(one, ast.Name)]
    shapes = [
        node
        for node, _ in _statements(module.__name__)
        if isinstance(node, ast.ClassDef)
        and node.name in bases
        and (
            issubclass(getattr(module, node.name), BaseModel)
            or is_dataclass(getattr(module, node.name))
        )
    ]
    fields = [line for shape in shapes for line in shape.body[1:]]
    return ast.ClassDef(
        made.name, made.bases, made.keywords, [*fields, *made.body[bool(fields) :]], []
    )


@cache
def _statements(module: str) -> list[tuple[ast.stmt, str]]:
    tree = ast.parse(inspect.getsource(importlib.import_module(module)))
    return list(_with_string_beneath(tree.body))


def _with_string_beneath(body: list[ast.stmt]) -> Iterator[tuple[ast.stmt, str]]:
    for here, below in zip(body, [*body[1:], ast.Pass()], strict=True):
        match below:
            case ast.Expr(value=ast.Constant(value=str(says))):
                yield here, inspect.cleandoc(says)
            case _:
                yield here, ""


def _name(path: str, node: Statement, says: str) -> Name:
    called = path.rsplit(".", 1)[1]
    match node:
        case ast.ClassDef():
            parts = list(_parts(path, node))
            return Name(path, f"class {called}", says, parts)
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            return Name(path, _signature(node), says)
        case _:
            return Name(path, f"{called} = {ast.unparse(node)}", says)


def _parts(path: str, made: ast.ClassDef) -> Iterator[Name]:
    for node, beneath in _with_string_beneath(made.body):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not node.name.startswith("_"):
                yield Name(f"{path}.{node.name}", _signature(node), ast.get_docstring(node) or "")
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                yield Name(f"{path}.{name}", _field(node), beneath, is_field=True)


def _field(node: ast.AnnAssign) -> str:
    shape = f"{ast.unparse(node.target)}: {ast.unparse(node.annotation)}"
    if node.value is None:
        return shape
    # How a default is made is not for whoever writes the field.
    match node.value:
        case ast.Call(func=ast.Name(id="Field"), keywords=[ast.keyword("default", value), *_]):
            default = ast.unparse(value)
        case _:
            default = ast.unparse(node.value)
    return f"{shape} = …" if default.startswith("field(") else f"{shape} = {default}"


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    takes = re.sub(r"^(self|cls)(, /)?(, )?", "", ast.unparse(node.args))
    gives = ast.unparse(node.returns) if node.returns is not None else "None"
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    if {"property", "cached_property"} & set(decorators):
        return f"{node.name}: {gives}"
    opens = "async " if isinstance(node, ast.AsyncFunctionDef) else ""
    if "asynccontextmanager" in decorators:
        opens = "async with "
    return f"{opens}{node.name}({takes}) -> {gives}"

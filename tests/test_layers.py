"""The rooms keep to their order. `lint-imports` proves most of it; these are what it cannot see."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "bancada"
MODULES = sorted(SOURCE.rglob("*.py"))


def named(module: Path) -> str:
    return str(module.relative_to(SOURCE.parent))


def imports(node: ast.AST, package: list[str]) -> Iterator[str]:
    """Full names of what an import statement imports, relative ones resolved."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = package[: len(package) - node.level + 1] if node.level else []
        yield ".".join([*base, *(node.module or "").split(".")]).strip(".")


def ours(name: str) -> bool:
    return name == "bancada" or name.startswith("bancada.")


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_no_import_of_ours_hides_inside_a_function(module: Path) -> None:
    if SOURCE / "cli" in module.parents:
        pytest.skip("the command line imports late, to start quickly")
    package = list(module.relative_to(SOURCE.parent).parent.parts)
    tree = ast.parse(module.read_text("utf-8"))
    functions = (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
    hidden = {
        f"line {node.lineno}: {name}"
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in imports(node, package)
        if ours(name)
    }
    assert not hidden


def test_a_pack_imports_public_names_and_itself_only() -> None:
    strays = []
    for pack in sorted(p for p in (SOURCE / "packs").iterdir() if p.is_dir()):
        for module in sorted(pack.rglob("*.py")):
            package = list(module.relative_to(SOURCE.parent).parent.parts)
            for node in ast.walk(ast.parse(module.read_text("utf-8"))):
                for name in imports(node, package):
                    itself = f"{name}.".startswith(f"bancada.packs.{pack.name}.")
                    if ours(name) and name != "bancada" and not itself:
                        strays.append(f"{named(module)}: {name}")
    assert not strays


def contracts() -> dict[str, dict[str, object]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}


def test_every_room_is_named_in_the_contracts() -> None:
    rooms = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    rooms |= {path.stem for path in SOURCE.glob("*.py") if path.stem != "__init__"}
    layers = str(contracts()["rooms"]["layers"])
    forbidden = str(contracts()["packs"]["forbidden_modules"])

    assert {room for room in rooms if not re.search(rf"\b{room}\b", layers)} == set()
    assert {room for room in rooms if f"'bancada.{room}'" not in forbidden} == {"packs"}


def test_every_pack_is_kept_apart_from_the_others() -> None:
    packs = {f"bancada.packs.{path.parent.name}" for path in SOURCE.glob("packs/*/__init__.py")}
    assert set(contracts()["apart"]["modules"]) == packs  # type: ignore[call-overload]


def test_no_two_classes_have_the_same_name() -> None:
    """Who reads `Frame` in a traceback or looks for it must find one."""
    places: dict[str, list[str]] = {}
    for module in MODULES:
        for node in ast.parse(module.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(named(module))

    assert {name: found for name, found in places.items() if len(found) > 1} == {}

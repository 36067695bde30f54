"""What is imported is declared, and what is declared is imported."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
OURS = {"bancada", "bench", "public_names", "scripts", "somewhere", "tests"}
"""`somewhere` is nowhere: a test of annotations that cannot be read names it."""

UNSEEN = {
    "dbos": "imported by name, where the runner is the cluster's",
    "greenlet": "SQLAlchemy needs it to await",
    "obstore": "imported by name, where it is installed",
    "openpyxl": "for code in the jail",
    "opentelemetry-exporter-otlp-proto-http": "imported by name, where it is installed",
    "opentelemetry-sdk": "imported by name, where it is installed",
    "pandas": "for code in the jail",
    "python-multipart": "FastAPI reads uploads with it",
    "statsmodels": "for code in the jail",
}
COMMANDS = {
    "editables",
    "hatchling",
    "import-linter",
    "mypy",
    "pytest-asyncio",
    "pytest-timeout",
    "pytest-xdist",
    "ruff",
}
"""Development packages that are run or plugged in, not imported."""


def names(requirements: Iterable[str]) -> set[str]:
    found = (re.match(r"[\w.-]+", requirement) for requirement in requirements)
    return {re.sub(r"[-_.]+", "-", match.group()).lower() for match in found if match}


def imported(*folders: str) -> dict[str, set[str]]:
    """Top-level modules of others that these folders import, with the packages that bring them."""
    modules: set[str] = set()
    found = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    # A peer's driver runs in the peer's own environment.
    for path in (path for path in found if path.parent != ROOT / "bench" / "drivers"):
        if "node_modules" in path.parts:
            continue
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules.add(node.module.split(".")[0])
    # What we declare is the package that brings the other two.
    brought = {**packages_distributions(), "pydantic_monty": ["pydantic-monty"]}
    others = modules - set(sys.stdlib_module_names) - OURS
    return {module: names(brought.get(module, [module])) for module in others}


RUNTIME = names(PROJECT["project"]["dependencies"])
EXTRAS = PROJECT["project"]["optional-dependencies"]
OPTIONAL = names(one for name, extra in EXTRAS.items() if name != "all" for one in extra)
GROUPS = PROJECT["dependency-groups"]
DEVELOPMENT = names([*GROUPS["build"], *(one for one in GROUPS["dev"] if isinstance(one, str))])


def test_what_the_house_imports_is_declared() -> None:
    strays = {m: by for m, by in imported("src").items() if not by & (RUNTIME | OPTIONAL)}
    assert strays == {}


def test_what_is_declared_is_imported_or_it_is_said_why_not() -> None:
    used = set().union(*imported("src").values())
    assert (RUNTIME | OPTIONAL) - used - set(UNSEEN) == set()
    assert set(UNSEEN) & used == set(), "these are imported by now"


def test_development_packages_are_declared_and_used() -> None:
    here = imported("tests", "bench", "scripts")
    known = RUNTIME | OPTIONAL | DEVELOPMENT
    assert {module: by for module, by in here.items() if not by & known} == {}
    used = set().union(*here.values())
    assert DEVELOPMENT - used - COMMANDS == set()


def test_all_brings_every_extra_and_so_does_the_lock() -> None:
    (everything,) = EXTRAS["all"]
    assert set(re.findall(r"\w+", everything)) == {"bancada"} | set(EXTRAS) - {"all"}
    for lock in ("runtime.lock", "dev.lock"):
        text = (ROOT / "requirements" / lock).read_text("utf-8")
        pinned = names(line for line in text.splitlines() if re.match(r"[\w.-]+==", line))
        assert pinned >= OPTIONAL | RUNTIME


def test_what_is_locked_twice_is_locked_alike() -> None:
    """`make run` installs the smaller locks, `make install` the largest on top of them."""
    pinned = [
        set(
            re.findall(
                r"^[\w.-]+==[^ ;\\]+", (ROOT / f"requirements/{lock}.lock").read_text(), re.M
            )
        )
        for lock in ("build", "runtime", "dev")
    ]
    build, runtime, dev = pinned
    assert names(GROUPS["build"]) <= names(build)
    assert build <= dev
    assert runtime <= dev

"""Write the reference pages from the code: settings, events, HTTP and the names for Python.

`--check` only compares, and names the page that is out of date.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_type_hints

from public_names import MODULES, Name, public_names

from bancada.domain import events, news
from bancada.server.app import create_app
from bancada.settings import Settings
from bancada.settings import settings as settings_module

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
NOTE = "*Made from the code by `make docs`; change the code, not this page.*"


def main() -> int:
    pages = {
        "settings.md": settings_page(),
        "events.md": events_page(),
        "http.md": http_page(),
        "python.md": python_page(),
    }
    stale = []
    for name, text in pages.items():
        path = FOLDER / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if "--check" not in sys.argv:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if "--check" in sys.argv and stale:
        print(f"Out of date: {', '.join(stale)}. Run `make docs`.")
        return 1
    return 0


def settings_page() -> str:
    """Every setting, with the sentence that stands beneath it in the code."""
    said = docstrings_of(settings_module, "Settings")
    rows = ["| environment | `bancada.toml` | default | |", "|---|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "" if field.default is None or field.is_required() else f"`{field.default}`"
        env = f"`{field.alias}`" if field.alias else "–"
        rows.append(f"| {env} | `{name}` | {default} | {said.get(name, '')} |")
    return "\n".join(
        [
            "# Settings",
            "",
            NOTE,
            "",
            "Read from the environment, then a `.env` in the working folder, then `bancada.toml` in the",
            "data folder. The first that says something counts.",
            "",
            *rows,
            "",
        ]
    )


def docstrings_of(module: Any, class_name: str) -> dict[str, str]:
    """The string beneath each attribute of a class: what it is for."""
    tree = ast.parse(inspect.getsource(module))
    found: dict[str, str] = {}
    for node in tree.body:
        if not (isinstance(node, ast.ClassDef) and node.name == class_name):
            continue
        for here, below in zip(node.body, node.body[1:], strict=False):
            if (
                isinstance(here, ast.AnnAssign)
                and isinstance(here.target, ast.Name)
                and isinstance(below, ast.Expr)
                and isinstance(below.value, ast.Constant)
            ):
                found[here.target.id] = " ".join(str(below.value.value).split())
    return found


def events_page() -> str:
    """Every event of a turn, in the order they are declared."""
    parts = [
        "# Events",
        "",
        NOTE,
        "",
        'One SSE frame an event: `id: <turn>-<n>` and `data: {"type": …}`. Numbers only grow.',
        "",
    ]
    parts += _events(events.EVENTS, "##")
    parts += [
        "## One stream a person",
        "",
        "`GET /me/events` tells a person what is theirs, whichever process serves it: one SSE frame an",
        'event, `id: <n>` and `data: {"type": …}`, numbers of their own that only grow. With',
        "`Last-Event-ID` it goes on exactly from there; what is older than a week is forgotten, and then",
        "`here` is not `complete`. A comment keeps the connection alive every 15 s. It ends at once when",
        "the session or key it was opened with does. News say that something changed; what it is now is",
        "read at `/confirmations/{id}` or `/conversations/{id}`.",
        "",
    ]
    return "\n".join([*parts, *_events(news.NEWS, "###")])


def _events(kinds: Mapping[str, Any], heading: str) -> list[str]:
    parts: list[str] = []
    for type_name, kind in kinds.items():
        doc = inspect.getdoc(kind) or ""
        if doc.startswith(f"{kind.__name__}("):
            doc = 'A render tool ran; `data` carries `{"widget": …}`.'
        parts += [f"{heading} `{type_name}`", "", doc, "", "| field | type |", "|---|---|"]
        hints = get_type_hints(kind)
        for field in kind.__dataclass_fields__:
            if field != "type":
                parts.append(f"| `{field}` | `{_type(hints[field])}` |")
        parts.append("")
    return parts


def _type(hint: Any) -> str:
    text = str(hint).replace("typing.", "").replace("<class '", "").replace("'>", "")
    return text.replace("|", "\\|").replace("NoneType", "None")


def http_page() -> str:
    """Every route, from the OpenAPI description that the server itself gives."""
    schema = create_app(Settings()).openapi()
    parts = [
        "# HTTP",
        "",
        NOTE,
        "",
        "JSON in and out; errors are problem details (`application/problem+json`) with a `detail` a",
        "person can read. Send `Authorization: Bearer <token or API key>`. The full description is at",
        "`/openapi.json` of a running server.",
        "",
        "With an `Idempotency-Key` of your choice, questions, uploads, decisions and tool runs are done",
        "once, however often they are sent: within 24 hours the same key with the same request brings the",
        "same outcome (for a question, the events of the same turn), also after a crash. What was refused",
        "may be sent again. The same key with another request is 422; while another process is still at",
        "it, 409 with `Retry-After`. Keys are each person's own.",
        "",
    ]
    by_tag: dict[str, list[str]] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            tag = (operation.get("tags") or ["other"])[0]
            says = textwrap.shorten(
                (operation.get("description") or operation.get("summary") or "").replace("|", "/"),
                200,
            )
            codes = ", ".join(sorted(operation.get("responses", {})))
            by_tag.setdefault(tag, []).append(f"| `{method.upper()} {path}` | {says} | {codes} |")
    for tag in sorted(by_tag):
        parts += [f"## {tag}", "", "| route | | answers |", "|---|---|---|", *by_tag[tag], ""]
    return "\n".join(parts)


def python_page() -> str:
    """Every public name, with what its docstring says."""
    parts = [
        "# Python",
        "",
        NOTE,
        "",
        "What a pack may import: `bancada`, and in its tests `bancada.testing`. Everything else is inside.",
        "",
    ]
    for module in MODULES:
        parts += [f"## `{module.__name__}`", ""]
        for name in public_names(module):
            called = name.path.removeprefix(f"{module.__name__}.")
            parts += [f"### `{called}`", "", "```", name.shape, "```", "", name.says, ""]
            if name.parts:
                parts += ["| | |", "|---|---|", *map(_row, name.parts), ""]
    return "\n".join(parts)


def _row(part: Name) -> str:
    cells = (f"`{part.shape}`", " ".join(part.says.split()))
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    sys.exit(main())

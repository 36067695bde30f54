"""The Python in the documentation runs, and the reference pages say what the code says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bancada.engine.workbench import open_workbench
from bancada.settings import load_settings

ROOT = Path(__file__).resolve().parents[2]
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page: str) -> str:
    found = PYTHON.findall((ROOT / page).read_text(encoding="utf-8"))
    assert found, f"{page} shows no Python any more"
    return "\n".join(found)


@pytest.mark.parametrize("page", ["docs/tutorial.md", "README.md"])
def test_the_python_on_the_page_runs(page: str) -> None:
    exec(compile(blocks(page), page, "exec"), {"__name__": "page"})


def test_the_reference_pages_are_what_the_code_says() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/reference.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


async def test_every_tool_is_described(tmp_path: Path) -> None:
    bench = await open_workbench(
        load_settings(data=tmp_path, demo=True, environment={}, password_cost=1)
    )
    try:
        silent = [tool.name for tool in bench.registry if len(tool.description.strip()) < 20]
        assert silent == []
    finally:
        await bench.close()


def test_every_public_name_says_what_it_is_for() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from public_names import undocumented
    finally:
        sys.path.remove(str(ROOT / "scripts"))
    assert undocumented() == []


def test_every_picture_is_linked_by_a_page_and_is_there() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    linked = {
        (page.parent / place).resolve()
        for page in pages
        for place in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text("utf-8"))
    }
    assert {path for path in linked if not path.is_file()} == set()
    assert set((ROOT / "docs" / "screenshots").iterdir()) - linked == set()

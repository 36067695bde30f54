"""The package: everything the program reads is in it, the built page too."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src"


def test_the_wheel_holds_every_file_of_the_program_and_the_built_page(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    ours = {
        path.relative_to(SOURCE).as_posix()
        for path in (SOURCE / "bancada").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert ours - held == set()
    assert "bancada/server/static/index.html" in held
    assert not [name for name in held if name.startswith(("tests/", "bench/"))]

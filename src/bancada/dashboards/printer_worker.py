"""Sets a page: a process of its own, so that nothing it does holds the server up.

It reads one JSON object from its input and writes the PDF, or pictures of its pages for tests, to
its output. What people and models wrote comes as data; the layout is ours.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

import typst

MEMORY = 2_000_000_000
SECONDS = 40


def main() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    job = json.load(sys.stdin)
    layout = Path(__file__).with_name("report.typ").read_bytes()
    with tempfile.TemporaryDirectory() as nothing:
        made: Any = typst.compile(  # type: ignore[type-var]
            layout,
            root=Path(nothing),
            ignore_system_fonts=True,
            format=job.get("format", "pdf"),
            sys_inputs={"report": json.dumps(job["report"])},
        )
    sys.stdout.buffer.write(made if isinstance(made, bytes) else made[0])


if __name__ == "__main__":
    main()

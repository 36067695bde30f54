"""Has reports set on paper, in a process of their own."""

from __future__ import annotations

import asyncio
import logging
import sys
from pathlib import Path
from typing import Literal

from bancada.domain.errors import BadAnswer
from bancada.domain.json import JSONObject, dumps

log = logging.getLogger("bancada.reports")

SECONDS = 45.0
AT_ONCE = 2
_WORKER = Path(__file__).with_name("printer_worker.py")
_places = asyncio.Semaphore(AT_ONCE)


async def printed(report: JSONObject, format: Literal["pdf", "png"] = "pdf") -> bytes:
    """The report as a PDF, or its first page as a picture."""
    job = dumps({"report": report, "format": format}).encode()
    async with _places:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            str(_WORKER),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env={},
        )
        try:
            async with asyncio.timeout(SECONDS):
                made, problem = await process.communicate(job)
        except TimeoutError:
            made, problem = b"", b"it took too long"
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
    if process.returncode != 0 or not made:
        log.error("a report could not be set: %s", problem.decode("utf-8", "replace")[-2000:])
        raise BadAnswer("report_failed")
    return made

"""Tracebacks that name the cell and the libraries, and nothing of where the server keeps them."""

from __future__ import annotations

import os
import sys
import threading
import traceback
import warnings
from typing import Any

_OURS = os.path.dirname(os.path.abspath(__file__))
_CELLS = "/tmp/"  # noqa: S108 - where cells are said to be
_FRAMES = 12


def _places() -> list[str]:
    """Where libraries lie, the innermost first."""
    found = {os.path.dirname(os.__file__), *(os.path.abspath(path) for path in sys.path if path)}
    return sorted((f"{path}/" for path in found if path != "/"), key=len, reverse=True)


def shortened(text: str) -> str:
    """`pandas/core/frame.py` for the path it has on this machine."""
    for place in _places():
        text = text.replace(place, "")
    return text


def install() -> None:
    """However code shows a traceback or a warning, it is shown so."""
    shown = traceback.StackSummary.format_frame_summary

    def format_frame_summary(
        stack: traceback.StackSummary, frame: traceback.FrameSummary, **how: Any
    ) -> str | None:
        if frame.filename.startswith(_OURS):
            return None
        path, _ = frame.filename, frame.line  # the line is looked up by the real path
        frame.filename = shortened(path)
        try:
            return shown(stack, frame, **how)
        finally:
            frame.filename = path

    traceback.StackSummary.format_frame_summary = format_frame_summary  # type: ignore[assignment, method-assign]
    warned = warnings.formatwarning

    def formatwarning(message: Any, category: Any, filename: str, *rest: Any, **how: Any) -> str:
        return warned(message, category, shortened(filename), *rest, **how)

    warnings.formatwarning = formatwarning
    threading.excepthook = _in_thread


def _in_thread(failed: Any) -> None:
    if failed.exc_type is not SystemExit:
        name = failed.thread.name if failed.thread is not None else "?"
        sys.stderr.write(f"Exception in thread {name}:\n{described(failed.exc_value)}")


def described(raised: BaseException) -> str:
    """The whole traceback, within bounds, whatever is wrong with the exception itself."""
    try:
        found = traceback.TracebackException.from_exception(raised, limit=-200)
        _forget_our_frames(found)
        return shortened("".join(found.format()))
    except BaseException as failure:  # a hostile __str__, or no memory left to say it
        return f"{type(raised).__name__} ({type(failure).__name__} while it was described)\n"


def _forget_our_frames(found: traceback.TracebackException | None, depth: int = 0) -> None:
    if found is None or depth > 8:
        return
    frames = [frame for frame in found.stack if not frame.filename.startswith(_OURS)]
    own = [at for at, frame in enumerate(frames) if frame.filename.startswith(_CELLS)]
    frames = frames[own[0] :] if own else frames  # above the cell is what runs it
    found.stack = traceback.StackSummary.from_list(frames[-_FRAMES:])
    for inner in (found.__cause__, found.__context__, *(found.exceptions or ())):
        _forget_our_frames(inner, depth + 1)

"""Inside the walls: read a cell, run it, say how it ended.

Nothing here is trusted by the host once the first cell has run; it is written so that ordinary
code behaves, not to hold back hostile code. That is the kernel's part.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import inspect
import io
import linecache
import os
import socket
import sys
import tempfile
import traceback
import types
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bancada.sandbox import guest_files, guest_plots, guest_traces, repeat
from bancada.sandbox.bridge import Bridge, ToolError, encode
from bancada.sandbox.excerpt import excerpt
from bancada.sandbox.guest_traces import described
from bancada.sandbox.sandbox import Limits

_ERROR_CHARS = 1_900


@dataclass(frozen=True)
class GuestFolders:
    """Where a container finds itself: its home, and its read-only files."""

    home: str
    data: str
    writable: bool

    @property
    def output(self) -> str:
        return f"{self.home}/output" if self.writable else self.data

    @property
    def temporary(self) -> str:
        return os.path.join(self.home, "tmp") if self.writable else self.home

    def prepare(self) -> None:
        os.makedirs(f"{self.home}/output")
        os.makedirs(self.temporary)


def warm() -> None:
    """Do once, before any fork, what the first cell would otherwise pay for."""
    traceback.format_exception(ValueError("warm"))
    loop = repeat.GuestLoop()
    loop.run_until_complete(asyncio.sleep(0))
    loop.close()


def serve(
    line: socket.socket,
    place: GuestFolders,
    limits: Limits,
    seed: int | None,
    started_at: float | None,
) -> None:
    """Answer the host until it goes away."""
    _settle(place)
    guest_traces.install()
    guest_plots.install(place.temporary)
    clock = repeat.arrange(seed, started_at)
    bridge = Bridge(line)
    asyncio.set_event_loop_policy(repeat.GuestPolicy())
    loop = repeat.GuestLoop()
    asyncio.set_event_loop(loop)
    repeat.allow_nested_run(asyncio)
    repeat.start_in_order(asyncio)
    outputs: guest_files.Outputs | guest_files.MemoryFiles
    if place.writable:
        outputs = guest_files.Outputs(place.output, limits)
    else:
        outputs = guest_files.MemoryFiles(place.data, limits)
        outputs.install()
    cells = Cells(bridge, loop)
    bridge.send({"ready": True})
    while True:
        order = bridge.next_order()
        if order is None:
            os._exit(0)
        if "evaluate" in order:
            answer = evaluate(order, bridge)
            _flush()
            bridge.send_line(answer)
            continue
        if clock is not None and order["now"] is not None:
            clock.not_before(order["now"])
        code, error = cells.run(order)
        not_kept = outputs.collect(bridge.send)
        bridge.send({"done": code, "number": order["number"], "error": error + not_kept})


def _settle(place: GuestFolders) -> None:
    """Streams, folders and environment of a container."""
    os.chdir(place.output)
    os.environ.clear()
    os.environ.update(HOME=place.home, LANG="C.UTF-8", TMPDIR=place.temporary, TZ="UTC")
    tempfile.tempdir = place.temporary
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    # By lines, so that code which is ended early has said what it printed.
    sys.stdout = _stream(1)
    sys.stderr = _stream(2)
    sys.path[:] = [path for path in sys.path if os.path.isdir(path) and path != "/"]
    sys.argv[:] = [""]


def _stream(descriptor: int) -> io.TextIOWrapper:
    raw = io.BufferedWriter(io.FileIO(descriptor, "w", closefd=False), 1 << 15)
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", line_buffering=True)


class Cells:
    """The cells of one container: they share one module's globals and one event loop."""

    def __init__(self, bridge: Bridge, loop: asyncio.AbstractEventLoop) -> None:
        self._bridge = bridge
        self._loop = loop
        module = types.ModuleType("__main__")
        module.__dict__.update(__builtins__=builtins, ToolError=ToolError)
        sys.modules["__main__"] = module
        self._globals = module.__dict__
        self._functions: set[str] = set()

    def run(self, order: dict[str, Any]) -> tuple[int, str]:
        """Run one cell: its return code, and its traceback if it ended in one."""
        self._offer(order["functions"])
        name = f"/tmp/{order['cell']}/cell.py"  # noqa: S108 - a name in tracebacks
        source: str = order["code"]
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        code, error = 0, ""
        try:
            compiled = compile(source, name, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            if compiled.co_flags & inspect.CO_COROUTINE:
                self._loop.run_until_complete(self._awaited(compiled))
            else:
                exec(compiled, self._globals)  # noqa: S102 - what we are for
        except SystemExit as leaving:
            code, error = _exit_status(leaving)
        except BaseException as raised:
            code, error = 1, excerpt(described(raised), _ERROR_CHARS)
        self._cancel_rest()
        _flush()
        return code, error

    async def _awaited(self, compiled: types.CodeType) -> None:
        awaiting = eval(compiled, self._globals)  # noqa: S307 - the cell's own coroutine
        if inspect.isawaitable(awaiting):
            await awaiting

    def _offer(self, functions: list[tuple[str, str, list[str]]]) -> None:
        """Bind this cell's functions, and take back those it may no longer call."""
        names = {name for name, _, _ in functions}
        for name in self._functions - names:
            self._globals.pop(name, None)
        for name, tool, parameters in functions:
            self._globals[name] = self._bridge.function(name, tool, tuple(parameters))
        self._functions = names

    def _cancel_rest(self) -> None:
        """Tasks end with the cell that started them."""
        try:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            if tasks:
                self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        except BaseException as raised:
            sys.stderr.write(described(raised))


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        # Closed or replaced by the cell: what it had written before is out already.
        with suppress(OSError, ValueError, AttributeError):
            stream.flush()


def _exit_status(leaving: SystemExit) -> tuple[int, str]:
    if leaving.code is None:
        return 0, ""
    if isinstance(leaving.code, int):
        return leaving.code & 0xFF, ""
    return 1, f"{leaving.code}\n"


def evaluate(order: dict[str, Any], bridge: Bridge) -> bytes:
    """Run code of ours on data we do not trust: the value of `result`, or what was raised."""
    names: dict[str, Any] = {
        "__name__": "evaluation",
        "input": order["input"],
        "result": None,
        "tell": lambda share: bridge.send({"progress": float(share)}),
    }
    try:
        exec(compile(order["evaluate"], "<evaluation>", "exec"), names)  # noqa: S102
        answer = encode({"result": names["result"]})
        if len(answer) > order["max_bytes"]:
            return _failed(
                "ResultTooLarge", f"the result is larger than {order['max_bytes']} bytes"
            )
        return answer
    except BaseException as raised:
        try:
            return _failed(type(raised).__name__, str(raised))
        except BaseException:
            return _failed(type(raised).__name__, "")


def _failed(type: str, message: str) -> bytes:
    return encode({"failed": [type[:100], message[:2_000]]})

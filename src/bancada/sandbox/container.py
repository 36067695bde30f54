"""One container, seen from the host: a process, a wire, two pipes and whoever uses them now."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import orjson

from bancada.domain.json import JSON
from bancada.sandbox.answers import Beginning, Evaluation
from bancada.sandbox.cell import Cell, CellBudget, CellEnd, explained
from bancada.sandbox.excerpt import excerpt
from bancada.sandbox.orders import Spawn
from bancada.sandbox.process import Zygote
from bancada.sandbox.sandbox import (
    CallTool,
    Clock,
    CodeResult,
    ContainerEnded,
    Ended,
    EvaluationFailed,
    EvaluationTimedOut,
    Function,
    Limits,
    SandboxError,
)
from bancada.sandbox.wire import Output, Violation, Wire

_READY_SECONDS = 15
_KILLED = 137
_SMALL_MESSAGE = 1 << 16
_EXIT_SECONDS = 10
_LOOK_SECONDS = 0.1


class Container:
    """One walled-in interpreter; its walls are the kernel's. Its globals live from cell to cell
    until it ends.

    Between cells its process is stopped, so a thread that a cell left behind neither computes
    nor prints until the next cell runs.
    """

    def __init__(self, id: str, limits: Limits, idle_seconds: float) -> None:
        self.id = id
        self.created_at = datetime.now(UTC)
        self._rested_at = self.created_at
        self.data_folder = "/data"
        """Where its read-only files appear inside: here wherever there are mount namespaces."""
        self.disk: Path | None = None
        """The host's folder that it may fill, where it was opened with one; goes when it ends."""
        self.belongs_to: str | None = None
        self.shares_threads = False
        """Whether the kernel counts its threads together with those of other containers."""
        self._looking: asyncio.TimerHandle | None = None
        self.pid = 0
        self.limits = limits
        self._idle_seconds = idle_seconds
        self._handle = -1
        # A second cell would read the first one's answers: both use the one wire and its outputs.
        self._turn = asyncio.Lock()
        self._user: Cell | Evaluation | Beginning | None = None
        self._seen: set[int] = set()
        self._granted: frozenset[str] | None = None
        self._cells = 0
        self._expiry: asyncio.TimerHandle | None = None
        self._leaving: list[Callable[[], None]] = []
        self._exited: asyncio.Future[None] | None = None
        self._cleaning: list[Callable[[], None]] = []
        self._gone: Ended | None = None

    @property
    def alive(self) -> bool:
        return self._gone is None

    @property
    def expires_at(self) -> datetime:
        """When it is reclaimed unless it is used before."""
        since = datetime.now(UTC) if self.busy else self._rested_at
        return since + timedelta(seconds=self._idle_seconds)

    @property
    def busy(self) -> bool:
        return self._turn.locked()

    def rests_for(self, seconds: float) -> bool:
        """Whether nothing has run in it for so long."""
        rested = datetime.now(UTC) - self._rested_at
        return self.alive and bool(self.pid) and not self.busy and rested.total_seconds() >= seconds

    def when_gone(self, do: Callable[[], None]) -> None:
        """Called once, when the container has ended; at once if it has."""
        if self.alive:
            self._leaving.append(do)
        else:
            do()

    def when_exited(self, do: Callable[[], None]) -> None:
        """Called once, when its process is no more: until then it could fill what `do` clears."""
        if self.alive or self._handle >= 0:
            self._cleaning.append(do)
        else:
            do()

    def renew(self) -> None:
        """Forget a beginning that failed, so that another may be tried."""
        self._gone = None
        self._exited = None
        self._handle = -1

    async def begin(self, zygote: Zygote, order: Spawn) -> None:
        """Be forked, and hear that every wall stands."""
        ours, theirs = socket.socketpair()
        out, their_out = os.pipe()
        err, their_err = os.pipe()
        self._user = beginning = Beginning()
        self._wire = Wire(ours, self._received, self._wire_ended)
        self._out = Output(out, lambda: self._kill("output"))
        self._err = Output(err, lambda: self._kill("output"))
        for output in (self._out, self._err):
            output.begin(self.limits.stderr_chars, self.limits.output_bytes)
        try:
            descriptors = [theirs.fileno(), their_out, their_err]
            self.pid, self._handle = await zygote.spawn(order, descriptors)
            async with asyncio.timeout(_READY_SECONDS):
                await beginning.outcome
        except BaseException as error:
            self._user = None  # nobody waits to be told that it ended
            self._kill("stopped")
            if isinstance(error, TimeoutError):
                raise SandboxError("the container did not start in time") from error
            raise
        finally:
            self._user = None
            theirs.close()
            os.close(their_out)
            os.close(their_err)
        self._rest()

    async def run(
        self,
        code: str,
        *,
        functions: Sequence[Function] = (),
        call: CallTool | None = None,
        seconds: float = 30,
        tool_seconds: float = 270,
        clock: Clock = "all",
        name: str | None = None,
        now: float | None = None,
    ) -> CodeResult:
        """Run one cell; `name` stands in its tracebacks as `/tmp/<name>/cell.py`.

        A container that repeats itself starts the cell no earlier than `now`, so whoever wants the
        clock to move between cells keeps that number and gives it again at a replay.
        """
        async with self._turn:
            self._grant(functions)
            if "\0" in code or not _encodable(code):
                return CodeResult("", "The code is not text.\n", 1, (), "invalid_tool_input")
            self._wake()
            self._cells += 1
            cell = Cell(
                number=self._cells,
                pid=self.pid,
                functions=functions,
                call=call,
                budget=CellBudget(seconds, tool_seconds, clock),
                limits=self.limits,
                seen=self._seen,
                wire=self._wire,
                out_of_time=lambda: self._kill("time"),
            )
            self._user = cell
            cell.begin()
            self._wire.limit = self.limits.message_bytes
            self._wire.file_limit = self.limits.output_file_bytes * 4 // 3 + _SMALL_MESSAGE
            self._out.begin(self.limits.stdout_chars, self.limits.output_bytes)
            self._err.begin(self.limits.stderr_chars, self.limits.output_bytes)
            order = {
                "number": self._cells,
                "cell": name or f"cell_{self._cells}",
                "code": code,
                "functions": [(one.called, one.name, one.parameters) for one in functions],
                "now": now,
            }
            self._wire.send(orjson.dumps(order) + b"\n")
            try:
                outcome = await cell.outcome
            except BaseException:
                self._kill("stopped")
                await cell.close(wait=False)
                raise
            finally:
                self._user = None
            if outcome.ended is not None:
                self._kill(outcome.ended)
            else:
                self._rest()
            self._out.drain()
            self._err.drain()
            await cell.close(wait=outcome.ended is None)
            return self._result(cell, outcome, seconds)

    async def evaluate(
        self,
        code: str,
        input: JSON,
        *,
        seconds: float,
        max_bytes: int,
        progress: Callable[[float], None] | None = None,
    ) -> JSON:
        """Run code of ours on hostile data: `input` is bound, the value of `result` comes back.

        Where `progress` is given, it hears what the code tells by `tell(share)`.
        """
        async with self._turn:
            self._wake()
            self._user = evaluation = Evaluation(progress)
            self._wire.limit = max_bytes + _SMALL_MESSAGE
            self._wire.file_limit = 0
            for output in (self._out, self._err):
                output.begin(0, self.limits.output_bytes)
            order = {"evaluate": code, "input": input, "max_bytes": max_bytes}
            self._wire.send(orjson.dumps(order) + b"\n")
            try:
                async with asyncio.timeout(seconds):
                    value = await evaluation.outcome
            except TimeoutError:
                self._kill("time")
                raise EvaluationTimedOut(seconds) from None
            except Violation as violation:
                raise EvaluationFailed("Violation", str(violation)) from violation
            except BaseException as error:
                if not isinstance(error, EvaluationFailed):
                    self._kill("stopped")
                raise
            finally:
                self._user = None
                if self.alive:
                    self._rest()
            return value

    @asynccontextmanager
    async def paused(self) -> AsyncIterator[None]:
        """Stop every clock of the running cell, for as long as the host waits for a person."""
        cell = self._user
        if not isinstance(cell, Cell):
            yield
            return
        cell.pause()
        try:
            yield
        finally:
            cell.resume()

    async def end(self) -> None:
        """End it, and see it gone."""
        self._kill("stopped")
        await self.exited()

    async def exited(self) -> None:
        """Returns when a process that was ended is no more."""
        if self._exited is not None:
            await asyncio.wait({self._exited}, timeout=_EXIT_SECONDS)

    # --- turns

    def _grant(self, functions: Sequence[Function]) -> None:
        """Permissions belong to the container: a thread left behind must never gain any."""
        names = frozenset(function.name for function in functions)
        if self._granted is None:
            self._granted = names
        elif not names <= self._granted:
            more = ", ".join(sorted(names - self._granted))
            raise ValueError(f"a container's functions are fixed by its first cell; new: {more}")

    def _wake(self) -> None:
        if self._gone is not None:
            raise ContainerEnded(f"Container {self.id} has ended.")
        if self._expiry is not None:
            self._expiry.cancel()
        self._signal(signal.SIGCONT)
        if self.shares_threads:
            self._look_at_threads()

    def _look_at_threads(self) -> None:
        """End it when it takes more than its share: others could start none any more."""
        if not self.alive:
            return
        with suppress(OSError, ValueError, StopIteration):
            status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
            line = next(line for line in status.splitlines() if line.startswith("Threads:"))
            if int(line.split()[1]) > self.limits.threads:
                self._kill("threads")
                return
        loop = asyncio.get_running_loop()
        self._looking = loop.call_later(_LOOK_SECONDS, self._look_at_threads)

    def _rest(self) -> None:
        """Stop the process, and begin to count its idle time."""
        if self._looking is not None:
            self._looking.cancel()
        if not self.alive:
            return
        self._signal(signal.SIGSTOP)
        self._rested_at = datetime.now(UTC)
        loop = asyncio.get_running_loop()
        self._expiry = loop.call_later(self._idle_seconds, self._kill, "stopped")

    def _result(self, cell: Cell, outcome: CellEnd, seconds: float) -> CodeResult:
        why, error_code = explained(outcome.ended, seconds, self.limits)
        closing = (why or "") + outcome.error
        room = self.limits.stderr_chars
        closing = excerpt(closing, room)
        said = excerpt(self._err.text(), max(0, room - len(closing) - bool(closing)))
        if said and closing and not said.endswith("\n"):
            said += "\n"
        return CodeResult(
            stdout=self._out.text(),
            stderr=(said + closing)[:room],
            return_code=outcome.return_code,
            files=cell.files,
            error_code=error_code,
            ended=outcome.ended,
        )

    # --- what happens to it

    def _received(self, message: dict[str, Any], size: int) -> None:
        if self._user is None or self._user.outcome.done():
            # Nobody asked: a thread speaking between cells, or after the end it announced.
            raise Violation("a message that nobody waits for")
        self._user.message(message, size)

    def _wire_ended(self, violation: Violation | None) -> None:
        if violation is None:
            self._kill("crash")
            return
        user = self._user
        if isinstance(user, Cell):
            user.finish(CellEnd(_KILLED, f"({violation})\n", "protocol"))
        elif user is not None:
            user.fail(violation)
        self._kill("protocol")

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, number)

    def _kill(self, why: Ended) -> None:
        """End it now, whatever it is doing."""
        if self._gone is not None:
            return
        self._gone = why
        if self._expiry is not None:
            self._expiry.cancel()
        if self._handle >= 0:
            self._signal(signal.SIGKILL)
            loop = asyncio.get_running_loop()
            self._exited = loop.create_future()
            loop.add_reader(self._handle, self._exit)
        user = self._user
        if isinstance(user, Cell):
            user.finish(CellEnd(_KILLED, "", why))
        elif user is not None:
            user.fail(ContainerEnded(f"Container {self.id} ended before it answered."))
        self._wire.close()
        self._out.drain()
        self._err.drain()
        self._out.close()
        self._err.close()
        for leave in self._leaving:
            leave()

    def _exit(self) -> None:
        """Its process is no more."""
        asyncio.get_running_loop().remove_reader(self._handle)
        os.close(self._handle)
        self._handle = -1
        if self._exited is not None:
            self._exited.set_result(None)
        for clean in self._cleaning:
            clean()


def _encodable(code: str) -> bool:
    try:
        code.encode()
    except UnicodeEncodeError:
        return False
    return True

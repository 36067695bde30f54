"""A server that is a program of this machine: one JSON message a line, over its two pipes.

The SDK's own pipes keep a line of any length in memory. Here a line has an end, and a program
that writes more is ended.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

from bancada.mcp.connections.trouble import ServerTrouble
from bancada.mcp.connections.wire import MOST_BYTES

END_SECONDS = 2.0
"""How long a program may take to end by itself when its input closes, and again when it is told."""
_KEPT = ("HOME", "LANG", "LOGNAME", "PATH", "TZ", "USER")
"""What of our environment a program sees: nothing that could be a key."""


@dataclass(frozen=True, kw_only=True)
class ServerProgram:
    """What is started. `walls` puts it behind the jail's outer wall: no network, nothing of this
    machine but its libraries and the folders named; without, it may do what we may."""

    command: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: Path | None = None
    walls: bool = False
    folders: tuple[Path, ...] = ()


@asynccontextmanager
async def piped(program: ServerProgram) -> AsyncIterator[TransportStreams]:
    """Start it, and speak with it until the block ends; then it is ended, with all it started."""
    process = await _started(program)
    incoming_writer, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, outgoing_reader = anyio.create_memory_object_stream[SessionMessage](0)
    assert process.stdin is not None
    assert process.stdout is not None
    stdin, stdout = process.stdin, BufferedByteReceiveStream(process.stdout)

    async def read() -> None:
        async with incoming_writer:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                while (line := await _line(stdout)) is not None:
                    await incoming_writer.send(_message(line))

    async def write() -> None:
        async with outgoing_reader:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                async for sent in outgoing_reader:
                    text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                    await stdin.send(text.encode() + b"\n")

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            tasks.start_soon(write)
            yield incoming, outgoing
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _ended(process)


async def _started(program: ServerProgram) -> Process:
    env = {name: os.environ[name] for name in _KEPT if name in os.environ} | dict(program.env)
    command = list(program.command)
    if program.walls:
        behind = [sys.executable, "-s", "-P", "-B", "-m", "bancada.mcp.connections.walls"]
        command = [*behind, *(f"--show={folder}" for folder in program.folders), "--", *command]
    try:
        return await anyio.open_process(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
            cwd=program.cwd,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ServerTrouble(
            "unreachable", f"{program.command[0]} does not start: {error}"
        ) from error


async def _line(stdout: BufferedByteReceiveStream) -> bytes | None:
    """What it wrote up to the end of a line; none when it has ended."""
    try:
        return await stdout.receive_until(b"\n", MOST_BYTES)
    except (anyio.EndOfStream, anyio.IncompleteRead):
        return None
    except anyio.DelimiterNotFound:
        raise ServerTrouble(
            "wrong_answer", f"It wrote a message of more than {MOST_BYTES:,} bytes."
        ) from None


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        return error


async def _ended(process: Process) -> None:
    """By itself where it can, by force where it must, with every process it started."""
    assert process.stdin is not None
    await process.stdin.aclose()
    for how in (signal.SIGTERM, signal.SIGKILL):
        with anyio.move_on_after(END_SECONDS) as waited:
            await process.wait()
        if not waited.cancelled_caught:
            break
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
    with suppress(ProcessLookupError):  # what it left behind in its group
        os.killpg(process.pid, signal.SIGKILL)
    await process.aclose()

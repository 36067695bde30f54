"""A server that is a program of this machine: one JSON message a line, over its two pipes.

The SDK's own pipes keep a line of any length in memory. Here a line has an end, and a program
that writes more is ended.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import anyio
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter
from pydantic import ValidationError

from bancada.mcp.connections.trouble import ServerTrouble
from bancada.mcp.connections.wire import MOST_BYTES

log = logging.getLogger("bancada.mcp")

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

    async def read() -> None:
        assert process.stdout is not None
        async with incoming_writer:
            with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
                while line := await _line(process.stdout):
                    await incoming_writer.send(_message(line))

    async def write() -> None:
        assert process.stdin is not None
        async with outgoing_reader:
            with suppress(ConnectionError):
                async for sent in outgoing_reader:
                    text = sent.message.model_dump_json(by_alias=True, exclude_unset=True)
                    process.stdin.write(text.encode() + b"\n")
                    await process.stdin.drain()

    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            tasks.start_soon(write)
            yield incoming, outgoing
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await _ended(process)


async def _started(program: ServerProgram) -> asyncio.subprocess.Process:
    env = {name: os.environ[name] for name in _KEPT if name in os.environ} | dict(program.env)
    command = list(program.command)
    if program.walls:
        behind = [sys.executable, "-s", "-P", "-B", "-m", "bancada.mcp.connections.walls"]
        command = [*behind, *(f"--show={folder}" for folder in program.folders), "--", *command]
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=env,
            cwd=program.cwd,
            limit=MOST_BYTES,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        raise ServerTrouble(
            "unreachable", f"{program.command[0]} does not start: {error}"
        ) from error


async def _line(stdout: asyncio.StreamReader) -> bytes:
    try:
        return await stdout.readline()
    except ValueError:  # longer than the limit
        raise ServerTrouble(
            "wrong_answer", f"It wrote a message of more than {MOST_BYTES:,} bytes."
        ) from None


def _message(line: bytes) -> SessionMessage | Exception:
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValidationError as error:
        return error


async def _ended(process: asyncio.subprocess.Process) -> None:
    """By itself where it can, by force where it must, with every process it started."""
    assert process.stdin is not None
    process.stdin.close()
    for how in (signal.SIGTERM, signal.SIGKILL):
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), END_SECONDS)
            break
        with suppress(ProcessLookupError):
            os.killpg(process.pid, how)
    with suppress(ProcessLookupError):  # what it left behind in its group
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()

"""Code that awaits tools, run here: a cell in a container, every inner call through the gate.

What code asked and was told is journalled, so that a pause may outlive the process: the same
cells run again in a fresh container, answered from the journal, until it ends and calls are
live. The gate knows a call by its id, and the ids of inner calls are made from the code's id
and the call's number: no finished call runs twice, whatever is replayed.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass, field

from bancada.domain.calls import CODE_CALLER, Caller, Outcome, ToolCall, Waiting
from bancada.domain.events import Code
from bancada.domain.json import JSONObject, dumps
from bancada.domain.messages import Block
from bancada.engine import announce
from bancada.engine.codeblocks import RESULT, code_error, code_result, is_code_use
from bancada.engine.turn import Turn
from bancada.sandbox import (
    Answered,
    Asked,
    CodeAnswer,
    CodeCall,
    CodeResult,
    Container,
    ContainerEnded,
    Diverged,
    EndCode,
    Entry,
    Replay,
    Sandbox,
    SandboxError,
    TooManyContainers,
)

log = logging.getLogger("bancada.engine")

CELL_SECONDS = 90.0
TOOL_SECONDS = 270.0
HOLD_SECONDS = 60.0
"""How long a container waits for a person before it is ended; it comes back from its journal."""


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A cell that ended, in the record's blocks."""

    asked: list[Block]
    results: list[Block]
    output: Block
    container: JSONObject | None


class Suspended(EndCode):
    """Nobody decided in time: the container goes, the code goes on from its journal later."""


@dataclass
class CodeRun:
    """One `code_execution` call."""

    turn: Turn
    block: Block
    _calls: dict[int, tuple[ToolCall, Outcome | None]] = field(default_factory=dict)
    _waiting: dict[str, Waiting] = field(default_factory=dict)
    _under_way: int = 0
    _suspended: bool = False
    _sandbox: Sandbox = field(init=False)
    _container: Container | None = None

    @property
    def id(self) -> str:
        return str(self.block["id"])

    @property
    def code(self) -> str:
        return str((self.block.get("input") or {}).get("code") or "")

    async def run(self) -> Ran | Waiting:
        """Run the cell, or go on with it; a wait that outlives its container is a `Waiting`."""
        turn = self.turn
        if turn.open_sandbox is None:
            return await self._failed("unavailable")
        try:
            self._sandbox = await turn.open_sandbox()
        except SandboxError:
            log.exception("the sandbox did not start")
            return await self._failed("unavailable")
        journal = await turn.record.journal(self.id)
        try:
            home, container = await self._home(journal)
        except TooManyContainers:
            return await self._failed("too_many_requests")
        except (ContainerEnded, Diverged) as error:
            return await self._ended_badly(str(error))
        self._container = container
        replay = Replay(entries_of(journal), self._live, self._write)
        try:
            result = await container.run(
                self.code,
                functions=turn.functions,
                call=replay,
                seconds=CELL_SECONDS,
                tool_seconds=TOOL_SECONDS,
                clock="own",
                name=self.id,
                now=home["now"],
            )
            if not self._suspended:
                replay.finish()
        except Diverged as error:
            await container.end()
            return await self._ended_badly(str(error))
        except asyncio.CancelledError:
            await container.end()
            raise
        if self._suspended:
            await container.end()
            return next(iter(self._waiting.values()))
        return await self._ended(result, container, home)

    async def abandon(self) -> Ran:
        """The turn is over: end what still runs, and say that the code was stopped."""
        journal = await self.turn.record.journal(self.id)
        for entry in entries_of(journal):
            if isinstance(entry, Asked):
                call = self._call_of(CodeCall(entry.id, entry.name, entry.input))
                outcome = await self.turn.gate.refuse(
                    call, self.turn.situation, "The code was stopped.", "rejected"
                )
                self._calls[entry.id] = (call, outcome)
                await announce.ended(self.turn, call, outcome)
        output = code_result(self.id, stdout="", stderr="The code was stopped.", return_code=1)
        return Ran(asked=self._asked(), results=self._results(), output=output, container=None)

    # ------------------------------------------------------------------ the container

    async def _home(self, journal: list[tuple[str, JSONObject]]) -> tuple[JSONObject, Container]:
        """The container to run in: the conversation's own, or one brought back to where it was."""
        turn = self.turn
        began = next((body for kind, body in journal if kind == "began"), None)
        if began is not None:
            return began, await self._rebuilt(began)
        home = self._last_home()
        found = self._sandbox.find(home["id"]) if home is not None else None
        if home is None or found is None or not found.alive or home["files"] != turn.file_names:
            home = {
                "id": f"container_{secrets.token_hex(12)}",
                "seed": secrets.randbits(32),
                "started_at": time.time(),
                "files": turn.file_names,
            }
            found = await self._open(home)
        home = {**home, "now": time.time()}
        await turn.record.note(self.id, "began", home)
        return home, found

    async def _open(self, home: JSONObject) -> Container:
        return await self._sandbox.open(
            self.turn.files, id=home["id"], seed=home["seed"], started_at=home["started_at"]
        )

    def _last_home(self) -> JSONObject | None:
        for message in reversed(self.turn.messages):
            home = message.metadata.get("container")
            if message.kind == "code" and home:
                return dict(home)
        return None

    async def _rebuilt(self, home: JSONObject) -> Container:
        """A container that was lost, as it was when this cell began: its earlier cells run again."""
        await self._sandbox.end(home["id"])
        container = await self._open(home)
        for code_id, turn_id, code in self._earlier_cells(home["id"]):
            journal = await self.turn.record.journal(code_id, turn_id=turn_id)
            began = next((body for kind, body in journal if kind == "began"), home)
            replay = Replay(entries_of(journal), _nothing_is_live, _nothing_is_written)
            await container.run(
                code,
                functions=self.turn.functions,
                call=replay,
                seconds=CELL_SECONDS,
                clock="own",
                name=code_id,
                now=began["now"],
            )
            replay.finish()
        return container

    def _earlier_cells(self, container_id: str) -> list[tuple[str, str, str]]:
        """`(code id, turn id, code)` of every cell that ran in this container, in order."""
        homes: dict[str, str] = {}
        codes: dict[str, str] = {}
        cells: list[tuple[str, str, str]] = []
        for message in self.turn.messages:
            for block in message.content:
                if is_code_use(block):
                    codes[block["id"]] = str((block.get("input") or {}).get("code") or "")
                elif block.get("type") == RESULT:
                    homes[block["tool_use_id"]] = (message.metadata.get("container") or {}).get(
                        "id", ""
                    )
                    code_id = block["tool_use_id"]
                    if homes[code_id] == container_id and message.turn_id and code_id in codes:
                        cells.append((code_id, message.turn_id, codes[code_id]))
        return cells

    # ------------------------------------------------------------------ inner calls

    def _call_of(self, call: CodeCall) -> ToolCall:
        return ToolCall(
            id=f"toolu_{self.id.removeprefix('srvtoolu_')}_{call.id}",
            name=call.name,
            input=call.input,
            caller=Caller(type=CODE_CALLER, tool_id=self.id),
        )

    async def _live(self, asked: CodeCall) -> CodeAnswer:
        """One inner call, through the gate; waits here while a person decides."""
        turn, call = self.turn, self._call_of(asked)
        self._calls[asked.id] = (call, None)
        self._under_way += 1
        try:
            outcome = await turn.gate.call(call, turn.situation, on_start=self._started)
            while isinstance(outcome, Waiting):
                await announce.waits(turn, call, outcome)
                await self._until_decided(outcome)
                outcome = await turn.gate.call(call, turn.situation, on_start=self._started)
        finally:
            self._under_way -= 1
        self._calls[asked.id] = (call, outcome)
        await announce.ended(turn, call, outcome)
        return CodeAnswer(text_of_outcome(outcome), outcome.is_error)

    async def _started(self, call: ToolCall) -> None:
        await announce.started(self.turn, call)

    async def _until_decided(self, waiting: Waiting) -> None:
        """Hold the container while a person decides; after a while let it go."""
        assert self._container is not None
        turn, id = self.turn, waiting.confirmation_id
        self._waiting[id] = waiting
        async with self._container.paused():
            if len(self._waiting) == self._under_way:
                await turn.hold(list(self._waiting))
            if not await turn.decided(id, HOLD_SECONDS):
                self._suspended = True
                raise Suspended("The code waits for a person's decision.")
        self._waiting.pop(id, None)
        await turn.reload()
        await announce.decisions(turn)

    async def _write(self, entry: Entry) -> None:
        if isinstance(entry, Asked):
            body: JSONObject = {"id": entry.id, "name": entry.name, "input": entry.input}
            await self.turn.record.note(self.id, "asked", body)
        else:
            body = {
                "id": entry.id,
                "text": entry.text,
                "is_error": entry.is_error,
                "timed_out": entry.timed_out,
            }
            await self.turn.record.note(self.id, "answered", body)

    # ------------------------------------------------------------------ the end

    async def _ended(self, result: CodeResult, container: Container, home: JSONObject) -> Ran:
        if result.error_code is not None and not (result.stdout or result.stderr):
            return await self._failed(result.error_code)
        files = [await self.turn.keep_file(file) for file in result.files]
        stderr = result.stderr
        if result.error_code is not None:
            stderr = f"{stderr}\n{result.error_code}".strip()
        await self._replayed_calls()
        if self.turn.first_time("code", self.id):
            await self.turn.record.emit(
                Code(
                    id=self.id,
                    container=container.id,
                    stdout=result.stdout,
                    stderr=stderr,
                    return_code=result.return_code,
                    files=files,
                )
            )
        output = code_result(
            self.id,
            stdout=result.stdout,
            stderr=stderr,
            return_code=result.return_code,
            files=[_output_block(file) for file in files],
        )
        seen = {**home, "expires_at": container.expires_at.isoformat(timespec="seconds")}
        return Ran(asked=self._asked(), results=self._results(), output=output, container=seen)

    async def _failed(self, error_code: str) -> Ran:
        """The code did not run, or was ended with nothing to show: the wire's own error."""
        await self._replayed_calls()
        if self.turn.first_time("code", self.id):
            await self.turn.record.emit(
                Code(
                    id=self.id,
                    container=self._container.id if self._container else "",
                    stdout="",
                    stderr=error_code,
                    return_code=1,
                )
            )
        output = code_error(self.id, error_code)
        return Ran(asked=self._asked(), results=self._results(), output=output, container=None)

    async def _ended_badly(self, sentence: str) -> Ran:
        """The code could not be continued; the model reads why, and nothing ran again."""
        await self._replayed_calls()
        if self.turn.first_time("code", self.id):
            await self.turn.record.emit(
                Code(id=self.id, container="", stdout="", stderr=sentence, return_code=1)
            )
        output = code_result(self.id, stdout="", stderr=sentence, return_code=1)
        return Ran(asked=self._asked(), results=self._results(), output=output, container=None)

    async def _replayed_calls(self) -> None:
        """Calls that were answered from the journal belong to the record too."""
        for entry in entries_of(await self.turn.record.journal(self.id)):
            if isinstance(entry, Asked) and entry.id not in self._calls:
                call = self._call_of(CodeCall(entry.id, entry.name, entry.input))
                self._calls[entry.id] = (call, None)
        for id, (call, outcome) in sorted(self._calls.items()):
            if outcome is None:
                ended = await self.turn.gate.refuse(
                    call, self.turn.situation, "The code ended before this call did.", "rejected"
                )
                self._calls[id] = (call, ended)
                await announce.ended(self.turn, call, ended)
        still = [c for c in self._waiting if c]
        await self.turn.record.reject(still, "The code ended before this was decided.")

    def _asked(self) -> list[Block]:
        return [
            {
                "type": "tool_use",
                "id": call.id,
                "name": call.name,
                "input": call.input,
                "caller": call.caller.as_json(),
            }
            for _, (call, _) in sorted(self._calls.items())
        ]

    def _results(self) -> list[Block]:
        blocks: list[Block] = []
        for _, (call, outcome) in sorted(self._calls.items()):
            block: Block = {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": "" if outcome is None else text_of_outcome(outcome),
            }
            if outcome is None or outcome.is_error:
                block["is_error"] = True
            blocks.append(block)
        return blocks


def entries_of(journal: list[tuple[str, JSONObject]]) -> list[Entry]:
    """The asks and answers of a stored journal, in order."""
    entries: list[Entry] = []
    for kind, body in journal:
        if kind == "asked":
            entries.append(Asked(body["id"], body["name"], body["input"]))
        elif kind == "answered":
            entries.append(Answered(**body))
    return entries


def text_of_outcome(outcome: Outcome) -> str:
    """What code reads: always text, JSON text for structured results."""
    content = outcome.content
    if isinstance(content, str):
        return content
    texts = [block["text"] for block in content if block.get("type") == "text"]
    return "\n".join(texts) if texts else dumps(outcome.value)


def _output_block(file: JSONObject) -> Block:
    return {"type": "code_execution_output", "file_id": file["id"]}


async def _nothing_is_live(call: CodeCall) -> CodeAnswer:
    raise Diverged("An earlier cell called a tool that it did not call before. Nothing was run.")


async def _nothing_is_written(entry: Entry) -> None:
    return None

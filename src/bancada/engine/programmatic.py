"""Code that awaits tools, run here: a cell in a container, every inner call through the gate.

What code asked and was told is journalled, so that a pause may outlive the process: the same
cells run again in a fresh container, answered from the journal, until it ends and calls are
live. The gate knows a call by its id, and the ids of inner calls are made from the code's id
and the call's number: no finished call runs twice, whatever is replayed. A journal begins with
`began` (the code, and the container it ran in) and closes with `ended` (what came of it).
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass, field, replace

from bancada.domain.calls import CODE_CALLER, CODE_TOOL, Caller, Outcome, ToolCall, Waiting
from bancada.domain.events import Code
from bancada.domain.json import JSON, JSONObject, dumps
from bancada.domain.messages import Block
from bancada.engine import announce
from bancada.engine.codeblocks import code_error, code_result
from bancada.engine.containers import CELL_SECONDS, entries_of, find_container, last_entry
from bancada.engine.owner import CodeOwner
from bancada.engine.state import Phase
from bancada.gate.case import Admitted
from bancada.gate.scope import CallScope
from bancada.sandbox import (
    CodeAnswer,
    CodeCall,
    CodeResult,
    Container,
    ContainerEnded,
    Diverged,
    EndCode,
    Entry,
    JournalAsk,
    Replay,
    Sandbox,
    SandboxError,
    TooManyContainers,
)
from bancada.tools.result import as_read, note_for_code, text_for_code

log = logging.getLogger("bancada.engine")

TOOL_SECONDS = 270.0
ENDED_UNHEARD = "The code ended, and the process with it."
SETTLE_SECONDS = 0.1
"""How long code must have asked for nothing more before its turn waits for a person."""
ENDED_FIRST = "The code ended before this call did."


@dataclass(frozen=True, kw_only=True)
class EndedCell:
    """A cell that ended, in the record's blocks."""

    asked: list[Block]
    results: list[Block]
    output: Block
    container: JSONObject | None
    outside: bool
    """Some of it may be text from outside."""


class Suspended(EndCode):
    """Nobody decided in time: the container goes, the code goes on from its journal later."""


@dataclass
class CodeRun:
    """One `code_execution` call."""

    owner: CodeOwner
    block: Block
    _calls: dict[int, tuple[ToolCall, Outcome | None]] = field(default_factory=dict)
    _waiting: dict[str, Waiting] = field(default_factory=dict)
    _under_way: int = 0
    _holding: asyncio.Task[None] | None = None
    _left: list[Waiting] = field(default_factory=list)
    """What nobody had decided when the container was let go."""
    _sandbox: Sandbox = field(init=False)
    _container: Container | None = None
    _admitted: Admitted | None = None
    _began: float = field(default_factory=time.perf_counter)
    _behind: list[asyncio.Future[int]] = field(default_factory=list)
    """Answers on their way into the journal."""

    @property
    def id(self) -> str:
        return str(self.block["id"])

    @property
    def call(self) -> ToolCall:
        """The run itself, as the gate knows it."""
        caller = Caller(via=self.owner.via)
        return ToolCall(id=self.id, name=CODE_TOOL, input=self.block.get("input"), caller=caller)

    @property
    def code(self) -> str:
        """What runs: as the model wrote it, or as an approver changed it."""
        call = self.call if self._admitted is None else self._admitted.call
        return str((call.input or {}).get("code") or "")

    @property
    def _outside(self) -> bool:
        """Whether some of its files were uploaded: what code prints may be their text."""
        return any(file.outside for file in self.owner.files)

    @property
    def scope(self) -> CallScope:
        """That of the code's calls: what it read of uploaded files may be in their arguments."""
        scope = self.owner.scope
        return replace(scope, tainted=scope.tainted or self._outside)

    async def run(self) -> EndedCell | Waiting:
        """Run the cell, or go on with it; a wait that outlives its container is a `Waiting`."""
        owner = self.owner
        journal = await owner.record.journal(self.id)
        ended = last_entry(journal, "ended")
        if ended is not None:
            return await self._as_it_ended(ended)
        if not isinstance((self.block.get("input") or {}).get("code"), str):
            return await self._failed("invalid_tool_input")
        admission = await owner.gate.begin(self.call, owner.scope)
        if isinstance(admission, Waiting):
            await announce.waits(owner, self.call, admission)
            return admission
        if isinstance(admission, Outcome):
            return await self._ended_badly(str(admission.content))
        self._admitted = admission
        if owner.open_sandbox is None:
            return await self._failed("unavailable")
        try:
            self._sandbox = await owner.open_sandbox()
            home, container = await find_container(
                self.owner, self._sandbox, self.id, self.code, journal
            )
        except TooManyContainers:
            return await self._failed("too_many_requests")
        except (ContainerEnded, Diverged) as error:
            return await self._ended_badly(str(error))
        except SandboxError:
            log.exception("code could not be run")
            return await self._failed("unavailable")
        self._container = container
        replay = Replay(entries_of(journal), self._live, self._write)
        try:
            result = await container.run(
                self.code,
                functions=owner.functions,
                call=replay,
                seconds=CELL_SECONDS,
                tool_seconds=TOOL_SECONDS,
                clock="own",
                name=self.id,
                now=home["now"],
            )
            if not self._left:
                replay.finish()
        except Diverged as error:
            await container.end()
            return await self._ended_badly(str(error))
        except ContainerEnded as error:
            return await self._ended_badly(str(error))
        except BaseException:
            await container.end()
            raise
        finally:
            if self._holding is not None:
                self._holding.cancel()
        if self._left:
            await container.end()
            await self._caught_up()
            # Somebody may have decided since: then the turn must not wait, so that one is named.
            return next((each for each in self._left if self._is_decided(each)), self._left[0])
        return await self._ended(result, container, home)

    async def abandon(self, sentence: str) -> EndedCell:
        """The turn is over: the code reads why, and so does every call of it that is still open."""
        ended = last_entry(await self.owner.record.journal(self.id), "ended")
        if ended is not None:
            return await self._as_it_ended(ended)
        await self.owner.gate.refuse(self.call, self.owner.scope, sentence, "rejected")
        return await self._ended_badly(sentence, calls=sentence)

    async def _as_it_ended(self, ended: JSONObject) -> EndedCell:
        """From the journal: the process may have gone before the gate heard of the end."""
        await self._settle_calls()
        await self.owner.gate.refuse(self.call, self.owner.scope, ENDED_UNHEARD)
        return self._ran(ended["output"], ended["container"])

    # ------------------------------------------------------------------ inner calls

    def _call_of(self, call: CodeCall) -> ToolCall:
        return ToolCall(
            id=f"toolu_{self.id.removeprefix('srvtoolu_')}_{call.id}",
            name=call.name,
            input=call.input,
            caller=Caller(type=CODE_CALLER, tool_id=self.id, via=self.owner.via),
        )

    async def _live(self, asked: CodeCall) -> CodeAnswer:
        """One inner call, through the gate; waits here while a person decides."""
        owner, call = self.owner, self._call_of(asked)
        self._calls[asked.id] = (call, None)
        self._under_way += 1
        try:
            outcome = await owner.answer(call, self.scope, self._started)
            while isinstance(outcome, Waiting):
                await announce.waits(owner, call, outcome)
                await self._until_decided(outcome)
                outcome = await owner.answer(call, self.scope, self._started)
        finally:
            self._under_way -= 1
            self._hold_if_all_wait()
        self._calls[asked.id] = (call, self._brief(outcome))
        announce.ended(owner, call, outcome)
        return CodeAnswer(text_for_code(outcome), outcome.is_error, note=note_for_code(outcome))

    def _brief(self, outcome: Outcome) -> Outcome:
        """What the record's blocks hold of it. The journal has all that code was told."""
        return as_read(outcome, self.owner.result_chars)

    async def _started(self, call: ToolCall) -> None:
        announce.started(self.owner, call)

    async def _until_decided(self, waiting: Waiting) -> None:
        """Hold the container while a person decides; after a while let it go."""
        assert self._container is not None
        owner, id = self.owner, waiting.confirmation_id
        self._waiting[id] = waiting
        try:
            async with self._container.paused():
                self._hold_if_all_wait()
                await _first_of(owner.state.decision(id), owner.state.let_go)
        finally:
            del self._waiting[id]
        # A decision may come in the moment the container is let go: the container goes all the same.
        if owner.state.let_go.is_set():
            raise Suspended("The code waits for a person's decision.")
        await owner.reload()
        await announce.decisions(owner)

    def _hold_if_all_wait(self) -> None:
        """Once no call of the code runs any more, the turn waits."""
        if self._holding is not None or self.owner.state.let_go.is_set():
            return
        undecided = self._undecided()
        if undecided and len(undecided) == self._under_way:
            self._holding = asyncio.create_task(self._hold(undecided))

    def _undecided(self) -> list[str]:
        return [id for id, each in self._waiting.items() if not self._is_decided(each)]

    def _is_decided(self, waiting: Waiting) -> bool:
        return self.owner.state.decision(waiting.confirmation_id).is_set()

    async def _hold(self, ids: list[str]) -> None:
        # Code that was answered just now may be about to ask again: then the turn does not wait.
        begun = len(self._calls)
        await asyncio.sleep(SETTLE_SECONDS)
        if begun == len(self._calls) and self._undecided() == ids and await self.owner.hold(ids):
            try:
                async with asyncio.timeout(self.owner.hold_seconds):
                    await _first_of(*(self.owner.state.decision(id) for id in ids))
            except TimeoutError:
                # A call that began meanwhile is not cut: the hold begins anew when it has ended.
                undecided = self._undecided()
                if undecided and len(undecided) == self._under_way:
                    self._let_go()
        self._holding = None
        self._hold_if_all_wait()

    def _let_go(self) -> None:
        """End the wait in the container, unless a decision or a stop of the turn came first."""
        if self.owner.state.move(Phase.LET_GO):
            self._left = list(self._waiting.values())

    async def _write(self, entry: Entry) -> None:
        if isinstance(entry, JournalAsk):
            body: JSONObject = {"id": entry.id, "name": entry.name, "input": entry.input}
            await self._caught_up(self.owner.record.note(self.id, "asked", body))
            return
        body = {
            "id": entry.id,
            "text": entry.text,
            "is_error": entry.is_error,
            "timed_out": entry.timed_out,
            **({"note": entry.note} if entry.note else {}),
        }
        # Nobody waits: were it lost with the process, the gate would still know how the call ended,
        # and nothing that code did with the answer is written before it.
        self._behind.append(self.owner.record.note(self.id, "answered", body, now=False))

    async def _caught_up(self, *written: asyncio.Future[int]) -> None:
        """Wait until this and all before it is in the journal."""
        behind, self._behind = self._behind, []
        # Shielded: a call that code gave up on must not take the answers to others with it.
        await asyncio.gather(*(asyncio.shield(each) for each in (*behind, *written)))

    # ------------------------------------------------------------------ the end

    async def _ended(self, result: CodeResult, container: Container, home: JSONObject) -> EndedCell:
        if result.error_code is not None and not (result.stdout or result.stderr):
            return await self._failed(result.error_code)
        files = [await self.owner.keep_file(file) for file in result.files]
        said = (home.get("notice"), result.stderr, result.error_code, *self._changes())
        stderr = "\n".join(part for part in said if part)
        event = Code(
            id=self.id,
            container=container.id,
            stdout=result.stdout,
            stderr=stderr,
            return_code=result.return_code,
            files=files,
        )
        output = code_result(
            self.id,
            stdout=result.stdout,
            stderr=stderr,
            return_code=result.return_code,
            files=[{"type": "code_execution_output", "file_id": file["id"]} for file in files],
        )
        expires = container.expires_at.isoformat(timespec="seconds")
        return await self._close(event, output, {"id": home["id"], "expires_at": expires})

    def _changes(self) -> list[str]:
        """What a person changed before it ran, which the model would not know otherwise."""
        granted = None if self._admitted is None else self._admitted.granted
        own = [] if granted is None or granted.edited_input is None else [granted.edited_input]
        inner = [
            f"{call.name}: {changed_note(outcome.ran_with)}"
            for _, (call, outcome) in sorted(self._calls.items())
            if outcome is not None and outcome.edited
        ]
        return [*(changed_note(input) for input in own), *inner]

    async def _failed(self, error_code: str) -> EndedCell:
        """The code did not run, or was ended with nothing to show: the wire's own error."""
        where = self._container.id if self._container else ""
        event = Code(id=self.id, container=where, stdout="", stderr=error_code, return_code=1)
        return await self._close(event, code_error(self.id, error_code), None)

    async def _ended_badly(self, sentence: str, *, calls: str = ENDED_FIRST) -> EndedCell:
        """The code could not be continued; the model reads why, and nothing ran again."""
        event = Code(id=self.id, container="", stdout="", stderr=sentence, return_code=1)
        output = code_result(self.id, stdout="", stderr=sentence, return_code=1)
        return await self._close(event, output, None, calls=calls)

    async def _close(
        self,
        event: Code,
        output: Block,
        container: JSONObject | None,
        *,
        calls: str = ENDED_FIRST,
    ) -> EndedCell:
        """Write what came of the code together with the news of it: it does not run again."""
        await self._settle_calls(calls)
        body: JSONObject = {"output": output, "container": container}
        written = self.owner.record.note(self.id, "ended", body)
        if self.owner.first_time("code", self.id):
            await self.owner.record.emit(event)
        await self._caught_up(written)
        if self._admitted is not None:
            ended = Outcome(
                content=f"{event.stdout}\n{event.stderr}".strip(),
                is_error=event.return_code != 0,
                code="failed" if event.return_code else None,
            )
            took = (time.perf_counter() - self._began) * 1000
            await self.owner.gate.finish(self._admitted, replace(ended, duration_ms=took))
        return self._ran(output, container)

    def _ran(self, output: Block, container: JSONObject | None) -> EndedCell:
        brought = (outcome is not None and outcome.outside for _, outcome in self._calls.values())
        return EndedCell(
            asked=self._asked(),
            results=self._results(),
            output=output,
            container=container,
            outside=self._outside or any(brought),
        )

    async def _settle_calls(self, sentence: str = ENDED_FIRST) -> None:
        """Calls that were answered from the journal belong to the record too; open ones end here."""
        for entry in entries_of(await self.owner.record.journal(self.id)):
            if isinstance(entry, JournalAsk) and entry.id not in self._calls:
                call = self._call_of(CodeCall(entry.id, entry.name, entry.input))
                self._calls[entry.id] = (call, None)
        for id, (call, outcome) in sorted(self._calls.items()):
            if outcome is None:
                ended = await self.owner.give_up(call, sentence)
                self._calls[id] = (call, self._brief(ended))
                announce.ended(self.owner, call, ended)

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
                "content": "" if outcome is None else text_for_code(outcome),
            }
            if outcome is None or outcome.is_error:
                block["is_error"] = True
            blocks.append(block)
        return blocks


def changed_note(input: JSON) -> str:
    """For the model: what ran is not what it asked for."""
    return f"[A person changed the arguments before it ran. It ran with: {dumps(input)[:2000]}]"


async def _first_of(*events: asyncio.Event) -> None:
    """Wait until one of them is set."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()

"""One client's container, and the code that runs in it between the client's requests.

Code awaits tools of the client's: it stands still while the client, told of the calls, comes back
with their results. Where this process has it no more, the journal brings it to where it stood.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection

from bancada.domain.agents import Agent
from bancada.domain.calls import Outcome, ToolCall, Via, Waiting
from bancada.domain.errors import BancadaError
from bancada.domain.events import Event
from bancada.domain.json import JSONObject
from bancada.domain.messages import Block
from bancada.domain.people import Language
from bancada.domain.shares import Holder
from bancada.engine.codeblocks import code_error
from bancada.engine.containers import last_entry
from bancada.engine.owner import CodeFile
from bancada.engine.programmatic import CodeRun, EndedCell
from bancada.engine.state import TurnState
from bancada.engine.workbench import Workbench
from bancada.gate.gate import Gate, OnStart, must_be_confirmed
from bancada.gate.scope import CallScope
from bancada.gateway.client import GatewayClient
from bancada.gateway.errors import GatewayRefused
from bancada.gateway.offered import Offered
from bancada.gateway.wire import new_id
from bancada.sandbox import Function, OutputFile, Sandbox
from bancada.store import gateway_containers, journals
from bancada.store.confirmations import Confirmation
from bancada.store.database import Database
from bancada.store.gateway_containers import ContainerRow
from bancada.store.journals import BegunCell

log = logging.getLogger("bancada.gateway")

HELD_SECONDS = 30.0
"""For so long a container stays with a request whose process has died."""
SETTLE_SECONDS = 0.05
"""How long code must have asked for nothing more before its client is told to answer."""


class TakenElsewhere(BancadaError):
    """Another process has the container now."""


@dataclass
class ExchangeRecord:
    """The journal of a client's code; nobody follows its events."""

    database: Database
    owner_id: str
    holder: str
    """By whom the container must still be held for anything to be written."""
    # Two notes at once would take the same number.
    _writing: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def journal(
        self, code_id: str, *, owner_id: str | None = None
    ) -> list[tuple[str, JSONObject]]:
        return await self.database.read(journals.of_code, owner_id or self.owner_id, code_id)

    async def cells(self) -> list[BegunCell]:
        return await self.database.read(journals.cells_of, self.owner_id)

    def note(
        self, code_id: str, kind: str, body: JSONObject, *, now: bool = True
    ) -> asyncio.Future[int]:
        return asyncio.ensure_future(self._note(code_id, kind, body))

    async def _note(self, code_id: str, kind: str, body: JSONObject) -> int:
        async with self._writing:
            return await self.database.run(self._append, code_id, kind, body)

    def _append(self, db: Connection, code_id: str, kind: str, body: JSONObject) -> int:
        # The client's next request may have gone to another process, which goes on from the journal
        # there: the code that still stands here must neither ask nor be answered any more.
        if not gateway_containers.is_held(db, self.owner_id, self.holder):
            raise TakenElsewhere(self.owner_id)
        return journals.append(db, self.owner_id, code_id, kind, body)

    async def emit(self, event: Event) -> None:
        """A client hears of its code on the wire."""

    def emit_soon(self, event: Event) -> None:
        """The same."""

    async def name_of(self, person_id: int | None) -> str:
        return ""


@dataclass
class Exchange:
    """A container that a client holds by its id."""

    bench: Workbench
    client: GatewayClient
    row: ContainerRow
    offered: Offered
    agent: Agent | None = None
    tainted: bool = False
    """Text of others stands in what the client sends: calls that write ask first."""
    busy: bool = False
    """A request waits for it."""
    ran: list[EndedCell] = field(default_factory=list)
    """Cells that ended, and were not told yet."""
    state: TurnState = field(default_factory=TurnState)
    files: Sequence[CodeFile] = ()
    hold_seconds: float = 0.0
    confirmations: Sequence[Confirmation] = ()
    _pending: dict[str, tuple[ToolCall, asyncio.Future[Outcome]]] = field(default_factory=dict)
    _given: dict[str, Outcome] = field(default_factory=dict)
    """Answers that came before code has asked (again)."""
    _under_way: int = 0
    _asked: int = 0
    _moved: asyncio.Event = field(default_factory=asyncio.Event)
    _task: asyncio.Task[None] | None = None

    _holding: asyncio.Task[None] | None = None
    _was_elsewhere: bool = False
    """Another process has run code in it since this one did, if it ever did."""

    def __post_init__(self) -> None:
        self.claim = f"{self.bench.runner.owner}/{new_id('exchange')}"
        self.record = ExchangeRecord(self.bench.database, self.row.id, self.claim)

    async def take(self) -> None:
        """Have the container for one request, of all that come to any process.

        Raises:
            GatewayRefused: another request has it.
        """
        # Two requests in this process race for `busy`, those in several for the row.
        if self.busy:
            raise self._in_use()
        self.busy = True
        try:
            id, known, until = self.row.id, self.row.held_by, time.time() + HELD_SECONDS
            run = self.bench.database.run
            if not await run(gateway_containers.take, id, self.claim, known, until):
                raise self._in_use()
        except BaseException:
            self.busy = False
            raise
        self._was_elsewhere = known is not None and not known.startswith(self.bench.runner.owner)
        self.row = replace(self.row, held_by=self.claim)
        self._holding = asyncio.create_task(self._hold_on())

    async def _hold_on(self) -> None:
        while True:
            await asyncio.sleep(HELD_SECONDS / 3)
            await self._hold(HELD_SECONDS)

    async def let_go(self) -> None:
        """The request is over, however it ended."""
        if self._holding is None:
            return
        self._holding.cancel()
        self._holding = None
        self.busy = False
        await asyncio.shield(self._hold(0.0))

    async def _hold(self, seconds: float) -> None:
        until = time.time() + seconds
        await self.bench.database.run(gateway_containers.hold, self.row.id, self.claim, until)

    def _in_use(self) -> GatewayRefused:
        return GatewayRefused(f"container: Container `{self.row.id}` is in use by another request.")

    # ------------------------------------------------------------------ what code may use

    @property
    def gate(self) -> Gate:
        return self.bench.gate

    @property
    def container_id(self) -> str:
        return self.row.id

    @property
    def via(self) -> Via:
        return "gateway"

    @property
    def functions(self) -> Sequence[Function]:
        return self.offered.functions

    @property
    def result_chars(self) -> int:
        return self.gate.limits.result_chars

    @property
    def holder(self) -> Holder:
        return Holder(self.row.organisation_id, self.row.user_id)

    @property
    def language(self) -> Language:
        return self.client.person.language

    @property
    def scope(self) -> CallScope:
        return scope_of(self.client, self.agent, self.row.id, tainted=self.tainted)

    async def open_sandbox(self) -> Sandbox:
        sandbox = await self.bench.jail.sandbox()
        if self._was_elsewhere:
            # A container of this id may stand here still; it knows nothing of what ran elsewhere.
            await sandbox.end(self.row.id)
            self._was_elsewhere = False
        return sandbox

    async def hold(self, confirmation_ids: list[str]) -> bool:
        return True

    async def keep_file(self, file: OutputFile) -> JSONObject:
        return await self.bench.files.keep(
            file,
            organisation_id=self.row.organisation_id,
            user_id=self.row.user_id,
            conversation_id=self.row.id,  # a client's conversation is its container: both go together
        )

    def first_time(self, type: str, id: str = "") -> bool:
        return True

    async def reload(self) -> None:
        """Nothing but the journal is kept."""

    # ------------------------------------------------------------------ calls of code

    async def answer(
        self, call: ToolCall, scope: CallScope, on_start: OnStart
    ) -> Outcome | Waiting:
        """Through the gate where the tool is ours; else the client's word."""
        self._asked += 1
        self._under_way += 1
        try:
            if call.name in self.offered.of_agent:
                return await run_here(self.gate, call, scope)
            return await self._of_client(call)
        finally:
            self._under_way -= 1
            self._moved.set()

    async def _of_client(self, call: ToolCall) -> Outcome:
        given = self._given.pop(call.id, None)
        if given is not None:
            return given
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._pending[call.id] = (call, answer)
        self._moved.set()
        try:
            return await answer
        finally:
            self._pending.pop(call.id, None)

    async def give_up(self, call: ToolCall, sentence: str) -> Outcome:
        if call.name in self.offered.of_agent:
            return await self.gate.refuse(call, self.scope, sentence, "rejected")
        return Outcome(content=sentence, is_error=True, code="cancelled")

    # ------------------------------------------------------------------ between requests

    @property
    def pending(self) -> list[ToolCall]:
        """Calls that wait for the client."""
        return [call for call, _ in self._pending.values()]

    @property
    def runs(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, blocks: list[Block]) -> None:
        """Run these cells one after the other: they share their state."""
        self._task = asyncio.create_task(self._run(blocks))

    async def _run(self, blocks: list[Block]) -> None:
        for block in blocks:
            ended = await self._cell(block)
            self.ran.append(ended)
            self._moved.set()

    async def _cell(self, block: Block) -> EndedCell:
        began = last_entry(await self.record.journal(str(block["id"])), "began")
        if began is not None:
            # What ran first is what goes on, whatever the client's copy says.
            block = {**block, "input": {"code": began["code"]}}
        try:
            ended = await CodeRun(self, block).run()
        except TakenElsewhere:
            return _unavailable(block)
        except Exception:
            log.exception("code of a client could not be run")
            return _unavailable(block)
        return ended if isinstance(ended, EndedCell) else _unavailable(block)

    def give(self, answers: dict[str, Outcome]) -> None:
        """The client's results: to the code that waits, or for when it asks again."""
        for id, outcome in answers.items():
            waiting = self._pending.pop(id, None)
            if waiting is None:
                self._given[id] = outcome
            elif not waiting[1].done():
                waiting[1].set_result(outcome)

    async def rest(self, seconds: float) -> bool:
        """Until code waits for its client or has ended; false: neither came in that time."""
        due = time.monotonic() + seconds
        while self._task is not None and not self._task.done():
            asked = self._asked
            if self._all_wait:
                await asyncio.wait({self._task}, timeout=SETTLE_SECONDS)
                if not self._task.done() and self._all_wait and asked == self._asked:
                    return True
                continue
            left = due - time.monotonic()
            if left <= 0:
                return False
            self._moved.clear()
            moved = asyncio.ensure_future(self._moved.wait())
            done = {self._task, moved}
            await asyncio.wait(done, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            moved.cancel()
        return True

    @property
    def _all_wait(self) -> bool:
        return bool(self._pending) and len(self._pending) == self._under_way

    async def end(self) -> None:
        """The process stops: the journal has what is needed to go on elsewhere."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})


def _unavailable(block: Block) -> EndedCell:
    output = code_error(str(block["id"]), "unavailable")
    return EndedCell(asked=[], results=[], output=output, container=None, outside=False)


def scope_of(
    client: GatewayClient, agent: Agent | None, exchange_id: str, *, tainted: bool
) -> CallScope:
    """On whose behalf a client's calls are made."""
    return CallScope(
        person_id=client.person.id,
        organisation_id=client.person.organisation_id,
        kept_as=exchange_id or None,
        agent=agent,
        tainted=tainted,
    )


async def run_here(gate: Gate, call: ToolCall, scope: CallScope) -> Outcome:
    """A tool of the key's agent, through the gate. One that must be confirmed waits in the queue, and
    the answer says so."""
    session = scope.kept_as
    call = replace(call, caller=replace(call.caller, via="gateway", session=session))
    ended = await gate.call(call, scope)
    if isinstance(ended, Outcome):
        return ended
    outcome = must_be_confirmed(call, ended)
    link = f"/confirmations/{ended.confirmation_id}"
    return replace(outcome, content=f"{outcome.content} Its result will be at {link}.")


@dataclass
class Exchanges:
    """The containers of clients whose code is under way in this process."""

    bench: Workbench
    _live: dict[str, Exchange] = field(default_factory=dict)

    async def find(self, client: GatewayClient, id: str) -> ContainerRow | None:
        find, whose = gateway_containers.find, (client.person.id, client.key_id)
        return await self.bench.database.read(find, id, *whose)

    def live(self, row: ContainerRow) -> Exchange | None:
        """The container's code, where it is under way here and has not gone on elsewhere."""
        found = self._live.get(row.id)
        if found is None or not (found.runs or found.busy) or found.claim != row.held_by:
            return None
        return found

    def keep(self, exchange: Exchange) -> Exchange:
        """From now on this is the container's; others that have ended are let go."""
        for id in [id for id, each in self._live.items() if not (each.runs or each.busy)]:
            del self._live[id]
        self._live[exchange.row.id] = exchange
        return exchange

    async def close(self) -> None:
        for exchange in list(self._live.values()):
            await exchange.end()

"""Where a cell of code runs: its owner's container, or one brought back to where it was.

A container is known by what it takes to make it again: its id, a seed for its randomness, the
moment its clock began, its files and functions. That, the code and the moment the cell began
stand in the cell's journal as `began`; running the same cells again, answered from their
journals, gives the same container.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from bancada.domain.json import JSONObject
from bancada.engine.owner import CodeOwner, bound
from bancada.sandbox import (
    CodeAnswer,
    CodeCall,
    Container,
    Diverged,
    Entry,
    JournalAnswer,
    JournalAsk,
    Replay,
    Sandbox,
)
from bancada.store.journals import BegunCell

CELL_SECONDS = 90.0
"""What a cell may use of its own; time spent awaiting is not counted."""


GONE = (
    "[note: this ran in a new container; the one of the earlier runs has ended. "
    "Its variables and files are gone: define again what you need.]"
)
CHANGED = (
    "[note: this ran in a new container, because the data sets or tools of the conversation "
    "have changed. Variables and files of earlier runs are gone: define again what you need.]"
)
REBUILT = (
    "[note: the container had ended while this code waited. It was rebuilt: the code ran again "
    "with the answers it had been given, and no tool ran twice.]"
)


async def find_container(
    owner: CodeOwner,
    sandbox: Sandbox,
    code_id: str,
    code: str,
    journal: list[tuple[str, JSONObject]],
) -> tuple[JSONObject, Container]:
    """The container for this cell, and what it takes to make it again.

    Raises:
        Diverged: an earlier cell did not repeat itself.
        SandboxError: no container could be had.
    """
    began = last_entry(journal, "began")
    cells = await owner.record.cells()
    if began is not None:
        container = await Rebuilding(owner, sandbox).run(began, cells)
        notice = None if owner.container_id else began.get("notice") or REBUILT
        return {**began, "notice": notice}, container
    needs = {
        "files": sorted(file.name for file in owner.files),
        "functions": sorted(function.name for function in owner.functions),
    }
    home = cells[-1].home if cells else None
    found = sandbox.find(home["id"]) if home is not None else None
    notice = None
    if home is not None and owner.container_id and (found is None or not found.alive):
        # To whoever holds its id it is one container, whatever became of the process.
        found = await Rebuilding(owner, sandbox).run({**home, "now": time.time()}, cells)
    if home is None or found is None or not found.alive or _lacks(home, needs):
        if home is not None:
            notice = CHANGED if found is not None and found.alive else GONE
        home = {
            "id": owner.container_id or f"container_{secrets.token_hex(12)}",
            "seed": secrets.randbits(32),
            "started_at": time.time(),
            **needs,
        }
        found = await _open(owner, sandbox, home)
    home = {**home, "now": time.time(), "code": code, "notice": notice}
    await owner.record.note(code_id, "began", home)
    return home, found


@dataclass(frozen=True)
class Rebuilding:
    """Makes a container that was lost as it was when a cell began: its earlier cells run again."""

    owner: CodeOwner
    sandbox: Sandbox

    async def run(self, home: JSONObject, cells: list[BegunCell]) -> Container:
        await self.sandbox.end(home["id"])
        container = await _open(self.owner, self.sandbox, home)
        try:
            for cell in cells:
                if cell.home["id"] == home["id"] and cell.home["now"] < home["now"]:
                    await self._repeat(container, cell)
        except BaseException:
            await container.end()
            raise
        return container

    async def _repeat(self, container: Container, cell: BegunCell) -> None:
        """Run a cell that ended once more, for what it leaves behind."""
        journal = await self.owner.record.journal(cell.code_id, owner_id=cell.owner_id)
        replay = Replay(entries_of(journal), _nothing_is_live, _nothing_is_written)
        await container.run(
            cell.home["code"],
            functions=self.owner.functions,
            call=replay,
            seconds=CELL_SECONDS,
            clock="own",
            name=cell.code_id,
            now=cell.home["now"],
        )
        replay.finish()


async def _open(owner: CodeOwner, sandbox: Sandbox, home: JSONObject) -> Container:
    return await sandbox.open(
        await bound(owner.files),
        id=home["id"],
        seed=home["seed"],
        started_at=home["started_at"],
        holder=owner.holder,
        belongs_to=owner.scope.conversation_id,
    )


def _lacks(home: JSONObject, needs: JSONObject) -> bool:
    """Whether a container was opened with other files or functions than are needed now."""
    return any(home.get(name) != value for name, value in needs.items())


def last_entry(journal: list[tuple[str, JSONObject]], kind: str) -> JSONObject | None:
    """The last entry of a journal that is of this kind."""
    return next((body for each, body in reversed(journal) if each == kind), None)


def entries_of(journal: list[tuple[str, JSONObject]]) -> list[Entry]:
    """The asks and answers of a stored journal, in order."""
    entries: list[Entry] = []
    for kind, body in journal:
        if kind == "asked":
            entries.append(JournalAsk(body["id"], body["name"], body["input"]))
        elif kind == "answered":
            entries.append(JournalAnswer(**body))
    return entries


async def _nothing_is_live(call: CodeCall) -> CodeAnswer:
    raise Diverged("An earlier cell called a tool that it did not call before. Nothing was run.")


async def _nothing_is_written(entry: Entry) -> None:
    return None

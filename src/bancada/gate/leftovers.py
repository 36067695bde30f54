"""Calls outside a turn whose process is gone: nobody else would ever say how they ended.

A call of a turn is found by whoever takes the turn up. These are known by the row that their process
left: a server that is not on the list of those who are alive, or a command whose process is no more.
"""

from __future__ import annotations

import logging
import os
import socket
import time
from contextlib import suppress

from sqlalchemy import Connection

from bancada.domain.calls import Caller, ToolCall
from bancada.gate import ledger
from bancada.gate.admission import cut_short
from bancada.gate.case import Case
from bancada.gate.scope import CallScope
from bancada.store import audit, calls, processes
from bancada.store.calls import UnderWay
from bancada.store.database import Database
from bancada.store.turns import STALE_SECONDS

log = logging.getLogger("bancada.gate")

SERVER = "server "
COMMAND = "command "
"""What a process's name here begins with: servers are on a list, commands are not."""
LONGEST_SECONDS = 86_400.0
"""No command is at one call for longer, wherever it runs."""


async def end_leftovers(database: Database, owner: str) -> int:
    """End the calls that processes which are gone have begun; `owner` is who looks. How many."""
    left = await database.read(_left, owner)
    count = 0
    for one in left:
        count += await database.run(_end, one)
    if count:
        log.warning("%d calls of processes that are gone were ended: nobody knows how", count)
    return count


def _left(db: Connection, owner: str) -> list[UnderWay]:
    found = calls.under_way(db)
    if not found:
        return []
    now = time.time()
    # On SQLite there is one server, and it is whoever looks. Where there are several, one that has
    # just begun may not be on the list yet.
    alone = db.dialect.name == "sqlite"
    alive = {owner} if alone else {owner, *processes.everybody(db)}
    patience = 0.0 if alone else STALE_SECONDS
    return [one for one in found if _is_gone(one, alive, now, patience)]


def _is_gone(one: UnderWay, alive: set[str], now: float, patience: float) -> bool:
    age = now - one.started_at
    if one.process.startswith(SERVER):
        return one.process.removeprefix(SERVER) not in alive and age >= patience
    host, _, rest = one.process.removeprefix(COMMAND).rpartition(":")[0].rpartition(":")
    if host == socket.gethostname() and rest.isdigit() and not _runs(int(rest)):
        return True
    return age >= LONGEST_SECONDS


def _runs(pid: int) -> bool:
    with suppress(PermissionError):  # it is there, and somebody else's
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True


def _end(db: Connection, one: UnderWay) -> bool:
    """Write how the call ended, as far as that is known; false where there was nothing to write."""
    # Several may have found it: whoever comes second waits here, and finds it ended.
    audit.hold(db, one.organisation_id)
    noted = [other.process for other in calls.under_way(db) if other.key == one.key]
    if noted != [one.process]:
        return False  # ended meanwhile, or taken up again: it runs elsewhere
    calls.forget(db, *one.key)
    if audit.last_kind(db, one.organisation_id, one.audit_ref) != "started":
        return False
    first = audit.entry(db, one.organisation_id, one.audit_ref)
    if first is None:
        return False
    call = ToolCall(
        id=first["call_id"],
        name=one.tool,
        input=first.get("arguments"),
        caller=Caller.of(one.caller),
    )
    if one.kept_as is not None and one.effect == "read":
        # Whoever asks for it again has it made again.
        calls.forget(db, one.kept_as, call.id)
    scope = CallScope(
        person_id=first["person_id"],
        organisation_id=one.organisation_id,
        conversation_id=first.get("conversation_id"),
        turn_id=first.get("turn_id"),
        kept_as=None if one.effect == "read" else one.kept_as,
        # What a tool of a turn called is no call of the turn's own.
        path=() if first.get("turn_id") is None else (one.tool,),
    )
    outcome = cut_short(call, one.effect)
    ledger.end(db, Case(call=call, scope=scope), one.audit_ref, outcome, at=time.time())
    return True

"""The queue that all processes on one Postgres share, for `BANCADA_RUNNER=cluster`: DBOS's.

A stretch of a turn is one workflow without steps: the record is the checkpoint, and whoever takes the
workflow goes on from there. It is put into the queue by the transaction that lets the turn run, so
there is never one without the other. Organisations are the queue's partitions. Who is alive the
library leaves to us (`store/processes.py`); what the dead had taken goes back by its own recovery.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import Any, Protocol

from sqlalchemy import Connection, make_url

from bancada.domain.errors import SettingsError
from bancada.engine.runner import Runner
from bancada.settings import Settings
from bancada.store import queue
from bancada.store.turns import TurnRow

QUEUE = "bancada_turns"
WORKFLOW = "continue_turn"
VERSION = "1"
"""What a workflow is handed: processes of several releases share the queue while it is the same."""
POLL_SECONDS = 0.03
CLOSE_SECONDS = 5


class Work(Protocol):
    """What is done with a turn that comes from the queue."""

    def __call__(self, turn_id: str, *, cut: bool, ended: bool) -> Awaitable[None]: ...


async def open_queue(settings: Settings, runner: Runner) -> ClusterQueue:
    """The queue of all servers, this one among them from now on."""
    opened = ClusterQueue(
        settings.url, runner.owner, per_organisation=settings.max_turns_per_organisation
    )
    await opened.open(runner.work)
    return opened


class ClusterQueue:
    """`Queue`, as DBOS keeps it in the schema `dbos` of our own database."""

    def __init__(self, url: str, owner: str, *, per_organisation: int) -> None:
        try:
            self._library: Any = import_module("dbos")
        except ImportError as error:
            raise SettingsError(
                "BANCADA_RUNNER=cluster needs the extra `cluster`: pip install 'bancada[cluster]'."
            ) from error
        self._url = make_url(url).set(drivername="postgresql")
        self._owner = owner
        self._per_organisation = per_organisation
        self._open = False

    async def open(self, work: Work) -> None:
        """Make the queue if there is none, and take turns from it from now on."""
        dbos = self._library.DBOS
        dbos(
            config={
                "name": "bancada",
                "system_database_url": self._url.render_as_string(hide_password=False),
                "application_version": VERSION,
                "executor_id": self._owner,
                "log_level": "ERROR",
            }
        )
        dbos.workflow(name=WORKFLOW)(_workflow(work))
        # In the loop's own thread: the library then runs workflows as tasks of this loop.
        dbos.launch()
        self._open = True
        await dbos.register_queue_async(
            QUEUE,
            partition_concurrency=self._per_organisation,
            polling_interval_sec=POLL_SECONDS,
            on_conflict="always_update",
        )

    def put(self, db: Connection, row: TurnRow, *, cut: bool = False, ended: bool = False) -> None:
        queue.put(
            db,
            f"{row.id}-{secrets.token_hex(4)}",
            {"turn_id": row.id, "cut": cut, "ended": ended},
            name=WORKFLOW,
            queue=QUEUE,
            version=VERSION,
            partition=str(row.organisation_id),
        )

    async def recover(self, gone: list[str]) -> None:
        if gone:
            # It asks for the executor once more when it puts a workflow back: of several processes
            # that notice at once, none puts back what another has taken since.
            recover = self._library.DBOS._recover_pending_workflows
            await asyncio.to_thread(recover, gone)

    async def under_way(self) -> set[str]:
        found = await self._library.DBOS.list_workflows_async(
            status=["ENQUEUED", "PENDING"],
            queue_name=QUEUE,
            load_input=False,
            load_output=False,
        )
        return {str(each.workflow_id).rsplit("-", 1)[0] for each in found}

    async def close(self) -> None:
        if self._open:
            self._open = False
            await asyncio.to_thread(
                self._library.DBOS.destroy, workflow_completion_timeout_sec=CLOSE_SECONDS
            )


def _workflow(work: Work) -> Callable[..., Awaitable[None]]:
    async def continue_turn(turn_id: str, cut: bool, ended: bool) -> None:
        await work(turn_id, cut=cut, ended=ended)

    return continue_turn

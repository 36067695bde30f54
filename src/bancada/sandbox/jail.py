"""The sandbox on Linux walls: one zygote, and the containers forked from it."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from datetime import datetime
from pathlib import Path

from bancada.domain.shares import Holder, Shares, ShareSpent
from bancada.sandbox.cgroups import Cgroups, NotDelegated
from bancada.sandbox.container import Container
from bancada.sandbox.orders import Spawn
from bancada.sandbox.process import LIBRARIES, Zygote, ZygoteDied
from bancada.sandbox.sandbox import (
    ContainerInfo,
    Limits,
    ReadOnlyFile,
    SandboxError,
    TooManyContainers,
)
from bancada.sandbox.shelf import Shelf

_log = logging.getLogger(__name__)
NOBODY = Holder(0, 0)
SPARE_SECONDS = 1.0
REST_SECONDS = 30.0
"""How long a container must have rested before its place is given to another: one that holds a
conversation's variables is left alone between two cells of the same answer."""
ROOM_SECONDS = 0.2
_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class Sandbox:
    """Opens containers of tier `ns` or `ll`, and counts them."""

    def __init__(
        self,
        tier: str,
        run_folder: Path,
        *,
        max_containers: int,
        idle_seconds: float,
        open_seconds: float,
        libraries: Sequence[str] = LIBRARIES,
        shares: Shares | None = None,
        groups: Cgroups | None = None,
    ) -> None:
        self.tier = tier
        self._shelf = Shelf(run_folder)
        self.idle_seconds = idle_seconds
        self.open_seconds = open_seconds
        self._libraries = libraries
        self._shares = shares or Shares(
            max_containers, per_organisation=max_containers, per_person=max_containers
        )
        self._held: dict[str, tuple[Holder, bool]] = {}
        self._containers: dict[str, Container] = {}
        self._zygote: Zygote | None = None
        self._starting = asyncio.Lock()
        self._closed = False
        self._groups: Cgroups | None = None
        with suppress(NotDelegated):
            self._groups = groups or Cgroups.find()
            self._groups.settle()

    @property
    def folder(self) -> Path:
        """Where this sandbox keeps what its containers read."""
        return self._shelf.folder

    @property
    def hides(self) -> bool:
        """Whether code sees no path and no process of the machine but its own."""
        return self._zygote is not None and self._zygote.hides

    @property
    def zygote_pid(self) -> int | None:
        return self._zygote.pid if self._zygote is not None else None

    async def open(
        self,
        files: Sequence[ReadOnlyFile] = (),
        *,
        id: str | None = None,
        seed: int | None = None,
        started_at: float | None = None,
        limits: Limits | None = None,
        holder: Holder | None = None,
        spare: bool = False,
        on_disk: bool = False,
        belongs_to: str | None = None,
    ) -> Container:
        """A fresh container. With `seed` randomness repeats, with `started_at` the clock does.

        Its place counts for `holder`. A `spare` one holds nothing that could be missed: of those
        that rest it is the first to go when another needs the place. `on_disk` gives it a folder
        of the host's to fill, whose size as a whole the caller must watch. `belongs_to` names what
        it goes with; see `end_of`.
        """
        id = id or f"container_{secrets.token_hex(12)}"
        if not _ID.fullmatch(id):
            raise ValueError(f"not a container id: {id!r}")
        if id in self._containers:
            raise ValueError(f"container {id} is open already")
        whose = holder or NOBODY
        await self._take_place(whose)
        container = Container(id, limits or Limits(), self.idle_seconds)
        container.belongs_to = belongs_to
        container.shares_threads = self.tier != "ns"
        leaving, cleaning = ExitStack(), ExitStack()
        leaving.callback(self._shares.give_back, whose)
        try:
            # Others ran while we waited for a place: of two that ask for one id, one gets it.
            if self._containers.setdefault(id, container) is not container:
                raise ValueError(f"container {id} is open already")
            leaving.callback(self._containers.pop, id)
            self._held[id] = (whose, spare)
            leaving.callback(self._held.pop, id)
            folder = await asyncio.to_thread(self._shelf.place, id, files) if files else None
            if folder is not None:
                cleaning.callback(self._shelf.remove, folder)
                if self.tier != "ns":
                    container.data_folder = str(folder)
            if on_disk:
                container.disk = self._shelf.disk(id)
                cleaning.callback(self._shelf.remove, container.disk)
            data = str(folder) if folder is not None else None
            disk = str(container.disk) if container.disk is not None else None
            order = Spawn(id, data, disk, container.limits, seed, started_at)
            await self._begin(container, order)
            if self._groups is not None:
                self._count(self._groups, container, cleaning)
        except BaseException:
            if container.pid:
                await asyncio.shield(container.end())
            leaving.close()
            await asyncio.shield(container.exited())
            cleaning.close()
            raise
        container.when_gone(leaving.close)
        container.when_exited(cleaning.close)
        return container

    def _count(self, groups: Cgroups, container: Container, cleaning: ExitStack) -> None:
        """Put it into a group of its own, before its first cell."""
        try:
            group = groups.make(container.id, container.limits)
            cleaning.callback(group.remove)
            group.add(container.pid)
        except OSError as error:
            raise SandboxError(f"its memory cannot be counted: {error}") from error

    async def _take_place(self, holder: Holder) -> None:
        """Wait for a place; what rests meanwhile in one that could be ours gives it up."""
        taking = asyncio.ensure_future(self._shares.take(holder, seconds=self.open_seconds))
        try:
            while not taking.done():
                await asyncio.wait({taking}, timeout=0)
                if not taking.done():
                    await self._make_room(holder)
                    await asyncio.wait({taking}, timeout=ROOM_SECONDS)
            taking.result()
        except ShareSpent as spent:
            raise TooManyContainers(str(spent)) from None
        except BaseException:
            taking.cancel()
            await asyncio.wait({taking})
            if not taking.cancelled() and taking.exception() is None:
                self._shares.give_back(holder)
            raise

    async def _make_room(self, holder: Holder) -> None:
        """End the resting container that is missed least, of those whose place would help."""
        spent = self._shares.spent(holder)
        resting: list[tuple[bool, datetime, Container]] = []
        for id, (whose, spare) in self._held.items():
            container = self._containers[id]
            helps = (
                spent == "all"
                or (spent == "person" and whose.person_id == holder.person_id)
                or (spent == "organisation" and whose.organisation_id == holder.organisation_id)
            )
            if helps and container.rests_for(SPARE_SECONDS if spare else REST_SECONDS):
                resting.append((not spare, container.expires_at, container))
        if resting:
            await min(resting, key=lambda one: one[:2])[2].end()

    async def _begin(self, container: Container, order: Spawn) -> None:
        """Fork it; a zygote found dead is replaced, and the caller does not notice."""
        try:
            await container.begin(await self._living_zygote(), order)
        except ZygoteDied:
            _log.warning("the sandbox's zygote ended; starting another")
            container.renew()
            await container.begin(await self._living_zygote(), order)

    async def _living_zygote(self) -> Zygote:
        # Containers open side by side; without this each would start a zygote of its own, and all
        # but the last would be left without anybody to end them.
        async with self._starting:
            if self._closed:
                raise SandboxError("the sandbox is closed")
            if self._zygote is None or not self._zygote.alive:
                if self._zygote is not None:
                    self._zygote.close()
                self._zygote = await Zygote.start(self.tier, self._shelf.folder, self._libraries)
            return self._zygote

    def find(self, id: str) -> Container | None:
        """The live container of that id."""
        return self._containers.get(id)

    def containers(self) -> list[ContainerInfo]:
        return [
            ContainerInfo(one.id, one.created_at, one.expires_at, one.busy, one.pid)
            for one in self._containers.values()
            if one.pid
        ]

    async def end(self, id: str) -> bool:
        """End one container now; False where there is none of that id."""
        container = self._containers.get(id)
        if container is None:
            return False
        await container.end()
        return True

    async def end_of(self, belongs_to: str) -> None:
        """End every container that belongs to this, now."""
        theirs = [one for one in self._containers.values() if one.belongs_to == belongs_to]
        await asyncio.gather(*(one.end() for one in theirs if one.pid))

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*(one.end() for one in list(self._containers.values())))
        if self._zygote is not None:
            self._zygote.close()
        self._shelf.close()

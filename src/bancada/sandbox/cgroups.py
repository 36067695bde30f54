"""A group of the kernel's for each container, where one is delegated to us (cgroup v2).

Seccomp and the resource limits keep a process from having the kernel hold memory uncounted; a
group counts all of it, whatever it is for. It is an addition: without one, every wall stands.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bancada.sandbox.sandbox import Limits

_log = logging.getLogger(__name__)
_LEAF = "bancada-server"
_PREFIX = "bancada-container-"
_NEEDED = ("memory", "pids")
_KERNEL_MB = 64
"""What the kernel may hold for a container besides its memory and its files."""
_WEIGHT = 50
"""Of the processor, where it is scarce; others have 100."""


class NotDelegated(Exception):
    """Why there is no group to be had here."""


@dataclass(frozen=True)
class ContainerGroup:
    """The group of one container."""

    folder: Path

    def add(self, pid: int) -> None:
        (self.folder / "cgroup.procs").write_text(str(pid))

    def remove(self) -> None:
        """Its processes have ended; the group goes too."""
        with suppress(OSError):
            (self.folder / "cgroup.kill").write_text("1")
        try:
            self.folder.rmdir()
        except OSError as error:
            _log.warning("group %s stays: %s", self.folder.name, error)


@dataclass(frozen=True)
class Cgroups:
    """The subtree that we may arrange."""

    folder: Path
    controllers: frozenset[str]

    @classmethod
    def find(
        cls, tree: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")
    ) -> Cgroups:
        """The group this process is in, if it was given to us with what is needed."""
        try:
            lines = own.read_text().splitlines()
            place = next(line[3:] for line in lines if line.startswith("0::"))
            folder = tree / place.lstrip("/")
            if folder.name == _LEAF:  # we have settled before
                folder = folder.parent
            offered = frozenset((folder / "cgroup.controllers").read_text().split())
        except (OSError, StopIteration):
            raise NotDelegated("this machine has no cgroup v2") from None
        if missing := [name for name in _NEEDED if name not in offered]:
            raise NotDelegated(f"its cgroup counts no {' and no '.join(missing)}")
        if not os.access(folder / "cgroup.subtree_control", os.W_OK) or not os.access(
            folder, os.W_OK
        ):
            raise NotDelegated("its cgroup is not ours to arrange (systemd: Delegate=yes)")
        strangers = set((folder / "cgroup.procs").read_text().split()) - {str(os.getpid())}
        if strangers:
            raise NotDelegated("its cgroup holds other processes too")
        return cls(folder, offered)

    def settle(self) -> None:
        """Move to a leaf: a group with processes of its own can have no groups below it."""
        leaf = self.folder / _LEAF
        leaf.mkdir(exist_ok=True)
        (leaf / "cgroup.procs").write_text(str(os.getpid()))
        wanted = [name for name in ("memory", "pids", "cpu") if name in self.controllers]
        enable = " ".join(f"+{name}" for name in wanted)
        (self.folder / "cgroup.subtree_control").write_text(enable)
        for left in self.folder.glob(f"{_PREFIX}*"):
            # Of a server that was killed. One that still holds a process is another sandbox's of ours.
            with suppress(OSError):
                left.rmdir()

    def make(self, id: str, limits: Limits) -> ContainerGroup:
        """A group with the bounds of one container."""
        folder = self.folder / f"{_PREFIX}{id}"
        folder.mkdir()
        most = (limits.memory_mb + limits.disk_mb + _KERNEL_MB) << 20
        bounds = {
            "memory.max": str(most),
            "memory.swap.max": "0",
            "memory.oom.group": "1",
            "pids.max": str(limits.threads),
        }
        if "cpu" in self.controllers:
            bounds["cpu.weight"] = str(_WEIGHT)
        for name, value in bounds.items():
            try:
                (folder / name).write_text(value)
            except FileNotFoundError:
                if name != "memory.swap.max":  # not there where swap is not counted
                    raise
        return ContainerGroup(folder)

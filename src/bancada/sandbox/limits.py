"""The resource limits the kernel holds a container to."""

from __future__ import annotations

import os
import resource
from dataclasses import dataclass

from bancada.sandbox.sandbox import Limits

PENDING_SIGNALS = 128
_STACK = 8 << 20


@dataclass(frozen=True)
class Occupied:
    """Bytes that a process has mapped, and how many of them are data of its own."""

    mapped: int
    data: int

    @classmethod
    def read(cls, statm: int) -> Occupied:
        """From an open `/proc/…/statm`: where it is read, there may be no `/proc` any more."""
        pages = [int(field) for field in os.pread(statm, 200, 0).split()]
        size = resource.getpagesize()
        return cls(pages[0] * size, pages[5] * size)


def apply_limits(limits: Limits, occupied: Occupied, threads: int) -> None:
    """Bind this process for good: hard limits equal soft ones."""
    os.nice(limits.nice)
    megabyte = 1 << 20
    more = limits.memory_mb * megabyte
    bounds = {
        resource.RLIMIT_AS: occupied.mapped + more,
        # Without this, code could give back the libraries' address space and fill it with data.
        resource.RLIMIT_DATA: occupied.data + more,
        resource.RLIMIT_STACK: _STACK,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: limits.disk_mb * megabyte,
        resource.RLIMIT_NOFILE: limits.descriptors,
        resource.RLIMIT_NPROC: threads,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
        resource.RLIMIT_SIGPENDING: PENDING_SIGNALS,
        resource.RLIMIT_RTPRIO: 0,
        resource.RLIMIT_NICE: 0,
    }
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            bound = min(bound, hard)
        resource.setrlimit(kind, (bound, bound))

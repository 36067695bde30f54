"""The resource limits the kernel holds a container to."""

from __future__ import annotations

import resource
from pathlib import Path

from bancada.sandbox.sandbox import Limits


def address_space() -> int:
    """Bytes of address space this process occupies now."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def apply_limits(limits: Limits, occupied: int, threads: int) -> None:
    """Bind this process for good: hard limits equal soft ones."""
    megabyte = 1 << 20
    bounds = {
        resource.RLIMIT_AS: occupied + limits.memory_mb * megabyte,
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_FSIZE: limits.disk_mb * megabyte,
        resource.RLIMIT_NOFILE: limits.descriptors,
        resource.RLIMIT_NPROC: threads,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for kind, bound in bounds.items():
        _, hard = resource.getrlimit(kind)
        if hard != resource.RLIM_INFINITY:
            bound = min(bound, hard)
        resource.setrlimit(kind, (bound, bound))

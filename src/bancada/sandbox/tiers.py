"""Which walls this machine has: try each tier for real, take the best."""

from __future__ import annotations

import asyncio
import logging
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bancada.domain.shares import Shares
from bancada.sandbox.cgroups import Cgroups, NotDelegated
from bancada.sandbox.jail import Sandbox
from bancada.sandbox.process import LIBRARIES
from bancada.sandbox.sandbox import NoSandbox, SandboxError, TierReport

TIERS = ("ns", "ll")
"""Best first: `ns` is namespaces, Landlock and seccomp; `ll` is Landlock and seccomp alone."""

SEEN = (
    "code can read nothing of this machine, but can tell which paths and processes there are; "
    "allow user namespaces, or start the server as root"
)
"""What tier `ll` lacks without root: Landlock guards what is opened, not what is looked up."""


def kernel_memory() -> str:
    """What counts the memory that the kernel holds for code, for `bancada doctor`."""
    held = "bounded by seccomp and resource limits"
    try:
        Cgroups.find()
    except NotDelegated as reason:
        return f"{held}; no cgroup counts it: {reason}"
    return f"{held}, and counted by a cgroup v2 for each container"


_log = logging.getLogger(__name__)


async def start_sandbox(
    run_folder: Path,
    *,
    tier: str | None = None,
    max_containers: int = 32,
    idle_seconds: float = 270,
    open_seconds: float = 10,
    shares: Shares | None = None,
) -> Sandbox:
    """The best sandbox that works here, or the one of the tier asked for.

    `shares` says how many places there are and how they are shared out; default: as they come.
    """
    reports: list[TierReport] = []
    for name in (tier,) if tier is not None else TIERS:
        sandbox = await _try(
            name, run_folder, reports, max_containers, idle_seconds, open_seconds, LIBRARIES, shares
        )
        if sandbox is not None:
            _log.info("code runs in sandbox tier %s", name)
            if not sandbox.hides:
                _log.warning("sandbox tier %s: %s", name, SEEN)
            return sandbox
    raise NoSandbox(reports)


def probe() -> list[TierReport]:
    """Try every tier in a process of its own, for `bancada doctor`."""
    with ThreadPoolExecutor(1) as thread:  # the caller may be inside an event loop
        return thread.submit(asyncio.run, _probe()).result()


async def _probe() -> list[TierReport]:
    return list(await asyncio.gather(*map(_report, TIERS)))


async def _report(tier: str) -> TierReport:
    reports: list[TierReport] = []
    with tempfile.TemporaryDirectory() as folder:
        sandbox = await _try(tier, Path(folder), reports, 1, 60, 1, ())
        if sandbox is None:
            return reports[0]
        lacks = "" if sandbox.hides else SEEN
        await sandbox.close()
        return TierReport(tier, True, lacks=lacks)


async def _try(
    tier: str,
    run_folder: Path,
    reports: list[TierReport],
    max_containers: int,
    idle_seconds: float,
    open_seconds: float,
    libraries: Sequence[str],
    shares: Shares | None = None,
) -> Sandbox | None:
    """Start a tier and run one line in it; None, and a report, where that fails."""
    reason = _unthinkable(tier)
    if not reason:
        sandbox = Sandbox(
            tier,
            run_folder,
            max_containers=max_containers,
            idle_seconds=idle_seconds,
            open_seconds=open_seconds,
            libraries=libraries,
            shares=shares,
        )
        try:
            container = await sandbox.open()
            result = await container.run("print(6 * 7)")
            await container.end()
            if result.stdout == "42\n":
                return sandbox
            reason = result.stderr or "a trial cell did not run"
        except (SandboxError, OSError) as error:
            reason = str(error)
        except BaseException:
            await sandbox.close()
            raise
        await sandbox.close()
    reports.append(TierReport(tier, False, reason))
    return None


def _unthinkable(tier: str) -> str:
    if tier not in TIERS:
        return f"there is no such tier (known: {', '.join(TIERS)})"
    if sys.platform != "linux":
        return f"needs Linux, this is {sys.platform}"
    return ""

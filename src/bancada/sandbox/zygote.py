"""The zygote: one trusted process with the libraries already loaded, forked for each container.

It runs no code but ours. A child walls itself in before it reads its first cell; if any wall
cannot be built, the child ends instead. The zygote ends when its socket closes, and its children
end with it.
"""

from __future__ import annotations

import array
import gc
import importlib
import json
import os
import signal
import site
import socket
import sys
import sysconfig
from contextlib import suppress
from pathlib import Path

from bancada.sandbox import guest, guest_plots, landlock, namespaces, seccomp
from bancada.sandbox.limits import Occupied, apply_limits
from bancada.sandbox.linux import (
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    close_from,
    fork_into,
    machine,
    prctl,
)
from bancada.sandbox.orders import Spawn, read_order
from bancada.sandbox.privileges import hide_machine, leave_root

_CHANNEL = 3
_MESSAGE_BYTES = 1 << 16
_SHARED_THREADS = 1024
"""Threads of all containers together, where one user namespace holds them all."""


def library_trees() -> list[str]:
    """The read-only folders that a running interpreter may still want to read."""
    triplet = f"{machine()}-linux-gnu"
    paths = sysconfig.get_paths()
    wanted = [paths[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    wanted += [*site.getsitepackages(), str(Path(os.__file__).parent), f"{sys.base_prefix}/lib"]
    wanted += [f"/lib/{triplet}", f"/usr/lib/{triplet}", "/lib64", "/usr/lib64"]
    wanted += ["/usr/share/zoneinfo", "/etc/ld.so.cache"]
    if sys.base_prefix in ("/usr", "/"):
        wanted.remove(f"{sys.base_prefix}/lib")  # would be the whole system's
    trees: list[str] = []
    for path in sorted(set(wanted)):
        within = any(Path(path).is_relative_to(tree) for tree in trees)
        if os.path.exists(path) and not within:
            trees.append(path)
    return trees


def load_libraries(names: tuple[str, ...]) -> None:
    """Import once what every container would import again."""
    for name in names:
        if name != "matplotlib":
            with suppress(ImportError):
                importlib.import_module(name)
    if "pandas" in names and "pandas" in sys.modules:
        frame = sys.modules["pandas"].DataFrame({"a": [1, 2], "b": ["x", "y"]})
        frame.groupby("b").sum().describe().to_string()  # imports what pandas puts off
    if "matplotlib" in names:
        guest_plots.load()


def enter_walls(
    tier: str, order: Spawn, trees: list[str], occupied: Occupied
) -> guest.GuestFolders:
    """Build every wall around this process. Raises where one cannot be built."""
    uid, gid = os.getuid(), os.getgid()
    if tier == "ns":
        namespaces.map_user(uid, gid)
        namespaces.enter_root(trees, order.data, order.disk, order.limits.disk_mb)
        namespaces.drop_capabilities()
        place = guest.GuestFolders(namespaces.BOX, namespaces.DATA, writable=True)
        place.prepare()
        landlock.restrict([*trees, "/dev", namespaces.DATA], [namespaces.BOX, "/dev/null"])
        threads = order.limits.threads
    else:
        place = guest.GuestFolders(
            order.disk or "/", order.data or "/", writable=order.disk is not None
        )
        if order.disk is not None:
            place.prepare()
        # DuckDB ends the process if it can see these and not read them.
        system = ["/proc/self/cgroup", "/sys/fs/cgroup", "/sys/devices/system/cpu"]
        devices = ["/dev/urandom", "/dev/random"]
        readable = [*trees, *system, *devices, *filter(None, [order.data])]
        landlock.restrict(readable, ["/dev/null", *filter(None, [order.disk])])
        threads = _SHARED_THREADS
    prctl(PR_SET_DUMPABLE, 0)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    apply_limits(order.limits, occupied, threads)
    seccomp.install(os.getpid(), _refused(tier, order), alone=tier == "ns")
    return place


def _refused(tier: str, order: Spawn) -> frozenset[str]:
    """The calls that change files and are more than this container may."""
    if tier == "ns":
        return frozenset()
    if order.disk is None:
        return seccomp.CHANGING_FILES
    return seccomp.BEYOND_A_FOLDER if landlock.abi() >= 3 else seccomp.BEYOND_AN_OLD_FOLDER


def become_container(
    tier: str, order: Spawn, trees: list[str], occupied: Occupied, descriptors: list[int]
) -> None:
    """The child's whole life: take its three descriptors, wall itself in, serve cells."""
    channel, out, err = descriptors
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    # First out of the way, so that no copy below lands on one still needed.
    high = [os.dup(descriptor) for descriptor in (channel, out, err)]
    while min(high) <= _CHANNEL:
        high = [os.dup(descriptor) for descriptor in high]
    nothing = os.open("/dev/null", os.O_RDONLY)
    for target, source in enumerate((nothing, high[1], high[2], high[0])):
        os.dup2(source, target)
    close_from(_CHANNEL + 1)
    line = socket.socket(fileno=_CHANNEL)
    try:
        place = enter_walls(tier, order, trees, occupied)
    except Exception as error:
        line.sendall(json.dumps({"unready": f"{type(error).__name__}: {error}"}).encode() + b"\n")
        return
    guest.serve(line, place, order.limits, order.seed, order.started_at)


def serve(control: socket.socket, tier: str, trees: list[str], statm: int) -> None:
    """Fork one child for each order; answer with its process id and a handle on it."""
    while True:
        message, ancillary, _, _ = control.recvmsg(_MESSAGE_BYTES, socket.CMSG_SPACE(3 * 4))
        if not message:
            os._exit(0)
        received = array.array("i")
        for level, kind, data in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                received.frombytes(data)
        descriptors = received.tolist()
        try:
            order = read_order(message)
            occupied = Occupied.read(statm)  # a child's is the same
            pid = fork_into(namespaces.NEW_EVERYTHING) if tier == "ns" else os.fork()
        except OSError as error:
            control.send(json.dumps({"error": str(error)}).encode())
            continue
        else:
            if pid == 0:
                try:
                    become_container(tier, order, trees, occupied, descriptors)
                finally:
                    os._exit(1)
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        _announce(control, pid)


def _announce(control: socket.socket, pid: int) -> None:
    try:
        handle = os.pidfd_open(pid)
    except OSError as error:
        control.send(json.dumps({"error": f"the container ended at once: {error}"}).encode())
        return
    rights = array.array("i", [handle])
    control.sendmsg(
        [json.dumps({"pid": pid}).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
    )
    os.close(handle)


def main(
    control_fd: int, tier: str, libraries: tuple[str, ...], run_folder: str, needed: list[str]
) -> None:
    os.umask(0o022)  # what is laid out here is read by whom `leave_root` makes of us
    control = socket.socket(fileno=control_fd)
    trees = library_trees()
    statm = os.open("/proc/self/statm", os.O_RDONLY | os.O_CLOEXEC)
    hides = tier == "ns" or hide_machine([*trees, *needed], run_folder)
    leave_root([run_folder, *needed], run_folder)
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    load_libraries(libraries)
    guest.warm()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # children are reaped by the kernel
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal's interrupt is the server's to answer
    gc.collect()
    gc.freeze()  # keeps the collector from touching, and so copying, the shared pages
    prctl(PR_SET_DUMPABLE, 1)  # a child could not write its user map otherwise
    control.send(json.dumps({"ready": os.getpid(), "hides": hides}).encode())
    serve(control, tier, trees, statm)


if __name__ == "__main__":
    try:
        main(
            int(sys.argv[1]),
            sys.argv[2],
            tuple(filter(None, sys.argv[3].split(","))),
            sys.argv[4],
            sys.argv[5:],
        )
    except OSError as error:
        sys.exit(str(error))

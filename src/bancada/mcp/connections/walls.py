"""A server's program behind the jail's outer wall, then the program itself in this process's place.

It has a root of its own with the system's programs and libraries and the folders that were named,
all read-only, an empty `/box` to write to, no network and no other processes. It may still use
up processor and memory: the wall keeps it from reaching anything, not from being busy.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

from bancada.sandbox import namespaces
from bancada.sandbox.linux import PR_SET_DUMPABLE, PR_SET_PDEATHSIG, fork_into, prctl
from bancada.sandbox.privileges import leave_root
from bancada.sandbox.zygote import library_trees

SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc/alternatives", "/etc/ssl", "/etc/ld.so.cache")
DISK_MB = 64


def trees(folders: list[str]) -> list[str]:
    """What is shown inside, each tree once."""
    wanted = [*SYSTEM, *library_trees(), sys.prefix, sys.base_prefix, *folders]
    shown: list[str] = []
    for path in sorted({os.path.abspath(one) for one in wanted if os.path.exists(one)}):
        if path != "/" and not any(Path(path).is_relative_to(tree) for tree in shown):
            shown.append(path)
    return shown


def main() -> int:
    reader = argparse.ArgumentParser(prog="walls")
    reader.add_argument("--show", action="append", default=[])
    reader.add_argument("command", nargs="+")
    said = reader.parse_args()
    shown = trees(said.show)
    leave_root([tree for tree in shown if not tree.startswith(SYSTEM)], writable="")
    prctl(PR_SET_DUMPABLE, 1)  # the child could not write its user map otherwise
    uid, gid = os.getuid(), os.getgid()
    child = fork_into(namespaces.NEW_EVERYTHING)
    if child == 0:
        try:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            namespaces.map_user(uid, gid)
            namespaces.enter_root(shown, None, None, DISK_MB)
            namespaces.drop_capabilities()
            os.chdir(namespaces.BOX)
            environment = {**os.environ, "HOME": namespaces.BOX, "TMPDIR": namespaces.BOX}
            os.execvpe(said.command[0], said.command, environment)  # noqa: S606 - no shell is meant
        except BaseException as error:
            print(f"walls: {error}", file=sys.stderr)
        finally:
            os._exit(127)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(child, signal.SIGKILL))
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())

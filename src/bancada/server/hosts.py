"""Under which names we answer: those of this machine, and what is configured."""

from __future__ import annotations

import ipaddress

from bancada.settings import Settings

WILD = ("0.0.0.0", "::", "")  # noqa: S104 - not bound to: left out
OPEN = frozenset(("/health", "/ready"))
"""Asked by whoever looks after the machine, under whatever name it has; they tell nothing."""


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Hosts:
    """A page under another name of ours could read what it is answered: it is not answered."""

    def __init__(self, settings: Settings) -> None:
        given = [*settings.allowed_hosts, *([] if settings.host in WILD else [settings.host])]
        names = [name.strip().lower().strip("[]").rstrip(".") for name in given]
        self._names = frozenset(name for name in names if not name.startswith("*."))
        self._under = tuple(name[1:] for name in names if name.startswith("*."))

    def allow(self, header: str) -> bool:
        """Whether a `Host` header names us."""
        name = named(header)
        return name in self._names or is_loopback(name) or name.endswith(self._under or ("\0",))


def named(header: str) -> str:
    """The name in a `Host` header, without its port."""
    header = header.strip().lower()
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0].rstrip(".")

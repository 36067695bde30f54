"""Carries notices in a process of its own: the only place where `apprise` is imported.

An address was written by a person. It names one of the services below, and nothing of it chooses
code, a file or a place inside our network: the service is looked up here, not by the library; of
an address' options only the few below are taken (others would read files); every name that is
looked up and every address that is connected to passes the rules of outgoing requests, at the very
socket, redirects are not followed, and nothing of our environment is here.
"""

from __future__ import annotations

import importlib
import json
import logging
import resource
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import apprise
import apprise.exception

from bancada.custom.addresses import is_public
from bancada.custom.services import Service, service_of

MEMORY = 1 << 30
LONGEST_PROBLEM = 300


class NotAllowed(OSError):
    """The rules for outgoing requests say no: trying again would change nothing."""


@dataclass
class Allowance:
    """Where the notice that is carried now may go."""

    private: frozenset[str] = frozenset()
    """`address:port` that the operator lets anything reach."""
    names: tuple[str, ...] | None = None
    """The only hosts it may ask for, with what is below them; none: any."""
    named: tuple[str, ...] = ()
    """Hosts that the operator named: wherever they lead."""
    resolved: set[str] = field(default_factory=set)
    refused: str | None = None

    def refuse(self, why: str) -> NotAllowed:
        self.refused = why
        return NotAllowed(why)

    def check_name(self, host: str) -> None:
        if self.names is not None and not any(_within(host, name) for name in self.names):
            raise self.refuse(f"{host[:100]} is not a host that notices may go to.")

    def check_address(self, address: Any) -> None:
        # Anything but an internet address is a socket of this machine.
        if not isinstance(address, tuple) or len(address) < 2:
            raise self.refuse("Only hosts on the network can be asked.")
        host, port = str(address[0]), address[1]
        shown = f"[{host}]" if ":" in host else host
        try:
            public = is_public(host)
        except ValueError:
            raise self.refuse(f"{host[:100]} is not an address.") from None
        if not (public or host in self.resolved or f"{shown}:{port}" in self.private):
            raise self.refuse("The host leads to an address that is not public.")


def _within(host: str, name: str) -> bool:
    host, name = host.rstrip(".").lower(), name.lower()
    return host == name or host.endswith(f".{name}")


RULES = Allowance()


def guard() -> None:
    """Let every look-up and every connection of this process pass the rules in force."""
    look_up, connect, connect_ex = (
        socket.getaddrinfo,
        socket.socket.connect,
        socket.socket.connect_ex,
    )

    def guarded_look_up(host: Any, *more: Any, **options: Any) -> Any:
        name = host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)
        RULES.check_name(name)
        found = look_up(host, *more, **options)
        if any(name.rstrip(".").lower() == one.lower() for one in RULES.named):
            RULES.resolved.update(str(entry[4][0]) for entry in found)
        return found

    def guarded(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(self: socket.socket, address: Any) -> Any:
            RULES.check_address(address)
            return method(self, address)

        return call

    def no_datagrams(self: socket.socket, *_: Any) -> Any:
        raise RULES.refuse("Only connections are allowed.")

    socket.getaddrinfo = guarded_look_up
    for name, replacement in (
        ("connect", guarded(connect)),
        ("connect_ex", guarded(connect_ex)),
        ("sendto", no_datagrams),
        ("sendmsg", no_datagrams),
    ):
        setattr(socket.socket, name, replacement)
    session = importlib.import_module("requests.sessions").Session
    send = session.request

    def straight(self: Any, method: str, url: str, **options: Any) -> Any:
        return send(self, method, url, **{**options, "allow_redirects": False})

    session.request = straight


class _LibraryLog(logging.Handler):
    """What the library says went wrong; it keeps secrets out of its own words."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.last = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.last = record.getMessage()


HEARD = _LibraryLog()


def opened(job: dict[str, Any]) -> Any:
    """The library's object for an address. Raises `ValueError` where there is none."""
    asset = apprise.AppriseAsset(app_id="Bancada", app_desc="", app_url="", plugin_paths=[])
    if job["channel"] == "email":
        smtp = job["smtp"]
        mail = importlib.import_module("apprise.plugins.email.base").NotifyEmail
        return mail(
            host=smtp["host"],
            smtp_host=smtp["host"],
            port=smtp["port"],
            user=smtp["user"],
            password=smtp["password"],
            secure=smtp["security"] != "none",
            secure_mode={"none": "insecure", "tls": "ssl"}.get(smtp["security"], "starttls"),
            from_addr=smtp["sender"],
            targets=[job["address"]],
            format="text",
            asset=asset,
        )
    # As the library's own front does it: `#room` is part of the path.
    address = job["address"].replace("/#", "/%23")
    service = service_of(address)
    if service is None:
        raise ValueError("Not an address of a service that notices may go to.")
    plugin = _plugin(service)
    _check_options(service, address)
    native = urlsplit(address).scheme.lower() == "https"
    said = (plugin.parse_native_url if native else plugin.parse_url)(address)
    if not said:
        raise ValueError("The address cannot be read.")
    said.update(asset=asset, verify=True)
    return plugin(**said)


def _plugin(service: Service) -> Any:
    return getattr(importlib.import_module(f"apprise.plugins.{service.module}"), service.plugin)


def _check_options(service: Service, address: str) -> None:
    """Options can name files, headers and hosts: only those that are needed are taken."""
    given = parse_qsl(urlsplit(address).query, keep_blank_values=True)
    if strange := [name for name, _ in given if name.lower() not in service.options]:
        raise ValueError(f"The option {strange[0][:40]!r} cannot be used in an address.")


def carried(job: dict[str, Any]) -> dict[str, Any]:
    """What became of one job: `ok`, or why not and whether that is for good."""
    global RULES
    RULES = Allowance(
        private=frozenset(job["private"]),
        names=None if job["names"] is None else tuple(job["names"]),
        named=tuple(job["named"]),
    )
    HEARD.last = ""
    try:
        place = opened(job)
        if job["do"] == "check":
            if not (service := service_of(job["address"])) or not service.hosts:
                _check_host(place)
            shown = place.url(privacy=True).partition("?")[0]
            return {"ok": True, "shown": shown.replace("/%23", "/#").rstrip("/")}
        sent = place.notify(
            title=job["title"], body=job["body"], body_format=apprise.NotifyFormat.TEXT
        )
    except (TypeError, ValueError, NotAllowed, apprise.exception.AppriseException) as error:
        return {"ok": False, "final": True, "problem": _short(HEARD.last or str(error))}
    if sent:
        return {"ok": True}
    problem = RULES.refused or HEARD.last or "It was not accepted."
    return {"ok": False, "final": RULES.refused is not None, "problem": _short(problem)}


def _check_host(place: Any) -> None:
    """Refuse at once what leads into our network; a name that leads nowhere may be a room's."""
    host, port = getattr(place, "host", None), getattr(place, "port", None) or 443
    if not host:
        return
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except NotAllowed:
        raise
    except (OSError, UnicodeError):
        return
    for entry in found:
        RULES.check_address(entry[4])


def _short(text: str) -> str:
    return text if len(text) <= LONGEST_PROBLEM else f"{text[:LONGEST_PROBLEM]}…"


def main() -> None:
    """Jobs come as lines of JSON; each is answered in a line, in the same order."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    out = sys.stdout
    # Whatever else writes here must not be taken for an answer.
    sys.stdout = sys.stderr
    logging.getLogger("apprise").addHandler(HEARD)
    guard()
    for line in sys.stdin:
        out.write(json.dumps(carried(json.loads(line))) + "\n")
        out.flush()


if __name__ == "__main__":
    main()

"""Which hosts and addresses a request may go to.

The lists are our own: what the standard library calls global has changed between versions, and
an address that carries another one inside (mapped, translated, tunnelled) must not pass for
public.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from yarl import URL

from bancada.domain.errors import Invalid

DEFAULT_PORTS = {"http": 80, "https": 443}

_NOT_PUBLIC_4 = tuple(
    map(
        IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # carriers' own
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local, and clouds' metadata
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # anycast for AS112
            "192.52.193.0/24",  # multicast relays
            "192.88.99.0/24",  # relays for 6to4
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # anycast for AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, broadcast
        ),
    )
)
_PUBLIC_6 = IPv6Network("2000::/3")
"""All that is handed out. Mapped, translated, unique local, link-local, multicast: outside it."""
_NOT_PUBLIC_6 = tuple(
    map(
        IPv6Network,
        (
            "2001::/23",  # protocol assignments, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4: an IPv4 address in disguise
            "2620:4f:8000::/48",  # anycast for AS112
            "3ffe::/16",  # the old test network
            "3fff::/20",  # documentation
        ),
    )
)


def is_public(text: str) -> bool:
    """Whether an address belongs to a host on the public internet."""
    if "%" in text:  # a scope names an interface of ours
        return False
    address = ip_address(text)
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    return address in _PUBLIC_6 and not any(address in network for network in _NOT_PUBLIC_6)


def literal(host: str) -> str | None:
    """The host as an address, if it is written as one; none for a name.

    Raises `ValueError` for a number that some system would read as an address: `2130706433`,
    `0x7f.1`, `0177.0.0.1`, `127.1`.
    """
    if ":" in host:
        return str(IPv6Address(host.partition("%")[0])) + ("%" if "%" in host else "")
    try:
        return str(IPv4Address(host))
    except ValueError:
        last = host.rstrip(".").rpartition(".")[2]
        if re.fullmatch(r"\d+|0x[0-9a-f]*", last, re.IGNORECASE):
            raise ValueError(f"{host!r} is a number, not a name") from None
        return None


@dataclass(frozen=True)
class AllowedHost:
    """Where requests may go: `api.example.com`, `*.example.com`, `http://host:8080`.

    Without a scheme it is https, without a port the scheme's own.
    """

    scheme: str
    host: str
    port: int

    @staticmethod
    def read(text: str) -> AllowedHost:
        """Raises `Invalid` for what names no host."""
        scheme, _, rest = text.strip().lower().rpartition("://")
        scheme = scheme or "https"
        wild = rest.startswith("*.")
        try:
            url = URL(f"{scheme}://{rest.removeprefix('*.')}")
            host, port = url.raw_host, url.explicit_port
        except ValueError as error:
            raise Invalid("not_a_host", text=text) from error
        if scheme not in DEFAULT_PORTS or not host or url.path not in ("", "/") or "@" in rest:
            raise Invalid("not_a_host", text=text)
        if "*" in host or (wild and "." not in host):
            raise Invalid("host_too_wide", text=text)
        return AllowedHost(scheme, f"*.{host}" if wild else host, port or DEFAULT_PORTS[scheme])

    def holds(self, scheme: str, host: str, port: int) -> bool:
        if (scheme, port) != (self.scheme, self.port):
            return False
        host = host.rstrip(".").lower()
        if self.host.startswith("*."):
            return host.endswith(self.host[1:])
        return host == self.host


def places(texts: Iterable[str]) -> tuple[AllowedHost, ...]:
    return tuple(AllowedHost.read(text) for text in texts)

"""Requests made for tools: what is refused, what is bounded, and what is never said to others."""

from __future__ import annotations

import asyncio
import gzip
import zlib
from collections.abc import Sequence
from typing import Any

import pytest

from bancada.custom.addresses import AllowedHost, is_public, places
from bancada.custom.egress import Egress, EgressLimits, EgressRefused, Outgoing
from bancada.domain.errors import Invalid
from tests.custom.servers import Heard, Server, ok, redirect, serving


class Names:
    """A resolver that says what it is told, in turn, and counts how often it was asked."""

    def __init__(self, **answers: list[list[str]]) -> None:
        self.answers = {name.replace("_", "."): found for name, found in answers.items()}
        self.asked: list[str] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        found = self.answers.get(host)
        if found is None:
            raise OSError("no such name")
        return found.pop(0) if len(found) > 1 else found[0]


def to(url: str, *allowed: str, **says: Any) -> Outgoing:
    """A request to a URL whose host is allowed, and other allowed places."""
    says.setdefault("method", "GET")
    return Outgoing(url=url, places=places(allowed), **says)


def local(server: Server, path: str = "/", **says: Any) -> Outgoing:
    return to(server.origin + path, server.origin, **says)


def reaching(*servers: Server, names: Names | None = None, **limits: Any) -> Egress:
    """An egress that may reach these servers of the test, and nothing else that is private."""
    return Egress(
        limits=EgressLimits(**limits),
        resolve=names,
        allow_private={server.address for server in servers},
    )


# ---------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
        "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1",
        "2001::1", "2001:db8::1", "2002:7f00:1::1", "3fff::1", "fc00::1", "fd12::1", "fe80::1",
        "fe80::1%eth0", "fec0::1", "ff02::1", "2606:4700::1111%lo",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"],
)
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:8321/admin/users",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[64:ff9b::7f00:1]/",
        "http://[fe80::1%25lo]/",
        "http://0.0.0.0/",
        "http://169.254.169.254/latest/meta-data/",
        "http://2130706433/",
        "http://017700000001/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://127.1/",
        "http://127.0.0.1./",
        "http://①②⑦.⓪.⓪.①/",
        "http://１２７.０.０.１/",
        "http://localhost/",
        "http://LOCALHOST./",
        "http://printer.internal/",
        "http://example.com@127.0.0.1/",
        "http://user:password@example.com/",
        "http://@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://127.0.0.1\\.example.com/",
        "http://exa mple.com/",
        "http://example.com\t/",
        "http://example.com/\r\nHost: evil",
        "http:///etc/passwd",
        "file:///etc/passwd",
        "gopher://127.0.0.1:70/x",
        "ftp://example.com/",
        "javascript:alert(1)",
        "//example.com/",
        "/admin",
        "",
        "http://",
        "http://example.com:99999/",
        "http://[::1",
    ],
)
async def test_every_trick_is_refused_even_where_the_host_would_be_allowed(url: str) -> None:
    async with serving(lambda heard: ok(b"{}")) as inside:
        everything = [
            AllowedHost(scheme, host, port)
            for scheme in ("http", "https")
            for host in (
                "127.0.0.1", "::1", "0.0.0.0", "169.254.169.254", "2130706433", "017700000001",
                "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "localhost", "printer.internal",
                "example.com", "::ffff:127.0.0.1", "::ffff:7f00:1", "64:ff9b::7f00:1", "fe80::1%lo",
                "fe80::1%25lo",
            )
            for port in (80, 443, 8321)
        ]  # fmt: skip
        names = Names(
            localhost=[["127.0.0.1"]],
            printer_internal=[["10.0.0.7"]],
            example_com=[["127.0.0.1"]],
        )
        egress = Egress(resolve=names)
        with pytest.raises(EgressRefused):
            await egress.send(Outgoing(method="GET", url=url, places=everything))
        assert inside.heard == []


async def test_the_system_resolver_is_held_to_the_same_rules() -> None:
    with pytest.raises(EgressRefused, match="not public"):
        await Egress().send(to("http://localhost/", "http://localhost"))


@pytest.mark.parametrize("host", ["no-such-name.invalid", f"{'a' * 70}.example", "a..b.example"])
async def test_a_name_that_leads_nowhere_is_told(host: str) -> None:
    places = [AllowedHost("https", host, 443)]
    with pytest.raises(EgressRefused):
        await Egress().send(Outgoing(method="GET", url=f"https://{host}/", places=places))


async def test_one_private_address_among_public_ones_is_enough_to_refuse() -> None:
    names = Names(two_example=[["93.184.216.34", "10.0.0.1"]])
    with pytest.raises(EgressRefused, match="not public"):
        await Egress(resolve=names).send(to("https://two.example/", "two.example"))


async def test_a_name_that_changes_between_check_and_use_changes_nothing() -> None:
    """The name is asked once; the connection goes to the address that was checked."""
    async with (
        serving(lambda heard: ok(b'"checked"')) as good,
        serving(lambda heard: ok(b'"rebound"')) as evil,
    ):
        names = Names(rebind_example=[["127.0.0.1"], ["127.0.0.2"]])
        egress = reaching(good, names=names)
        url = f"http://rebind.example:{good.port}/"
        got = await egress.send(to(url, f"http://rebind.example:{good.port}"))
        assert got.text() == '"checked"'
        assert names.asked == ["rebind.example"]
        assert good.heard[0].headers["host"] == f"rebind.example:{good.port}"
        # Asked again it has become private somewhere else: refused, not followed.
        with pytest.raises(EgressRefused, match="not public"):
            await egress.send(to(url, f"http://rebind.example:{good.port}"))
        assert evil.heard == []


async def test_a_host_that_is_not_on_the_list_is_not_even_resolved() -> None:
    names = Names(evil_example=[["93.184.216.34"]])
    egress = Egress(resolve=names)
    for allowed in ((), ("good.example",), ("*.good.example",), ("evil.example:8443",)):
        with pytest.raises(EgressRefused, match="not allowed"):
            await egress.send(to("https://evil.example/", *allowed))
    assert names.asked == []


@pytest.mark.parametrize(
    ("place", "fits", "misses"),
    [
        ("api.example.com", ("https", "api.example.com", 443), ("http", "api.example.com", 80)),
        ("api.example.com", ("https", "API.example.com.", 443), ("https", "example.com", 443)),
        ("*.example.com", ("https", "a.b.example.com", 443), ("https", "example.com", 443)),
        ("*.example.com", ("https", "x.example.com", 443), ("https", "badexample.com", 443)),
        ("http://host.example:8080", ("http", "host.example", 8080), ("http", "host.example", 80)),
    ],
)
def test_what_a_place_on_the_list_allows(
    place: str, fits: tuple[str, str, int], misses: tuple[str, str, int]
) -> None:
    assert AllowedHost.read(place).holds(*fits)
    assert not AllowedHost.read(place).holds(*misses)


@pytest.mark.parametrize(
    "text",
    ["", "*", "*.com", "https://", "ftp://x.example", "x.example/path", "u@x.example", "a*.b.c"],
)
def test_a_place_that_names_no_host_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        AllowedHost.read(text)


# ---------------------------------------------------------------------------- redirects


async def test_a_redirect_is_checked_like_the_first_request() -> None:
    async with serving(lambda heard: ok(b"secret")) as inside:
        for target in (
            inside.origin,
            "http://169.254.169.254/latest/",
            "http://[::1]/",
            "//127.0.0.1/",
            "file:///etc/passwd",
            "http://user@example.com/",
            "http://2130706433/",
            "\\\\127.0.0.1\\x",
            "http://",
        ):
            async with serving(lambda heard, to=target: redirect(to)) as outside:  # type: ignore[misc]
                request = to(
                    outside.origin, outside.origin, inside.origin, "http://169.254.169.254"
                )
                with pytest.raises(EgressRefused):
                    await reaching(outside).send(request)
        assert inside.heard == []


async def test_a_redirect_to_a_host_that_is_not_on_the_list_is_refused() -> None:
    async with (
        serving(lambda heard: ok(b"{}")) as other,
        serving(lambda heard: redirect(other.origin)) as first,
    ):
        with pytest.raises(EgressRefused, match="not allowed"):
            await reaching(first, other).send(local(first))
        assert other.heard == []


async def test_redirects_come_to_an_end() -> None:
    async with serving(lambda heard: redirect("/again")) as server:
        with pytest.raises(EgressRefused, match="redirects"):
            await reaching(server, redirects=3).send(local(server))
        assert len(server.heard) == 4


async def test_keys_do_not_follow_a_redirect_to_another_host() -> None:
    async with (
        serving(lambda heard: ok(b"{}")) as other,
        serving(lambda heard: redirect(other.origin + "/there")) as first,
    ):
        keys = {
            "Authorization": "Bearer k-123",
            "X-Api-Key": "k-123",
            "Cookie2": "k-123",
            "Accept": "application/json",
        }
        request = to(first.origin, first.origin, other.origin, headers=keys)
        await reaching(first, other).send(request)
        assert first.heard[0].headers["x-api-key"] == "k-123"
        assert "k-123" not in str(other.heard[0].headers)
        assert other.heard[0].headers["accept"] == "application/json"


async def test_keys_follow_within_the_same_host() -> None:
    def answer(heard: Heard) -> bytes:
        return ok(b"{}") if heard.target == "/b" else redirect("/b")

    async with serving(answer) as server:
        await reaching(server).send(local(server, headers={"X-Api-Key": "k-123"}))
        assert server.heard[1].headers["x-api-key"] == "k-123"


@pytest.mark.parametrize(
    ("status", "method", "body"), [(302, "GET", b""), (303, "GET", b""), (307, "POST", b"{}")]
)
async def test_what_becomes_of_a_redirected_post(status: int, method: str, body: bytes) -> None:
    def answer(heard: Heard) -> bytes:
        return ok(b"{}") if heard.target == "/b" else redirect("/b", status)

    async with serving(answer) as server:
        await reaching(server).send(local(server, method="POST", body=b"{}"))
        assert (server.heard[1].method, server.heard[1].body) == (method, body)


async def test_a_body_is_not_sent_on_to_another_host() -> None:
    async with (
        serving(lambda heard: ok(b"{}")) as other,
        serving(lambda heard: redirect(other.origin, 307)) as first,
    ):
        request = to(first.origin, first.origin, other.origin, method="POST", body=b"mine")
        with pytest.raises(EgressRefused, match="another host"):
            await reaching(first, other).send(request)
        assert other.heard == []


# ---------------------------------------------------------------------------- bounds


async def test_a_body_larger_than_the_bound_is_not_read_to_its_end() -> None:
    sent = 0

    async def endless(writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n")
        while True:
            writer.write(b"x" * 10_000)
            await writer.drain()
            sent += 10_000

    async with serving(lambda heard: endless) as server:
        with pytest.raises(EgressRefused, match=r"larger than 50,000 bytes"):
            await reaching(server, body_bytes=50_000).send(local(server))
    assert sent < 20_000_000


async def test_a_body_of_exactly_the_bound_is_read() -> None:
    async with serving(lambda heard: ok(b"x" * 1000, "text/plain")) as server:
        got = await reaching(server, body_bytes=1000).send(local(server))
        assert len(got.body) == 1000


@pytest.mark.parametrize("where", ["headers", "body"])
async def test_a_slow_answer_ends_at_the_time_limit(where: str) -> None:
    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n")
        writer.write(b"\r\n" if where == "body" else b"X: ")
        while True:
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.01)

    async with serving(lambda heard: drip) as server:
        with pytest.raises(EgressRefused, match=r"longer than 0\.2 s"):
            await reaching(server, seconds=0.2).send(local(server))


async def test_a_server_that_never_answers_ends_at_the_time_limit() -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    async with serving(lambda heard: silent) as server:
        with pytest.raises(EgressRefused, match="longer than"):
            await reaching(server, seconds=0.2).send(local(server))


async def test_a_name_that_is_never_resolved_ends_at_the_time_limit() -> None:
    async def never(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    egress = Egress(limits=EgressLimits(seconds=0.1), resolve=never)
    with pytest.raises(EgressRefused, match="longer than"):
        await egress.send(to("https://slow.example/", "slow.example"))


@pytest.mark.parametrize("packing", ["gzip", "deflate"])
async def test_a_bomb_goes_off_in_small_doses(packing: str) -> None:
    plain = b"\0" * 200_000_000
    bomb = gzip.compress(plain, 9) if packing == "gzip" else zlib.compress(plain, 9)
    del plain
    answer = ok(bomb, "text/plain", f"Content-Encoding: {packing}")
    async with serving(lambda heard: answer) as server:
        with pytest.raises(EgressRefused, match="larger than"):
            await reaching(server, body_bytes=100_000).send(local(server))


async def test_an_honest_packed_answer_is_unpacked() -> None:
    packed = gzip.compress(b'{"a":1}')
    async with serving(
        lambda heard: ok(packed, "application/json", "Content-Encoding: gzip")
    ) as server:
        assert (await reaching(server).send(local(server))).text() == '{"a":1}'


@pytest.mark.parametrize(
    "answer",
    [
        ok(b"x", "text/plain", "Content-Encoding: br"),
        ok(b"not gzip", "text/plain", "Content-Encoding: gzip"),
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        b"nonsense\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n",
        b"",
    ],
)
async def test_a_broken_answer_is_a_failure_and_nothing_worse(answer: bytes) -> None:
    async with serving(lambda heard: answer) as server:
        with pytest.raises(EgressRefused):
            await reaching(server).send(local(server))


async def test_an_answer_in_an_unknown_encoding_is_still_text() -> None:
    async with serving(lambda heard: ok(b"ol\xe1", "text/plain; charset=klingon")) as server:
        assert (await reaching(server).send(local(server))).text() == "ol\ufffd"


async def test_too_much_is_not_sent() -> None:
    async with serving(lambda heard: ok(b"{}")) as server:
        with pytest.raises(EgressRefused, match="larger"):
            await reaching(server, sent_bytes=10).send(local(server, method="POST", body=b"x" * 11))
        assert server.heard == []


# ---------------------------------------------------------------------------- manners


async def test_no_cookies_are_kept_and_no_proxy_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with (
        serving(lambda heard: ok(b"{}", "application/json", "Set-Cookie: a=1")) as server,
        serving(lambda heard: ok(b"{}")) as proxy,
    ):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.origin)
        egress = reaching(server)
        await egress.send(local(server))
        await egress.send(local(server))
        assert [one.headers.get("cookie") for one in server.heard] == [None, None]
        assert proxy.heard == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("Host", "evil.example"),
        ("Content-Length", "5"),
        ("Transfer-Encoding", "chunked"),
        ("Cookie", "a=1"),
        ("X-A", "b\r\nHost: evil"),
        ("X-A\r\nHost", "b"),
        ("X A", "b"),
        ("X-A", "ч"),
    ],
)
async def test_headers_cannot_change_the_request(name: str, value: str) -> None:
    async with serving(lambda heard: ok(b"{}")) as server:
        with pytest.raises(EgressRefused):
            await reaching(server).send(local(server, headers={name: value}))
        assert server.heard == []


async def test_an_error_names_the_host_and_never_the_path_or_query() -> None:
    async with serving(lambda heard: b"") as server:
        with pytest.raises(EgressRefused) as refused:
            await reaching(server).send(local(server, "/k-123?key=k-123"))
        assert "k-123" not in str(refused.value)
        assert str(server.port) in str(refused.value)
    with pytest.raises(EgressRefused) as refused:
        await Egress(resolve=Names()).send(to("https://x.example/k-123?k=k-123", "x.example"))
    assert "k-123" not in str(refused.value)

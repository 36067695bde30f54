"""HTTP tools: what is sent, what comes back, and what never does."""

from __future__ import annotations

import base64
import logging
from collections.abc import AsyncIterator
from urllib.parse import parse_qsl

import pytest

from bancada.custom.egress import Egress
from bancada.domain.json import dumps
from tests.custom.servers import Heard, Server, ok, serving
from tests.custom.workshop import Workshop, parameter
from tests.house import House

SECRET = "s3cr3t-Value/with+signs"


def answer(heard: Heard) -> bytes:
    """An echo that repeats everything it heard, secrets too."""
    if heard.target.startswith("/missing"):
        body = f"no such thing, {heard.headers.get('authorization')}".encode()
        return b"HTTP/1.1 404 No\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    if heard.target.startswith("/text"):
        return ok(str(heard.headers).encode(), "text/plain")
    if heard.target.startswith("/picture"):
        return ok(b"%PDF-1.7", "application/pdf")
    if heard.target.startswith("/broken"):
        return ok(b"{", "application/json")
    if heard.target.startswith("/nothing"):
        return b"HTTP/1.1 204 OK\r\n\r\n"
    return ok(
        dumps(
            {
                "method": heard.method,
                "target": heard.target,
                "headers": heard.headers,
                "body": heard.body.decode(),
                heard.headers.get("authorization", "nobody"): 1,
                "packed": base64.b64encode(heard.headers.get("x-key", "nothing").encode()).decode(),
                "items": [{"name": "a"}, {"name": "b"}],
            }
        ).encode()
    )


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving(answer) as running:
        yield running


@pytest.fixture
async def web(house: House, server: Server) -> Workshop:
    """A workshop that may reach the test's own server."""
    workshop = Workshop(house, egress=Egress(allow_private={server.address}))
    await workshop.settings(egress=[server.origin], secrets={"TOKEN": SECRET})
    return workshop


async def test_each_value_is_encoded_for_the_place_it_goes_to(
    web: Workshop, server: Server
) -> None:
    await web.define(
        "find_item",
        "http",
        {
            "method": "POST",
            "url": server.origin + "/items/{id}/{{x}}?fixed=1&in={words}",
            "query": {"q": "{words}", "n": "{n}", "left": "{left}"},
            "headers": {"X-Words": "w-{n}"},
            "body": {"words": "{words}", "n": "{n}", "both": "{words} ({n})", "left": "{left}"},
        },
        parameter("id"),
        parameter("words"),
        parameter("n", "integer"),
        parameter("left", is_required=False),
        effect="write",
        requires_confirmation=False,
    )
    words = 'a/b&c=d?#é+ "{n}"%41'
    got = await web.house.result("find_item", {"id": "../../etc?x#y", "words": words, "n": 7})
    assert not got.is_error, got.content
    (heard,) = server.heard
    path, _, query = heard.target.partition("?")
    assert path == "/items/..%2F..%2Fetc%3Fx%23y/%7Bx%7D"
    assert parse_qsl(query) == [("fixed", "1"), ("in", words), ("q", words), ("n", "7")]
    assert heard.headers["x-words"] == "w-7"
    assert heard.headers["content-type"] == "application/json"
    assert heard.json() == {"words": words, "n": 7, "both": f"{words} (7)"}


@pytest.mark.parametrize("id", ["..", ".", ""])
async def test_a_value_cannot_walk_out_of_its_folder(
    web: Workshop, server: Server, id: str
) -> None:
    await web.define(
        "get_item", "http", {"url": server.origin + "/items/{id}/secret"}, parameter("id")
    )
    got = await web.house.result("get_item", {"id": id})
    assert got.is_error
    assert server.heard == []


async def test_a_line_break_in_a_header_is_refused(web: Workshop, server: Server) -> None:
    await web.define(
        "tag", "http", {"url": server.origin, "headers": {"X-Tag": "{tag}"}}, parameter("tag")
    )
    got = await web.house.result("tag", {"tag": "a\r\nHost: evil"})
    assert got.is_error
    assert server.heard == []


async def test_secrets_go_out_and_never_come_back(
    web: Workshop, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    definition = {
        "url": server.origin + "/{where}",
        "headers": {"Authorization": "Bearer {secret:TOKEN}", "X-Key": "{secret:TOKEN}"},
        "query": {"key": "{secret:TOKEN}"},
    }
    await web.define("ask", "http", definition, parameter("where"))
    for where in ("echo", "text", "missing"):
        got = await web.house.result("ask", {"where": where})
        assert server.heard[-1].headers["authorization"] == f"Bearer {SECRET}"
        shown = dumps([got.content, got.value])
        assert "[secret TOKEN]" in shown
        for form in (
            SECRET,
            "s3cr3t-Value%2Fwith%2Bsigns",
            base64.b64encode(SECRET.encode()).decode(),
        ):
            assert form not in shown
    assert SECRET not in caplog.text
    assert SECRET not in dumps(await web.house.lines())


async def test_an_answer_is_json_text_or_a_note(web: Workshop, server: Server) -> None:
    await web.define("ask", "http", {"url": server.origin + "/{where}"}, parameter("where"))
    call = web.house.result
    assert (await call("ask", {"where": "echo"})).value["method"] == "GET"
    assert "user-agent" in str((await call("ask", {"where": "text"})).content)
    assert (await call("ask", {"where": "picture"})).value == {
        "status": 200,
        "media_type": "application/pdf",
        "bytes": 8,
    }
    assert (await call("ask", {"where": "nothing"})).value == {"status": 204}
    assert "is not" in str((await call("ask", {"where": "broken"})).content)
    missing = await call("ask", {"where": "missing"})
    assert missing.is_error
    assert "404" in str(missing.content)


async def test_a_part_of_the_answer_can_be_chosen(web: Workshop, server: Server) -> None:
    await web.define("names", "http", {"url": server.origin, "result": "items.1.name"})
    assert (await web.house.result("names")).content == "b"
    await web.define("wrong", "http", {"url": server.origin, "result": "items.9.name"})
    assert (await web.house.result("wrong")).is_error


async def test_a_form_is_sent_as_a_form(web: Workshop, server: Server) -> None:
    await web.define(
        "post_form",
        "http",
        {"method": "POST", "url": server.origin, "form": {"a": "{a}", "b": "x y"}},
        parameter("a"),
        effect="write",
        requires_confirmation=False,
    )
    await web.house.result("post_form", {"a": "1&2"})
    assert server.heard[0].body == b"a=1%262&b=x+y"
    assert server.heard[0].headers["content-type"] == "application/x-www-form-urlencoded"


async def test_defaults_fill_what_was_left_out(web: Workshop, server: Server) -> None:
    await web.define(
        "page",
        "http",
        {"url": server.origin + "/p/{n}"},
        parameter("n", "integer", default_value=3),
    )
    await web.house.result("page")
    await web.house.result("page", {"n": 4})
    assert [one.target for one in server.heard] == ["/p/3", "/p/4"]


async def test_a_host_taken_off_the_list_is_not_asked_any_more(
    web: Workshop, server: Server
) -> None:
    await web.define("ask", "http", {"url": server.origin})
    assert not (await web.house.result("ask")).is_error
    await web.settings(egress=["other.example"])
    got = await web.house.result("ask")
    assert got.code == "disabled"
    assert "egress" in str(got.content)
    assert len(server.heard) == 1


async def test_text_from_outside_makes_later_writes_ask(web: Workshop, server: Server) -> None:
    await web.define("ask", "http", {"url": server.origin})
    await web.define(
        "act",
        "http",
        {"method": "POST", "url": server.origin, "body": {}},
        effect="write",
        requires_confirmation=False,
    )
    assert not (await web.house.result("act", turn_id="t0", id="a")).is_error
    await web.house.result("ask", turn_id="t1", id="b")
    waiting = await web.house.waits("act", turn_id="t1", id="c")
    assert waiting.reason == "outside_content"

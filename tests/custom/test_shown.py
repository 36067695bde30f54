"""What custom tools answer to be looked at: an image is an image, a widget a widget."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator

import pytest

from bancada.custom.egress import Egress
from bancada.domain.calls import CODE_CALLER, Caller, Outcome, ToolCall, Widget
from bancada.domain.json import JSONObject, dumps, loads
from bancada.tools.result import MAX_SHOWN_FILE_CHARS, text_for_code
from tests.custom.servers import Heard, Server, ok, serving
from tests.custom.workshop import Workshop
from tests.house import House

PNG = b"\x89PNG\r\n\x1a\n" + bytes(2_000)
LARGE = PNG + bytes(MAX_SHOWN_FILE_CHARS)
KPI = {"widget": "kpi", "titulo": "Lotes", "valor": 12}


def answer(heard: Heard) -> bytes:
    match heard.target:
        case "/picture":
            return ok(PNG, "image/png")
        case "/large":
            return ok(LARGE, "image/png")
        case "/false":
            return ok(b"<svg/>", "image/png")
        case "/kpi":
            return ok(dumps(KPI).encode(), "application/json")
        case "/wrong":
            return ok(dumps({"widget": "kpi", "valor": 1}).encode(), "application/json")
    return ok(dumps({"widget": "teapot"}).encode(), "application/json")


@pytest.fixture
async def server() -> AsyncIterator[Server]:
    async with serving(answer) as running:
        yield running


@pytest.fixture
async def web(sqlite_house: House, server: Server) -> Workshop:
    workshop = Workshop(sqlite_house, egress=Egress(allow_private={server.address}))
    await workshop.settings(egress=[server.origin])
    for name in ("picture", "large", "false", "kpi", "wrong", "teapot"):
        callers = {"allowed_callers": ["direct", CODE_CALLER]}
        await workshop.define(name, "http", {"url": f"{server.origin}/{name}"}, **callers)
        steps = {"steps": [{"name": "seen", "tool": name}]}
        await workshop.define(f"{name}_chain", "composed", steps, **callers)
    return workshop


def image(content: bytes) -> JSONObject:
    data = base64.b64encode(content).decode()
    return {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}


@pytest.mark.parametrize("name", ["picture", "picture_chain"])
async def test_an_image_is_an_image(web: Workshop, name: str) -> None:
    assert (await web.house.result(name)).content == [image(PNG)]


@pytest.mark.parametrize("name", ["large", "large_chain"])
async def test_a_large_image_reaches_the_model_and_the_event_says_what_there_was(
    web: Workshop, name: str
) -> None:
    made = await web.house.result(name)
    assert made.content == [image(LARGE)]
    assert "image/png" in made.shown[0]["text"]


async def test_what_only_says_it_is_an_image_is_left_out_with_a_note(web: Workshop) -> None:
    (block,) = (await web.house.result("false")).content
    assert "not image/png" in block["text"]  # type: ignore[index]


@pytest.mark.parametrize("name", ["kpi", "kpi_chain"])
async def test_a_widget_is_a_widget(web: Workshop, name: str) -> None:
    made = await web.house.result(name)
    (widget,) = made.widgets
    assert isinstance(widget, Widget)
    assert (widget.kind, widget.data["valor"]) == ("kpi", 12)
    assert made.value == widget.data


async def test_a_widget_that_could_not_be_drawn_is_an_error(web: Workshop) -> None:
    made = await web.house.result("wrong")
    assert made.is_error
    assert "no kpi that can be shown" in str(made.content)


async def test_data_that_only_speaks_of_widgets_is_data(web: Workshop) -> None:
    assert (await web.house.result("teapot")).value == {"widget": "teapot"}


@pytest.mark.parametrize("chained", ["", "_chain"])
async def test_code_reads_them_as_json_and_the_person_sees_them(
    web: Workshop, chained: str
) -> None:
    caller = Caller(type=CODE_CALLER, tool_id="srvtoolu_1")

    async def called(name: str) -> Outcome:
        call = ToolCall(id=f"toolu_{name}", name=name, input={}, caller=caller)
        ended = await web.house.gate.call(call, web.house.scope())
        assert isinstance(ended, Outcome)
        return ended

    assert loads(text_for_code(await called(f"large{chained}"))) == [image(LARGE)]
    kpi = await called(f"kpi{chained}")
    assert loads(text_for_code(kpi))["valor"] == 12
    assert len(kpi.widgets) == 1

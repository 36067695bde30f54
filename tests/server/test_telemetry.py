"""Traces and metrics where an endpoint is configured, and nothing at all where none is."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import logging
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web

from bancada.server.logs import JSONLines, Lines, request_id, without_secrets
from bancada.telemetry import Span, listening, span
from bancada.testing import ScriptedModel, calls, says
from tests.server.site import served

# ---------------------------------------------------------------------------- the seam


@dataclass
class Ear:
    """Keeps what it hears."""

    heard: list[tuple[str, dict[str, Any], str | None]] = field(default_factory=list)

    def arriving(self, headers: Mapping[str, str]) -> AbstractContextManager[object]:
        return nullcontext()

    def began(self, span: Span) -> str:
        return f"handle of {span.name}"

    def ended(self, span: Span, handle: str) -> None:
        assert handle == f"handle of {span.name}"
        error = None if span.error is None else type(span.error).__name__
        self.heard.append((span.name, span.attributes, error))


def test_spans_are_told_with_what_was_learnt_and_how_they_failed() -> None:
    ear = Ear()
    with listening(ear):
        with span("outer", a=1) as outer:
            outer.set(b=2)
        with pytest.raises(KeyError), span("broken"):
            raise KeyError
    with span("unheard") as nothing:
        nothing.set(c=3)
    assert ear.heard == [("outer", {"a": 1, "b": 2}, None), ("broken", {}, "KeyError")]


def test_nothing_of_opentelemetry_is_imported_unless_configured() -> None:
    program = (
        "import sys; import bancada.server.app; "
        "sys.exit(any(name.startswith('opentelemetry.sdk') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# ---------------------------------------------------------------------------- a collector


@dataclass
class Collector:
    """Takes what an exporter sends."""

    address: str = ""
    spans: list[Any] = field(default_factory=list)
    metrics: list[Any] = field(default_factory=list)

    async def traces(self, request: web.Request) -> web.Response:
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
            ExportTraceServiceRequest,
        )

        sent = ExportTraceServiceRequest.FromString(await _body(request))
        self.spans += [
            each
            for resource in sent.resource_spans
            for scope in resource.scope_spans
            for each in scope.spans
        ]
        return web.Response()

    async def measures(self, request: web.Request) -> web.Response:
        from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
            ExportMetricsServiceRequest,
        )

        sent = ExportMetricsServiceRequest.FromString(await _body(request))
        self.metrics += [
            each.name
            for resource in sent.resource_metrics
            for scope in resource.scope_metrics
            for each in scope.metrics
        ]
        return web.Response()


async def _body(request: web.Request) -> bytes:
    body = await request.read()
    return gzip.decompress(body) if body[:2] == b"\x1f\x8b" else body


@asynccontextmanager
async def collecting() -> AsyncIterator[Collector]:
    """In a thread's own loop: the exporter's last words are waited for without yielding."""
    collector, ready, over = Collector(), asyncio.Event(), asyncio.Event()
    here = asyncio.get_running_loop()

    async def serve() -> None:
        nonlocal over
        over = asyncio.Event()
        app = web.Application()
        app.router.add_post("/v1/traces", collector.traces)
        app.router.add_post("/v1/metrics", collector.measures)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        collector.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        there = asyncio.get_running_loop()
        collector.close = lambda: there.call_soon_threadsafe(over.set)  # type: ignore[attr-defined]
        here.call_soon_threadsafe(ready.set)
        await over.wait()
        await runner.cleanup()

    serving = asyncio.create_task(asyncio.to_thread(lambda: asyncio.run(serve())))
    await ready.wait()
    try:
        yield collector
    finally:
        collector.close()  # type: ignore[attr-defined]
        await serving


async def test_a_turn_its_replies_calls_and_code_become_one_trace(folder: Path) -> None:
    pytest.importorskip("opentelemetry.sdk")
    model = ScriptedModel(
        [
            calls("contar_defeitos"),
            calls("code_execution", code="print(1)"),
            says("Uma resposta reconhecível.").using(input=120, output=7),
        ]
    )
    async with collecting() as collector:  # noqa: SIM117 - the site closes first
        async with served(folder, model=model, otlp_endpoint=collector.address) as site:
            has_code = site.bench.jail.missing is None
            rui = await site.signs_in("rui")
            await rui.begins("Análise")
            told = await rui.asks("uma pergunta reconhecível")
            assert told[-1].data["status"] == "done"
    spans = {each.span_id: each for each in collector.spans}
    names = sorted(each.name for each in spans.values())
    expected = ["chat claude-sonnet-5-5"] * 3 + ["execute_tool contar_defeitos"]
    expected += ["invoke_agent Análise"] + (["execute_tool code_execution"] if has_code else [])
    assert names == sorted(expected)
    turn = next(each for each in spans.values() if each.name.startswith("invoke_agent"))
    assert {each.trace_id for each in spans.values()} == {turn.trace_id}
    assert all(each.parent_span_id == turn.span_id for each in spans.values() if each is not turn)
    said = {
        attribute.key: attribute.value
        for each in spans.values()
        for attribute in each.attributes
        if each.name.startswith("chat")
    }
    assert said["gen_ai.usage.input_tokens"].int_value > 0
    assert said["gen_ai.operation.name"].string_value == "chat"
    assert said["gen_ai.provider.name"].string_value == "anthropic"
    measured = {"gen_ai.client.operation.duration", "gen_ai.client.token.usage"}
    assert measured <= set(collector.metrics)
    # What was asked and answered is nobody's business here.
    assert "reconhecível" not in str(collector.spans)


async def test_a_callers_trace_is_taken_up(folder: Path) -> None:
    pytest.importorskip("opentelemetry.sdk")
    trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
    async with collecting() as collector:  # noqa: SIM117 - the site closes first
        async with served(
            folder, model=ScriptedModel(["Olá."]), otlp_endpoint=collector.address
        ) as site:
            rui = await site.signs_in("rui")
            await rui.begins()
            rui.client.headers["traceparent"] = f"00-{trace}-{parent}-01"
            await rui.asks("olá?")
    assert {each.trace_id.hex() for each in collector.spans} == {trace}
    turn = next(each for each in collector.spans if each.name.startswith("invoke_agent"))
    assert turn.parent_span_id.hex() == parent


async def test_content_is_in_traces_only_where_the_operator_wants_it(folder: Path) -> None:
    pytest.importorskip("opentelemetry.sdk")
    given = {"otlp_content": True}
    model = ScriptedModel([calls("contar_defeitos"), says("Uma resposta reconhecivel.")])
    async with collecting() as collector:  # noqa: SIM117 - the site closes first
        async with served(folder, model=model, otlp_endpoint=collector.address, **given) as site:
            rui = await site.signs_in("rui")
            await rui.begins()
            await rui.asks("uma pergunta distinta")
    said = str(collector.spans)
    assert "gen_ai.output.messages" in said
    assert "Uma resposta reconhecivel" in said
    assert "uma pergunta distinta" in said


async def test_a_collector_that_is_away_holds_up_nobody(folder: Path) -> None:
    pytest.importorskip("opentelemetry.sdk")
    async with served(folder, otlp_endpoint="http://127.0.0.1:9") as site:
        rui = await site.signs_in("rui")
        await rui.begins()
        told = await rui.asks("quantos defeitos?")
        assert told[-1].data["status"] == "done"


# ---------------------------------------------------------------------------- logs


def logged(formatter: logging.Formatter, message: str, *values: object, **extra: Any) -> str:
    out = io.StringIO()
    handler = logging.StreamHandler(out)
    handler.setFormatter(formatter)
    logger = logging.Logger("bancada.test")
    logger.addHandler(handler)
    logger.info(message, *values, **extra)
    return out.getvalue()


def test_lines_carry_the_request_and_json_lines_are_json() -> None:
    marked = request_id.set("r-9")
    try:
        assert logged(Lines(), "olá %s", "mundo").endswith("bancada.test olá mundo [r-9]\n")
        shape = json.loads(logged(JSONLines(), "olá %s", "mundo", extra={"turn_id": "t1"}))
    finally:
        request_id.reset(marked)
    assert (shape["message"], shape["request_id"], shape["turn_id"]) == ("olá mundo", "r-9", "t1")


@pytest.mark.parametrize("formatter", [Lines(), JSONLines()])
def test_a_trace_is_in_the_log_and_its_secrets_are_not(formatter: logging.Formatter) -> None:
    try:
        raise RuntimeError("Authorization: Bearer abc.def.ghi and sk-ant-api03-0123456789abcdef")
    except RuntimeError:
        said = logged(formatter, "failed", exc_info=True)
    assert "RuntimeError" in said
    assert "abc.def.ghi" not in said
    assert "0123456789abcdef" not in said


@pytest.mark.parametrize(
    "secret",
    [
        "bk_abcdefSECRETSECRETSECRET",
        "sk-ant-apiSECRETSECRET",
        "Bearer SECRETSECRET",
        "eyJhbGciSECRET.eyJ1c2VySECRET.sigSECRET",
        "postgresql://reader:SECRET@db/erp",
    ],
)
def test_what_looks_like_a_secret_is_cut(secret: str) -> None:
    assert "SECRETSECRET" not in without_secrets(f"x {secret} y")
    assert "SECRET@" not in without_secrets(secret)
    assert "sigSECRET" not in without_secrets(secret)
    assert without_secrets("nothing to hide: a.b.c") == "nothing to hide: a.b.c"


def test_contents_are_not_heard_unless_asked_for(caplog: pytest.LogCaptureFixture) -> None:
    """Whoever sets logging up (a library may do it again): details are off by default."""
    caplog.set_level(logging.INFO)
    logger = logging.getLogger("bancada.content")
    assert not logger.isEnabledFor(logging.DEBUG)
    logger.debug("um segredo")
    assert "um segredo" not in caplog.text

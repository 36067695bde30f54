"""Traces and metrics over OTLP, where an endpoint is configured; otherwise nothing is imported.

Names are those of OpenTelemetry's GenAI conventions. What people ask and models say is in none of
them, unless the operator switches that on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import bancada
from bancada.domain.calls import CODE_TOOL
from bancada.domain.errors import SettingsError
from bancada.domain.json import JSONObject, dumps
from bancada.settings import Settings
from bancada.telemetry import Span, listening

SEND_SECONDS = 3
"""A collector that does not answer must not hold up the end of the process."""

OPERATIONS = {
    "turn": ("invoke_agent", "agent"),
    "model call": ("chat", "model"),
    "tool call": ("execute_tool", "tool"),
    "code run": ("execute_tool", "tool"),
}
"""Our spans → the operation of the GenAI conventions, and what its span is named after."""

NAMES = {
    "model": "gen_ai.request.model",
    "max_tokens": "gen_ai.request.max_tokens",
    "response_model": "gen_ai.response.model",
    "stop_reason": "gen_ai.response.finish_reasons",
    "output_tokens": "gen_ai.usage.output_tokens",
    "cache_read_tokens": "gen_ai.usage.cache_read.input_tokens",
    "cache_write_tokens": "gen_ai.usage.cache_creation.input_tokens",
    "tool": "gen_ai.tool.name",
    "agent": "gen_ai.agent.name",
    "agent_id": "gen_ai.agent.id",
    "call_id": "gen_ai.tool.call.id",
    "conversation_id": "gen_ai.conversation.id",
    "server": "server.address",
}
"""Our names → those of the semantic conventions; others get a prefix of ours."""

SELLERS = {
    "anthropic": "anthropic",
    "bedrock": "aws.bedrock",
    "vertex": "gcp.vertex_ai",
    "foundry": "azure.ai.inference",
}
"""Kinds of providers with a name of their own in the conventions; others go by ours."""

SECONDS = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)
TOKENS = tuple(4**n for n in range(14))
"""Edges of the histograms, as the conventions advise them."""


@contextmanager
def exporting(settings: Settings) -> Iterator[None]:
    """Send what is measured to the configured endpoint while the block lasts."""
    if settings.otlp_endpoint is None:
        yield
        return
    exporter = Exporter(settings.otlp_endpoint, content=settings.otlp_content)
    try:
        with listening(exporter):
            yield
    finally:
        exporter.close()


class Exporter:
    """Spans as traces, their counts and durations as metrics."""

    def __init__(self, endpoint: str, *, content: bool = False) -> None:
        self._content = content
        base = endpoint.rstrip("/")
        resource = _part("sdk.resources").Resource.create(
            {"service.name": "bancada", "service.version": bancada.__version__}
        )
        self._context = _part("context")
        self._trace = _part("trace")
        self._traces = _part("sdk.trace").TracerProvider(resource=resource)
        spans = _part("exporter.otlp.proto.http.trace_exporter").OTLPSpanExporter(
            endpoint=f"{base}/v1/traces", timeout=SEND_SECONDS
        )
        self._traces.add_span_processor(_part("sdk.trace.export").BatchSpanProcessor(spans))
        self._tracer = self._traces.get_tracer("bancada", bancada.__version__)
        metrics = _part("exporter.otlp.proto.http.metric_exporter").OTLPMetricExporter(
            endpoint=f"{base}/v1/metrics", timeout=SEND_SECONDS
        )
        reader = _part("sdk.metrics.export").PeriodicExportingMetricReader(metrics)
        self._metrics = _part("sdk.metrics").MeterProvider(
            resource=resource, metric_readers=[reader]
        )
        meter = self._metrics.get_meter("bancada", bancada.__version__)
        self._seconds = meter.create_histogram(
            "gen_ai.client.operation.duration",
            unit="s",
            description="Turns, replies, tool calls, code.",
            explicit_bucket_boundaries_advisory=SECONDS,
        )
        self._tokens = meter.create_histogram(
            "gen_ai.client.token.usage",
            unit="{token}",
            description="Tokens read and written, a reply.",
            explicit_bucket_boundaries_advisory=TOKENS,
        )
        self._traced = _part("trace.propagation.tracecontext").TraceContextTextMapPropagator()

    @contextmanager
    def arriving(self, headers: Mapping[str, str]) -> Iterator[None]:
        token = self._context.attach(self._traced.extract(headers))
        try:
            yield
        finally:
            self._context.detach(token)

    def began(self, span: Span) -> Any:
        kind = self._trace.SpanKind
        started = self._tracer.start_span(
            _title(span), kind=kind.CLIENT if span.name == "model call" else kind.INTERNAL
        )
        token = self._context.attach(self._trace.set_span_in_context(started))
        return started, token

    def ended(self, span: Span, handle: Any) -> None:
        started, token = handle
        started.update_name(_title(span))
        started.set_attributes(_named(span))
        if self._content and "said" in span.attributes:
            started.set_attributes(_content(*span.attributes["said"]))
        if span.error is not None:
            started.set_status(self._trace.StatusCode.ERROR, type(span.error).__name__)
        started.end()
        self._context.detach(token)
        self._measure(span)

    def _measure(self, span: Span) -> None:
        labels = {name: value for name, value in _named(span).items() if name in LABELS}
        self._seconds.record(span.seconds, labels)
        if span.name == "model call" and "output_tokens" in span.attributes:
            for kind, used in (
                ("input", _read(span)),
                ("output", span.attributes["output_tokens"]),
            ):
                self._tokens.record(used, {**labels, "gen_ai.token.type": kind})

    def close(self) -> None:
        """Send what is left."""
        self._traces.shutdown()
        self._metrics.shutdown()


LABELS = (
    "gen_ai.operation.name",
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.response.model",
    "gen_ai.tool.name",
    "error.type",
    "server.address",
)
"""What metrics are told apart by: names of ours, and nobody's."""


def _title(span: Span) -> str:
    """`chat {model}`, `execute_tool {tool}`, `invoke_agent {agent}`; other work keeps its name."""
    operation, about = OPERATIONS.get(span.name, (span.name, ""))
    return f"{operation} {span.attributes.get(about) or _code(span)}".strip()


def _code(span: Span) -> str:
    return CODE_TOOL if span.name == "code run" else ""


def _named(span: Span) -> dict[str, Any]:
    said = span.attributes
    named: dict[str, Any] = {
        NAMES.get(name, f"bancada.{name}"): [value] if name == "stop_reason" else value
        for name, value in said.items()
        if isinstance(value, str | int | float | bool) and name not in ("provider", "input_tokens")
    }
    if span.name in OPERATIONS:
        named["gen_ai.operation.name"] = OPERATIONS[span.name][0]
    if "provider" in said:
        kind = str(said.get("provider_kind"))
        named["gen_ai.provider.name"] = SELLERS.get(kind, said["provider"])
    if "input_tokens" in said:
        named["gen_ai.usage.input_tokens"] = _read(span)
    if span.name in ("tool call", "code run"):
        named["gen_ai.tool.type"] = "function"
        named.setdefault("gen_ai.tool.name", _code(span))
    if span.error is not None:
        named["error.type"] = type(span.error).__name__
    return named


def _read(span: Span) -> int:
    """Everything that a reply read: for the conventions the cache is part of it, for us beside it."""
    kinds = ("input_tokens", "cache_read_tokens", "cache_write_tokens")
    return sum(int(span.attributes.get(kind) or 0) for kind in kinds)


def _content(messages: list[JSONObject], reply: list[JSONObject]) -> dict[str, str]:
    """What was asked and answered, in the conventions' shape; only where the operator said so."""
    asked = [{"role": one["role"], "parts": _parts(one["content"])} for one in messages]
    said = [{"role": "assistant", "parts": _parts(reply)}]
    return {"gen_ai.input.messages": dumps(asked), "gen_ai.output.messages": dumps(said)}


def _parts(content: Any) -> list[JSONObject]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    parts: list[JSONObject] = []
    for block in blocks:
        match block.get("type"):
            case "text":
                parts.append({"type": "text", "content": block["text"]})
            case "tool_use":
                call = {"id": block["id"], "name": block["name"], "arguments": block["input"]}
                parts.append({"type": "tool_call", **call})
            case "tool_result":
                answer = {"id": block["tool_use_id"], "response": block.get("content")}
                parts.append({"type": "tool_call_response", **answer})
            case other:
                parts.append({"type": str(other)})
    return parts


def _part(name: str) -> Any:
    try:
        return import_module(f"opentelemetry.{name}")
    except ImportError as error:
        raise SettingsError(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed: "
            "pip install 'bancada[telemetry]', or unset it."
        ) from error

"""Traces and metrics over OTLP, where an endpoint is configured; otherwise nothing is imported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import bancada
from bancada.domain.errors import SettingsError
from bancada.settings import Settings
from bancada.telemetry import Span, listening

SEND_SECONDS = 3
"""A collector that does not answer must not hold up the end of the process."""

NAMES = {
    "model": "gen_ai.request.model",
    "stop_reason": "gen_ai.response.finish_reasons",
    "input_tokens": "gen_ai.usage.input_tokens",
    "output_tokens": "gen_ai.usage.output_tokens",
    "tool": "gen_ai.tool.name",
    "agent": "gen_ai.agent.name",
    "call_id": "gen_ai.tool.call.id",
    "conversation_id": "gen_ai.conversation.id",
}
"""Our names → those of the semantic conventions; others get a prefix of ours."""


@contextmanager
def exporting(settings: Settings) -> Iterator[None]:
    """Send what is measured to the configured endpoint while the block lasts."""
    if settings.otlp_endpoint is None:
        yield
        return
    exporter = Exporter(settings.otlp_endpoint)
    try:
        with listening(exporter):
            yield
    finally:
        exporter.close()


class Exporter:
    """Spans as traces, their counts and durations as metrics."""

    def __init__(self, endpoint: str) -> None:
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
            "bancada.work.duration", unit="s", description="Turns, replies, tool calls, code."
        )
        self._tokens = meter.create_counter("bancada.tokens", description="Tokens, by kind.")

    def began(self, span: Span) -> Any:
        started = self._tracer.start_span(span.name, attributes=_named(span.attributes))
        token = self._context.attach(self._trace.set_span_in_context(started))
        return started, token

    def ended(self, span: Span, handle: Any) -> None:
        started, token = handle
        started.set_attributes(_named(span.attributes))
        if span.error is not None:
            started.set_status(self._trace.StatusCode.ERROR, type(span.error).__name__)
        started.end()
        self._context.detach(token)
        outcome = span.attributes.get("outcome") or span.attributes.get("status")
        labels = {"work": span.name, "outcome": str(outcome or ("failed" if span.error else "ok"))}
        for name in ("model", "tool"):
            if name in span.attributes:
                labels[name] = str(span.attributes[name])
        self._seconds.record(span.seconds, labels)
        for kind in ("input", "output", "cache_read", "cache_write"):
            used = span.attributes.get(f"{kind}_tokens")
            if used:
                self._tokens.add(used, {"kind": kind, "model": labels.get("model", "")})

    def close(self) -> None:
        """Send what is left."""
        self._traces.shutdown()
        self._metrics.shutdown()


def _named(attributes: dict[str, Any]) -> dict[str, Any]:
    return {
        NAMES.get(name, f"bancada.{name}"): [value] if name == "stop_reason" else value
        for name, value in attributes.items()
        if isinstance(value, str | int | float | bool)
    }


def _part(name: str) -> Any:
    try:
        return import_module(f"opentelemetry.{name}")
    except ImportError as error:
        raise SettingsError(
            "OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry is not installed: "
            "pip install 'bancada[telemetry]', or unset it."
        ) from error

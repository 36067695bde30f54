"""What is counted, for `/metrics`: requests, turns, replies, calls and code of this process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.gc_collector import GCCollector
from prometheus_client.process_collector import ProcessCollector

from bancada.telemetry import Span

LONG = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""Seconds: a reply or a tool may take minutes."""


class Meters:
    """One set of meters per app, so that several apps in one process do not mix."""

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        GCCollector(registry=registry)
        counter = partial(Counter, registry=registry)
        gauge = partial(Gauge, registry=registry)
        histogram = partial(Histogram, registry=registry)
        self.requests = counter(
            "bancada_http_requests",
            "HTTP requests by route, method and status.",
            ["route", "method", "status"],
        )
        self.seconds = histogram(
            "bancada_http_seconds", "Time until the response begins, by route.", ["route"]
        )
        self.turns_running = gauge("bancada_turns_running", "Turns that run in this process.")
        self.streams_open = gauge("bancada_streams_open", "Streams that somebody reads now.")
        self.turns = counter("bancada_turns", "Stretches of turns, by how they ended.", ["status"])
        self.replies = counter(
            "bancada_replies", "Replies by model and outcome.", ["model", "outcome"]
        )
        self.reply_seconds = histogram(
            "bancada_reply_seconds", "Time a reply took.", ["model"], buckets=LONG
        )
        self.tokens = counter("bancada_tokens", "Tokens by model and kind.", ["model", "kind"])
        self.cost = counter("bancada_cost_usd", "What replies cost, in dollars.", ["model"])
        self.calls = counter(
            "bancada_tool_calls", "Tool calls by tool and outcome.", ["tool", "outcome"]
        )
        self.call_seconds = histogram(
            "bancada_tool_seconds", "Time a tool call took.", ["tool"], buckets=LONG
        )
        self.code = counter("bancada_code_runs", "Cells of code, by how they ended.", ["outcome"])
        self._by_name: dict[str, Callable[[Span], None]] = {
            "turn": self._turn,
            "model call": self._reply,
            "tool call": self._call,
            "code run": self._code,
        }

    # ------------------------------------------------------------------ a telemetry listener

    def arriving(self, headers: Mapping[str, str]) -> AbstractContextManager[object]:
        return nullcontext()

    def began(self, span: Span) -> Any:
        return None

    def ended(self, span: Span, handle: Any) -> None:
        counted = self._by_name.get(span.name)
        if counted is not None:
            counted(span)

    def _turn(self, span: Span) -> None:
        self.turns.labels(str(span.attributes.get("status") or _outcome(span))).inc()

    def _reply(self, span: Span) -> None:
        said = span.attributes
        model = str(said.get("model"))
        self.replies.labels(model, str(said.get("stop_reason") or _outcome(span))).inc()
        self.reply_seconds.labels(model).observe(span.seconds)
        for kind in ("input", "output", "cache_read", "cache_write"):
            self.tokens.labels(model, kind).inc(said.get(f"{kind}_tokens") or 0)
        self.cost.labels(model).inc(said.get("cost_usd") or 0.0)

    def _call(self, span: Span) -> None:
        tool = str(span.attributes.get("tool"))
        self.calls.labels(tool, str(span.attributes.get("outcome") or _outcome(span))).inc()
        self.call_seconds.labels(tool).observe(span.seconds)

    def _code(self, span: Span) -> None:
        self.code.labels(str(span.attributes.get("outcome") or _outcome(span))).inc()


def _outcome(span: Span) -> str:
    return "ok" if span.error is None else type(span.error).__name__

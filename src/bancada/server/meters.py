"""What is counted, for `/metrics`."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram


class Meters:
    """One set of meters per app, so that several apps in one process do not mix."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "bancada_http_requests",
            "HTTP requests by route, method and status.",
            ["route", "method", "status"],
            registry=self.registry,
        )
        self.seconds = Histogram(
            "bancada_http_seconds",
            "Time until the response begins, by route.",
            ["route"],
            registry=self.registry,
        )
        self.turns_running = Gauge(
            "bancada_turns_running", "Turns that run in this process.", registry=self.registry
        )

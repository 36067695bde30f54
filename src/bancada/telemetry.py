"""What is measured while work goes on: spans, told to whoever listens, and to nobody by default.

    with span("tool call", tool=name) as measured:
        ...
        measured.set(outcome="ok")

The rooms only say what they do. Whether that becomes counters or traces is decided by those who
listen: the server's meters, an exporter where one is configured.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import TracebackType
from typing import Any, Protocol


class Span:
    """One piece of work: what it is, what is known of it, how long it took, how it failed."""

    __slots__ = ("_began", "_handles", "attributes", "error", "name", "seconds")

    def __init__(self, name: str, attributes: dict[str, Any]) -> None:
        self.name = name
        self.attributes = attributes
        self.seconds = 0.0
        self.error: BaseException | None = None
        self._began = 0.0
        self._handles: list[tuple[Listener, Any]] = []

    def set(self, **attributes: Any) -> None:
        """Say more, now that more is known."""
        self.attributes.update(attributes)

    def __enter__(self) -> Span:
        self._handles = [(listener, listener.began(self)) for listener in _listeners]
        self._began = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.seconds = time.perf_counter() - self._began
        self.error = error
        for listener, handle in reversed(self._handles):
            listener.ended(self, handle)


class Listener(Protocol):
    """Hears of every span of this process."""

    def began(self, span: Span) -> Any:
        """A piece of work begins; what is returned is handed back at its end."""

    def ended(self, span: Span, handle: Any) -> None:
        """It ended, in the same task, whatever came of it."""

    def arriving(self, headers: Mapping[str, str]) -> AbstractContextManager[object]:
        """A request came, with what its caller says of its own trace: spans belong there while the
        block lasts, and so do those of tasks that begin in it."""


_listeners: tuple[Listener, ...] = ()


class _Unheard(Span):
    """What work is told to when nobody listens."""

    __slots__ = ()

    def set(self, **attributes: Any) -> None:
        return None

    def __enter__(self) -> Span:
        return self

    def __exit__(self, *ended: object) -> None:
        return None


_UNHEARD = _Unheard("", {})


def span(name: str, **attributes: Any) -> Span:
    """A piece of work, measured while the block lasts. Costs next to nothing if nobody listens."""
    return Span(name, attributes) if _listeners else _UNHEARD


@contextmanager
def arriving(headers: Mapping[str, str]) -> Iterator[None]:
    """A request of somebody who may be traced themselves."""
    with ExitStack() as taken_up:
        for listener in _listeners:
            taken_up.enter_context(listener.arriving(headers))
        yield


@contextmanager
def listening(*listeners: Listener) -> Iterator[None]:
    """Let these hear of spans for as long as the block lasts."""
    global _listeners
    _listeners = (*_listeners, *listeners)
    try:
        yield
    finally:
        _listeners = tuple(each for each in _listeners if each not in listeners)

"""A real browser against the real server.

Every page of a test is watched: a request that leaves the server's own origin, or a script
error in the app, fails the test that caused it.
"""

from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from bancada.server.pages import STATIC
from tests.browser.stage import Stage, run_stage

ARGUMENTS = (
    "--no-sandbox",
    "--headless",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
OWN = ("data:", "blob:", "about:")

expect.set_options(timeout=15_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


def _missing(what: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


def chromium_program() -> str:
    for name in (
        os.environ.get("BANCADA_CHROMIUM"),
        "chromium",
        "chromium-browser",
        "google-chrome",
    ):
        found = shutil.which(name) if name else None
        if found:
            return found
    _missing("there is no Chromium to test with: install it or set BANCADA_CHROMIUM")
    raise AssertionError


def firefox_program() -> str:
    found = shutil.which(os.environ.get("BANCADA_FIREFOX", "firefox-esr"))
    if found is None:
        _missing("there is no Firefox to test with: install firefox-esr or set BANCADA_FIREFOX")
        raise AssertionError
    return found


class Elsewhere:
    """Somebody else's server: `evil.example` leads to it, and it notes who comes."""

    def __init__(self) -> None:
        self.visits: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            try:
                visitor, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._hear, args=(visitor,), daemon=True).start()

    def _hear(self, visitor: socket.socket) -> None:
        """Note what was said; a browser that only opens a connection ahead of time says nothing."""
        with visitor:
            visitor.settimeout(2)
            try:
                said = visitor.recv(500)
            except OSError:
                return
            if said:
                self.visits.append(repr(said))

    def close(self) -> None:
        self._listener.close()


@pytest.fixture(scope="session")
def elsewhere() -> Iterator[Elsewhere]:
    server = Elsewhere()
    yield server
    server.close()


@pytest.fixture(scope="session")
def browser(elsewhere: Elsewhere) -> Iterator[Browser]:
    if not (STATIC / "index.html").is_file():
        _missing("the page is not built: run `make web`")
    with sync_playwright() as playwright:
        rules = f"--host-resolver-rules=MAP evil.example 127.0.0.1:{elsewhere.port}"
        opened = playwright.chromium.launch(
            executable_path=chromium_program(), args=[*ARGUMENTS, rules]
        )
        yield opened
        opened.close()


@contextmanager
def staged(folder: Path, *, scripted: bool, **more: Any) -> Iterator[Stage]:
    stages: list[Stage] = []
    up, over = threading.Event(), threading.Event()

    def ready(stage: Stage) -> None:
        stages.append(stage)
        up.set()

    def play() -> None:
        try:
            run_stage(folder, ready, over, scripted=scripted, **more)
        finally:
            up.set()

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    up.wait(90)
    assert stages, "the server did not start"
    yield stages[0]
    over.set()
    thread.join(20)


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The demo installation, its model played by a script."""
    with staged(tmp_path_factory.mktemp("stage"), scripted=True) as stage:
        yield stage


@pytest.fixture(scope="session")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The demo installation as it is without a key: the offline model answers."""
    with staged(tmp_path_factory.mktemp("offline"), scripted=False) as stage:
        yield stage


OpenPage = Callable[..., Page]


def _held(request: Any) -> bool:
    """Whether a policy stopped the request before it left the browser."""
    return "csp" in str(request.failure).lower()


@pytest.fixture
def open_page(browser: Browser, elsewhere: Elsewhere) -> Iterator[OpenPage]:
    """Open a page of a stage, signed in unless `by` is none; watched until the test ends.

    `beside` are other addresses that it may be led to.
    """
    elsewhere.visits.clear()
    contexts: list[BrowserContext] = []
    spoken: list[tuple[Stage, str]] = []
    left: list[str] = []
    errors: list[str] = []

    def open_(
        stage: Stage,
        path: str = "",
        *,
        by: str | None = "admin@demo.com",
        beside: tuple[str, ...] = (),
        **options: Any,
    ) -> Page:
        options.setdefault("locale", "pt-PT")
        options.setdefault("viewport", {"width": 1280, "height": 860})
        context = browser.new_context(**options)
        contexts.append(context)
        if by is not None and options["locale"] != "pt-PT":
            spoken.append((stage, by))
        if by is not None:
            context.add_init_script(
                f"if (window.top === window && !sessionStorage.seeded) "
                f"{{ sessionStorage.seeded = 1; localStorage.setItem('bancada.token', '{stage.signs_in(by)}') }}"
            )
        page = context.new_page()

        def went(request: Any) -> None:
            if not request.url.startswith((stage.url, *OWN, *beside)) and not _held(request):
                left.append(request.url)

        context.on("requestfinished", went)
        context.on("requestfailed", went)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{stage.url}/{path}")
        return page

    yield open_
    for context in contexts:
        context.close()
    for stage, email in spoken:
        # The account took the browser's language; other tests know it in Portuguese.
        stage.call("PATCH", "/me", {"language": "pt"}, by=email)
    assert left == [], "requests left the server's own origin"
    assert elsewhere.visits == [], "somebody else's server was reached"
    assert errors == [], "the app raised errors"

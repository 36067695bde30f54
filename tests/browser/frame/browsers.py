"""The two browsers that the frame is proven with, each driven as little as can be.

A driver's own start switches off what is to be seen: names that are resolved ahead of time,
connections made on a guess. Here that is on.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import chromium_program, firefox_program

NODE = Path(__file__).parents[2] / "node"
DRIVEN = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-component-update",
    "--remote-debugging-port=9222",
)
"""Nothing of this keeps a browser from fetching, connecting or resolving ahead of time."""


class Driven(Protocol):
    """A browser with one page."""

    def go(self, url: str) -> None: ...

    def run(self, script: str) -> Any: ...

    def wait(self, selector: str) -> None: ...

    def say(self, text: str) -> None:
        """Ask a question in the chat."""

    def hit(self, *, frame: bool) -> None:
        """Click on every `#hit`, of the page or of its last frame."""

    def sleep(self, ms: int) -> None: ...


class Chromium:
    """Over the DevTools protocol."""

    def __init__(self, page: Page) -> None:
        self._page = page

    def go(self, url: str) -> None:
        self._page.goto(url)

    def run(self, script: str) -> Any:
        return self._page.evaluate(script)

    def wait(self, selector: str) -> None:
        self._page.wait_for_selector(selector, timeout=30_000)

    def say(self, text: str) -> None:
        box = self._page.locator(".composer textarea")
        box.fill(text)
        box.press("Enter")

    def hit(self, *, frame: bool) -> None:
        within: Any = self._page
        if frame:
            self._page.locator("iframe.frame").last.scroll_into_view_if_needed()
            within = self._page.frame_locator("iframe.frame").last
        for target in within.locator("#hit").all():
            target.click(force=True, no_wait_after=True, timeout=2000)

    def sleep(self, ms: int) -> None:
        self._page.wait_for_timeout(ms)


@contextmanager
def chromium(folder: Path) -> Iterator[Driven]:
    """Started by hand, without the driver's flags."""
    command = [chromium_program(), *DRIVEN, f"--user-data-dir={folder}/profile", "about:blank"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        with sync_playwright() as playwright:
            for _ in range(100):
                try:
                    browser = playwright.chromium.connect_over_cdp("http://127.0.0.1:9222")
                    break
                except Exception:
                    threading.Event().wait(0.2)
            yield Chromium(browser.contexts[0].new_page())
            browser.close()
    finally:
        process.terminate()
        process.wait(10)


class Firefox:
    """Over WebDriver BiDi, by the Node program beside its packages."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def _ask(self, act: str, **given: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"act": act, **given}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "Firefox's driver ended"
        answer = json.loads(line)
        assert "failed" not in answer, answer["failed"]
        return answer["value"]

    def go(self, url: str) -> None:
        self._ask("go", url=url)

    def run(self, script: str) -> Any:
        return self._ask("run", script=script)

    def wait(self, selector: str) -> None:
        self._ask("wait", selector=selector)

    def click(self, selector: str) -> None:
        self._ask("click", selector=selector)

    def type(self, selector: str, text: str) -> None:
        self._ask("type", selector=selector, text=text)

    def say(self, text: str) -> None:
        self._ask("say", text=text)

    def hit(self, *, frame: bool) -> None:
        self._ask("hit", frame=frame)

    def sleep(self, ms: int) -> None:
        self._ask("sleep", ms=ms)


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """Debian's, with the preferences that its driver changes put back."""
    (folder / "profile").mkdir()
    command = ["node_modules/.bin/node", "firefox.mjs", firefox_program(), f"{folder}/profile"]
    process = subprocess.Popen(
        command, cwd=NODE, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    try:
        yield Firefox(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()


BROWSERS = {"chromium": chromium, "firefox": firefox}

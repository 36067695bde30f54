"""The documentation's pictures, made anew: `make pictures`.

Each is linked by a page; one that no page links is not made, and does not stay.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tests.browser.acts import ask, conversation, finished, settled
from tests.browser.conftest import ARGUMENTS, chromium_program, staged
from tests.browser.stage import Stage

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "screenshots"
DESK = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)


def asked(agent: str, *questions: str) -> Callable[[Page, Stage], None]:
    """A conversation, as it stands after the last answer."""

    def scene(page: Page, stage: Stage) -> None:
        conversation(page, stage, agent)
        for question in questions:
            ask(page, question)
            finished(page)

    return scene


def at(*path: str) -> Callable[[Page, Stage], None]:
    """A page by its address."""

    def scene(page: Page, stage: Stage) -> None:
        page.goto(f"{stage.url}/#/{'/'.join(path)}")

    return scene


@dataclass(frozen=True, kw_only=True)
class Picture:
    """One file: what is on it, and how it is looked at."""

    name: str
    scene: Callable[[Page, Stage], None]
    size: ViewportSize
    theme: Literal["light", "dark"]
    language: Literal["pt", "en"]


CHART = asked("Qualidade", "qual é o defeito mais frequente?", "mostra num gráfico")
TASK = asked("Assistente", "create a task to call the paint supplier")
PICTURES_MADE = (
    Picture(name="chat", scene=CHART, size=DESK, theme="light", language="pt"),
    Picture(name="approval", scene=TASK, size=DESK, theme="dark", language="en"),
    Picture(name="approval-phone", scene=TASK, size=PHONE, theme="light", language="en"),
    Picture(
        name="code",
        scene=asked("Análise", "compara os turnos com código"),
        size=DESK,
        theme="light",
        language="pt",
    ),
    Picture(name="usage", scene=at("admin", "usage"), size=DESK, theme="light", language="en"),
    Picture(name="tools", scene=at("admin", "tools"), size=DESK, theme="dark", language="pt"),
)


def take(browser: Browser, stage: Stage, picture: Picture) -> None:
    """Sign in, go there, wait until it stands still, and keep what is seen."""
    context = browser.new_context(
        viewport=picture.size, color_scheme=picture.theme, locale=picture.language
    )
    token = stage.signs_in("admin@demo.com")
    # The person's own language is what counts once they are in.
    stage.call("PATCH", "/me", {"language": picture.language}, by="admin@demo.com")
    context.add_init_script(f"localStorage.setItem('bancada.token', {token!r})")
    page = context.new_page()
    page.goto(stage.url)
    picture.scene(page, stage)
    settled(page)
    page.screenshot(path=PICTURES / f"{picture.name}.png", animations="disabled")
    context.close()


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("*.png"):
        old.unlink()
    with (
        tempfile.TemporaryDirectory() as folder,
        staged(Path(folder), scripted=False) as stage,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(
            executable_path=chromium_program(), args=list(ARGUMENTS)
        )
        for picture in PICTURES_MADE:
            take(browser, stage, picture)
            print(picture.name, flush=True)
        browser.close()


if __name__ == "__main__":
    main()

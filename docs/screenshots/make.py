"""Take the screenshots in this folder: every main page, light and dark, desk and phone, both languages.

    python docs/screenshots/make.py [NAME …]

Starts the demo with the offline model in a temporary folder, asks the questions the pictures
need, and writes PNG files beside this script. Chromium is found as the browser tests find it.
"""

from __future__ import annotations

import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

from playwright.sync_api import Browser, Page, sync_playwright  # noqa: E402
from tests.browser.acts import settled  # noqa: E402
from tests.browser.conftest import ARGUMENTS, chromium_program  # noqa: E402
from tests.browser.stage import Stage, run_stage  # noqa: E402

ADMIN = "admin@demo.com"

SALES = """Data;Produto;Região;Quantidade;Valor
01/03/2026;Tinta A;Norte;10;125,00
02/03/2026;Tinta B;Sul;4;120,00
15/03/2026;Tinta A;Sul;7;87,50
03/04/2026;Verniz;Norte;12;99,00
20/04/2026;Tinta B;Centro;9;270,00
21/04/2026;Verniz;Centro;20;165,00
"""
FIGURES = [
    ("kpi", "gerar_kpi", {"titulo": "Defeitos", "sql": "SELECT count(*) FROM defeitos"}),
    (
        "kpi",
        "gerar_kpi",
        {
            "titulo": "De manhã",
            "sql": "SELECT count(*) FROM defeitos WHERE turno = 'manha'",
        },
    ),
    (
        "chart",
        "gerar_grafico",
        {
            "tipo": "bar",
            "titulo": "Defeitos por tipo",
            "sql": "SELECT tipo_defeito, count(*) AS defeitos FROM defeitos GROUP BY 1 ORDER BY 2 DESC",
        },
    ),
    (
        "table",
        "gerar_tabela",
        {
            "titulo": "Por operador",
            "sql": "SELECT operador, count(*) AS defeitos FROM defeitos GROUP BY 1 ORDER BY 2 DESC",
        },
    ),
]
"""A dashboard of queries: kind, tool, and what it is asked."""


@dataclass(frozen=True)
class Look:
    """One way of looking at a page."""

    name: str
    width: int
    height: int
    scheme: str
    language: str

    @property
    def phone(self) -> bool:
        return self.width < 500


LOOKS = (
    Look("desk-light-pt", 1280, 820, "light", "pt"),
    Look("desk-dark-en", 1280, 820, "dark", "en"),
    Look("phone-light-en", 360, 740, "light", "en"),
    Look("phone-dark-pt", 360, 740, "dark", "pt"),
)


@dataclass(frozen=True)
class Shot:
    """A page, and what is done on it before the picture."""

    name: str
    path: str
    act: Callable[[Page], None] = lambda page: None


@contextmanager
def demo() -> Iterator[Stage]:
    with tempfile.TemporaryDirectory() as folder:
        stages: list[Stage] = []
        up, over = threading.Event(), threading.Event()

        def ready(stage: Stage) -> None:
            stages.append(stage)
            up.set()

        thread = threading.Thread(
            target=run_stage,
            args=(Path(folder), ready, over),
            kwargs={"scripted": False},
            daemon=True,
        )
        thread.start()
        up.wait(90)
        yield stages[0]
        over.set()
        thread.join(20)


def talk(page: Page, stage: Stage, agent: str, *questions: str, file: str = "") -> str:
    """A conversation to show, about a file where there is one; its address."""
    id = stage.conversation(agent)
    page.goto(f"{stage.url}/#/c/{id}")
    if file:
        upload = {"name": "vendas.csv", "mimeType": "text/csv", "buffer": file.encode()}
        page.locator(".composer input[type=file]").set_input_files(upload)  # type: ignore[arg-type]
        page.wait_for_selector(".data-card")
    for question in questions:
        box = page.locator(".composer textarea")
        box.fill(question)
        box.press("Enter")
        page.wait_for_selector(".answer[aria-busy=false]:last-of-type, .approval", timeout=60_000)
        page.wait_for_function("() => !document.querySelector('.answer[aria-busy=true]')")
    return f"#/c/{id}"


def pinned(stage: Stage) -> dict[str, object]:
    """A dashboard of queries, each drawn once to have its first picture."""
    items = []
    for kind, tool, input in FIGURES:
        drawn = stage.call("POST", f"/admin/tools/{tool}/run", {"input": input}, by=ADMIN)
        items.append({"type": kind, "data": drawn["result"], "tool": tool, "input": input})
    return {"titulo": "Qualidade, hoje", "items": items}


def prepared(browser: Browser, stage: Stage) -> list[Shot]:
    """Ask what the pictures need, once."""
    page = opened(browser, stage, LOOKS[0])
    chart = talk(page, stage, "Qualidade", "Mostra os 5 defeitos mais frequentes num gráfico")
    code = talk(page, stage, "Análise", "Compara os turnos com código")
    control = talk(page, stage, "Análise", "Carta de controlo p do lixo")
    upload = talk(page, stage, "Análise", "gráfico da soma de valor por produto", file=SALES)
    approval = talk(page, stage, "Assistente", "cria uma tarefa para rever a linha 2")
    graph = talk(page, stage, "Ativos", "A que está ligado o Biofilter 11?")
    talk(page, stage, "Qualidade", "Cria um dashboard de defeitos")
    page.context.close()
    dashboards = stage.call("GET", "/dashboards", by=ADMIN)
    figures = stage.call("POST", "/dashboards", pinned(stage), by=ADMIN)

    def to_chart(page: Page) -> None:
        page.locator(".chart-widget, .graph-widget").first.scroll_into_view_if_needed()

    return [
        Shot("new-conversation", ""),
        Shot("chat-chart", chart, to_chart),
        Shot("chat-code", code),
        Shot("chat-control-chart", control, to_chart),
        Shot("chat-upload", upload, to_chart),
        Shot("chat-approval", approval),
        Shot("chat-graph", graph, to_chart),
        Shot("dashboards", "#/dashboards"),
        Shot("dashboard", f"#/dashboards/{dashboards[0]['id']}"),
        Shot("dashboard-figures", f"#/dashboards/{figures['id']}"),
        Shot("approvals", "#/confirmations"),
        Shot("preferences", "#/settings"),
        Shot("admin-people", "#/admin/users"),
        Shot("admin-agent", "#/admin/agents/1"),
        Shot("admin-tools", "#/admin/tools"),
        Shot("admin-tool", "#/admin/tools/createTask"),
        Shot("admin-audit", "#/admin/audit"),
        Shot("admin-usage", "#/admin/usage"),
        Shot("admin-experiments", "#/admin/experiments"),
        Shot("admin-organisations", "#/admin/organisations"),
        Shot("admin-keys", "#/admin/keys"),
        Shot("admin-system", "#/admin/system"),
    ]


def opened(browser: Browser, stage: Stage, look: Look, *, by: str | None = ADMIN) -> Page:
    context = browser.new_context(
        viewport={"width": look.width, "height": look.height},
        color_scheme=look.scheme,  # type: ignore[arg-type]
        locale="pt-PT" if look.language == "pt" else "en-GB",
        is_mobile=look.phone,
        has_touch=look.phone,
        device_scale_factor=1,
        reduced_motion="reduce",
    )
    if by is not None:
        token = stage.token(by)
        context.add_init_script(
            f"if (window.top === window) localStorage.setItem('bancada.token', '{token}')"
        )
    page = context.new_page()
    page.goto(stage.url)
    return page


def settle(page: Page) -> None:
    settled(page)
    page.wait_for_timeout(500)


def main(wanted: list[str]) -> None:
    with demo() as stage, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_program(), args=list(ARGUMENTS)
        )
        shots = prepared(browser, stage)
        for look in LOOKS:
            stage.call("PATCH", "/me", {"language": look.language}, by=ADMIN)
            if not wanted or "sign-in" in wanted:
                door = opened(browser, stage, look, by=None)
                settle(door)
                door.screenshot(path=HERE / f"sign-in-{look.name}.png")
                door.context.close()
            page = opened(browser, stage, look)
            for shot in shots:
                if wanted and shot.name not in wanted:
                    continue
                page.goto(f"{stage.url}/{shot.path}")
                settle(page)
                shot.act(page)
                page.wait_for_timeout(200)
                page.screenshot(path=HERE / f"{shot.name}-{look.name}.png")
            page.context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])

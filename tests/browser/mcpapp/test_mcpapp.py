"""Our widgets in the frame of an MCP client: no network, no storage, only what it is handed."""

from __future__ import annotations

import json

from playwright.sync_api import Browser, expect

from bancada.server.mcp import app_page

CLIENT = """<!doctype html><body><iframe sandbox="allow-scripts" style="width:700px;height:900px"></iframe>
<script>
const frame = document.querySelector("iframe");
window.heard = [];
window.addEventListener("message", (event) => {
  const say = (message) => frame.contentWindow.postMessage({ jsonrpc: "2.0", ...message }, "*");
  heard.push(event.data.method);
  if (event.data.method === "ui/initialize")
    say({ id: event.data.id, result: { hostContext: { theme: "dark", locale: "pt-PT" } } });
  if (event.data.method === "ui/notifications/initialized")
    say({ method: "ui/notifications/tool-result", params: RESULT });
});
frame.srcdoc = PAGE;
</script>"""
RESULT = {
    "content": [{"type": "text", "text": "Shown to the person."}],
    "_meta": {
        "bancada/widgets": [
            {"kind": "kpi", "data": {"titulo": "Defeitos", "valor": 8.5, "unidade": "%"}},
            {
                "kind": "chart",
                "data": {"titulo": "Linhas", "tipo": "bar", "labels": ["A"], "valores": [3]},
            },
            {
                "kind": "table",
                "data": {"titulo": "Tabela", "colunas": ["linha"], "linhas": [["A"]]},
            },
        ]
    },
}


def test_a_clients_frame_shows_what_the_call_showed(browser: Browser) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    content = CLIENT.replace("RESULT", json.dumps(RESULT)).replace(
        "PAGE", json.dumps(app_page()).replace("</", "<\\/")
    )

    page.set_content(content)

    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("8,5")).to_be_visible()
    expect(frame.locator("canvas[role=img]")).to_be_visible()
    expect(frame.get_by_role("cell", name="A", exact=True)).to_be_visible()
    assert frame.locator("html").get_attribute("data-theme") == "dark"
    assert "ui/notifications/size-changed" in page.evaluate("heard")
    assert [url for url in asked if not url.startswith(("about:", "data:", "blob:"))] == []
    page.close()

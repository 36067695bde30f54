"""What goes wrong is told in words, in the person's language, whatever was sent."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.server.site import Site

# ---------------------------------------------------------------------------- two languages


async def test_what_does_not_fit_is_told_in_one_language(site: Site) -> None:
    admin = await site.signs_in("admin")
    sql = {
        "name": "q",
        "kind": "sql",
        "description": "d",
        "definition": {"database": "x", "sql": "SELECT 1"},
    }
    for path, body, detail in (
        ("/conversations", {}, "agent: falta."),
        ("/anthropic-proxy", {"mode": "analytics"}, "body: é preciso message ou messages."),
        ("/admin/tools", {**sql, "definition": {"sql": "x"}}, "definition.database: falta."),
        (
            "/admin/tools",
            {**sql, "kind": "x"},
            "kind: tem de ser 'http' ou 'sql' ou 'python' ou 'composed'.",
        ),
        ("/admin/tools", sql, "database é uma das bases de dados da organização: nenhuma."),
    ):
        answer = await admin.post(path, body)
        assert (answer.status_code, answer.json()["detail"]) == (422, detail)
    broken = await admin.client.post(
        "/conversations",
        content=b"{",
        headers={"content-type": "application/json", "accept-language": "pt"},
    )
    assert broken.json()["detail"] == "O corpo do pedido não é JSON válido."
    refused = await admin.post("/confirmations/x", {"decision": "maybe"})
    assert refused.json()["detail"] == "decision: tem de ser 'approve' ou 'reject'."


async def test_problems_follow_the_person_then_the_browser(site: Site) -> None:
    rui = await site.signs_in("rui")
    missing = "/conversations/none"
    assert (await rui.get(missing)).json()["detail"] == "Essa conversa não existe."
    await rui.patch("/me", {"language": "en"})
    assert (await rui.get(missing)).json()["detail"] == "There is no such conversation."
    nobody = site.client()
    for header, detail in (
        (
            "pt-PT,pt;q=0.9,en;q=0.8",
            "Inicie sessão primeiro: é preciso um token ou uma chave de API.",
        ),
        ("en-GB", "Sign in first: this needs a token or an API key."),
        ("de", "Sign in first: this needs a token or an API key."),
    ):
        answer = await nobody.get("/me", headers={"Accept-Language": header})
        assert answer.json()["detail"] == detail


# ---------------------------------------------------------------------------- what may be sent


def problem(answer: httpx.Response, status: int) -> str:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    shape = answer.json()
    assert set(shape) == {"type", "title", "status", "detail"}
    return str(shape["detail"])


async def test_unknown_addresses_and_methods_are_problems_too(site: Site) -> None:
    nobody = site.client()
    assert problem(await nobody.get("/nothing"), 404) == "There is nothing at this address."
    assert problem(await nobody.delete("/health"), 405) == "This address does not take DELETE."


async def test_what_does_not_fit_is_named(site: Site) -> None:
    rui = await site.signs_in("rui")
    detail = problem(await rui.post("/conversations", {"agent": "Qualidade", "x": 1}), 422)
    assert detail == "x: não é conhecido aqui."
    assert problem(await rui.post("/conversations", {}), 422) == "agent: falta."


HOSTILE: list[tuple[str, str, bytes, int]] = [
    ("half a character", "/me/tools", b'{"name": "\\ud800", "is_enabled": true}', 422),
    ("half a character as a field", "/me/tools", b'{"\\udfff": 1}', 422),
    ("NUL", "/me/tools", b'{"name": "a\\u0000b", "is_enabled": true}', 404),
    ("not UTF-8", "/me/tools", b'{"name": "\xff\xfe", "is_enabled": true}', 400),
    ("not JSON", "/me/tools", b"{", 422),
    ("nothing", "/me/tools", b"", 422),
    ("endless nesting", "/me/tools", b"[" * 100_000, 400),
    ("a number beyond everything", "/me/tools", b"1" * 5000, 400),
]


@pytest.mark.parametrize(("what", "path", "body", "status"), HOSTILE, ids=[h[0] for h in HOSTILE])
async def test_hostile_bodies_are_refused_in_words(
    site: Site, what: str, path: str, body: bytes, status: int
) -> None:
    rui = await site.signs_in("rui")
    headers = {"Content-Type": "application/json"}
    problem(await rui.client.patch(path, content=body, headers=headers), status)


KPI = b'{"type": "kpi", "data": {"widget": "kpi", "titulo": "t", "valor": 1}}'
ODD_JSON: list[Any] = [
    b'{"titulo": "a\\u0000", "items": [%b]}' % KPI.replace(b"1", b'"\\u0000"'),
    b'{"items": [%b]}' % KPI.replace(b"1", b"123456789012345678901234567890"),
]
REFUSED_JSON = [
    b'{"items": [%b]}' % KPI.replace(b"1", valor)
    for valor in (b'"\\ud800"', b"NaN", b"Infinity", b"[" * 500 + b"]" * 500)
]


async def test_json_that_is_kept_can_be_sent_again(site: Site) -> None:
    rui = await site.signs_in("rui")
    headers = {"Content-Type": "application/json"}
    for body in ODD_JSON:
        answer = await rui.client.post("/dashboards", content=body, headers=headers)
        assert answer.status_code == 201, answer.text
        again = await rui.get(f"/dashboards/{answer.json()['id']}")
        assert again.json()["items"] == answer.json()["items"]
    for body in REFUSED_JSON:
        problem(await rui.client.post("/dashboards", content=body, headers=headers), 422)


@pytest.mark.parametrize("id", [0, -1, 2**31, 2**63, 2**64, 10**30, "x", "1.5", "%00", "%ff"])
async def test_ids_beyond_the_database_are_refused_in_words(site: Site, id: object) -> None:
    admin = await site.signs_in("admin")
    for path in ("users", "agents", "keys", "organisations"):
        problem(await admin.get(f"/admin/{path}/{id}"), 422)


async def test_an_unexpected_error_is_a_problem_with_a_number_and_no_trace(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    rui = await site.signs_in("rui")
    await rui.patch("/me", {"language": "en"})

    async def broken(*_: object) -> None:
        raise RuntimeError("the secret reason")

    monkeypatch.setattr(site.bench.confirmations, "queue", broken)
    answer = await rui.get("/confirmations", headers={"X-Request-ID": "r-17"})
    detail = problem(answer, 500)
    assert detail == "Something went wrong on our side. The operator finds it under r-17."
    assert answer.headers["x-request-id"] == "r-17"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "the secret reason" in caplog.text

"""A conversation read by colleagues, and taken elsewhere as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bancada.dashboards import written
from bancada.dashboards.prose import blocks
from bancada.domain.people import Person
from bancada.domain.said import Utterance, parts_of
from bancada.model.model import ModelFailed
from bancada.model.scripted import ScriptedModel, fails, says
from tests.server.site import Reader, Site, served

RUI = Person(id=2, organisation_id=1, email="rui@demo.com", name="Rui", role="responsavel")
CHART = "Mostra os 5 defeitos mais frequentes num gráfico"


async def _asked(rui: Reader, *questions: str) -> str:
    await rui.begins("Qualidade")
    for question in questions:
        await rui.asks(question)
    return rui.conversation


async def _share(person: Reader, conversation: str) -> str:
    answer = await person.post(f"/conversations/{conversation}/share")
    assert answer.status_code == 201, answer.text
    return str(answer.json()["url"]).removeprefix("/#/s/")


async def _reads(person: Reader, token: str) -> dict[str, Any]:
    answer = await person.get(f"/shared/{token}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def _questions(shared: dict[str, Any]) -> list[str]:
    return [one["text"] for one in shared["said"] if one["kind"] == "question"]


async def test_a_colleague_reads_what_was_shared_and_nothing_that_came_later(site: Site) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    id = await _asked(rui, CHART)
    token = await _share(rui, id)
    await rui.asks("e só para mim?")

    seen = await _reads(ana, token)

    assert (seen["person"], seen["agent"], seen["mine"]) == ("Rui", "Qualidade", False)
    assert _questions(seen) == [CHART]
    shown = {part["type"] for part in seen["said"][1]["parts"]}
    assert {"text", "chart"} <= shown <= {"text", "chart", "outside"}
    for path in (f"/conversations/{id}", f"/conversations/{id}/export?format=md"):
        assert (await ana.get(path)).status_code == 404
    for path in ("messages", "retry", "share"):
        body = {"content": "olá"} if path != "share" else None
        assert (await ana.post(f"/conversations/{id}/{path}", body)).status_code == 404
    assert await _share(rui, id) == token
    assert _questions(await _reads(ana, token)) == [CHART, "e só para mim?"]


async def test_a_link_that_was_ended_is_dead_at_once_and_a_new_one_is_another(site: Site) -> None:
    rui, ana, admin = [await site.signs_in(name) for name in ("rui", "ana", "admin")]
    id = await _asked(rui, "olá")
    token = await _share(rui, id)
    whole = (await rui.get(f"/conversations/{id}")).json()
    assert whole["share"]["turn_id"] == whole["turn_id"]

    assert (await rui.delete(f"/conversations/{id}/share")).status_code == 204

    dead = await ana.get(f"/shared/{token}")
    assert (dead.status_code, (await ana.get("/shared/nothing")).status_code) == (404, 404)
    assert dead.json()["detail"].strip()
    assert (await rui.get(f"/conversations/{id}")).json()["share"] is None
    again = await _share(rui, id)
    assert again != token
    assert (await rui.delete(f"/conversations/{id}")).status_code == 204
    assert (await ana.get(f"/shared/{again}")).status_code == 404
    noted = (await admin.get("/admin/audit", params={"category": "administration"})).json()
    told = [one["tool"] for one in noted["entries"] if "share" in json.dumps(one)]
    assert len(told) == 4


async def test_another_version_of_a_question_does_not_change_what_was_shared(site: Site) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    id = await _asked(rui, "olá", "quantos defeitos há?")
    token = await _share(rui, id)

    async with rui.client.stream(
        "POST", f"/conversations/{id}/retry", json={"content": "outra pergunta"}
    ) as answer:
        assert answer.status_code == 200
        await answer.aread()

    assert _questions(await _reads(ana, token)) == ["olá", "quantos defeitos há?"]
    assert (await rui.post(f"/conversations/{id}/share")).status_code == 201
    assert _questions(await _reads(ana, token)) == ["olá", "outra pergunta"]


async def test_a_turn_that_goes_on_later_is_read_as_far_as_it_was_shared(folder: Path) -> None:
    failure = ModelFailed("invalid_api_key", "401", retryable=False)
    model = ScriptedModel([fails(failure, after="Até aqui."), says("Depois, só para mim.")])
    async with served(folder, model=model) as site:
        rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
        id = await _asked(rui, "olá")
        token = await _share(rui, id)
        shared = await _reads(ana, token)
        file = {"file": ("segredo.csv", b"a;b\n1;2\n")}
        assert (await rui.client.post(f"/conversations/{id}/upload", files=file)).status_code == 201
        await rui.client.patch(f"/conversations/{id}", json={"title": "Só para mim"})

        again = await rui.post(f"/conversations/{id}/retry", {})

        assert "Depois" in again.text
        assert await _reads(ana, token) == shared
        await _share(rui, id)
        assert "Depois" in json.dumps((await _reads(ana, token))["said"])


async def test_before_the_first_answer_there_is_nothing_to_share(site: Site) -> None:
    rui = await site.signs_in("rui")
    id = await rui.begins("Qualidade")
    assert (await rui.post(f"/conversations/{id}/share")).status_code == 409


async def test_what_somebody_shared_ends_with_their_account(site: Site) -> None:
    rui, ana, admin = [await site.signs_in(name) for name in ("rui", "ana", "admin")]
    token = await _share(rui, await _asked(rui, "olá"))
    await admin.patch("/admin/users/2", {"is_active": False})
    assert (await ana.get(f"/shared/{token}")).status_code == 404
    await admin.patch("/admin/users/2", {"is_active": True})
    assert (await ana.get(f"/shared/{token}")).status_code == 404


async def test_a_conversation_is_had_as_markdown_and_as_pdf_with_its_figures(site: Site) -> None:
    rui = await site.signs_in("rui")
    id = await _asked(rui, CHART)
    await rui.patch(f"/conversations/{id}", {"title": "Linha é"})

    text = await rui.get(f"/conversations/{id}/export", params={"format": "md"})
    paper = await rui.get(f"/conversations/{id}/export", params={"format": "pdf"})

    assert text.text.startswith("# Linha é\n")
    assert f"> {CHART}" in text.text
    assert "| falta\\_tinta |" in text.text
    assert 'filename="Linha-e.md"' in text.headers["content-disposition"]
    assert paper.headers["content-type"] == "application/pdf"
    assert paper.content.startswith(b"%PDF-")


async def test_a_markdown_file_loads_nothing_and_has_a_plain_name(folder: Path) -> None:
    picture, tag = "![x](https://fora.example/?q=1)", "<img src='https://fora.example'>"
    fence = f"```\n{picture} {tag}\n```"
    model = ScriptedModel([says(f"{picture} \\{picture} {tag} <https://ok.example>\n{fence}")])
    async with served(folder, model=model) as site:
        rui = await site.signs_in("rui")
        id = await _asked(rui, f"vê {picture}")
        await rui.client.patch(f"/conversations/{id}", json={"title": f"../../é\r\n# {picture}"})

        file = await rui.get(f"/conversations/{id}/export", params={"format": "md"})

    outside_code = file.text.replace(fence, "")
    assert "![" not in outside_code
    assert "<img" not in outside_code
    assert fence in file.text
    assert "<https://ok.example>" in file.text
    assert file.text.splitlines()[0].startswith("# ../../é # ")
    assert "filename*=UTF-8''%C3%A9-x-https" in file.headers["content-disposition"]


async def test_an_administrator_sees_which_conversations_are_shared_and_ends_it(site: Site) -> None:
    rui, admin = await site.signs_in("rui"), await site.signs_in("admin")
    id = await _asked(rui, "olá")
    token = await _share(rui, id)
    title = (await _reads(rui, token))["title"]

    (listed,) = (await admin.get("/admin/shares")).json()

    told = (listed["kind"], listed["id"], listed["titulo"], listed["email"], listed["outside"])
    assert told == ("conversation", id, title, "rui@demo.com", None)
    assert token not in str(listed)
    assert (await rui.delete(f"/admin/shares/{id}")).status_code == 403
    assert (await admin.delete(f"/admin/shares/{id}")).status_code == 204
    assert (await admin.get(f"/shared/{token}")).status_code == 404
    assert (await rui.get(f"/conversations/{id}")).json()["share"] is None
    entry = (await admin.get("/admin/audit", params={"limit": 1})).json()["entries"][0]
    assert entry["action"] == "conversation_unshared"
    assert title in entry["sentence"]
    assert (await admin.delete(f"/admin/shares/{id}")).status_code == 404


def test_a_reply_that_started_over_is_read_once() -> None:
    told = [
        {"type": "text", "content": "a"},
        {"type": "usage"},
        {"type": "text", "content": "half"},
        {"type": "again", "reason": "…"},
        {"type": "tool_use", "result": "secret"},
        {"type": "text", "content": "b", "n": 7},
    ]
    assert [part["content"] for part in parts_of(told)] == ["a", "b"]


def test_a_picture_is_written_out_wherever_a_reader_would_not_see_code() -> None:
    picture = "![x](https://fora.example)"
    for said in (
        f"````\na\n```\nb\n````\n{picture}\n```\n",
        f" ```\na\n```\n{picture}\n```\n",
        f"~~~\na\n```\nb\n~~~\n{picture}\n```",
        f"a ` b\n` {picture} `",
        f"``` a`b\n{picture}\n```",
        f"~~~\r~~~\r{picture}",
        f"```\n\t```\n```\n{picture}\n```",
    ):
        parts = ({"type": "text", "content": said},)
        answer = Utterance(kind="answer", at=0.0, parts=parts)
        assert picture not in written.of_conversation("t", "a", [answer], RUI), said
    left_open = Utterance(kind="question", at=0.0, text="```\ncode")
    assert "> ```\n> code\n> ```\n" in written.of_conversation("t", "a", [left_open], RUI)


def test_what_a_model_wrote_is_text_on_paper() -> None:
    text = "# T\n\n- **a** `#x`\n  1. b\n\n| n |\n|---|\n| 1 |\n\n```html\n<p>\n```\n#pagebreak()"
    made = blocks(text, "a page")
    assert [one["kind"] for one in made] == [
        "heading",
        "item",
        "item",
        "table",
        "note",
        "paragraph",
    ]
    assert [span["bold"] for span in made[1]["spans"]] == [True, False, False]
    assert (made[2]["depth"], made[2]["marker"]) == (2, "1.")
    assert made[3]["table"]["rows"] == [["1"]]
    assert made[5]["spans"][0]["text"] == "#pagebreak()"

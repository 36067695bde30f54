"""Images and documents that go with a question: kept, shown to the model, read again, and gone."""

from __future__ import annotations

import base64
import zipfile
from collections.abc import AsyncIterator
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from bancada.engine.attachments import MOST
from bancada.model.honours import Honours, ProbeAnswer
from bancada.model.scripted import ScriptedModel, calls, says
from bancada.store.probes import Probe, keep
from tests.data.pictures import headed_png, pdf, png
from tests.server.site import Reader, Site, served

SCREW = png(640, 480)


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel([])


@pytest.fixture
async def seeing(folder: Path, model: ScriptedModel) -> AsyncIterator[Site]:
    """The demo, answered by a model that can be shown things."""
    async with served(folder, model=model) as opened:
        yield opened


async def attach(
    reader: Reader, name: str, content: bytes, *, key: str | None = None
) -> httpx.Response:
    return await reader.client.post(
        f"/conversations/{reader.conversation}/attachments",
        files={"file": (name, content)},
        headers={} if key is None else {"Idempotency-Key": key},
    )


async def attached(reader: Reader, name: str, content: bytes) -> dict[str, Any]:
    answer = await attach(reader, name, content)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def refused(reader: Reader, content: str, *ids: str) -> httpx.Response:
    return await reader.post(
        f"/conversations/{reader.conversation}/messages",
        {"content": content, "attachments": list(ids)},
    )


async def questions(reader: Reader) -> list[dict[str, Any]]:
    whole = (await reader.get(f"/conversations/{reader.conversation}")).json()
    return [one for one in whole["messages"] if one["metadata"]["kind"] == "question"]


def sent(model: ScriptedModel, at: int = -1) -> list[dict[str, Any]]:
    """The blocks of the person's side in a request, without marks for the cache."""
    return [
        {name: value for name, value in block.items() if name != "cache_control"}
        for message in model.requests[at].messages
        if message["role"] == "user"
        for block in message["content"]
    ]


async def test_a_model_is_shown_what_goes_with_a_question(
    seeing: Site, model: ScriptedModel
) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins()
    photo = await attached(rui, "../parafuso.jpg", SCREW)
    paper = await attached(rui, "norma.pdf", pdf(2))
    assert (photo["name"], photo["media_type"]) == ("parafuso.jpg", "image/png")
    assert (photo["width"], photo["height"], photo["size"]) == (640, 480, len(SCREW))
    assert (paper["media_type"], paper["pages"]) == ("application/pdf", 2)
    model.add(says("Um parafuso."), says("Ainda o mesmo."))

    await rui.asks("que peça é?", attachments=[photo["id"], paper["id"]])
    await rui.asks("e agora?")

    data = [base64.b64encode(one).decode() for one in (SCREW, pdf(2))]
    image = {"type": "base64", "media_type": "image/png", "data": data[0]}
    document = {"type": "base64", "media_type": "application/pdf", "data": data[1]}
    assert sent(model)[:3] == [
        {"type": "image", "source": image},
        {"type": "document", "title": "norma.pdf", "source": document},
        {"type": "text", "text": "que peça é?"},
    ]
    # What was sent before is sent again, byte for byte.
    assert sent(model)[: len(sent(model, 0))] == sent(model, 0)
    first, second = await questions(rui)
    assert [one["name"] for one in first["metadata"]["attachments"]] == [
        "parafuso.jpg",
        "norma.pdf",
    ]
    assert "attachments" not in second["metadata"]
    # The record has references, and the bytes are nowhere in it.
    whole = (await rui.get(f"/conversations/{rui.conversation}")).text
    assert photo["id"] in whole
    assert data[0][:40] not in whole
    read = await rui.get(photo["url"])
    assert (read.content, read.headers["content-type"]) == (SCREW, "image/png")
    assert read.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in read.headers["content-security-policy"]
    saved = await rui.get(paper["url"])
    assert saved.headers["content-disposition"].startswith("attachment")


UNFIT = (
    ("nota.png", b"<svg/>", 400, "não é uma imagem", "is not an image"),
    ("grande.png", headed_png(9000, 10), 400, "9000 × 10 píxeis", "9000 × 10 pixels"),
    ("foto.png", png() + bytes(4 << 20), 413, "limite de 3.75 MB", "limit of 3.75 MB"),
    ("livro.pdf", pdf(101), 400, "101 páginas", "101 pages"),
)


async def test_what_cannot_be_shown_is_refused_in_the_persons_language(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    for at, language in enumerate(("pt", "en")):
        await rui.patch("/me", {"language": language})
        for name, content, status, *words in UNFIT:
            answer = await attach(rui, name, content)
            assert answer.status_code == status, answer.text
            assert words[at] in answer.json()["detail"]
    assert [place async for place in site.bench.blobs.store.places()] == []


async def test_a_model_that_cannot_see_is_not_asked_and_the_person_is_told(
    seeing: Site, model: ScriptedModel
) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins()
    path = f"/conversations/{rui.conversation}"
    photo = await attached(rui, "a.png", SCREW)
    paper = await attached(rui, "b.pdf", pdf())
    assert (await rui.get(path)).json()["shown"] == ["images", "documents"]

    async def finds(**found: Any) -> None:
        [provider] = seeing.bench.models.providers
        honours = Honours({name: ProbeAnswer(one) for name, one in found.items()})  # type: ignore[misc]
        known = Probe(
            provider=provider.name, model=provider.default, found=honours.as_json(), asked_at=0
        )
        await seeing.bench.database.run(keep, known)

    await finds(images="yes", documents="no")
    assert (await rui.get(path)).json()["shown"] == ["images"]
    told = await refused(rui, "o que diz?", photo["id"], paper["id"])
    assert (told.status_code, "não vê o que está anexado" in told.text) == (422, True)
    await finds(images="ignored")
    assert (await refused(rui, "que é?", photo["id"])).status_code == 422
    assert (await rui.get("/agents")).json()[0]["shown"] == []
    await finds(images="yes")
    await rui.patch(path, {"mode": "keyword"})
    assert (await refused(rui, "que é?", photo["id"])).status_code == 422
    assert await questions(rui) == []
    assert model.requests == []


async def test_nobody_attaches_or_reads_what_is_anothers(
    seeing: Site, model: ScriptedModel
) -> None:
    rui, ana = await seeing.signs_in("rui"), await seeing.signs_in("ana")
    theirs = await rui.begins()
    photo = await attached(rui, "a.png", SCREW)
    await ana.begins()
    assert (await refused(ana, "que é?", photo["id"])).status_code == 404
    assert (await ana.get(photo["url"])).status_code == 404
    ana.conversation = theirs
    assert (await attach(ana, "b.png", SCREW)).status_code == 404
    # Nor does a question take what was sent for another conversation of one's own.
    await rui.begins()
    assert (await refused(rui, "que é?", photo["id"])).status_code == 404


async def test_a_question_asked_again_brings_what_it_brought(
    seeing: Site, model: ScriptedModel
) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins()
    photo = await attached(rui, "a.png", SCREW)
    model.add(says("Um."), says("Dois."))
    await rui.asks("que é?", attachments=[photo["id"]])

    again = await rui.post(
        f"/conversations/{rui.conversation}/retry", {"content": "e que cor tem?"}
    )

    assert again.status_code == 200
    assert [block["type"] for block in sent(model)] == ["image", "text"]
    assert sent(model)[1]["text"] == "e que cor tem?"
    [question] = await questions(rui)
    assert len(question["metadata"]["versions"]) == 2
    assert [one["id"] for one in question["metadata"]["attachments"]] == [photo["id"]]


async def test_readers_of_a_link_see_what_went_with_a_shared_question_and_no_more(
    seeing: Site, model: ScriptedModel
) -> None:
    rui, ana = await seeing.signs_in("rui"), await seeing.signs_in("ana")
    await rui.begins()
    photo = await attached(rui, "a.png", SCREW)
    model.add(says("Um."), says("Dois."))
    await rui.asks("que é?", attachments=[photo["id"]])
    link = (await rui.post(f"/conversations/{rui.conversation}/share")).json()["url"]
    token = link.removeprefix("/#/s/")
    later = await attached(rui, "depois.png", png())
    await rui.asks("e isto?", attachments=[later["id"]])

    [shown] = (await ana.get(f"/shared/{token}")).json()["said"][0]["attachments"]

    assert shown["name"] == "a.png"
    read = await ana.get(shown["url"])
    assert (read.content, read.headers["content-type"]) == (SCREW, "image/png")
    assert (await ana.get(f"/shared/{token}/files/{later['id']}")).status_code == 404
    await rui.delete(f"/conversations/{rui.conversation}/share")
    assert (await ana.get(shown["url"])).status_code == 404


async def test_what_went_with_a_question_is_named_in_exports_and_goes_with_its_conversation(
    seeing: Site, model: ScriptedModel
) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins()
    photo = await attached(rui, "peça_1.png", SCREW)
    model.add(says("Um."))
    await rui.asks("que é?", attachments=[photo["id"]])
    path = f"/conversations/{rui.conversation}"

    written = (await rui.get(f"{path}/export?format=md")).text
    assert "> que é?\n\nEm anexo: peça\\_1.png\n" in written
    assert (await rui.get(f"{path}/export?format=pdf")).content.startswith(b"%PDF-")
    theirs = await rui.post("/me/export")
    archive = zipfile.ZipFile(BytesIO(theirs.content))
    assert archive.read(f"files/{photo['id']}/peça_1.png") == SCREW

    assert (await rui.delete(path)).status_code == 204
    assert (await rui.get(photo["url"])).status_code == 404
    assert [place async for place in seeing.bench.blobs.store.places()] == []


async def test_what_no_question_ever_named_is_removed_and_what_one_did_stays(
    seeing: Site, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins()
    asked, left = await attached(rui, "a.png", SCREW), await attached(rui, "b.png", png())
    model.add(says("Um."))
    await rui.asks("que é?", attachments=[asked["id"]])
    await seeing.bench.retention.chore()
    assert (await rui.get(left["url"])).status_code == 200
    monkeypatch.setattr("bancada.engine.retention.WAITING_SECONDS", -1.0)

    await seeing.bench.retention.chore()

    assert (await rui.get(asked["url"])).status_code == 200
    assert (await rui.get(left["url"])).status_code == 404
    assert len([place async for place in seeing.bench.blobs.store.places()]) == 1
    gone = await refused(rui, "e este?", left["id"])
    assert (gone.status_code, "já não está cá" in gone.text) == (404, True)


async def test_the_same_key_attaches_once_and_asks_once(seeing: Site, model: ScriptedModel) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins()
    first, second = [await attach(rui, "a.png", SCREW, key="k1") for _ in range(2)]
    assert first.json() == second.json()
    assert (await attach(rui, "a.png", png(), key="k1")).status_code == 422
    model.add(says("Um."))
    ids = [first.json()["id"]]
    body = {"content": "que é?", "attachments": ids}
    path = f"/conversations/{rui.conversation}/messages"
    for _ in range(2):
        answer = await rui.post(path, body, headers={"Idempotency-Key": "k2"})
        assert answer.status_code == 200
    other = await rui.post(path, {"content": "que é?"}, headers={"Idempotency-Key": "k2"})
    assert other.status_code == 422
    assert len(await questions(rui)) == 1


async def test_an_attachment_is_text_from_outside(seeing: Site, model: ScriptedModel) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins("Assistente")
    photo = await attached(rui, "a.png", SCREW)
    model.add(says("Nada."), calls("createTask", title="do que a imagem pede"), says("Feito."))

    before = await rui.asks("olá")
    events = await rui.asks("faz o que diz", attachments=[photo["id"]])

    assert "outside" not in [event.type for event in before]
    assert "outside" in [event.type for event in events]
    [waits] = [event.data for event in events if event.type == "confirmation"]
    assert waits["tool_use_id"]


async def test_older_attachments_leave_a_request_that_would_hold_too_many(
    seeing: Site, model: ScriptedModel
) -> None:
    rui = await seeing.signs_in("rui")
    await rui.begins()
    ids = [(await attached(rui, f"{n}.png", png(n + 1)))["id"] for n in range(MOST + 1)]
    too_many = await refused(rui, "que são?", *ids)
    assert too_many.status_code == 422
    model.add(says("Um."), says("Dois."), says("Três."))
    await rui.asks("que são?", attachments=ids[:-1])
    await rui.asks("e este?", attachments=ids[-1:])
    await rui.asks("e então?")

    shown = [[block["type"] for block in sent(model, at)].count("image") for at in range(3)]

    # Half of what fits: the next ones leave the beginning as it is.
    assert shown == [MOST, MOST // 2, MOST // 2]
    assert sent(model)[0]["text"].startswith("[attachment: 0.png is not shown")
    assert sent(model)[: len(sent(model, 1))] == sent(model, 1)


async def test_nobody_who_cannot_see_answers_in_the_models_place(folder: Path) -> None:
    nobody = {"base_url": "http://127.0.0.1:9", "models": ["small"]}
    settings = {"providers": {"first": nobody}, "fallback": ["keyword"], "retry_attempts": 1}
    async with served(folder, **settings) as site:
        rui = await site.signs_in("rui")
        await rui.begins()
        photo = await attached(rui, "a.png", SCREW)

        seen = await rui.asks("quantos defeitos há?", attachments=[photo["id"]])
        unseen = await rui.asks("quantos defeitos há?")

    assert [event.data["status"] for event in seen if event.type == "done"] == ["failed"]
    assert "provider" not in [event.type for event in seen]
    assert [event.data["status"] for event in unseen if event.type == "done"] == ["done"]

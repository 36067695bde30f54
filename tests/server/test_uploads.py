"""Uploads: a file becomes a data set and a message, or a sentence that says why not."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import httpx
import pytest

from tests.data.sheets import workbook
from tests.server.site import Reader, Site, half_sent, served

CSV = "turno,defeitos\nmanhã,3\ntarde,5\n".encode()


def being_read(site: Site) -> list[str]:
    """What files that are received or read have where they are."""
    return [
        path.name for path in site.bench.uploads.scratch.folder.iterdir() if path.name != "lock"
    ]


async def upload(
    reader: Reader,
    name: str,
    content: bytes,
    *,
    door: str = "conversations",
    sheet: str | None = None,
) -> httpx.Response:
    return await reader.client.post(
        f"/{door}/{reader.conversation}/upload",
        files={"file": (name, content)},
        data={} if sheet is None else {"sheet": sheet},
    )


async def test_a_file_becomes_a_table_and_a_message_and_starts_no_turn(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    answer = await upload(rui, "Produção Março.csv", CSV)
    assert answer.status_code == 201, answer.text
    body = answer.json()
    assert set(body) == {"message_id", "dataset", "summary"}
    assert body["dataset"]["table"] == "producao_marco"
    assert body["dataset"]["rows"] == 2
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert [message["id"] for message in whole["messages"]] == [body["message_id"]]
    assert whole["turn_id"] is None
    assert [each["table"] for each in whole["datasets"]] == ["producao_marco"]
    events = f"/conversations/{rui.conversation}/events"
    assert (await rui.get(events)).status_code == 204
    again = await upload(rui, "produção março.csv", CSV)
    assert again.json()["dataset"]["table"] == "producao_marco_2"


async def test_a_table_whose_message_cannot_be_recorded_is_not_kept(
    site: Site, folder: Path
) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    with sqlite3.connect(folder / "data" / "bancada.db") as db:
        db.execute(
            "CREATE TRIGGER full BEFORE INSERT ON messages WHEN NEW.kind = 'upload' "
            "BEGIN SELECT RAISE(ABORT, 'disk full'); END"
        )
    assert (await upload(rui, "a.csv", CSV)).status_code == 500
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert (whole["messages"], whole["datasets"]) == ([], [])
    assert [place async for place in site.bench.blobs.store.places()] == []
    assert being_read(site) == []
    with sqlite3.connect(folder / "data" / "bancada.db") as db:
        db.execute("DROP TRIGGER full")
    # Nothing holds the name: the file can be sent again.
    assert (await upload(rui, "a.csv", CSV)).json()["dataset"]["table"] == "a"


@pytest.mark.parametrize(
    ("name", "content", "status", "portuguese", "english"),
    [
        ("nota.txt", b"x", 400, "não é um ficheiro .csv ou .xlsx", "is not a .csv or .xlsx"),
        ("vazio.csv", b"", 400, "está vazio", "is empty"),
        ("dados.xlsx", b"not a workbook", 400, "danificado", "damaged"),
        ("dados.csv", bytes(range(256)) * 50, 400, "não contém texto", "does not hold text"),
    ],
)
async def test_what_cannot_be_used_is_refused_in_the_persons_language(
    site: Site, name: str, content: bytes, status: int, portuguese: str, english: str
) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    for language, words in (("pt", portuguese), ("en", english)):
        await rui.patch("/me", {"language": language})
        refused = await upload(rui, name, content)
        assert refused.status_code == status, refused.text
        assert words in refused.json()["detail"]
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert whole["messages"] == []


async def test_a_file_over_the_limit_is_413(folder: Path) -> None:
    async with served(folder, max_upload_mb=0.05) as site:
        rui = await site.signs_in("rui")
        await rui.begins()
        # A little over is seen by the file, far over by the request.
        for size in (60_000, 400_000):
            refused = await upload(rui, "grande.csv", b"a\n" + b"1\n" * (size // 2))
            assert refused.status_code == 413, refused.text
            assert refused.headers["content-type"] == "application/problem+json"
        assert being_read(site) == []


async def test_a_request_without_a_file_is_422(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    path = f"/conversations/{rui.conversation}/upload"
    boundary = {"Content-Type": "multipart/form-data; boundary=x"}
    for answer in (
        await rui.client.post(path),
        await rui.client.post(path, content=b"--x--\r\n", headers=boundary),
        await rui.client.post(path, data={"file": "text"}),
    ):
        assert answer.status_code == 422, answer.text
    broken = await rui.client.post(path, content=b"nonsense", headers=boundary)
    assert broken.status_code in (400, 422)
    nameless = await rui.client.post(path, files={"file": ("", b"a,b\n1,2\n")})
    assert nameless.status_code == 422
    assert nameless.json()["detail"] == "file: não é um ficheiro com nome."


async def test_names_with_folders_in_them_stay_where_they_belong(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    for name in ("../../etc/dados.csv", "a/b.csv", "..\\..\\c.csv", "\u202evsc.exe.csv"):
        answer = await upload(rui, name, CSV)
        assert answer.status_code == 201, answer.text
        assert "/" not in answer.json()["dataset"]["name"]
    inside = {path.parent for path in Path(site.bench.settings.data).rglob("*.duckdb")}
    assert all(site.bench.settings.data in folder.parents for folder in inside)


async def test_a_removed_conversation_takes_its_data_with_it(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins()
    await upload(rui, "a.csv", CSV)
    folder = site.bench.settings.data / "blobs"
    assert [path for path in folder.rglob("*") if path.is_file()]
    assert (await rui.delete(f"/conversations/{rui.conversation}")).status_code == 204
    assert [path for path in folder.rglob("*") if path.is_file()] == []


async def test_while_a_file_is_read_its_owner_sees_how_far_it_is(site: Site) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    await rui.begins("Análise")
    address = f"/conversations/{rui.conversation}/uploads"
    assert (await rui.get(address)).json() == []
    lines = "\n".join(f"{number},linha {number % 7},{number / 3:.3f}" for number in range(150_000))
    sent = asyncio.create_task(upload(rui, "grande.csv", f"id,linha,v\n{lines}\n".encode()))
    seen: list[float] = []
    while not sent.done():
        seen += [one["share"] for one in (await rui.get(address)).json()]
    assert (await sent).status_code == 201
    assert seen == sorted(seen)
    assert len(set(seen)) > 1
    assert 0 <= seen[0] < seen[-1] <= 1
    assert (await rui.get(address)).json() == []
    assert (await ana.get(address)).status_code == 404


@pytest.mark.parametrize("door", ["conversations", "conversas"])
async def test_an_upload_that_is_called_off_leaves_nothing(site: Site, door: str) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    address = f"/conversations/{rui.conversation}/uploads"
    lines = "\n".join(f"{number},linha {number % 7}" for number in range(2_000_000))
    content = f"id,linha\n{lines}\n".encode()
    sent = asyncio.create_task(upload(rui, "grande.csv", content, door=door))
    while not (await rui.get(address)).json():
        assert not sent.done()
    sent.cancel()
    while (await rui.get(address)).json():
        pass
    whole = (await rui.get(f"/conversations/{rui.conversation}")).json()
    assert whole["messages"] == []
    assert whole["datasets"] == []


async def test_a_conversation_removed_while_its_file_is_read_is_not_found(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    address = f"/conversations/{rui.conversation}"
    lines = "\n".join(f"{number},linha {number % 7}" for number in range(1_000_000))
    sent = asyncio.create_task(upload(rui, "grande.csv", f"id,linha\n{lines}\n".encode()))
    while not (await rui.get(f"{address}/uploads")).json():
        assert not sent.done()
    assert (await rui.client.delete(address)).status_code == 204
    assert (await sent).status_code == 404
    assert being_read(site) == []


BOOK = workbook({"Turnos": [["turno", "peças"], ["manhã", 3]], "Ócios": [["linha"], ["L1"]]})


async def test_a_sheet_is_read_when_it_is_asked_for_by_its_name(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    both = (await upload(rui, "livro.xlsx", BOOK)).json()["dataset"]
    assert [table["sheet"] for table in both["summary"]["tables"]] == ["Turnos", "Ócios"]
    for name in ("Ócios", " ócios "):
        one = await upload(rui, "livro.xlsx", BOOK, sheet=name)
        assert one.status_code == 201, one.text
        summary = one.json()["dataset"]["summary"]
        assert [table["sheet"] for table in summary["tables"]] == ["Ócios"]
        assert summary["sheets"][0] == {"name": "Turnos", "hidden": False, "table": None}
        assert "podem pedir-se pelo nome: Turnos" in one.json()["summary"]


async def test_a_sheet_that_is_not_there_is_refused_with_those_that_are(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    refused = await upload(rui, "livro.xlsx", BOOK, sheet="Turno")
    assert refused.status_code == 400
    assert refused.json()["detail"] == (
        "«livro.xlsx» não tem uma folha «Turno». Folhas que tem: Turnos, Ócios."
    )
    assert (await upload(rui, "a.csv", CSV, sheet="Turnos")).status_code == 400
    # A form that leaves the field empty asks for no sheet.
    assert (await upload(rui, "a.csv", CSV, sheet="")).status_code == 201


async def test_rows_are_shown_at_length_where_the_query_tool_is_switched_off(site: Site) -> None:
    admin, rui = await site.signs_in("admin"), await site.signs_in("rui")
    await rui.begins("Análise")
    assert "Dados completos" not in (await upload(rui, "a.csv", CSV)).json()["summary"]
    await admin.patch("/admin/tools/consultar_dados", {"is_enabled": False})
    assert "Dados completos" in (await upload(rui, "a.csv", CSV)).json()["summary"]


async def test_an_agent_that_cannot_read_files_says_so_at_once(site: Site) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Ativos")
    refused = await upload(rui, "a.csv", CSV)
    assert refused.status_code == 400
    assert "O agente Ativos não pode ler ficheiros" in refused.json()["detail"]


async def test_the_agent_of_the_line_answers_about_a_file(site: Site) -> None:
    ana = await site.signs_in("ana")
    await ana.begins("Qualidade")
    assert (await upload(ana, "pesos.csv", b"peca,peso\na,2\nb,3\n")).status_code == 201


async def test_nothing_of_a_file_is_read_from_somebody_who_may_not_send_it(site: Site) -> None:
    rui, ana = await site.signs_in("rui"), await site.signs_in("ana")
    await rui.begins("Análise")
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    for door in ("conversations", "conversas"):
        path = f"/{door}/{rui.conversation}/upload"
        hers = {**form, "Authorization": ana.client.headers["Authorization"]}
        his = {**form, "Authorization": rui.client.headers["Authorization"]}
        assert "404" in await half_sent(site, path, hers)
        assert "400" in await half_sent(site, path, his), "his is read: it is no form"


@pytest.mark.parametrize(
    ("language", "words"), [("pt", "Aqui não se podem ler ficheiros"), ("en", "Files cannot be")]
)
async def test_without_a_wall_files_are_refused_in_a_sentence(
    site: Site, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    await rui.patch("/me", {"language": language})
    monkeypatch.setattr(site.bench.jail, "_missing", "this machine has no sandbox")
    answer = await upload(rui, "a.csv", CSV)
    assert answer.status_code == 503
    assert words in answer.json()["detail"]
    assert being_read(site) == []


async def test_a_deleted_conversations_code_ends_with_it_at_once(site: Site) -> None:
    if site.bench.jail.missing:
        pytest.skip(site.bench.jail.missing)
    rui = await site.signs_in("rui")
    await rui.begins("Análise")
    sandbox = await site.bench.jail.sandbox()
    theirs = await sandbox.open(belongs_to=rui.conversation)
    others = await sandbox.open(belongs_to="another")
    busy = asyncio.create_task(theirs.run("while True: pass", seconds=60))
    while not next(one for one in sandbox.containers() if one.id == theirs.id).busy:
        await asyncio.sleep(0)
    pids = {one.id: one.pid for one in sandbox.containers()}
    assert (await rui.delete(f"/conversations/{rui.conversation}")).status_code == 204
    assert [one.id for one in sandbox.containers()] == [others.id]
    assert not Path(f"/proc/{pids[theirs.id]}").exists()
    assert Path(f"/proc/{pids[others.id]}").exists()
    assert (await busy).ended == "stopped"
    await others.end()

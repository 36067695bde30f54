"""A person's data, handed over whole and erased everywhere: planted by every public surface, found nowhere."""

from __future__ import annotations

import json
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from bancada.sandbox import OutputFile
from bancada.settings import NoticeSettings
from bancada.store import audit
from bancada.store.tables import audit_entries, login_limits, metadata, users
from tests.server.site import Reader, Site
from tests.server.test_notices import Pocket, tells

MARK = "zqxmark7"
EMAIL = f"{MARK}@demo.com"
CSV = {"file": (f"{MARK}.csv", f"nome,valor\n{MARK},1\n".encode(), "text/csv")}
TOOL = {
    "name": "minha_soma",
    "kind": "python",
    "description": f"Soma de {MARK}.",
    "parameters": [],
    "definition": {"code": f"result = '{MARK}'"},
}


@pytest.fixture
async def marked(site: Site) -> Reader:
    """Somebody who left their mark wherever one can be left."""
    site.bench.notices = replace(site.bench.notices, courier=Pocket(NoticeSettings()))
    admin, rui = await site.signs_in("admin"), await site.signs_in("rui")
    await admin.patch("/admin/organisation", {"settings": {"custom_tools": "users"}})
    new = {"email": EMAIL, "name": MARK, "role": "responsavel", "password": f"{MARK}-secret"}
    assert (await admin.post("/admin/users", new)).status_code == 201
    await site.client().post("/auth/login", json={"email": EMAIL, "password": "wrong-one"})
    her = await site.signs_in(EMAIL, f"{MARK}-secret")

    async def done(answer: Any) -> Any:
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    await her.begins("Qualidade")
    await her.asks(f"quantos defeitos tem {MARK}?")
    found = await done(await her.get(f"/conversations/{her.conversation}"))
    await done(await her.patch(f"/conversations/{her.conversation}", {"title": MARK}))
    message = found["messages"][-1]["id"]
    await done(await her.post(f"/messages/{message}/feedback", {"value": -1, "comment": MARK}))
    await done(await her.client.post(f"/conversations/{her.conversation}/upload", files=CSV))
    kpi = {"type": "kpi", "data": {"widget": "kpi", "titulo": MARK, "valor": 1}}
    board = await done(await her.post("/dashboards", {"titulo": MARK, "items": [kpi]}))
    await done(await her.post(f"/dashboards/{board['id']}/share"))
    await done(await her.post("/me/keys", {"name": MARK, "scopes": ["chat"]}))
    await done(await her.post("/me/tools", TOOL))
    await tells(her)
    until = {"person": "rui@demo.com", "until": "2099-01-31T18:00:00Z"}
    await done(await her.put("/me/stand-in", until))
    await done(await admin.patch("/admin/tools/createTask", {"confirmation": "always"}))
    again = {"Idempotency-Key": f"key-{MARK}"}
    path, task = "/tools/createTask/run", {"input": {"title": f"Rever {MARK}"}}
    asked = await done(await her.post(path, task, headers=again))
    no = {"decision": "reject", "reason": f"Não, {MARK}"}
    await done(await her.post(f"/confirmations/{asked['confirmation_id']}", no))
    yes = await done(await her.post(path, task))
    await done(await her.post(f"/confirmations/{yes['confirmation_id']}", {"decision": "approve"}))
    await done(await her.post(path, task))
    # Words of hers in a row of somebody else's.
    rule = {"confirmation": {"approver_role": "responsavel"}}
    await done(await admin.patch("/admin/tools/createTask", rule))
    his = await done(await rui.post(path, {"input": {"title": "Outra"}}))
    await done(await her.post(f"/confirmations/{his['confirmation_id']}", no))
    me = (await her.get("/me")).json()["id"]
    whose = {"organisation_id": 1, "user_id": me}
    file = OutputFile(name=f"{MARK}.txt", media_type="text/plain", content=MARK.encode())
    for conversation in (None, her.conversation):
        await site.bench.files.keep(file, **whose, conversation_id=conversation)
    ask = {"model": "offline", "messages": [{"role": "user", "content": f"olá {MARK}"}]}
    await done(await her.post("/v1/messages", {**ask, "max_tokens": 50}))
    return her


def places_of(folder: Path) -> list[str]:
    """Where in the data folder the mark is; what tools wrote into packs' own data is those packs'."""
    return [
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file()
        and "packs" not in path.relative_to(folder).parts
        and MARK.encode() in path.read_bytes().lower()
    ]


def rows_of(db: Any) -> list[str]:
    """Rows of any table in which the mark is."""
    return [
        f"{table.name}: {row}"
        for table in metadata.tables.values()
        for row in db.execute(select(table))
        if MARK in str(row).lower()
    ]


async def test_what_is_kept_of_a_person_is_handed_over_whole(site: Site, marked: Reader) -> None:
    answer = await marked.post("/me/export")
    assert answer.status_code == 200
    archive = zipfile.ZipFile(BytesIO(answer.content))
    manifest = json.loads(archive.read("manifest.json"))
    assert manifest["missing"] == []
    assert set(manifest["parts"]) == set(archive.namelist()) - {"manifest.json"}
    parts = {name: archive.read(name) for name in manifest["parts"]}
    for table in (
        "conversations", "messages", "feedback", "dashboards", "confirmations", "api_keys",
        "custom_tools", "files", "datasets", "idempotency_keys", "users",
    ):  # fmt: skip
        assert MARK.encode() in parts[f"tables/{table}.json"], table
    assert "tables/replies.json" in parts
    assert MARK.encode() in parts["audit.jsonl"]
    assert sum(name.startswith("files/") for name in parts) == 2
    assert sum(name.startswith("datasets/") for name in parts) == 1
    # Nothing in it opens anything.
    assert not any(b"key_hash" in part or b"password_hash" in part for part in parts.values())
    assert not any(b"sealed:" in part for part in parts.values())


async def test_an_erased_person_is_found_nowhere_and_the_chain_verifies(
    site: Site, marked: Reader
) -> None:
    bench, folder = site.bench, site.bench.settings.data
    admin = await site.signs_in("admin")
    me = (await marked.get("/me")).json()["id"]
    await bench.sign_heads()
    assert places_of(folder)
    path = f"/admin/users/{me}/erase"
    assert (await admin.post(path, {"email": "rui@demo.com"})).status_code == 422
    first = (await admin.post(path, {"email": EMAIL, "dry_run": True})).json()
    assert first["rows"]["messages"] >= 3
    assert (await marked.get("/me")).status_code == 200

    await site.client().post("/auth/login", json={"email": EMAIL, "password": "wrong-one"})
    answer = await admin.post(path, {"email": EMAIL})
    assert answer.status_code == 200, answer.text
    assert answer.json()["compacted"] is True
    assert answer.json()["audit_entries"] >= first["audit_entries"] > 0
    assert await bench.database.read(rows_of) == []
    assert places_of(folder) == []
    guesses = select(login_limits.c.subject).where(login_limits.c.subject.like("pair:%"))
    assert await bench.database.read(lambda db: list(db.execute(guesses).scalars())) == []
    assert (await marked.get("/me")).status_code == 401

    verdict = await bench.database.read(audit.verify, 1, bench.heads.read().of(1))
    assert verdict.ok, verdict
    row = await bench.database.read(
        lambda db: db.execute(select(users).where(users.c.id == me)).one()
    )
    assert (row.name, row.password_hash, row.is_active) == ("", None, False)
    said = select(audit_entries.c.body).where(audit_entries.c.person_id == me)
    facts = await bench.database.read(lambda db: list(db.execute(said).scalars()))
    assert any('"tool":"createTask"' in body for body in facts)
    # What others did is still told.
    assert "rui@demo.com" in (await admin.get("/admin/audit?person=2")).text


async def test_the_last_administrator_is_not_erased(site: Site) -> None:
    admin = await site.signs_in("admin")
    refused = await admin.post("/admin/users/1/erase", {"email": "admin@demo.com"})
    assert refused.status_code == 409

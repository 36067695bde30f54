"""Signed heads are stamped by an authority outside, and a stamp that does not fit is noticed."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from bancada.engine.workbench import open_workbench
from bancada.gate.heads import HEADS_FILE, Heads, SignedHeads
from bancada.gate.timestamps import STAMPS_FILE
from bancada.settings import Settings

pytestmark = pytest.mark.skipif(
    shutil.which("openssl") is None, reason="the authority is openssl's, which is not here"
)

CONFIG = """
[req]
distinguished_name = name
x509_extensions = ca
prompt = no
[name]
CN = Test root
[ca]
basicConstraints = critical,CA:TRUE
keyUsage = critical,keyCertSign
[stamper]
basicConstraints = critical,CA:FALSE
keyUsage = critical,digitalSignature
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = one
[one]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_alg = sha256
"""


def openssl(folder: Path, *arguments: str) -> None:
    subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)


class Stamper:
    """An authority on loopback, whose replies `openssl ts` makes."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.roots, self.works = folder, folder / "root.pem", True
        (folder / "conf").write_text(CONFIG.format(folder=folder))
        (folder / "serial").write_text("01")
        key = ("-newkey", "rsa:2048", "-nodes", "-config", "conf")
        days = ("-days", "3650")
        openssl(folder, "req", "-x509", *key, *days, "-keyout", "root.key", "-out", "root.pem")
        openssl(folder, "req", *key, "-keyout", "key.pem", "-out", "csr", "-subj", "/CN=Stamper")
        signed_by = ("-CA", "root.pem", "-CAkey", "root.key", "-CAcreateserial", *days)
        kind = ("-extfile", "conf", "-extensions", "stamper")
        openssl(folder, "x509", "-req", "-in", "csr", *signed_by, *kind, "-out", "cert.pem")
        stamper = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                query = self.rfile.read(int(self.headers["content-length"]))
                reply = stamper.reply(query) if stamper.works else b"not now"
                self.send_response(200)
                self.send_header("content-type", "application/timestamp-reply")
                self.send_header("content-length", str(len(reply)))
                self.end_headers()
                self.wfile.write(reply)

            def log_message(self, *said: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def reply(self, query: bytes) -> bytes:
        (self.folder / "query").write_bytes(query)
        by = ("-signer", "cert.pem", "-inkey", "key.pem")
        asked = ("-config", "conf", "-queryfile", "query", "-out", "reply")
        openssl(self.folder, "ts", "-reply", *asked, *by)
        return (self.folder / "reply").read_bytes()

    def settings(self, data: Path, roots: Path | None = None) -> Settings:
        where = f"127.0.0.1:{self.server.server_address[1]}"
        return Settings(
            data=data,
            audit_tsa_url=f"http://{where}/tsr",
            audit_tsa_roots=roots or self.roots,
            egress_private=[where],
        )


@pytest.fixture(scope="module")
def stamper(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stamper]:
    made = Stamper(tmp_path_factory.mktemp("tsa"))
    yield made
    made.server.shutdown()
    made.server.server_close()


async def sign(settings: Settings) -> SignedHeads:
    """An installation is opened, founded and closed: its head is signed at the stop."""
    bench = await open_workbench(settings)
    try:
        await bench.local_person()
    finally:
        await bench.close()
    return Heads(settings.data, roots=settings.audit_tsa_roots).read()


async def test_a_signed_head_is_stamped_by_whoever_the_operator_names(
    stamper: Stamper, tmp_path: Path
) -> None:
    found = await sign(stamper.settings(tmp_path))

    assert (found.stamped, found.problems) == (1, ())
    assert len((tmp_path / STAMPS_FILE).read_text().splitlines()) == 1


async def test_a_head_that_was_signed_anew_under_its_stamp_is_noticed(
    stamper: Stamper, tmp_path: Path
) -> None:
    await sign(stamper.settings(tmp_path))
    heads = tmp_path / HEADS_FILE
    line = json.loads(heads.read_text())
    heads.write_text(json.dumps({**line, "hash": "0" * 64}) + "\n")

    found = Heads(tmp_path, roots=stamper.roots).read()

    assert found.stamped == 0
    assert any("the head that it stamps is gone" in one for one in found.problems)


async def test_a_stamp_of_another_line_is_noticed(stamper: Stamper, tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    for folder in (mine, other):
        await sign(stamper.settings(folder))
    stamps = mine / STAMPS_FILE
    forged = json.loads(stamps.read_text())
    forged["reply"] = json.loads((other / STAMPS_FILE).read_text())["reply"]
    stamps.write_text(json.dumps(forged) + "\n")

    found = Heads(mine, roots=stamper.roots).read()

    assert found.stamped == 0
    assert any("does not fit" in one for one in found.problems)


async def test_a_stamp_by_somebody_else_is_noticed(
    stamper: Stamper, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    await sign(stamper.settings(tmp_path))
    stranger = Stamper(tmp_path_factory.mktemp("stranger"))

    found = Heads(tmp_path, roots=stranger.roots).read()

    stranger.server.shutdown()
    assert found.stamped == 0
    assert any("does not fit" in one for one in found.problems)


async def test_an_authority_that_does_not_answer_leaves_the_head_signed_and_unstamped(
    stamper: Stamper, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    stamper.works = False
    try:
        found = await sign(stamper.settings(tmp_path))
    finally:
        stamper.works = True

    assert (found.stamped, found.problems) == (0, ())
    assert len((tmp_path / HEADS_FILE).read_text().splitlines()) == 1
    assert "could not be time-stamped" in caplog.text

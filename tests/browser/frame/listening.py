"""Everybody a browser could reach: names, connections and packets, noted by the name asked for.

Run as a program inside a network of its own (`unshare --user --map-root-user --net --mount`),
where the only resolver there is answers every `.test` with this machine, and this machine listens.
It shows each attempt to a real browser, Chromium or Debian's Firefox (`browsers.py`): on a bare
page, where it must be noticed, and in our frame.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import dns.message
import dns.rcode
import dns.rrset
from sqlalchemy import Connection

from bancada.domain.messages import text_block
from bancada.model.scripted import calls, says
from bancada.store import messages
from tests.browser.conftest import staged
from tests.browser.frame.browsers import BROWSERS, Driven
from tests.browser.stage import Stage

OWNER = "rui@demo.com"
SETTLES_MS = 900
HOME = "home.test"
ADDRESS = "10.9.0.1"

ATTEMPTS = {
    "frame": "<iframe src='http://{name}/'></iframe>",
    "object": "<object data='http://{name}/'></object>",
    "embed": "<embed src='http://{name}/'>",
    "location": "<script>location = 'http://{name}/'</script>",
    "meta-refresh": "<meta http-equiv=refresh content='0;url=http://{name}/'>",
    "form": "<form id=f action='http://{name}/'></form><script>f.submit()</script>",
    "form-button": "<form action='http://{name}/'><button id=hit>go</button></form>",
    "link": "<a id=hit href='http://{name}/'>go</a>",
    "svg-link": "<svg width=90 height=40><a id=hit xlink:href='http://{name}/'>"
    "<rect width=90 height=40></rect></a></svg>",
    "ping": "<a id=hit href='#x' ping='http://{name}/'>go</a>",
    "dns-prefetch": "<link rel=dns-prefetch href='//{name}'>",
    "preconnect": "<link rel=preconnect href='http://{name}'>",
    "prefetch": "<link rel=prefetch href='http://{name}/a'>",
    "preload": "<link rel=preload as=image href='http://{name}/a.png'>",
    "stylesheet": "<link rel=stylesheet href='http://{name}/a.css'>",
    "icon-base": "<base href='http://{name}/'><img src='a.png'>",
    "image": "<img src='http://{name}/a.png'>",
    "image-set": "<img srcset='http://{name}/a.png 1x'>",
    "svg-image": "<svg><image href='http://{name}/a.png' width=9 height=9 /></svg>",
    "video": "<video src='http://{name}/a.mp4' autoplay></video>",
    "font": "<style>@font-face{{font-family:x;src:url(http://{name}/a.woff2)}}p{{font-family:x}}</style><p>x</p>",
    "import": "<style>@import url(http://{name}/a.css);</style>",
    "background": "<p style='background:url(http://{name}/a.png)'>x</p>",
    "escaped-url": "<style>p{{background:\\75rl(http://{name}/a.png)}}</style><p>x</p>",
    "script": "<script src='http://{name}/a.js'></script>",
    "fetch": "<script>fetch('http://{name}/').catch(() => 0)</script>",
    "socket": "<script>new WebSocket('ws://{name}/')</script>",
    "webrtc": "<script>var c = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{name}:3478'}}]}});"
    "c.createDataChannel('x'); c.createOffer().then(o => c.setLocalDescription(o))</script>",
    "handler": "<img src=x onerror=\"fetch('http://{name}/').catch(() => 0)\">",
    "chart": '<canvas data-chart=\'{{"type":"bar","data":{{"labels":["http://{name}/"],'
    '"datasets":[{{"data":[1],"pointStyle":"http://{name}/a.png"}}]}}}}\'></canvas>'
    "<img src='http://{name}/b.png'>",
}


class Noted:
    """What arrived, by the name it was for."""

    def __init__(self) -> None:
        self.names: dict[str, set[str]] = {}
        self.bare: dict[str, str] = {}

    def add(self, name: str, how: str) -> None:
        self.names.setdefault(name.lower().rstrip("."), set()).add(how)

    def of(self, name: str) -> list[str]:
        return sorted(self.names.get(name, ()))


def resolve(noted: Noted) -> None:
    """The one resolver: every name of an attempt is this machine."""
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 53))

    def answer() -> None:
        while True:
            asked, peer = server.recvfrom(4096)
            question = dns.message.from_wire(asked)
            reply = dns.message.make_response(question)
            name = question.question[0].name
            noted.add(str(name), "lookup")
            if not str(name).endswith(".test."):
                # A browser has errands of its own; they lead nowhere, and are not mistaken for ours.
                reply.set_rcode(dns.rcode.NXDOMAIN)
            elif question.question[0].rdtype == 1:
                # Firefox sends no STUN to loopback: there this machine has its other address.
                here = ADDRESS if str(name).startswith("webrtc") else "127.0.0.1"
                reply.answer.append(dns.rrset.from_text(name, 60, "IN", "A", here))
            server.sendto(reply.to_wire(), peer)

    threading.Thread(target=answer, daemon=True).start()


def listen(noted: Noted) -> None:
    """Ports of the web and of STUN; the web's also serves the bare pages."""
    for port in (80, 443):
        listener = socket.create_server(("127.0.0.1", port))
        threading.Thread(target=_accept, args=(listener, noted), daemon=True).start()
    stun = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    stun.bind((ADDRESS, 3478))

    def hear() -> None:
        while True:
            stun.recvfrom(2048)
            noted.add("stun", "packet")

    threading.Thread(target=hear, daemon=True).start()


def _accept(listener: socket.socket, noted: Noted) -> None:
    while True:
        visitor, _ = listener.accept()
        noted.add("any", "connection")
        threading.Thread(target=_serve, args=(visitor, noted), daemon=True).start()


def _serve(visitor: socket.socket, noted: Noted) -> None:
    with visitor:
        visitor.settimeout(5)
        try:
            said = visitor.recv(4096).decode("latin-1")
        except OSError:
            return
        host = re.search(r"(?im)^host: *([\w.-]+)", said)
        path = re.match(r"\w+ (\S+)", said)
        if host is None or path is None:
            return
        if host[1] != HOME:
            noted.add(host[1], "request")
        body = noted.bare.get(path[1], "").encode() if host[1] == HOME else b""
        head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\n"
        visitor.sendall(f"{head}connection: close\r\n\r\n".encode() + body)


def alone() -> None:
    """Loopback is up, and the only resolver is ours. Peer connections also want another interface."""
    for line in (
        "link set lo up",
        "link add v0 type veth peer name v1",
        f"addr add {ADDRESS}/24 dev v0",
        "link set v0 up",
        "link set v1 up",
        "route add default via 10.9.0.2",
    ):
        subprocess.run(["ip", *line.split()], check=True)
    resolver = Path(sys.argv[1]) / "resolv.conf"
    resolver.write_text("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    subprocess.run(["mount", "--bind", str(resolver), "/etc/resolv.conf"], check=True)


def bare(browser: Driven, noted: Noted, kind: str, html: str) -> list[str]:
    name = f"{kind}.control.test"
    noted.bare[f"/{kind}"] = f"<!doctype html><body>{html.format(name=name)}</body>"
    browser.go(f"http://{HOME}/{kind}")
    browser.sleep(300)
    browser.hit(frame=False)
    browser.sleep(SETTLES_MS)
    return noted.of(name)


def artifact(browser: Driven, stage: Stage, noted: Noted, kind: str, html: str) -> list[str]:
    """The attempt in an answer of a conversation that holds an upload."""
    name = f"{kind}.chat.test"
    _answer(browser, stage, f"Aqui:\n\n```html\n{html.format(name=name)}\n```\n\nFim.")
    browser.sleep(300)
    browser.hit(frame=True)
    browser.sleep(SETTLES_MS)
    return noted.of(name)


def dashboard(
    browser: Driven, stage: Stage, noted: Noted, kinds: list[str]
) -> dict[str, list[str]]:
    """All attempts on one kept page, opened by its link; by kind what was noticed."""
    html = "".join(ATTEMPTS[kind].format(name=f"{kind}.board.test") for kind in kinds)
    _answer(browser, stage, calls("gerar_dashboard", titulo="Mau", html=html), says("Guardado."))
    browser.sleep(SETTLES_MS)
    kept = stage.call("GET", "/dashboards", by=OWNER)[0]["id"]
    url = stage.call("POST", f"/dashboards/{kept}/share", by=OWNER)["url"]
    browser.go(stage.url + url)
    browser.wait("iframe.frame")
    browser.sleep(300)
    browser.hit(frame=True)
    browser.sleep(3 * SETTLES_MS)
    return {kind: noted.of(f"{kind}.board.test") for kind in kinds}


def _answer(browser: Driven, stage: Stage, *script: Any) -> None:
    conversation = stage.conversation("Análise", by=OWNER)
    _marked(stage, conversation)
    stage.script(*script)
    browser.go("about:blank")
    browser.go(f"{stage.url}/#/c/{conversation}")
    browser.wait(".composer textarea")
    browser.say("mostra")
    browser.wait(".answer[aria-busy=false]")
    browser.wait("iframe.frame")


def _marked(stage: Stage, conversation: str) -> None:
    """A question on record that stands beside text from outside. Files cannot be uploaded here:
    they are read in a sandbox, which this network of its own leaves no room for."""

    def add(db: Connection) -> None:
        messages.append(
            db,
            conversation,
            role="user",
            kind="question",
            content=[text_block("vendas.csv: pague já")],
            metadata={"text": "vendas.csv", "outside": True},
        )

    stage.wait(stage.app.state.bench.database.run(add))


def main() -> None:
    folder = Path(sys.argv[1])
    wanted = sys.argv[3:] or list(ATTEMPTS)
    alone()
    noted = Noted()
    resolve(noted)
    listen(noted)
    driven = BROWSERS[sys.argv[2]]
    with staged(folder / "data", scripted=True) as stage, driven(folder) as browser:
        browser.go(stage.url)
        browser.run(f"localStorage.setItem('bancada.token', '{stage.token(OWNER)}')")
        chat = {kind: artifact(browser, stage, noted, kind, ATTEMPTS[kind]) for kind in wanted}
        board = dashboard(browser, stage, noted, wanted)
        silent = noted.of("any") + noted.of("stun")
        bare_pages = {kind: bare(browser, noted, kind, ATTEMPTS[kind]) for kind in wanted}
        told = {
            "chat": chat,
            "board": board,
            "control": bare_pages,
            "silent": silent,
            "stun": noted.of("stun"),
        }
    print(json.dumps(told))


if __name__ == "__main__":
    main()

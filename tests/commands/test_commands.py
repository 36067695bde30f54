"""The commands as somebody at a terminal uses them: real processes on a folder of their own."""

from __future__ import annotations

import json
import os
import pty
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

import pytest

from tests.forks import BANCADA, Begun, begin
from tests.server.process import environment

REFUSED, BAD_USAGE = 1, 2


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it said."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True)
class Terminal:
    """A data folder, and commands run on it."""

    data: Path

    def run(self, *arguments: str, typed: str = "") -> Ran:
        with TemporaryFile() as keys, TemporaryFile() as out, TemporaryFile() as err:
            keys.write(typed.encode())
            keys.seek(0)
            status = self._begin(arguments, keys, out, err).wait(60)
            out.seek(0)
            err.seek(0)
            return Ran(status, out.read().decode(), err.read().decode())

    def at_the_keys(self, *arguments: str, typed: str) -> tuple[int, str]:
        """The same on a terminal of its own, where a command may ask."""
        keys, screen = pty.openpty()
        process = self._begin(arguments, screen, screen, screen)
        os.close(screen)
        os.write(keys, typed.encode())
        said = b""
        while True:
            try:
                piece = os.read(keys, 4096)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            said += piece
        os.close(keys)
        return process.wait(60), said.decode()

    def _begin(self, arguments: tuple[str, ...], *streams: int | IO[bytes]) -> Begun:
        asked = (*arguments, "--data", str(self.data))
        return begin(BANCADA, asked, environment(None), self.data.parent, streams)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Terminal:
    terminal = Terminal(tmp_path_factory.mktemp("commands") / "data")
    made = terminal.run("db", "upgrade", "--demo")
    assert made.returncode == 0, made.stderr
    return terminal


def test_checking_a_database_that_is_not_there_makes_none(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "data")
    checked = terminal.run("db", "check")
    assert checked.returncode == REFUSED
    assert "bancada db upgrade" in checked.stderr
    assert not (tmp_path / "data" / "bancada.db").exists()


def test_an_upgraded_database_is_as_it_should_be(demo: Terminal) -> None:
    checked = demo.run("db", "check")
    assert checked.returncode == 0
    assert "as it should be" in checked.stdout


def test_a_question_is_answered_in_the_terminal(demo: Terminal) -> None:
    answered = demo.run("chat", "qual é o defeito mais frequente?", "--agent", "Qualidade")
    assert answered.returncode == 0, answered.stderr
    assert "lixo" in answered.stdout
    assert "top_defeitos" in answered.stdout


def test_what_could_be_asked_instead_is_plain_text_in_the_terminal(demo: Terminal) -> None:
    answer = demo.run("chat", "quantos xpto azuis?", "--agent", "Qualidade")
    assert "- Defeitos por turno\n" in answer.stdout
    assert "#ask" not in answer.stdout


def test_events_come_as_lines_of_json(demo: Terminal) -> None:
    answered = demo.run(
        "chat", "qual é o defeito mais frequente?", "--json", "--user", "rui@demo.com"
    )
    events = [json.loads(line) for line in answered.stdout.splitlines()]
    assert [events[0]["type"], events[-1]["type"]] == ["turn", "done"]
    assert events[-1]["status"] == "done"


def test_an_agent_that_is_not_theirs_is_named_among_those_that_are(demo: Terminal) -> None:
    answered = demo.run("chat", "olá", "--agent", "Ativos", "--user", "ana@demo.com")
    assert answered.returncode == REFUSED
    assert "Agents: Qualidade." in answered.stderr
    assert demo.run("chat", "olá", "--agent", "Nobody").returncode == BAD_USAGE


def test_the_list_of_tools_says_which_ones_a_person_may_use(demo: Terminal) -> None:
    listed = demo.run("tools", "list", "--user", "ana@demo.com").stdout
    marks = {line.split()[1]: line.split()[0] for line in listed.splitlines()}
    assert marks["contar_defeitos"] == "✓"
    assert marks["executar_python"] == "✗"


def test_a_tool_shows_what_it_asks_for(demo: Terminal) -> None:
    shown = json.loads(demo.run("tools", "show", "createTask").stdout)
    assert shown["permission_level"] == "responsavel"
    assert "title" in shown["input_schema"]["properties"]
    unknown = demo.run("tools", "show", "nothing")
    assert unknown.returncode == BAD_USAGE
    assert "nothing" in unknown.stderr


def test_a_tool_runs_through_the_gate(demo: Terminal) -> None:
    ran = demo.run("tools", "run", "contar_defeitos", '{"tipo_defeito": "lixo"}')
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["total"] == 62


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("contar_defeitos", "{oops"), BAD_USAGE, "not JSON"),
        (("contar_defeitos", '{"tipo_defeito": 7}'), REFUSED, "tipo_defeito"),
        (("nothing", "{}"), REFUSED, "nothing"),
        (("executar_python", '{"codigo": "1"}', "--user", "ana@demo.com"), REFUSED, "responsavel"),
        (("contar_defeitos", "{}", "--user", "nobody@demo.com"), BAD_USAGE, "nobody@demo.com"),
    ],
)
def test_a_call_that_cannot_be_made_says_why_and_fails(
    demo: Terminal, arguments: tuple[str, ...], status: int, says: str
) -> None:
    ran = demo.run("tools", "run", *arguments)
    assert ran.returncode == status
    assert says in ran.stdout + ran.stderr


ANNOUNCEMENT = json.dumps({"title": "Line 2", "message": "Stops at four."})


def test_a_call_that_must_be_confirmed_is_not_run_where_nobody_can_answer(demo: Terminal) -> None:
    ran = demo.run("tools", "run", "sendAnnouncement", ANNOUNCEMENT)
    assert ran.returncode == REFUSED
    assert "confirmation" in ran.stdout


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", REFUSED)])
def test_a_call_that_must_be_confirmed_is_asked_at_the_keys(
    demo: Terminal, typed: str, status: int
) -> None:
    found, said = demo.at_the_keys("tools", "run", "sendAnnouncement", ANNOUNCEMENT, typed=typed)
    assert found == status, said
    assert "[y/N]" in said


def test_people_are_added_listed_and_disabled(demo: Terminal) -> None:
    added = demo.run("users", "add", "eva@x.pt", "--role", "responsavel", "--name", "Eva")
    assert added.returncode == 0, added.stderr
    assert "/#/setup/" in added.stdout
    again = demo.run("users", "add", "eva@x.pt", "--role", "admin")
    assert again.returncode == BAD_USAGE
    assert "already" in again.stderr
    assert "Eva" in demo.run("users", "list").stdout
    # All agents of the house are hers, the first one answers.
    assert demo.run("chat", "olá", "--user", "eva@x.pt").returncode == 0
    assert demo.run("users", "disable", "eva@x.pt").returncode == 0
    assert "eva@x.pt" in demo.run("chat", "olá", "--user", "eva@x.pt").stderr
    assert "(disabled)" in demo.run("users", "list").stdout


def test_a_password_may_come_on_standard_input(demo: Terminal) -> None:
    short = demo.run(
        "users", "add", "ivo@x.pt", "--role", "operador", "--password-stdin", typed="abc\n"
    )
    assert short.returncode == BAD_USAGE
    added = demo.run(
        "users",
        "add",
        "ivo@x.pt",
        "--role",
        "operador",
        "--password-stdin",
        typed="cabine amarela\n",
    )
    assert added.returncode == 0
    assert "/#/setup/" not in added.stdout


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("add", "x@x.pt", "--role", "boss"), BAD_USAGE, "operador"),
        (("add", "x", "--role", "admin"), BAD_USAGE, "not an address"),
        (("add", "x@x.pt", "--role", "admin", "--user", "rui@demo.com"), REFUSED, "administrator"),
        (("disable", "admin@demo.com", "--user", "rui@demo.com"), REFUSED, "administrator"),
        (("disable", "x@x.pt"), BAD_USAGE, "x@x.pt"),
    ],
)
def test_only_an_administrator_changes_who_is_in(
    demo: Terminal, arguments: tuple[str, ...], status: int, says: str
) -> None:
    ran = demo.run("users", *arguments)
    assert ran.returncode == status
    assert says in ran.stderr


@pytest.mark.parametrize("command", [("users", "list"), ("audit", "export"), ("audit", "verify")])
def test_what_everybody_did_is_for_administrators(demo: Terminal, command: tuple[str, str]) -> None:
    refused = demo.run(*command, "--user", "rui@demo.com")
    assert (refused.returncode, refused.stdout) == (REFUSED, "")
    assert "administrator" in refused.stderr


def test_a_key_is_shown_once_and_stored_as_a_hash(demo: Terminal) -> None:
    key = demo.run("keys", "add", "--user", "rui@demo.com", "--name", "line 2").stdout.strip()
    assert len(key) > 20
    listed = demo.run("keys", "list").stdout
    line = next(line for line in listed.splitlines() if "line 2" in line)
    assert "rui@demo.com" in line
    assert "all" in line
    assert "no end" in line
    assert demo.run("keys", "revoke", line.split()[0]).returncode == 0
    assert "line 2" not in demo.run("keys", "list").stdout
    assert demo.run("keys", "revoke", line.split()[0]).returncode == BAD_USAGE
    dump = "\n".join(sqlite3.connect(demo.data / "bancada.db").iterdump())
    assert "line 2" in dump
    assert key not in dump


def test_a_key_is_narrowed_to_scopes_an_agent_and_a_time(demo: Terminal) -> None:
    add = ("keys", "add", "--user", "rui@demo.com", "--name", "narrow")
    narrow = ("--scope", "chat", "--scope", "tools", "--days", "30", "--agent", "Qualidade")
    assert demo.run(*add, *narrow).returncode == 0
    line = next(ln for ln in demo.run("keys", "list").stdout.splitlines() if "narrow" in ln)
    assert "chat,tools" in line
    assert "no end" not in line
    wrong = demo.run(*add, "--scope", "everything")
    assert (wrong.returncode, wrong.stdout) == (BAD_USAGE, "")
    assert demo.run(*add, "--agent", "Nenhum").returncode == BAD_USAGE


def test_the_audit_is_whole_until_somebody_touches_it(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "data")
    for _ in range(2):
        assert terminal.run("tools", "run", "contar_defeitos", "--demo").returncode == 0
    lines = [json.loads(line) for line in terminal.run("audit", "export").stdout.splitlines()]
    called = [line["tool"] for line in lines if line["category"] == "call"]
    assert called == ["contar_defeitos", "contar_defeitos"]
    last = lines[-1]["entries"][-1]["number"]
    whole = terminal.run("audit", "verify")
    assert whole.returncode == 0
    assert f"{last} entries, all in place; signed up to entry {last}" in whole.stdout
    with sqlite3.connect(tmp_path / "data" / "bancada.db") as db:
        db.execute("DELETE FROM audit_entries WHERE number = 2")
    broken = terminal.run("audit", "verify")
    assert broken.returncode == REFUSED
    assert "broken at entry 2" in broken.stdout


def test_an_audit_whose_end_was_cut_off_is_told_from_a_copy_of_its_heads(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "data")
    assert terminal.run("users", "add", "eva@example.com", "--role", "admin").returncode == 0
    heads = tmp_path / "data" / "audit-heads.jsonl"
    copy = tmp_path / "copy.jsonl"
    copy.write_text(heads.read_text())
    with sqlite3.connect(tmp_path / "data" / "bancada.db") as db:
        db.execute("DELETE FROM audit_entries WHERE number > 1")
        db.execute(
            "UPDATE audit_heads SET number = 1, hash = (SELECT hash FROM audit_entries WHERE number = 1)"
        )
    heads.write_text("")
    assert terminal.run("audit", "verify").returncode == 0
    broken = terminal.run("audit", "verify", "--heads", str(copy))
    assert broken.returncode == REFUSED
    assert "broken at entry 2" in broken.stdout


def test_what_commands_administrate_is_in_the_audit(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "data")
    terminal.run("users", "add", "eva@example.com", "--role", "responsavel")
    terminal.run("keys", "add", "--user", "eva@example.com", "--name", "night")
    terminal.run("users", "disable", "eva@example.com")
    lines = [json.loads(line) for line in terminal.run("audit", "export").stdout.splitlines()]
    told = [(line["action"], line["about"], line["person"]) for line in lines[2:]]
    assert [lines[0]["action"], lines[1]["about"]] == ["packs_changed", "local"]
    assert told == [
        ("person_added", "eva@example.com", "local"),
        ("link_made", "eva@example.com", "local"),
        ("key_added", "night", "local"),
        ("person_changed", "eva@example.com", "local"),
    ]
    assert (lines[-1]["before"], lines[-1]["after"]) == ({"is_active": True}, {"is_active": False})
    assert {line["via"] for line in lines[1:]} == {"terminal"}


def test_the_doctor_names_what_is_in_use(demo: Terminal) -> None:
    said = demo.run("doctor").stdout
    for word in ("offline", "sqlite", str(demo.data), "kernel memory", "uploads", "cgroup"):
        assert word in said.lower() or word in said


def test_a_graph_that_is_wrong_replaces_nothing(demo: Terminal, tmp_path: Path) -> None:
    nodes, edges = tmp_path / "nodes.csv", tmp_path / "edges.csv"
    nodes.write_text("id,label,name\na,Pump,P-1\nb,Tank,T-1\n")
    edges.write_text("source,target,type\na,nowhere,FEEDS\n")
    refused = demo.run("graph", "import", str(nodes), str(edges))
    assert refused.returncode == REFUSED
    assert "nowhere" in refused.stderr
    edges.write_text("source,target,type\na,b,FEEDS\n")
    imported = demo.run("graph", "import", str(nodes), str(edges))
    assert imported.returncode == 0, imported.stderr
    assert "2 nodes and 1 edges" in imported.stdout


def test_a_rule_is_tried_on_recorded_calls_from_the_terminal(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path / "data")
    for operator in ("Julia", "Carlos"):
        call = json.dumps({"operador": operator})
        assert terminal.run("tools", "run", "contar_defeitos", call, "--demo").returncode == 0
    rule = tmp_path / "rule.json"
    when = {"field": "operador", "op": "==", "value": "Carlos"}
    rule.write_text(json.dumps({"tool": "contar_defeitos", "when": when}), encoding="utf-8")

    tried = terminal.run("policy", "try", str(rule), "--since", "1d")

    first, *calls = tried.stdout.splitlines()
    assert "2 recorded calls of contar_defeitos in the last 1d" in first
    assert "0 stopped, 1 asked, 1 allowed; 1 otherwise than now." in first
    assert len(calls) == 1
    assert "allowed -> asked by the person who asked" in calls[0]
    rule.write_text('{"tool": "contar_defeitos", "colour": 1}', encoding="utf-8")
    assert terminal.run("policy", "try", str(rule)).returncode == BAD_USAGE

"""The worked example of the graph page: its files are imported, its command and answers compared."""

from __future__ import annotations

import re
from pathlib import Path

from bancada.packs.graph.importer import Source, import_graph
from tests.commands.test_commands import Terminal
from tests.packs.graph.kit import HOME, Kit
from tests.packs.graph.planned import Planned, answer

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "graph.md").read_text(encoding="utf-8")
FILES = re.findall(r"^```csv file=(\S+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
CONSOLE = re.findall(r"^```console\n\$ bancada (.*?)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
ANSWERS = re.findall(r"^\| ([^|]+\?) \| ([^|]+) \|$", PAGE, re.MULTILINE)


def written(folder: Path) -> dict[str, Path]:
    assert [name for name, _ in FILES] == ["nodes.csv", "edges.csv", "words.csv"]
    for name, text in FILES:
        (folder / name).write_text(text, encoding="utf-8")
    return {name.removesuffix(".csv"): folder / name for name, _ in FILES}


def test_the_pages_command_says_what_the_page_says(tmp_path: Path) -> None:
    written(tmp_path)
    [(command, output)] = CONSOLE
    done = Terminal(tmp_path / "data").run(*command.split())
    assert done.returncode == 0, done.stderr
    assert done.stdout == output


async def test_the_pages_questions_get_the_pages_answers(tmp_path: Path) -> None:
    import_graph(Source(**written(tmp_path)), tmp_path / "graph" / HOME)
    kit = Kit.of(tmp_path / "graph")
    assert len(ANSWERS) == 4
    for question, expected in ANSWERS:
        told, _ = await answer(Planned(kit), kit, question)
        assert told.startswith(expected.strip()), (question, told)

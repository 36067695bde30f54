"""Importing: what becomes of the files, what is wrong with them, and that failure changes nothing."""

from __future__ import annotations

import asyncio
import csv
import os
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bancada import ToolFailed
from bancada.packs.graph import importer, shelf
from bancada.packs.graph.containment import ALWAYS
from bancada.packs.graph.importer import ImportFailed, Progress, Source, import_graph
from bancada.packs.graph.plant import PLANT
from tests.packs.graph.kit import HOME, Kit

NODES = "id,label,name,kind,aliases\na,Asset,Alpha,Pump,First;Primeira\nb,Site,Béta,,\n"
EDGES = "source,target,type\na,b,PART_OF\n"


@pytest.fixture
def files(tmp_path: Path) -> Any:
    """Write two files and import them."""

    def run(nodes: str | bytes = NODES, edges: str | bytes = EDGES, **options: Any) -> Kit:
        for name, content in (("nodes.csv", nodes), ("edges.csv", edges)):
            raw = content.encode() if isinstance(content, str) else content
            (tmp_path / name).write_bytes(raw)
        report = options.pop("report", lambda progress: None)
        source = Source(nodes=tmp_path / "nodes.csv", edges=tmp_path / "edges.csv", **options)
        import_graph(source, tmp_path / "graph" / HOME, report)
        return Kit.of(tmp_path / "graph")

    return run


def problems(run: Any, **given: Any) -> list[str]:
    with pytest.raises(ImportFailed) as failed:
        run(**given)
    return list(failed.value.problems)


def test_two_files_become_a_graph(files: Any) -> None:
    kit = files()
    assert kit.ask("count_related_by_name", name="beta")["count"] == 1
    assert kit.ask("find_node", name="primeira")["nodes"][0]["id"] == "a"


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_are_recognised(files: Any, separator: str) -> None:
    kit = files(
        nodes=NODES.replace(",", separator).replace("First;Primeira", "First"),
        edges=EDGES.replace(",", separator),
    )
    assert kit.ask("count_related", node_id="b")["count"] == 1


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(files: Any) -> None:
    kit = files(nodes=b"\xef\xbb\xbf" + NODES.replace("\n", "\r\n").encode())
    assert kit.ask("find_node", name="Béta")["nodes"][0] == {
        "id": "b",
        "label": "Site",
        "name": "Béta",
    }


def test_headers_of_other_tools_are_understood(files: Any) -> None:
    kit = files(
        nodes="id:ID,:LABEL,nome\na,Asset,Alpha\nb,Site,Beta\n",
        edges=":START_ID,:END_ID,:TYPE\na,b,PART_OF\n",
    )
    assert kit.ask("count_related", node_id="b")["count"] == 1


def test_properties_take_the_type_of_their_values(files: Any) -> None:
    kit = files(
        nodes=(
            "id,label,whole,real,truth,day,moment,code,mixed,none\n"
            "a,Asset,1,1.5,true,2026-01-31,2026-01-31T10:00:00,007,1,\n"
            "b,Asset,-20,2,FALSE,2025-12-01,2026-02-01 11:30:00.25,100,x,\n"
            "c,Asset,,,,,,,,\n"
        ),
        edges="source,target,type,weight\na,b,PART_OF,0.5\n",
    )
    schema = kit.ask("get_schema")
    assert schema["labels"][0]["properties"] == {
        "id": "STRING", "name": "STRING", "kind": "STRING", "whole": "INT64", "real": "DOUBLE",
        "truth": "BOOL", "day": "DATE", "moment": "TIMESTAMP", "code": "STRING", "mixed": "STRING",
    }  # fmt: skip
    assert schema["relationships"][0]["properties"] == {"weight": "DOUBLE"}
    shown = kit.ask("get_node_connections", node_id="a")["node"]["properties"]
    assert shown == {
        "whole": 1, "real": 1.5, "truth": True, "day": "2026-01-31",
        "moment": "2026-01-31T10:00:00", "code": "007", "mixed": "1",
    }  # fmt: skip
    assert kit.ask("get_node_connections", node_id="c")["node"]["properties"] == {}


def test_parquet_gives_the_same_graph_as_csv(tmp_path: Path, plant_folder: Path, kit: Kit) -> None:
    for name in ("nodes", "edges"):
        duckdb.sql(
            f"COPY (FROM read_csv('{plant_folder / name}.csv')) TO '{tmp_path / name}.parquet'"
        )
    import_graph(
        Source(
            nodes=tmp_path / "nodes.parquet",
            edges=tmp_path / "edges.parquet",
            words=PLANT.words,
            containment=ALWAYS,
        ),
        tmp_path / "graph" / HOME,
    )
    same = Kit.of(tmp_path / "graph")
    assert same.ask("get_schema") == kit.ask("get_schema")
    for name, input in (
        ("count_breakdown", {"name": "Biofilter 11"}),
        ("get_node_connections", {"node_id": "BF-11-P01"}),
        ("count_by_category", {}),
    ):
        assert same.ask(name, **input) == kit.ask(name, **input)


def test_mistakes_in_nodes_are_told_by_line(files: Any) -> None:
    found = problems(
        files,
        nodes=(
            "id,label,name\na,Asset,Alpha\n,Asset,No id\nb,,No label\na,Site,Twice\n"
            "c,9lives,Odd label\nd,asset,Other spelling\ne,Asset\n"
        ),
    )
    assert found == [
        "nodes.csv:3: the id is missing.",
        "nodes.csv:4: the label is missing.",
        "nodes.csv:5: id 'a' was already used on line 2.",
        "nodes.csv:6: label '9lives' must be one word of at most 64 letters, digits and '_', not starting with a digit.",
        "nodes.csv:7: label 'asset' was written 'Asset' before: use one spelling.",
        "nodes.csv:8: 2 columns where the header has 3.",
    ]


def test_mistakes_in_edges_are_told_by_line(files: Any) -> None:
    found = problems(
        files,
        edges="source,target,type\na,x,PART_OF\n,b,PART_OF\na,b,\na,b,PART OF\na,b,Site\na,b,site\n",
    )
    assert found == [
        "edges.csv:2: target 'x' is not a node.",
        "edges.csv:3: the source is missing.",
        "edges.csv:4: the type is missing.",
        "edges.csv:5: type 'PART OF' must be one word of at most 64 letters, digits and '_', not starting with a digit.",
        "edges.csv:6: type 'Site' is already the label 'Site': give it another name.",
        "edges.csv:7: type 'site' is already the label 'Site': give it another name.",
    ]


def test_lines_are_counted_over_quoted_line_breaks(files: Any) -> None:
    found = problems(
        files, nodes='id,label,name\na,Asset,"two\nlines"\nb,,x\n', edges="source,target,type\n"
    )
    assert found == ["nodes.csv:4: the label is missing."]


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ("", "nodes.csv: the file is empty."),
        ("id,label\n", "nodes.csv: there are no nodes."),
        ("name\nx\n", "nodes.csv:1: missing columns id, label; found name."),
        ("id,label,x,X\n", "nodes.csv:1: columns 'x' and 'X' have the same name."),
        ("id,label,\n", "nodes.csv:1: column 3 has no name."),
        ("id,label,_ID\n", "nodes.csv:1: column name '_ID' cannot be used."),
        ("id,label,a`b\n", "nodes.csv:1: column name 'a`b' cannot be used."),
        ("id,label,nome,name\n", "nodes.csv:1: column 'name' repeats the column 'name'."),
        ('id,label\na,"Asset\n', "nodes.csv:2: cannot be read as CSV (unexpected end of data)."),
        (b"id,label\n\xff\xfe,Asset\n", "nodes.csv:2: is not UTF-8 text."),
        ("id,label\na\0b,Asset\n", "nodes.csv:2: holds a NUL character."),
    ],
)
def test_a_file_that_cannot_be_read_says_why(files: Any, nodes: Any, message: str) -> None:
    assert message in problems(files, nodes=nodes)


def test_too_many_mistakes_end_the_reading(files: Any) -> None:
    found = problems(files, edges="source,target,type\n" + "a,x,T\n" * 1000)
    assert len(found) == 21
    assert found[-1] == "There may be more: stopped after 20 problems."


def test_a_missing_file_and_an_unknown_ending_are_told(tmp_path: Path) -> None:
    (tmp_path / "nodes.xml").write_text("<x/>")
    with pytest.raises(ImportFailed, match="no such file"):
        import_graph(
            Source(nodes=tmp_path / "no.csv", edges=tmp_path / "no.csv"), tmp_path / "graph" / HOME
        )
    with pytest.raises(ImportFailed, match=r"expected a \.csv or \.parquet"):
        import_graph(
            Source(nodes=tmp_path / "nodes.xml", edges=tmp_path / "no.csv"),
            tmp_path / "graph" / HOME,
        )


def test_a_parquet_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "nodes.parquet").write_text("not parquet")
    with pytest.raises(ImportFailed, match=r"nodes\.parquet: cannot be read as Parquet"):
        import_graph(
            Source(nodes=tmp_path / "nodes.parquet", edges=tmp_path / "nodes.parquet"),
            tmp_path / "graph" / HOME,
        )


def everything(folder: Path) -> dict[str, bytes]:
    return {str(f.relative_to(folder)): f.read_bytes() for f in folder.rglob("*") if f.is_file()}


def test_a_failed_import_leaves_the_graph_as_it_was(files: Any, tmp_path: Path) -> None:
    kit = files()
    before = everything(tmp_path / "graph")
    problems(files, edges="source,target,type\na,b,PART_OF\na,nobody,PART_OF\n")
    assert everything(tmp_path / "graph") == before
    assert kit.ask("count_related", node_id="b")["count"] == 1


@pytest.mark.parametrize("step", ["load", "build_names"])
def test_an_import_that_dies_on_the_way_leaves_nothing(
    files: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    files()
    before = everything(tmp_path / "graph")

    def dies(*_: Any) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(importer, step, dies)
    with pytest.raises(OSError, match="No space"):
        files(nodes=NODES + "c,Asset,Gamma,,\n")
    assert everything(tmp_path / "graph") == before
    assert [
        p.name for p in (tmp_path / "graph" / HOME).iterdir() if p.name.startswith("building")
    ] == []


def test_what_a_killed_import_left_is_swept_away_a_day_later(files: Any, tmp_path: Path) -> None:
    home = tmp_path / "graph" / HOME
    old, recent = home / "building-old", home / "building-recent"
    for place in (old, recent):
        place.mkdir(parents=True)
    os.utime(old, (0, 0))
    files()
    assert not old.exists()
    assert recent.exists()


def test_a_new_import_is_seen_by_those_who_have_the_old_one_open(files: Any) -> None:
    kit = files()
    assert kit.ask("count_by_label", label="Asset")["count"] == 1
    files(nodes=NODES + "c,Asset,Gamma,,\n")
    assert kit.ask("count_by_label", label="Asset")["count"] == 2
    assert kit.ask("find_node", name="gamma")["total"] == 1


def test_only_the_version_before_is_kept(files: Any, tmp_path: Path) -> None:
    for extra in ("c", "d", "e", "f"):
        files(nodes=NODES + f"{extra},Asset,{extra},,\n")
    versions = [p.name for p in (tmp_path / "graph" / HOME).glob("graph-*")]
    current = shelf.current(tmp_path / "graph" / HOME)
    assert len(versions) == 2
    assert current is not None
    assert current.name in versions


def test_progress_is_told_and_only_grows(files: Any) -> None:
    told: list[Progress] = []
    rows = "".join(f"n{n},Asset,Node {n},,\n" for n in range(50_000))
    files(nodes=NODES + rows, report=told.append)
    stages = list(dict.fromkeys(progress.stage for progress in told))
    assert stages == ["nodes", "graph", "names"]
    shares = [progress.done for progress in told]
    assert shares == sorted(shares)
    assert 0 <= shares[0] < shares[-1] == 1


def test_without_a_graph_every_tool_says_how_to_import_one(tmp_path: Path) -> None:
    kit = Kit.of(tmp_path)
    for name, tool in kit.tools.items():
        if name != "run_query":
            [example] = tool.examples or ({},)
            with pytest.raises(ToolFailed, match="bancada graph import"):
                kit.ask(name, **example)


def test_the_containment_rule_can_be_set(files: Any, tmp_path: Path) -> None:
    files(edges="source,target,type\na,b,HOUSED_BY\n")
    kit = Kit.of(tmp_path / "graph", settings={"containment": "PART_OF, HOUSED_BY"})
    assert kit.ask("count_related", node_id="b")["count"] == 1
    [declared] = kit.ask("get_schema")["containment"]
    assert (declared["type"], declared["direction"]) == ("HOUSED_BY", "up")
    with pytest.raises(ToolFailed, match=r"Relations there: HOUSED_BY \(1\)"):
        Kit.of(tmp_path / "graph").ask("count_related", node_id="b")


odd_text = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)


@settings(max_examples=15, deadline=None)
@given(st.lists(odd_text, min_size=1, max_size=8))
def test_any_text_survives_the_import(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("odd")
    with (folder / "nodes.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "label", "name", "note"])
        writer.writerows([f"n{n}", "Asset", text, "x" + text] for n, text in enumerate(texts))
    (folder / "edges.csv").write_text("source,target,type\n")
    import_graph(
        Source(nodes=folder / "nodes.csv", edges=folder / "edges.csv"), folder / "graph" / HOME
    )
    kit = Kit.of(folder / "graph")

    async def compare() -> None:
        for n, text in enumerate(texts):
            found = (await kit.run("get_node_connections", node_id=f"n{n}"))["node"]
            assert found["name"] == text.strip() or (not text.strip() and found["name"] == f"n{n}")
            assert found["properties"]["note"] == ("x" + text).strip()

    asyncio.run(compare())

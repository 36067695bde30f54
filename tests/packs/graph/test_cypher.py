"""What the check lets through, and that nothing else passes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bancada.packs.graph.cypher import FORBIDDEN, QueryRefused, checked

READING = [
    "MATCH (n) RETURN n",
    "match (n:Asset) where n.kind = 'Pump' return n.id, n.name order by n.name desc skip 5 limit 10;",
    "MATCH (a:Asset {id: 'BF-11'})<-[:PART_OF*1..3]-(b) RETURN DISTINCT b.id",
    "MATCH (a:Asset {id: 'BF-11'})<-[e:PART_OF|LOCATED_IN* SHORTEST 1..5]-(b) RETURN b.id, length(e)",
    "MATCH p = (a)-[:FEEDS*1..4]->(b) WHERE a.id = 'BF-01' RETURN nodes(p), rels(p)",
    "OPTIONAL MATCH (n:Site) RETURN n.name",
    "MATCH (a)--(b) RETURN count(*)",
    "MATCH (a)-->(b)<--(c) RETURN count(*)",
    "UNWIND [1, 2, 3] AS x WITH x WHERE x > 1 RETURN sum(x) AS total",
    "MATCH (n:Asset) RETURN n.kind, count(*) AS n, avg(n.criticality), collect(n.id)[1:3]",
    "MATCH (n:Asset) WHERE n.name STARTS WITH 'Bomba' OR n.name CONTAINS 'purga' RETURN n",
    "MATCH (n:Asset) WHERE n.name =~ '(?i).*bomba.*' AND NOT n.kind IN ['Pump'] RETURN n.id",
    "MATCH (n:Asset) WHERE n.power_kw IS NOT NULL AND n.installed < date('2020-01-01') RETURN n.id",
    "MATCH (n) WHERE EXISTS { MATCH (n)-[:FEEDS]->() } RETURN COUNT { MATCH (n)--() }",
    "RETURN CASE WHEN 1 > 0 THEN 'yes' ELSE 'no' END AS answer",
    "MATCH (n:Site) RETURN n.name UNION ALL MATCH (n:Building) RETURN n.name",
    "MATCH (n) WITH n.kind AS kind, count(*) AS n ORDER BY n DESC LIMIT 3 RETURN kind",
    "RETURN list_transform([1, 2], x -> x + 1), -1.5e3 % 2, 2 ^ 3",
    "MATCH (n) RETURN n.order, n.limit, n.set, n.`delete` LIMIT 1",
    "MATCH (n:`Set`) RETURN n.`a b`",
    "CALL show_tables() RETURN *",
    "CALL table_info('Asset') RETURN name, type",
    "MATCH (n) /* CREATE (x) */ RETURN n // DELETE n\n LIMIT 1",
    "MATCH (n {name: 'CREATE (x) ; DROP TABLE Asset'}) RETURN n",
    'MATCH (n) WHERE n.name = "it\'s \\"quoted\\"" RETURN n',
    "MATCH (n:Ação) WHERE n.título = 'é' RETURN n.título",
]


@pytest.mark.parametrize("query", READING)
def test_a_reading_query_passes(query: str) -> None:
    assert checked(query)


def test_what_runs_is_what_was_read() -> None:
    query = "MATCH (n) /* a */RETURN n.id  ,\n n.name // b\n LIMIT 1 ;"
    assert checked(query) == "MATCH (n) RETURN n.id , n.name LIMIT 1"
    assert checked(checked(query)) == checked(query)


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ; ",
        "FOO",
        "MATCH (n) RETURN n UNION",
        "MATCH (n) RETURN n UNION FOO (m)",
        "MATCH (n) FROBNICATE n",
        "MATCH (n) RETURN n FROBNICATE 'x'",
        "MATCH (n) RETURN n.limit FROBNICATE (x)",
        "WITH * FROBNICATE n",
        "WITH * FROBNICATE (n)",
        "MATCH (n) RETURN n; RETURN 1",
        "MATCH (n) RETURN frobnicate(n)",
        "MATCH (n) RETURN `count`(n)",
        "MATCH (n) WHERE n.id = $id RETURN n",
        "MATCH (n) RETURN n.name 'x'",
        "RETURN 'a''b'",
        "RETURN 'open",
        "RETURN 'a\\u0041'",
        "RETURN \u2003 1",
        "ＲＥＴＵＲＮ 1",
        "RETURN ((1)",
        "RETURN (1]",
        "RETURN " + "(" * 60 + "1" + ")" * 60,
        "RETURN '" + "x" * 9000 + "'",
        "CALL",
        "CALL {MATCH (n) RETURN n}",
        "CALL show_tables",
        "CALL show_tables RETURN 1",
        "EXPLAIN MATCH (n) RETURN n",
        "PROFILE MATCH (n) RETURN n",
    ],
)
def test_what_is_not_recognised_is_refused(query: str) -> None:
    with pytest.raises(QueryRefused, match="Allowed is one reading statement"):
        checked(query)


@pytest.mark.parametrize("word", sorted(FORBIDDEN))
@pytest.mark.parametrize(
    "query",
    [
        "{} (n)",
        "MATCH (n) {} n",
        "MATCH (n) {} (m)",
        "MATCH (n) RETURN n UNION {} (m)",
        "MATCH (n) WITH * {} n",
        "MATCH (n) WITH * {} (m)",
        "MATCH (n) WHERE EXISTS {{ {} (n) }} RETURN n",
        "MATCH (n) WITH n.limit {} 'x'",
        "MATCH (n) RETURN n\n/**/{}/**/ n",
        "RETURN 1 AS x {} FROM '/etc/passwd'",
    ],
)
def test_no_statement_but_reading_hides_anywhere(query: str, word: str) -> None:
    for written in (word, word.lower(), word.capitalize()):
        with pytest.raises(QueryRefused):
            checked(query.format(written))


PIECES = """
MATCH (n)|RETURN n|WITH *|n|'x'|`y`|1|;|,|CREATE|CALL|(|)|{|}|.|:|/*|*/|//|zap|zap(|UNION|AS x
""".strip().split("|")


@given(st.lists(st.sampled_from([*PIECES, "|", "\n"]), max_size=14))
def test_no_unknown_word_passes_for_a_clause(parts: list[str]) -> None:
    """Whatever is put together, an unknown word is only ever let through as a name."""
    query = " ".join(parts)
    try:
        text = checked(query)
    except QueryRefused:
        return
    assert "CREATE" not in text.replace(". CREATE", "").replace(": CREATE", "")
    assert ";" not in text
    assert "zap(" not in text.replace(" ", "")


@given(st.text(max_size=200))
def test_any_text_is_checked_without_a_crash(text: str) -> None:
    try:
        once = checked(text)
    except QueryRefused:
        return
    assert checked(once) == once

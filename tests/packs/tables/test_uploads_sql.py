"""Whatever columns are called and whatever is asked: one SELECT, on those columns."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import duckdb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bancada import Answered, JSONObject, Results, Sentence, Step, TableColumn, TableShape
from bancada.data.names import column_names, quoted
from bancada.packs.tables.questions import TABLE_INTENTS

(UPLOADED,) = TABLE_INTENTS
TYPES = {
    "boolean": "BOOLEAN",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "datetime": "TIMESTAMP",
    "time": "TIME",
    "text": "VARCHAR",
}
QUESTIONS = (
    "soma de {0} por {1}",
    "average of {0} per {1}",
    "quantas linhas com {0} = {1}?",
    "top 5 {0} por {1}",
    "gráfico de {0} por mês e {1}",
    "células vazias de {0}",
    "quais são os {0}?",
    "quantas linhas com {0} acima de 10 onde {1} é {2}",
    "which {0} has the highest {1}?",
    "mínimo e máximo de {0}, sem {2}",
    "soma de {0} entre {1} e {2}",
    "{2}",
    "primeiras 3 linhas do ficheiro",
)
words = st.text(
    st.one_of(st.sampled_from("'\"`;-–/*()[]{}%,.:= \\€ãé"), st.sampled_from(string.ascii_letters)),
    min_size=1,
    max_size=25,
)
names = st.lists(st.one_of(words, st.text(max_size=30)), min_size=1, max_size=5)


class Data:
    """A table with these columns, and its structure as a question sees it."""

    def __init__(self, headings: Sequence[str], families: Sequence[Any]) -> None:
        self.columns = [
            {"name": name, "type": family}
            for name, family in zip(column_names(headings), families, strict=True)
        ]
        self.shape = TableShape(
            name="dados",
            rows=1,
            columns=tuple(TableColumn(**one) for one in self.columns),
            file="dados.csv",
        )
        self.database = duckdb.connect(":memory:")
        made = ", ".join(f"{quoted(one['name'])} {TYPES[one['type']]}" for one in self.columns)
        self.database.execute(f"CREATE TABLE dados ({made})")

    def answer(self, step: Step) -> Answered:
        """Run a query as the tool would, sure that it is one SELECT."""
        sql = step.input["sql"]
        (statement,) = self.database.extract_statements(sql)
        assert statement.type == duckdb.StatementType.SELECT
        found = self.database.execute(sql)
        rows: JSONObject = {"rows": [list(row) for row in found.fetchall()], "total_rows": None}
        rows["columns"] = [column[0] for column in found.description or ()]
        return Answered(step=step, result=rows)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    headings=names,
    data=st.data(),
    question=st.sampled_from(QUESTIONS),
    quote=st.sampled_from(["{}", '"{}"', "`{}`", "'{}'"]),
    word=words,
)
def test_every_query_is_one_select_on_columns_that_exist(
    headings: list[str], data: st.DataObject, question: str, quote: str, word: str
) -> None:
    families = [data.draw(st.sampled_from(sorted(TYPES))) for _ in headings]
    held = Data(headings, families)
    named = [data.draw(st.sampled_from(held.columns))["name"] for _ in range(2)]
    text = question.format(*(quote.format(name) for name in named), word)
    sentence = Sentence(text, data.draw(st.sampled_from(["pt", "en"])), tables=(held.shape,))

    answered: list[Answered] = []
    steps: Sequence[Step] = UPLOADED.steps(sentence) or ()
    while steps:
        answered += [held.answer(step) for step in steps]
        assert UPLOADED.then is not None
        steps = UPLOADED.then(sentence, answered)
    if UPLOADED.steps(sentence) is not None:
        assert UPLOADED.tell(sentence, Results(answered))


@settings(max_examples=200, deadline=None)
@given(headings=names, data=st.data())
def test_columns_are_told_as_they_are_called(headings: list[str], data: st.DataObject) -> None:
    held = Data(headings, [data.draw(st.sampled_from(sorted(TYPES))) for _ in headings])
    sentence = Sentence("Que colunas tem o ficheiro?", tables=(held.shape,))
    assert UPLOADED.steps(sentence) == []
    said = UPLOADED.tell(sentence, Results())
    assert [line[2:].rpartition(": ")[0] for line in said.splitlines()[2:]] == [
        column["name"] for column in held.columns
    ]

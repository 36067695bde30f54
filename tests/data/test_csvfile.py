"""The careful reader, on anything at all."""

from __future__ import annotations

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from bancada.data.csvfile import FileRow, records

CELL = st.text(alphabet="ab \"',;\n|é1", max_size=8)
TABLE = st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=1, max_size=8)


def read(text: str, delimiter: str) -> list[FileRow]:
    return list(records(iter(text.split("\n")), delimiter))


@given(table=TABLE, delimiter=st.sampled_from(",;\t|"))
def test_what_a_csv_writer_wrote_is_read_back(table: list[list[str]], delimiter: str) -> None:
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_ALL).writerows(
        table
    )
    found = read(file.getvalue().removesuffix("\n"), delimiter)
    assert [record.cells for record in found] == table
    lines = [1 + sum(cell.count("\n") + (i == 0) for row in table[:n] for i, cell in enumerate(row)) for n in range(len(table))]  # fmt: skip
    assert [record.line for record in found] == lines
    assert not any(record.open_quote for record in found)


@given(text=st.text(alphabet='a"",;\n x', max_size=60), delimiter=st.sampled_from(",;"))
def test_no_character_of_a_broken_file_is_lost(text: str, delimiter: str) -> None:
    found = read(text, delimiter)
    said = "".join(cell for record in found for cell in record.cells)
    for character in "ax" + ("," if delimiter == ";" else ";"):
        assert said.count(character) == text.count(character)
    starts = [record.line for record in found]
    assert starts == sorted(set(starts))


@given(text=st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    clean = text.replace("\r", "\n")
    assert len(read(clean, ",")) <= clean.count("\n") + 1

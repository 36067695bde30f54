"""Questions about tables, answered through `consultar_dados`.

No phrase is compared here: a question is read against the columns and values of the tables there
are. `lexicon` knows their words, `atoms` cuts a question into meanings, `reading` goes through them
(`limits`, `figures` and `settling` are its parts) and says which were left over, `following`
completes what leans on the question before, `sql` writes the query, and `telling` and `showing` put
the result into words and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bancada import Answered, Intent, JSONObject, Language, Note, Results, Sentence, Step
from bancada.packs.tables.questions import showing, sql, telling
from bancada.packs.tables.questions.following import MOST_CHARS, ReadQuestion, read
from bancada.packs.tables.questions.question import ROWS, TableQuestion
from bancada.packs.tables.questions.schema import latest, table_of
from bancada.packs.tables.questions.wording import columns_told, trouble_in_words

QUERY = "consultar_dados"
LAST = 0.51
"""After every phrase that explains the whole sentence, before saying what was not understood."""
QUESTIONS = re.compile(
    r"(?:^|[;?!.]\s+|,?\s+(?:e|and)\s+)"
    r"(?:qual|quais|quant[oa]s?|quem|how many|how much|which|what|who)\b"
)
"""Where a question begins: of two in one sentence, each is read by itself."""
MOST_PARTS = 30
"""Values of a column by which an example counts."""
FILE = ("ficheiro", "file", "csv", "excel", "xlsx")
PARTS = (
    "colunas", "linhas", "registos", "células", "columns", "rows", "records", "cells",
)  # fmt: skip


def fits(sentence: Sentence) -> float:
    """How surely a sentence asks something of a table.

    A pack's own phrases come before its table: what they say is what its tools are made for.
    """
    if len(sentence.text) > MOST_CHARS:
        return 0.0
    found = read(sentence)
    if found is None:
        return 0.6 if _about_no_file(sentence) else 0.0
    if len(QUESTIONS.findall(sentence.plain)) > 1 and not found.follows:
        return 0.0
    question = found.question
    if not question.table.file and _about_no_file(sentence):
        return 0.6
    if question.trouble is not None:
        return 0.3
    if not question.table.file:
        return LAST if not found.follows or _is_plain(question) else 1.5
    if found.follows or found.said.names_file:
        return 1.5
    return LAST if found.shared else 1.2


def _is_plain(question: TableQuestion) -> bool:
    """Whether a pack's own tools would count the same: all rows, by one column."""
    return (
        question.measures == (ROWS,)
        and not (question.conditions or question.form or question.rank or question.part)
        and len(question.groups) < 2
    )


def examples(sentence: Sentence) -> list[str]:
    """Questions that the newest table answers, in its own words."""
    tables = [table_of(shape) for shape in sentence.tables]
    table = next(iter([*latest([one for one in tables if one.file]), *tables]), None)
    if table is None:
        return []
    pt, language = sentence.language == "pt", sentence.language
    by = "por" if pt else "by"
    noun = table.noun(language).capitalize()
    parted = [one for one in table.columns if 1 < len(one.shape.values) <= MOST_PARTS]
    found = [f"{noun} {by} {one.label(language)}" for one in parted[:2]]
    for one in parted[-1:]:
        value = table.value_label(one.shape.values[0], language)
        found.append(f"{noun} {'com' if pt else 'with'} {one.label(language)} = {value}")
    for one in [one for one in table.columns if one.adds_up][:1]:
        found.append(f"{'Soma de' if pt else 'Sum of'} {one.label(language)}")
    return found


def _about_no_file(sentence: Sentence) -> bool:
    """Whether a file is asked about where there is none."""
    here = any(table.file for table in sentence.tables)
    return not here and sentence.has(*FILE) and sentence.has(*PARTS)


def plan(sentence: Sentence) -> Sequence[Step] | None:
    found = read(sentence)
    if _about_no_file(sentence):
        return []
    if found is None:
        return None
    question = found.question
    if question.trouble is not None or question.kind == "columns":
        return []
    return [Step(tool=QUERY, input={"sql": sql.query(question, sentence.language)})]


def then(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    found: ReadQuestion | None = read(sentence)
    rows = Results(answered).of(QUERY)
    if found is None or not isinstance(rows, dict) or len(answered) > 1:
        return []
    step = showing.shown(found.question, rows, sentence.language)
    return [step] if step else []


def tell(sentence: Sentence, results: Results) -> str:
    language = sentence.language
    found = read(sentence)
    if found is None or _about_no_file(sentence):
        return _NO_FILE[language]
    question = found.question
    if question.trouble is not None:
        return trouble_in_words(question.trouble, question.table, language)
    if question.kind == "columns":
        return columns_told(question.table, language)
    told: JSONObject = results.of(QUERY)
    rows = told["rows"]
    match question.kind:
        case "empty":
            said = telling.empty_told(question, rows, language)
        case "sample":
            said = telling.sample_told(question, rows, language)
        case _:
            said = telling.figures_told(question, told, language)
    said += _elsewhere(question, sentence)
    return said + _guessed(told, language) + _pointed(question, results, sentence)


def _elsewhere(question: TableQuestion, sentence: Sentence) -> str:
    """Where a file came last and the figure is another table's, that is said."""
    files = [shape.file for shape in sentence.tables if shape.file]
    if question.table.file or not files:
        return ""
    named = (question.table.title, files[-1])
    return "\n\n" + sentence.say(
        "(Da tabela {}, não de {}.)", "(From the table {}, not {}.)", *named
    )


def _guessed(found: JSONObject, language: Language) -> str:
    """What was guessed of the columns behind a figure, told with it."""
    notes = [Note.of(note).sentence(language) for note in found.get("notes", ())]
    opening = "Atenção" if language == "pt" else "Note"
    return "".join(f"\n\n{opening}: {note}." for note in notes)


def _pointed(question: TableQuestion, results: Results, sentence: Sentence) -> str:
    """A sentence that points at what is shown."""
    shown = [kind for kind, tool in showing.TOOLS.items() if results.of(tool) is not None]
    if not shown:
        return ""
    kept = question.form is not None and question.form.kept
    return f"\n\n{(_KEPT if kept else _SHOWN[shown[-1]])[sentence.language]}"


_NO_FILE = {
    "pt": "Ainda não há nenhum ficheiro nesta conversa. Junte um .csv ou .xlsx e pergunte de novo.",
    "en": "There is no file in this conversation yet. Add a .csv or .xlsx and ask again.",
}
_KEPT = {
    "pt": "Está acima: use «Guardar num painel» para o pôr num dashboard.",
    "en": "It is shown above: use “Pin to a dashboard” to keep it on one.",
}
_SHOWN: dict[str, dict[str, str]] = {
    "chart": {"pt": "Pode vê-lo no gráfico acima.", "en": "The chart above shows it."},
    "table": {"pt": "Está na tabela acima.", "en": "The table above has it."},
    "kpi": {"pt": "Está no indicador acima.", "en": "The card above shows it."},
}

TABLE_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="table_question",
        phrases={
            "pt": (
                "Que colunas tem o ficheiro?",
                "Quantas linhas tem o ficheiro?",
                "Quantas células vazias há no ficheiro?",
                "Mostra as primeiras 5 linhas do ficheiro",
            ),
            "en": (
                "What columns does the file have?",
                "How many rows does the file have?",
                "How many empty cells are there in the file?",
                "Show the first 5 rows of the file",
            ),
        },
        fits=fits,
        tools=(QUERY,),
        examples=examples,
        plan=plan,
        then=then,
        tell=tell,
    ),
)

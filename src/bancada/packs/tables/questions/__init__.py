"""Questions about uploaded files, answered through `consultar_dados`.

No phrase is compared here: a question is read against the columns of the table that it is
about. `tables` knows them from the record, `marks` and `reading` find what is asked, `following`
completes what leans on the question before, `values` asks the data what unknown words are,
`sql` writes the query, and `telling` and `showing` put the result into words and pictures.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from bancada import JSON, Answered, Intent, JSONObject, Language, Note, Sentence, Step
from bancada.packs.tables.questions import showing, sql, telling, values
from bancada.packs.tables.questions.common import SPECIAL, failure, result_of
from bancada.packs.tables.questions.following import (
    MOST_CHARS,
    QUERY,
    Read,
    elsewhere,
    read,
)
from bancada.packs.tables.questions.question import Question
from bancada.packs.tables.questions.tables import tables_in
from bancada.packs.tables.questions.wording import columns_told, trouble_in_words

OURS = ("defeito", "defeitos", "defect", "defects")
"""Words of the pack's own tools: a question with them is about the log, not about a file."""
DIMENSIONS = frozenset(("tipo_defeito", "turno"))
"""What those tools count by."""
QUESTIONS = re.compile(
    r"(?:^|[;?!.]\s+|,?\s+(?:e|and)\s+)"
    r"(?:qual|quais|quant[oa]s?|quem|how many|how much|which|what|who)\b"
)
"""Where a question begins: of two in one sentence, each is read by itself."""
FILE = ("ficheiro", "file", "csv", "excel", "xlsx")
PARTS = (
    "colunas", "linhas", "registos", "células", "columns", "rows", "records", "cells",
)  # fmt: skip
ASKING = frozenset(("count", "operation", "rows", "thing"))
"""What a question of its own has in it."""
PARETO_BY = DIMENSIONS | {"operador", "material", "rack"}
OWN_TABLE = ("tabela defeitos", "table defeitos")
CODE = ("python", "código", "codigo", "code")


def fits(sentence: Sentence) -> float:
    """How surely a sentence asks something of an uploaded file."""
    if len(sentence.text) > MOST_CHARS:
        return 0.0
    found = read(sentence)
    if found is None:
        return 0.6 if _about_no_file(sentence) else 0.0
    if found.question is None or len(QUESTIONS.findall(sentence.plain)) > 1:
        return 0.0
    question, said = found.question, found.said
    own = sentence.has(*CODE, *OWN_TABLE)
    if own or (not said.names_file and _about_the_log(sentence, found)):
        return 0.0
    if said.names_file or found.follows is not None:
        return 1.5
    weak = not (said.measures_something or said.tags & ASKING or (said.rank and said.groups))
    if weak and sentence.before is not None and sentence.before.tools:
        # It leans on an answer, and that was not ours.
        return 0.0
    if question.trouble is not None:
        return 0.3
    if question.spoken:
        known = question.groups or any(one.column for one in question.measures)
        return 0.9 if known or said.tags & {"rows", "quoted"} else 0.4
    return 0.9 if weak else 1.2


def _about_the_log(sentence: Sentence, found: Read) -> bool:
    named = {group.column.name.casefold() for group in found.said.groups}
    if sentence.has(*SPECIAL):
        of_file = bool(named - PARETO_BY) and not sentence.has(*OURS)
        return not (found.said.running and of_file)
    if not sentence.has(*OURS):
        return False
    added_up = any(
        one.column is not None and one.operation not in ("count", "distinct")
        for one in found.said.measures
    ) and not sentence.has("quantos", "quantas", "how many")
    return not (added_up or named - DIMENSIONS)


def _about_no_file(sentence: Sentence) -> bool:
    """Whether a file is asked about; where there is none, that is the answer."""
    return sentence.has(*FILE) and sentence.has(*PARTS)


def plan(sentence: Sentence) -> Sequence[Step] | None:
    found = read(sentence)
    if found is None:
        return [_query("SHOW TABLES")] if _about_no_file(sentence) else None
    if found.question is None:
        return None
    lookup = _lookup(found.question)
    if lookup is not None:
        return [lookup]
    question = values.settled(found.question, ())
    if question.trouble is not None or question.kind == "columns":
        return [_query(sql.columns(question.table))]
    return [_query(_asked(question, sentence))]


def then(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    question = _settled(sentence, answered)
    if question is None or question.trouble is not None or question.kind == "columns":
        return []
    queries = [one for one in answered if one.step.tool == QUERY]
    wanted = _query(_asked(question, sentence))
    if all(one.step != wanted for one in queries):
        return [wanted]
    if len(queries) < len(answered):
        return []
    found = _result(answered)
    step = showing.shown(question, found, sentence.language) if found else None
    return [step] if step else []


def tell(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    question = _settled(sentence, answered)
    found = _result(answered)
    if found is not None and not tables_in(sentence.data):
        return _NO_FILE[language]
    if question is None or found is None:
        return failure(answered, language) or _BROKEN[language]
    if question.trouble is not None:
        return trouble_in_words(question.trouble, question.table, language)
    rows = found["rows"]
    match question.kind:
        case "columns":
            return columns_told(question.table, rows, language)
        case "empty":
            return telling.empty_told(question, rows, language)
        case "sample":
            said = telling.sample_told(question, rows, language)
        case _:
            said = telling.figures_told(question, found, language)
    return said + _guessed(found, language) + _pointed(question, answered, sentence)


def _guessed(found: JSONObject, language: Language) -> str:
    """What was guessed of the columns behind a figure, told with it."""
    notes = [Note.of(note).sentence(language) for note in found.get("notes", ())]
    if not notes:
        return ""
    opening = "Atenção" if language == "pt" else "Note"
    return "".join(f"\n\n{opening}: {note}." for note in notes)


def _pointed(question: Question, answered: Sequence[Answered], sentence: Sentence) -> str:
    """A sentence that points at what is shown, or says why nothing is."""
    shows = [one for one in answered if one.step.tool != QUERY]
    if not shows:
        return ""
    language = sentence.language
    kind = next(kind for kind, tool in showing.TOOLS.items() if tool == shows[-1].step.tool)
    if shows[-1].is_error:
        return f"\n\n{failure(shows, language)}"
    kept = question.form is not None and question.form.kept
    return f"\n\n{(_KEPT if kept else _SHOWN[kind])[language]}"


def _lookup(question: Question) -> Step | None:
    """The call that finds out whether unknown words are values; none where they cannot be."""
    spoken = values.candidates(question.spoken)
    if not (question.table.texts and spoken) or question.kind == "columns":
        return None
    return _query(sql.values_like(question.table, spoken))


def _settled(sentence: Sentence, answered: Sequence[Answered]) -> Question | None:
    """The question, with its unknown words looked up where that was the first call."""
    found: Read | None = read(sentence)
    if found is None or found.question is None:
        return None
    question = found.question
    if not question.spoken:
        return question
    rows: Sequence[Sequence[JSON]] = ()
    if answered and answered[0].step == _lookup(question):
        looked_up = result_of(answered[:1], QUERY)
        if not isinstance(looked_up, dict):
            return None
        rows = looked_up["rows"]
    question = values.settled(question, rows)
    if question.trouble is not None and question.trouble.kind == "unknown":
        placed = elsewhere(question.trouble, question.table, tables_in(sentence.data))
        return replace(question, trouble=placed)
    return question


def _asked(question: Question, sentence: Sentence) -> str:
    match question.kind:
        case "empty":
            return sql.empty_cells(question)
        case "sample":
            return sql.sample(question)
        case _:
            adds_up = len(question.measures) == 1 and (
                question.measures[0].column is None
                or (question.shares and question.measures[0].operation == "sum")
            )
            shares = adds_up and len(question.groups) == 1
            return sql.figures(question, sentence.language, shares=shares)


def _query(text: str) -> Step:
    return Step(tool=QUERY, input={"sql": text})


def _result(answered: Sequence[Answered]) -> JSONObject | None:
    found = result_of(answered, QUERY)
    return found if isinstance(found, dict) and isinstance(found.get("rows"), list) else None


_BROKEN = {
    "pt": "O resultado não veio na forma esperada.",
    "en": "The result did not come in the form I expected.",
}
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

UPLOAD_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="uploaded_file",
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
        plan=plan,
        then=then,
        tell=tell,
    ),
)

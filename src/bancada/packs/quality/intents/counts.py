"""Intents that count: the most frequent defect, totals, shifts, tables of uploaded files."""

from __future__ import annotations

from collections.abc import Sequence

from bancada import Answered, Intent, JSONObject, Sentence, Step
from bancada.packs.quality.intents.reading import (
    SHIFTS,
    asks_for_more,
    failure,
    filters,
    how_many,
    listed,
    percent,
    result_of,
    scope,
    shift_name,
)

BROKEN = {
    "pt": "O resultado não veio na forma esperada.",
    "en": "The result did not come in the form I expected.",
}


def plan_most_frequent(sentence: Sentence) -> Sequence[Step]:
    return [
        Step(tool="top_defeitos", input={"n": 1, **filters(sentence, without=["tipo_defeito"])})
    ]


def tell_most_frequent(sentence: Sentence, answered: Sequence[Answered]) -> str:
    found = result_of(answered, "top_defeitos")
    if not isinstance(found, dict):
        return failure(answered, sentence.language) or BROKEN[sentence.language]
    where = scope(answered[-1].step.input, sentence.language)
    if not found["top"]:
        return nothing_found(sentence, found, where)
    first = found["top"][0]
    share = percent(first["percentagem"], sentence.language)
    if sentence.language == "en":
        return f"The most frequent defect{where} is '{first['tipo']}', with {first['total']} occurrences ({share})."
    return f"O defeito mais frequente{where} é '{first['tipo']}', com {first['total']} ocorrências ({share})."


def plan_top(sentence: Sentence) -> Sequence[Step]:
    given = filters(sentence, without=["tipo_defeito"])
    return [Step(tool="top_defeitos", input={"n": how_many(sentence, 5), **given})]


def tell_top(sentence: Sentence, answered: Sequence[Answered]) -> str:
    found = result_of(answered, "top_defeitos")
    if not isinstance(found, dict):
        return failure(answered, sentence.language) or BROKEN[sentence.language]
    where = scope(answered[-1].step.input, sentence.language)
    if not found["top"]:
        return nothing_found(sentence, found, where)
    lines = [
        f"{number}. {row['tipo']}: {row['total']} ({percent(row['percentagem'], sentence.language)})"
        for number, row in enumerate(found["top"], start=1)
    ]
    opening = {
        "pt": f"Os {len(lines)} tipos de defeito mais frequentes{where}:",
        "en": f"The {len(lines)} most frequent defect types{where}:",
    }
    return "\n".join([opening[sentence.language], "", *lines])


def plan_count(sentence: Sentence) -> Sequence[Step] | None:
    if asks_for_more(sentence):
        return None
    return [Step(tool="contar_defeitos", input=filters(sentence))]


def tell_count(sentence: Sentence, answered: Sequence[Answered]) -> str:
    found = result_of(answered, "contar_defeitos")
    if not isinstance(found, dict):
        return failure(answered, sentence.language) or BROKEN[sentence.language]
    where = scope(answered[-1].step.input, sentence.language)
    total = found["total"]
    if not total:
        return nothing_found(sentence, found, where)
    if sentence.language == "en":
        opening = f"There {'is' if total == 1 else 'are'} {total} recorded defect{'' if total == 1 else 's'}{where}"
    elif total == 1:
        opening = f"Há 1 defeito registado{where}"
    else:
        opening = f"Há {total} defeitos registados{where}"
    parts = [f"{kind} {count}" for kind, count in found["por_tipo"].items()]
    if len(parts) < 2:
        return f"{opening}."
    return f"{opening}: {listed(parts, sentence.language)}."


def plan_shifts(sentence: Sentence) -> Sequence[Step]:
    return [Step(tool="defeitos_por_turno", input=filters(sentence, without=["turno"]))]


def tell_shifts(sentence: Sentence, answered: Sequence[Answered]) -> str:
    found = result_of(answered, "defeitos_por_turno")
    if not isinstance(found, dict):
        return failure(answered, sentence.language) or BROKEN[sentence.language]
    where = scope(answered[-1].step.input, sentence.language)
    return shifts_in_words(sentence, found["por_turno"], where, found)


def plan_shifts_one_by_one(sentence: Sentence) -> Sequence[Step]:
    """For agents without `defeitos_por_turno`: the same answer from three counts at once."""
    given = filters(sentence, without=["turno"])
    return [Step(tool="contar_defeitos", input={**given, "turno": shift}) for shift in SHIFTS]


def tell_shifts_one_by_one(sentence: Sentence, answered: Sequence[Answered]) -> str:
    counts: dict[str, int] = {}
    for one in answered:
        found = result_of([one], "contar_defeitos")
        if isinstance(found, dict):
            counts[one.step.input["turno"]] = found["total"]
    if not counts:
        return failure(answered, sentence.language) or BROKEN[sentence.language]
    given = {key: value for key, value in answered[-1].step.input.items() if key != "turno"}
    return shifts_in_words(sentence, counts, scope(given, sentence.language), {})


def shifts_in_words(
    sentence: Sentence, counts: dict[str, int], where: str, found: JSONObject
) -> str:
    if not sum(counts.values()):
        return nothing_found(sentence, found, where)
    language = sentence.language
    (first, most), *rest = sorted(counts.items(), key=lambda pair: -pair[1])
    if language == "en":
        others = [f"the {shift_name(shift, language)} {count}" for shift, count in rest]
        opening = f"The {shift_name(first, language)} shift recorded {most} defects{where}"
    else:
        others = [f"no da {shift_name(shift, language)} {count}" for shift, count in rest]
        opening = f"No turno da {shift_name(first, language)} registaram-se {most} defeitos{where}"
    return f"{', '.join([opening, listed(others, language)] if others else [opening])}."


def nothing_found(sentence: Sentence, found: JSONObject, where: str) -> str:
    known = [name for key, names in found.items() if key.endswith("_conhecidos") for name in names]
    if sentence.language == "en":
        hint = f" Known: {listed(known, 'en')}." if known else ""
        return f"No defects were recorded{where}.{hint}"
    hint = f" Conhecidos: {listed(known, 'pt')}." if known else ""
    return f"Não há defeitos registados{where}.{hint}"


def plan_table_count(sentence: Sentence) -> Sequence[Step] | None:
    """Rows of a named table; the offline planner writes no other SQL."""
    name = sentence.after("tabela", "table")
    if name is None:
        return None
    table = name.split()[0].strip("'\"`")
    if not table.isidentifier():
        return None
    return [Step(tool="consultar_dados", input={"sql": f"SELECT count(*) AS linhas FROM {table}"})]  # noqa: S608 - an identifier, and it runs in the jail


def tell_table_count(sentence: Sentence, answered: Sequence[Answered]) -> str:
    found = result_of(answered, "consultar_dados")
    if not isinstance(found, dict) or not found.get("rows"):
        return failure(answered, sentence.language) or BROKEN[sentence.language]
    first = found["rows"][0]
    count = next(iter(first.values())) if isinstance(first, dict) else first[0]
    table = answered[-1].step.input["sql"].rpartition(" ")[2]
    if sentence.language == "en":
        return f"The table {table} has {count} rows."
    return f"A tabela {table} tem {count} linhas."


COUNT_INTENTS: tuple[Intent, ...] = (
    Intent(
        name="most_frequent_defect",
        phrases={
            "pt": (
                "Qual é o defeito mais frequente?",
                "Qual o defeito mais comum?",
                "Que defeito aparece mais?",
                "Qual é o principal defeito?",
            ),
            "en": (
                "What is the most frequent defect?",
                "Which defect is the most common?",
                "What is the main defect?",
            ),
        },
        keywords=("defeito|defect", "mais|principal|maior|most|main|top"),
        plan=plan_most_frequent,
        tell=tell_most_frequent,
    ),
    Intent(
        name="top_defects",
        phrases={
            "pt": (
                "Quais são os 5 defeitos mais frequentes?",
                "Top 3 defeitos",
                "Top 5",
                "Lista os defeitos mais frequentes",
            ),
            "en": (
                "What are the 5 most frequent defects?",
                "Top 3 defects",
                "List the most frequent defects",
            ),
        },
        keywords=("defeitos|defects|tipos|types|top", "mais|top|principais|most|main"),
        plan=plan_top,
        tell=tell_top,
    ),
    Intent(
        name="defects_by_shift",
        phrases={
            "pt": (
                "E por turno?",
                "Quantos defeitos há por turno?",
                "Qual o turno com mais defeitos?",
            ),
            "en": ("And by shift?", "How many defects per shift?", "Which shift has most defects?"),
        },
        keywords=("turno|turnos|shift|shifts",),
        plan=plan_shifts,
        tell=tell_shifts,
    ),
    Intent(
        name="defects_by_shift_counted",
        phrases={
            "pt": (
                "E por turno?",
                "Quantos defeitos há por turno?",
                "Qual o turno com mais defeitos?",
            ),
            "en": ("And by shift?", "How many defects per shift?", "Which shift has most defects?"),
        },
        keywords=("turno|turnos|shift|shifts", "por|qual|cada|by|per|which|each"),
        plan=plan_shifts_one_by_one,
        tell=tell_shifts_one_by_one,
    ),
    Intent(
        name="count_rows",
        phrases={
            "pt": ("Quantas linhas tem a tabela defeitos?",),
            "en": ("How many rows does the table defeitos have?",),
        },
        keywords=("tabela|table", "linhas|registos|rows|records"),
        plan=plan_table_count,
        tell=tell_table_count,
    ),
    Intent(
        name="count_defects",
        phrases={
            "pt": (
                "Quantos defeitos há?",
                "Quantos defeitos há por tipo?",
                "Conta os defeitos por tipo",
                "Quantos defeitos de lixo há no turno da noite?",
                "Qual é o total de defeitos?",
            ),
            "en": (
                "How many defects are there?",
                "Count the defects by type",
                "How many dirt defects are there in the night shift?",
                "What is the total of defects?",
            ),
        },
        keywords=("defeito|defeitos|defect|defects|ocorrencias|occurrences",),
        plan=plan_count,
        tell=tell_count,
    ),
)

"""Intents over the log's own tools, for the questions they were made for.

Whatever else is asked of the log (another column, a condition, a chart) is read like a question
about any table.
"""

from __future__ import annotations

from bancada import Intent, JSONObject, Results, Sentence
from bancada.packs.quality.intents.reading import how_many, listed, percent, shift_name

NOTHING = ("Não há defeitos registados.", "No defects were recorded.")


def tell_most_frequent(sentence: Sentence, results: Results) -> str:
    top = results.value["top"]
    if not top:
        return sentence.say(*NOTHING)
    share = percent(top[0]["percentagem"], sentence.language)
    kind, total = top[0]["tipo"], top[0]["total"]
    return sentence.say(
        "O defeito mais frequente é '{}', com {} ocorrências ({}).",
        "The most frequent defect is '{}', with {} occurrences ({}).",
        kind,
        total,
        share,
    )


def tell_top(sentence: Sentence, results: Results) -> str:
    top = results.value["top"]
    if not top:
        return sentence.say(*NOTHING)
    lines = [
        f"{number}. {row['tipo']}: {row['total']} ({percent(row['percentagem'], sentence.language)})"
        for number, row in enumerate(top, start=1)
    ]
    opening = sentence.say(
        "Os {} tipos de defeito mais frequentes:", "The {} most frequent defect types:", len(lines)
    )
    return "\n".join([opening, "", *lines])


def tell_count(sentence: Sentence, results: Results) -> str:
    found: JSONObject = results.of("contar_defeitos")
    total = found["total"]
    if not total:
        return sentence.say(*NOTHING)
    if sentence.language == "en":
        opening = (
            "There is 1 recorded defect" if total == 1 else f"There are {total} recorded defects"
        )
    else:
        opening = "Há 1 defeito registado" if total == 1 else f"Há {total} defeitos registados"
    parts = [f"{kind} {count}" for kind, count in found["por_tipo"].items()]
    return f"{opening}: {listed(parts, sentence.language)}."


def tell_shifts(sentence: Sentence, results: Results) -> str:
    counts: dict[str, int] = results.value["por_turno"]
    language = sentence.language
    if not sum(counts.values()):
        return sentence.say(*NOTHING)
    (first, most), *rest = sorted(counts.items(), key=lambda pair: -pair[1])
    if language == "en":
        others = [f"the {shift_name(shift, language)} {count}" for shift, count in rest]
        opening = f"The {shift_name(first, language)} shift recorded {most} defects"
    else:
        others = [f"no da {shift_name(shift, language)} {count}" for shift, count in rest]
        opening = f"No turno da {shift_name(first, language)} registaram-se {most} defeitos"
    return f"{', '.join([opening, listed(others, language)] if others else [opening])}."


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
        keywords=("defeito|defect", "mais|principal|most|main"),
        tool="top_defeitos",
        arguments=lambda sentence: {"n": 1},
        tell=tell_most_frequent,
    ),
    Intent(
        name="top_defects",
        phrases={
            "pt": (
                "Quais são os 5 defeitos mais frequentes?",
                "Top 3 defeitos",
                "Lista os defeitos mais frequentes",
            ),
            "en": (
                "What are the 5 most frequent defects?",
                "Top 3 defects",
                "List the most frequent defects",
            ),
        },
        keywords=("defeitos|defects", "mais|top|most"),
        tool="top_defeitos",
        arguments=lambda sentence: {"n": how_many(sentence, 5)},
        tell=tell_top,
    ),
    Intent(
        name="defects_by_shift",
        phrases={
            "pt": ("E por turno?", "Quantos defeitos há por turno?"),
            "en": ("And by shift?", "How many defects per shift?"),
        },
        keywords=("turno|shift", "por|by|per"),
        tool="defeitos_por_turno",
        tell=tell_shifts,
    ),
    Intent(
        name="count_defects",
        phrases={
            "pt": (
                "Quantos defeitos há?",
                "Quantos defeitos há por tipo?",
                "Conta os defeitos por tipo",
                "Qual é o total de defeitos?",
            ),
            "en": (
                "How many defects are there?",
                "Count the defects by type",
                "What is the total of defects?",
            ),
        },
        keywords=("defeitos|defects",),
        tool="contar_defeitos",
        tell=tell_count,
    ),
)

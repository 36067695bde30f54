"""Intents that count: in a node, by label, by category, by name, and the whole breakdown."""

from __future__ import annotations

from collections.abc import Sequence

from bancada import Answered, Intent, JSONObject, Language, Sentence, Step
from bancada.packs.graph.intents.reading import matched, patterns, singular
from bancada.packs.graph.intents.telling import candidates, failure, node, not_found, result_of
from bancada.packs.graph.intents.words import counted, dimension_for, is_label, label_for

_IN_PT = r"(?:dentro d[oae]s?|n[oa]s?|em|d[oa]s?)"
_IN_EN = r"(?:inside(?: of)?|within|in|of|at)"
_VERB_PT = r"(?:ha|existem|existe|estao|temos|tem|ficam|fazem parte|pertencem|sao)"

COUNT_IN = patterns(
    rf"quant[oa]s (?P<label>.+?) {_VERB_PT} {_IN_PT} (?P<name>.+)",
    r"quant[oa]s (?P<label>.+?) (?:tem|possui|contem|inclui|pertencem ao?) (?P<name>(?!por ).+)",
    rf"quant[oa]s (?P<label>\w+) {_IN_PT} (?P<name>.+)",
    rf"how many (?P<label>.+?) (?:are there|are|exist|do we have|belong) {_IN_EN} (?P<name>.+)",
    r"how many (?P<label>.+?) (?:does|do|has|have) (?P<name>(?!we\b|you\b|they\b|there\b).+?)(?: have| contain)?",
    rf"how many (?P<label>.+?) {_IN_EN} (?P<name>.+)",
    rf"(?:count|conta|contar) (?P<label>.+?) (?:{_IN_EN}|{_IN_PT}) (?P<name>.+)",
)
COUNT_UNDER = patterns(
    r"quant[oa]s (?P<label>\w+) (?:ha|existem|estao) ate (?P<depth>\d+) niveis (?:de|do|da|sob) (?:id )?(?P<id>\S+)",
    r"quant[oa]s (?P<label>\w+) (?:tem|contem|ha em|ha no) (?:o )?(?:no de )?id (?P<id>\S+)",
    r"how many (?P<label>\w+) (?:are )?within (?P<depth>\d+) (?:levels|steps) of (?:id )?(?P<id>\S+)",
    r"how many (?P<label>\w+) (?:are )?(?:in|under) (?:the )?(?:node )?id (?P<id>\S+)",
)
COUNT_LABEL = patterns(
    r"quant[oa]s (?P<label>.+?) (?:ha|existem|existe|temos)(?: ao todo| no total| no grafo)?",
    r"qual (?:e )?o (?:total|numero) de (?P<label>.+?)(?: no grafo)?",
    r"how many (?P<label>.+?) (?:are there|exist|do we have)(?: in total| in the graph)?",
    r"(?:what is the )?total (?:number|count) of (?P<label>.+?)",
)
COUNT_NAME = patterns(
    r"(?:temos|ha|existe|existem) (?:algum|alguma|alguns|algumas) (?P<name>.+)",
    r"(?:do we have|is there|are there) (?:any|an?) (?P<name>.+)",
)
BY_CATEGORY = patterns(
    r"quant[oa]s (?P<label>\w+)(?: ha| existem| temos)? por (?P<dimension>.+)",
    r"(?:conta|contar|contagem de) (?:os |as )?(?P<label>\w+) por (?P<dimension>.+)",
    r"how many (?P<label>\w+)(?: are there| do we have)? (?:per|by|in each) (?P<dimension>.+)",
    r"count (?P<label>\w+) (?:per|by) (?P<dimension>.+)",
)
BREAKDOWN = patterns(
    r"(?:mostra |da-me |faz )?a? ?(?:distribuicao|decomposicao|composicao|reparticao) (?:completa )?(?:d[oae]s?) (?P<name>.+?)(?: por .*)?",
    r"de que (?:e feito|se compoe|e composto) (?P<name>.+)",
    r"(?:show |give me )?(?:the |a )?(?:full )?break ?down (?:of )?(?P<name>.+?)(?: by .*)?",
    r"what is (?P<name>.+) made of",
)


def plan_count_in(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, COUNT_IN)
    if not found or matched(sentence, COUNT_UNDER) or _is_everywhere(found["name"]):
        return None
    given = _with_label({"name": found["name"]}, found["label"])
    return [Step(tool="count_related_by_name", input=given)]


def plan_count_under(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, COUNT_UNDER)
    if not found:
        return None
    given = _with_label({"node_id": found["id"]}, found["label"])
    if "depth" in found:
        given["depth"] = int(found["depth"])
    return [Step(tool="count_related", input=given)]


def plan_count_label(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, COUNT_LABEL)
    label = label_for(found["label"]) if found else None
    if found is None or label is None:
        return None
    return [Step(tool="count_by_label", input={"label": label})]


def plan_count_name(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, COUNT_NAME)
    return [Step(tool="count_nodes", input={"name": singular(found["name"])})] if found else None


def plan_by_category(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, BY_CATEGORY)
    if not found:
        return None
    given = _with_label({}, found["label"])
    if dimension := dimension_for(found["dimension"]):
        given["dimension"] = dimension
    elif "categor" not in sentence.plain:
        return None
    return [Step(tool="count_by_category", input=given)]


def plan_breakdown(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, BREAKDOWN)
    if not found:
        return None
    given: JSONObject = {} if _is_everywhere(found["name"]) else {"name": found["name"]}
    return [Step(tool="count_breakdown", input=given)]


def tell_count_in(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, answered[-1].step.tool) if answered else None
    if found is None:
        return failure(answered, language)
    if found.get("ambiguous"):
        return candidates(found, answered[-1].step.input.get("label"), language)
    text = {"pt": "Há {} em {}.", "en": "There {verb} {} in {}."}[language]
    verb = "is" if found["count"] == 1 else "are"
    return text.format(
        counted(found["count"], found["label"], language), node(found["node"]), verb=verb
    )


def tell_count_label(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, "count_by_label")
    if found is None:
        return failure(answered, language)
    verb = "is" if found["count"] == 1 else "are"
    text = {"pt": "Há {} ao todo", "en": "There {verb} {} in total"}[language].format(
        counted(found["count"], found["label"], language), verb=verb
    )
    kinds = found.get("by_kind") or {}
    if kinds:
        most = sorted(kinds.items(), key=lambda item: -item[1])
        text += ": " + ", ".join(counted(count, kind, language) for kind, count in most)
    return text + "."


def tell_count_name(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, "count_nodes")
    if found is None:
        return failure(answered, language)
    if not found["count"]:
        return not_found(sentence, found["name"], found)
    text = {
        ("pt", "exact"): "Sim: {} com o nome “{}”",
        ("pt", "partial"): "Sim: {} cujo nome contém “{}”",
        ("en", "exact"): "Yes: {} called “{}”",
        ("en", "partial"): "Yes: {} whose name contains “{}”",
    }[language, found["match"]].format(counted(found["count"], None, language), found["name"])
    labels = ", ".join(f"{label} {count}" for label, count in found["by_label"].items())
    return f"{text} ({labels})."


def tell_by_category(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, "count_by_category")
    if found is None:
        return failure(answered, language)
    if not found["categories"]:
        return {"pt": "O grafo não tem categorias.", "en": "The graph has no categories."}[language]
    lines = [
        f"- {shape['path']} ({shape['id']}): {shape['count_with_subcategories']}"
        for shape in found["categories"]
    ]
    what = counted(2, found["label"], language).split(" ", 1)[1]
    opening = {"pt": "{} por categoria:", "en": "{} per category:"}[language]
    return "\n".join([opening.format(what[:1].upper() + what[1:]), *lines])


def tell_breakdown(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, "count_breakdown")
    if found is None:
        return failure(answered, language)
    if found.get("ambiguous"):
        return candidates(found, None, language)
    whole = {"pt": "No grafo inteiro", "en": "In the whole graph"}[language]
    inside = {"pt": "Em", "en": "In"}[language]
    where = whole if found["node"] is None else f"{inside} {node(found['node'])}"
    there = {"pt": "há", "en": "there are"}[language]
    lines = [f"{where} {there} {counted(found['total'], None, language)}."]
    parts = found["by_kind"] or found["by_label"]
    if parts:
        lines.append(", ".join(f"{name} {count}" for name, count in parts.items()) + ".")
    for dimension, shapes in found["by_dimension"].items():
        told = ", ".join(f"{shape['name']} ({shape['id']}) {shape['count']}" for shape in shapes)
        if told:
            lines.append(f"- {dimension}: {told}")
    return "\n".join(lines)


def _with_label(given: JSONObject, words: str) -> JSONObject:
    label = label_for(words)
    return given if label is None else given | {"label": label}


def _is_everywhere(name: str) -> bool:
    return is_label(name) or name.casefold() in ("grafo", "graph", "total", "tudo", "everything")


HOW_MANY = "quantos|quantas|how many|count|conta|contar|contagem"
_INSIDE: dict[Language, tuple[str, ...]] = {
    "pt": (
        "Quantos ativos há no Biofilter 11?",
        "Quantas bombas tem o Biofilter 11?",
        "Quantas válvulas existem no Edifício Químico?",
        "Quantos sensores estão no Sistema de Ozonização?",
        "Quantos equipamentos tem a Estação de Tratamento de Água do Vale?",
        "Quantos tanques há na categoria Dosagem?",
        "Quantos sistemas há no Edifício de Filtração?",
    ),
    "en": (
        "How many assets in Biofilter 11?",
        "How many pumps are in Biofilter 11?",
        "How many valves are there in the Chemical Building?",
        "How many sensors does the Ozone System have?",
        "How many tanks are in the Vale Water Treatment Plant?",
        "How many systems are inside the Filtration Building?",
    ),
}

COUNT_INTENTS = (
    Intent(
        name="count_under_id",
        phrases={
            "pt": ("Quantos ativos há até 2 níveis de BF-11?", "Quantas bombas tem o id BF-11?"),
            "en": (
                "How many assets are within 2 levels of BF-11?",
                "How many pumps are in id BF-11?",
            ),
        },
        keywords=(HOW_MANY, "id|niveis|levels|steps"),
        plan=plan_count_under,
        tell=tell_count_in,
    ),
    Intent(
        name="count_by_category",
        phrases={
            "pt": (
                "Quantos ativos há por sistema?",
                "Quantas bombas há por localização?",
                "Quantos sensores há por contexto?",
                "Conta os ativos por categoria",
            ),
            "en": (
                "How many assets are there per system?",
                "How many sensors are there per context?",
                "Count pumps by location",
                "How many assets per category?",
            ),
        },
        keywords=(HOW_MANY, "por|per|by|in each"),
        plan=plan_by_category,
        tell=tell_by_category,
    ),
    Intent(
        name="count_breakdown",
        phrases={
            "pt": (
                "Mostra a distribuição do Biofilter 11 por localização, sistema e contexto",
                "De que é feito o Biofilter 11?",
                "Composição do Biofilter 11",
            ),
            "en": (
                "Show the breakdown of Biofilter 11 by location, system and context",
                "Break down Biofilter 11",
                "What is Biofilter 11 made of?",
            ),
        },
        keywords=(
            "distribuicao|decomposicao|composicao|reparticao|feito|composto|compoe|breakdown"
            "|break down|made of",
        ),
        plan=plan_breakdown,
        tell=tell_breakdown,
    ),
    Intent(
        name="count_in",
        phrases=_INSIDE,
        keywords=(HOW_MANY,),
        plan=plan_count_in,
        tell=tell_count_in,
    ),
    Intent(
        name="count_by_label",
        phrases={
            "pt": (
                "Quantas bombas existem?",
                "Qual é o total de ativos?",
                "Quantos sensores temos ao todo?",
                "Quantas válvulas há?",
                "Quantos documentos existem?",
            ),
            "en": (
                "How many pumps are there?",
                "Total number of assets",
                "How many sensors do we have in total?",
                "How many valves exist?",
                "How many documents are there?",
            ),
        },
        keywords=("quantos|quantas|how many|total|numero|number",),
        plan=plan_count_label,
        tell=tell_count_label,
    ),
    Intent(
        name="count_nodes",
        phrases={
            "pt": ("Temos algum gerador de ozono?", "Há alguma bomba de lavagem?"),
            "en": ("Do we have any ozone generator?", "Is there any backwash pump?"),
        },
        keywords=("algum|alguma|alguns|algumas|any|a|an",),
        plan=plan_count_name,
        tell=tell_count_name,
    ),
)

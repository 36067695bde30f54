"""Intents that count: in a node, by label, by category, by name, and the whole breakdown."""

from __future__ import annotations

from collections.abc import Sequence

from bancada import Intent, JSONObject, Sentence, Step
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.intents.reading import (
    NotUnderstood,
    Reader,
    label_in,
    matched,
    name_in,
    only_known,
    patterns,
    singular,
)
from bancada.packs.graph.intents.telling import Telling, node
from bancada.packs.graph.intents.words import EVERYTHING, WHOLE
from bancada.packs.graph.schema import fold

_IN_PT = r"(?:dentro d[oae]s?|n[oa]s?|em|d[oa]s?)"
_IN_EN = r"(?:inside(?: of)?|within|in|of|at)"
_VERB_PT = r"(?:ha|existem|existe|estao|temos|tem|ficam|fazem parte|pertencem|sao)"

COUNT_IN = patterns(
    rf"quant[oa]s (?P<label>.+?) {_VERB_PT} {_IN_PT} (?P<name>.+)",
    r"quant[oa]s (?P<label>.+?) (?:tem|possui|contem|inclui|pertencem ao?) (?P<name>(?!por ).+)",
    rf"quant[oa]s (?P<label>.+?) {_IN_PT} (?P<name>.+)",
    rf"how many (?P<label>.+?) (?:are there|are|exist|do we have|belong) {_IN_EN} (?P<name>.+)",
    r"how many (?P<label>.+?) (?:does|do|has|have) (?P<name>(?!we\b|you\b|they\b|there\b).+?)(?: have| contain)?",
    rf"how many (?P<label>.+?) {_IN_EN} (?P<name>.+)",
    rf"(?:count|conta|contar) (?P<label>.+?) (?:{_IN_EN}|{_IN_PT}) (?P<name>.+)",
)
COUNT_UNDER = patterns(
    r"quant[oa]s (?P<label>.+?) (?:ha|existem|estao) ate (?P<depth>\d+) niveis (?:de|do|da|sob) (?:id )?(?P<id>\S+)",
    r"quant[oa]s (?P<label>.+?) (?:tem|contem|ha em|ha no) (?:o )?(?:no de )?id (?P<id>\S+)",
    r"how many (?P<label>.+?) (?:are )?within (?P<depth>\d+) (?:levels|steps) of (?:id )?(?P<id>\S+)",
    r"how many (?P<label>.+?) (?:are )?(?:in|under) (?:the )?(?:node )?id (?P<id>\S+)",
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
    r"quant[oa]s (?P<label>.+?)(?: ha| existem| temos)? por (?P<dimension>.+)",
    r"(?:conta|contar|contagem de) (?:os |as )?(?P<label>.+?) por (?P<dimension>.+)",
    r"how many (?P<label>.+?)(?: are there| do we have)? (?:per|by|in each) (?P<dimension>.+)",
    r"count (?P<label>.+?) (?:per|by) (?P<dimension>.+)",
)
BREAKDOWN = patterns(
    r"(?:mostra |da-me |faz )?a? ?(?:distribuicao|decomposicao|composicao|reparticao) (?:completa )?(?:d[oae]s?) (?P<name>.+?)(?: por (?P<by>.*))?",
    r"de que (?:e feito|se compoe|e composto) (?P<name>.+)",
    r"(?:show |give me )?(?:the |a )?(?:full )?break ?down (?:of )?(?P<name>.+?)(?: by (?P<by>.*))?",
    r"what is (?P<name>.+) made of",
)


def plan_count_in(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, COUNT_IN)
    if not found or matched(sentence, COUNT_UNDER) or is_everywhere(found["name"]):
        return None
    given = with_label({"name": name_in(graph, found["name"])}, graph, found["label"])
    return [Step(tool="count_related_by_name", input=given)]


def plan_count_under(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, COUNT_UNDER)
    if not found:
        return None
    given = with_label({"node_id": found["id"]}, graph, found["label"])
    if "depth" in found:
        given["depth"] = int(found["depth"])
    return [Step(tool="count_related", input=given)]


def plan_count_label(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    """All of a label; or, where the words are no label, those whose names say so."""
    found = matched(sentence, COUNT_LABEL)
    if found is None or fold(found["label"]) in EVERYTHING:
        return None
    group = graph.schema.group_called(found["label"])
    if group is not None:
        return [Step(tool="count_by_label", input={"label": group.word})]
    name = singular(found["label"])
    if graph.names.named(name, limit=1).total:
        return [Step(tool="count_nodes", input={"name": name})]
    label_in(graph, found["label"])
    return None


def plan_count_name(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    """Those of a name; or, where nobody has it, of a label."""
    found = matched(sentence, COUNT_NAME)
    if not found:
        return None
    name = singular(found["name"])
    group = graph.schema.group_called(found["name"])
    if group is not None and not graph.names.named(name, limit=1).total:
        return [Step(tool="count_by_label", input={"label": group.word})]
    return [Step(tool="count_nodes", input={"name": name_in(graph, name)})]


def plan_by_category(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, BY_CATEGORY)
    if not found:
        return None
    given = with_label({}, graph, found["label"])
    dimension = graph.schema.dimension_called(found["dimension"])
    if dimension is not None:
        given["dimension"] = dimension
    elif fold(found["dimension"]) not in ("categoria", "categorias", "category", "categories"):
        raise NotUnderstood((found["dimension"],))
    return [Step(tool="count_by_category", input=given)]


def plan_breakdown(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, BREAKDOWN)
    if not found:
        return None
    only_known(graph, found.get("by", ""))
    if is_everywhere(found["name"]):
        return [Step(tool="count_breakdown", input={})]
    return [Step(tool="count_breakdown", input={"name": name_in(graph, found["name"])})]


def tell_count_in(told: Telling) -> str:
    found = told.found
    if found.get("ambiguous"):
        return told.candidates()
    return told.say(
        "Há {} em {}{}.",
        "There {verb} {} in {}{}.",
        told.counted(found["count"], found["label"]),
        node(found["node"]),
        told.by_guess(),
        verb="is" if found["count"] == 1 else "are",
    )


def tell_count_label(told: Telling) -> str:
    found = told.found
    text = told.say(
        "Há {} ao todo",
        "There {verb} {} in total",
        told.counted(found["count"], found["label"]),
        verb="is" if found["count"] == 1 else "are",
    )
    kinds = found.get("by_kind") or {}
    if kinds:
        most = sorted(kinds.items(), key=lambda item: -item[1])
        text += ": " + ", ".join(told.counted(count, kind) for kind, count in most)
    return text + "."


def tell_count_name(told: Telling) -> str:
    found = told.found
    if not found["count"]:
        return told.not_found(found["name"], found)
    form = (
        ("Sim: {} com o nome “{}” ({}).", "Yes: {} called “{}” ({}).")
        if found["match"] == "exact"
        else ("Sim: {} cujo nome contém “{}” ({}).", "Yes: {} whose name contains “{}” ({}).")
    )
    labels = ", ".join(f"{label} {count}" for label, count in found["by_label"].items())
    return told.say(*form, told.counted(found["count"]), found["name"], labels)


def tell_by_category(told: Telling) -> str:
    found = told.found
    if not found["categories"]:
        return told.say("O grafo não tem categorias.", "The graph has no categories.")
    lines = [
        f"- {shape['path']} ({shape['id']}): {shape['count_with_subcategories']}"
        for shape in found["categories"]
    ]
    what = told.counted(2, found["label"]).split(" ", 1)[1]
    opening = told.say("{} por categoria:", "{} per category:", what[:1].upper() + what[1:])
    return "\n".join([opening, *lines])


def tell_breakdown(told: Telling) -> str:
    found = told.found
    if found.get("ambiguous"):
        return told.candidates()
    where = (
        told.say("No grafo inteiro", "In the whole graph")
        if found["node"] is None
        else told.say("Em {}", "In {}", node(found["node"]))
    )
    lines = [told.say("{} há {}.", "{} there are {}.", where, told.counted(found["total"]))]
    parts = found["by_kind"] or found["by_label"]
    if parts:
        lines.append(", ".join(f"{name} {count}" for name, count in parts.items()) + ".")
    for dimension, shapes in found["by_dimension"].items():
        each = ", ".join(f"{shape['name']} ({shape['id']}) {shape['count']}" for shape in shapes)
        if each:
            lines.append(f"- {dimension}: {each}")
    return "\n".join(lines)


def with_label(given: JSONObject, graph: LadybugGraph, words: str) -> JSONObject:
    label = label_in(graph, words)
    return given if label is None else given | {"label": label}


def is_everywhere(name: str) -> bool:
    return fold(name) in EVERYTHING | WHOLE


def tell_counted(told: Telling) -> str:
    """However it was counted: by a label, or by what a name contains."""
    by_name = told.results[-1].step.tool == "count_nodes"
    return tell_count_name(told) if by_name else tell_count_label(told)


def count_intents(reader: Reader) -> tuple[Intent, ...]:
    return (
        reader.intent(
            "count_under_id",
            ("Quantos há até 2 níveis do id?",),
            ("How many are within 2 levels of id?",),
            plan_count_under,
            tell_count_in,
        ),
        reader.intent(
            "count_by_category",
            ("Quantos há por categoria?",),
            ("How many are there per category?",),
            plan_by_category,
            tell_by_category,
        ),
        reader.intent(
            "count_breakdown",
            ("Mostra a distribuição por categoria", "De que é feito?", "Composição"),
            ("Show the breakdown by category", "Break down", "What is it made of?"),
            plan_breakdown,
            tell_breakdown,
        ),
        reader.intent(
            "count_in",
            ("Quantos há dentro?",),
            ("How many are inside?",),
            plan_count_in,
            tell_count_in,
        ),
        reader.intent(
            "count_by_label",
            ("Quantos existem ao todo?",),
            ("How many are there in total?",),
            plan_count_label,
            tell_counted,
        ),
        reader.intent(
            "count_nodes", ("Temos algum?",), ("Do we have any?",), plan_count_name, tell_counted
        ),
    )

"""Intents that find and list: nodes by name, what is in a node, categories, the schema."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bancada import Intent, JSONObject, Sentence, Step
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.intents.counts import with_label
from bancada.packs.graph.intents.reading import (
    NotUnderstood,
    Reader,
    matched,
    name_in,
    patterns,
)
from bancada.packs.graph.intents.telling import Telling, node
from bancada.packs.graph.intents.words import meaningful

LIST_UNDER = patterns(
    r"(?:lista|listar|mostra) (?:tudo )?(?:o que (?:ha|esta) )?(?:em|no|sob|do) (?:no de )?id (?P<id>\S+)",
    r"(?:list|show) (?:everything |all |what is )?(?:in|under|of) (?:the )?(?:node )?id (?P<id>\S+)",
)
LIST_IN = patterns(
    r"(?:lista|listar|mostra|mostra-me|quais sao) (?:todos |todas )?(?:os |as )?(?P<label>.+?) (?:que (?:ha|existem|estao) )?(?:dentro d[oae]s?|n[oa]s?|em|d[oa]s?) (?P<name>.+)",
    r"que (?P<label>.+?) (?:ha|existem|estao|tem) (?:(?:dentro d[oae]s?|n[oa]s?|em) )?(?P<name>.+)",
    r"(?:list|show|show me|what are|which are) (?:all )?(?:the )?(?P<label>.+?) (?:that are )?(?:inside|within|in|of|at) (?P<name>.+)",
    r"(?:what|which) (?P<label>.+?) are (?:there )?(?:inside|within|in|of|at) (?P<name>.+)",
)
FIND = patterns(
    r"(?:encontra|localiza|onde (?:esta|fica|se encontra|se localiza)|qual e o id d[oae]) (?P<name>.+)",
    r"(?:find|locate|where is|where's|what is the id of) (?P<name>.+)",
)
SEARCH = patterns(
    r"(?:procura|pesquisa|procurar|pesquisar)(?: por)? (?P<text>.+)",
    r"(?:search|look)(?: for)? (?P<text>.+)",
)
CATEGORIES = patterns(
    r"(?:que|quais (?:sao )?as|lista (?:as )?|mostra (?:as )?) ?categorias(?P<rest>.*)",
    r"(?:what|which|list(?: the)?|show(?: the)?)(?P<rest>.*?) ?categories(?P<more>.*)",
    r"(?:mostra a |list the |show the )?(?:hierarquia de categorias|category hierarchy)(?P<rest>.*)",
)
SCHEMA = re.compile(
    r"\b(?:esquema|schema|rotulos|etiquetas|tipos de (?:no|relac)\w*|labels|relationship types)\b"
)


def plan_list_under(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, LIST_UNDER)
    return [Step(tool="list_related", input={"node_id": found["id"]})] if found else None


def plan_list_in(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, LIST_IN)
    if not found or matched(sentence, LIST_UNDER) or matched(sentence, CATEGORIES):
        return None
    given = with_label({"name": name_in(graph, found["name"])}, graph, found["label"])
    return [Step(tool="list_related_by_name", input=given)]


def plan_find(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, FIND)
    return (
        [Step(tool="find_node", input={"name": name_in(graph, found["name"])})] if found else None
    )


def plan_search(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, SEARCH)
    return [Step(tool="search_nodes", input={"text": found["text"]})] if found else None


def plan_categories(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, CATEGORIES)
    if found is None:
        return None
    words = meaningful(f"{found.get('rest', '')} {found.get('more', '')}".split())
    dimension = graph.schema.dimension_called(" ".join(words)) if words else None
    if words and dimension is None:
        raise NotUnderstood(words)
    given = {} if dimension is None else {"dimension": dimension}
    return [Step(tool="list_categories", input=given)]


def plan_schema(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    if not SCHEMA.search(sentence.plain):
        return None
    strange = meaningful(SCHEMA.sub(" ", sentence.plain).split())
    if strange:
        raise NotUnderstood(strange)
    return [Step(tool="get_schema", input={})]


def tell_list(told: Telling) -> str:
    found = told.found
    if found.get("ambiguous"):
        return told.candidates()
    opening = told.say(
        "Em {} há {}{}",
        "In {} there {verb} {}{}",
        node(found["node"]),
        told.counted(found["total"], found["label"]),
        told.by_guess(),
        verb="is" if found["total"] == 1 else "are",
    )
    return f"{opening}:\n{told.nodes()}" if found["total"] else f"{opening}."


def tell_find(told: Telling) -> str:
    found = told.found
    if not found["total"]:
        return told.not_found(str(told.asked.get("name")), found)
    where = found.get("where")
    if where is not None:
        return "\n".join(_located(told, shape, where[shape["id"]]) for shape in found["nodes"])
    opening = told.say("Encontrei {} nós:", "I found {} nodes:", found["total"])
    return f"{opening}\n{told.nodes()}"


def _located(told: Telling, shape: JSONObject, ways: Sequence[Sequence[JSONObject]]) -> str:
    """`Bed 3 (b3), Bed: em Room 1 (r1), em Ward A (w).`"""
    nowhere = (
        "nenhuma relação de pertença diz em que está",
        "no containment relation says what it is in",
    )
    place = told.place(ways) if ways else told.say(*nowhere)
    return f"{node(shape)}, {shape.get('kind') or shape['label']}: {place}."


def tell_search(told: Telling) -> str:
    if not told.found["total"]:
        return told.say("Não encontrei nada parecido.", "I found nothing like it.")
    return told.say("O mais parecido:", "The most similar:") + f"\n{told.nodes()}"


def tell_categories(told: Telling) -> str:
    found = told.found
    if not found["total"]:
        return told.say("O grafo não tem categorias.", "The graph has no categories.")
    opening = told.say("Há {} categorias:", "There are {} categories:", found["total"])
    lines = [
        f"{'  ' * (shape['level'] - 1)}- {shape['name']} ({shape['id']})"
        for shape in found["categories"]
    ]
    return "\n".join([opening, *lines])


def tell_schema(told: Telling) -> str:
    found = told.found
    guess = told.say(" (proposta a partir dos dados)", " (proposed from the data)")
    return told.say(
        "Etiquetas: {}.\nRelações: {}.\nContam como “em”: {}.\nDimensões: {}.",
        "Labels: {}.\nRelationships: {}.\nCount as “in”: {}.\nDimensions: {}.",
        ", ".join(f"{item['label']} ({item['count']})" for item in found["labels"]),
        ", ".join(f"{item['type']} ({item['count']})" for item in found["relationships"]),
        ", ".join(one["type"] + guess * one["guessed"] for one in found["containment"]) or "—",
        ", ".join(found["dimensions"]) or "—",
    )


def list_intents(reader: Reader) -> tuple[Intent, ...]:
    return (
        reader.intent(
            "list_under_id",
            ("Lista tudo o que há no id",),
            ("List everything in id",),
            plan_list_under,
            tell_list,
        ),
        reader.intent(
            "list_categories",
            ("Mostra a hierarquia de categorias",),
            ("Show the category hierarchy",),
            plan_categories,
            tell_categories,
        ),
        reader.intent(
            "list_in",
            ("Lista o que há dentro",),
            ("List what is inside",),
            plan_list_in,
            tell_list,
        ),
        reader.intent(
            "get_schema",
            ("Qual é o esquema do grafo?", "Que tipos de nós e relações existem?"),
            ("What is the schema of the graph?", "Which labels are there?"),
            plan_schema,
            tell_schema,
        ),
        reader.intent(
            "search_nodes",
            ("Procura", "Pesquisa"),
            ("Search for", "Look for"),
            plan_search,
            tell_search,
        ),
        reader.intent(
            "find_node",
            ("Encontra", "Onde está?", "Qual é o id?"),
            ("Find", "Where is it?", "What is the id?"),
            plan_find,
            tell_find,
        ),
    )

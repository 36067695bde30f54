"""Intents that find and list: nodes by name, what is in a node, categories, the schema."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bancada import Answered, Intent, JSONObject, Language, Sentence, Step
from bancada.packs.graph.graph import GraphQuestions
from bancada.packs.graph.intents.counts import with_label
from bancada.packs.graph.intents.reading import (
    NotUnderstood,
    Reader,
    matched,
    name_in,
    patterns,
)
from bancada.packs.graph.intents.telling import (
    by_guess,
    candidates,
    failure,
    node,
    nodes,
    not_found,
    place,
    result_of,
)
from bancada.packs.graph.intents.words import counted, meaningful
from bancada.packs.graph.schema import Schema

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


def plan_list_under(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    found = matched(sentence, LIST_UNDER)
    return [Step(tool="list_related", input={"node_id": found["id"]})] if found else None


def plan_list_in(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    found = matched(sentence, LIST_IN)
    if not found or matched(sentence, LIST_UNDER) or matched(sentence, CATEGORIES):
        return None
    given = with_label({"name": name_in(graph, found["name"])}, graph, found["label"])
    return [Step(tool="list_related_by_name", input=given)]


def plan_find(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    found = matched(sentence, FIND)
    return (
        [Step(tool="find_node", input={"name": name_in(graph, found["name"])})] if found else None
    )


def plan_search(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    found = matched(sentence, SEARCH)
    return [Step(tool="search_nodes", input={"text": found["text"]})] if found else None


def plan_categories(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    found = matched(sentence, CATEGORIES)
    if found is None:
        return None
    words = meaningful(f"{found.get('rest', '')} {found.get('more', '')}".split())
    dimension = graph.schema.dimension_called(" ".join(words)) if words else None
    if words and dimension is None:
        raise NotUnderstood(words)
    given = {} if dimension is None else {"dimension": dimension}
    return [Step(tool="list_categories", input=given)]


def plan_schema(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    if not SCHEMA.search(sentence.plain):
        return None
    strange = meaningful(SCHEMA.sub(" ", sentence.plain).split())
    if strange:
        raise NotUnderstood(strange)
    return [Step(tool="get_schema", input={})]


def tell_list(sentence: Sentence, answered: Sequence[Answered], schema: Schema | None) -> str:
    language = sentence.language
    found = result_of(answered, answered[-1].step.tool) if answered else None
    if found is None:
        return failure(answered, language)
    if found.get("ambiguous"):
        return candidates(found, answered[-1].step.input.get("label"), language, schema)
    opening = {"pt": "Em {} há {}", "en": "In {} there {verb} {}"}[language].format(
        node(found["node"]),
        counted(found["total"], found["label"], language, schema),
        verb="is" if found["total"] == 1 else "are",
    )
    opening += by_guess(found, language)
    if not found["total"]:
        return f"{opening}."
    return f"{opening}:\n{nodes(found['nodes'], found['total'], language)}"


def tell_find(sentence: Sentence, answered: Sequence[Answered], schema: Schema | None) -> str:
    language = sentence.language
    found = result_of(answered, "find_node")
    if found is None:
        return failure(answered, language)
    if not found["total"]:
        return not_found(sentence, str(answered[-1].step.input.get("name")), found)
    where = found.get("where")
    if where is not None:
        return "\n".join(_located(shape, where[shape["id"]], language) for shape in found["nodes"])
    opening = {"pt": "Encontrei {} nós:", "en": "I found {} nodes:"}[language]
    return f"{opening.format(found['total'])}\n{nodes(found['nodes'], found['total'], language)}"


def _located(shape: JSONObject, ways: Sequence[Sequence[JSONObject]], language: Language) -> str:
    """`Bed 3 (b3), Bed: em Room 1 (r1), em Ward A (w).`"""
    called = f"{node(shape)}, {shape.get('kind') or shape['label']}"
    if ways:
        return f"{called}: {place(ways, language)}."
    nowhere = {
        "pt": "nenhuma relação de pertença diz em que está",
        "en": "no containment relation says what it is in",
    }
    return f"{called}: {nowhere[language]}."


def tell_search(sentence: Sentence, answered: Sequence[Answered], schema: Schema | None) -> str:
    language = sentence.language
    found = result_of(answered, "search_nodes")
    if found is None:
        return failure(answered, language)
    if not found["total"]:
        return {"pt": "Não encontrei nada parecido.", "en": "I found nothing like it."}[language]
    opening = {"pt": "O mais parecido:", "en": "The most similar:"}[language]
    return f"{opening}\n{nodes(found['nodes'], found['total'], language)}"


def tell_categories(sentence: Sentence, answered: Sequence[Answered], schema: Schema | None) -> str:
    language = sentence.language
    found = result_of(answered, "list_categories")
    if found is None:
        return failure(answered, language)
    if not found["total"]:
        return {"pt": "O grafo não tem categorias.", "en": "The graph has no categories."}[language]
    opening = {"pt": "Há {} categorias:", "en": "There are {} categories:"}[language]
    lines = [
        f"{'  ' * (shape['level'] - 1)}- {shape['name']} ({shape['id']})"
        for shape in found["categories"]
    ]
    return "\n".join([opening.format(found["total"]), *lines])


def tell_schema(sentence: Sentence, answered: Sequence[Answered], schema: Schema | None) -> str:
    language = sentence.language
    found = result_of(answered, "get_schema")
    if found is None:
        return failure(answered, language)
    guess = {"pt": "proposta a partir dos dados", "en": "proposed from the data"}
    labels = ", ".join(f"{item['label']} ({item['count']})" for item in found["labels"])
    types = ", ".join(f"{item['type']} ({item['count']})" for item in found["relationships"])
    inside = ", ".join(
        f"{item['type']} ({guess[language]})" if item["guessed"] else item["type"]
        for item in found["containment"]
    )
    return {
        "pt": "Etiquetas: {}.\nRelações: {}.\nContam como “em”: {}.\nDimensões: {}.",
        "en": "Labels: {}.\nRelationships: {}.\nCount as “in”: {}.\nDimensions: {}.",
    }[language].format(labels, types, inside or "—", ", ".join(found["dimensions"]) or "—")


def list_intents(reader: Reader) -> tuple[Intent, ...]:
    return (
        reader.intent(
            "list_under_id",
            {"pt": ("Lista tudo o que há no id",), "en": ("List everything in id",)},
            plan_list_under,
            tell_list,
        ),
        reader.intent(
            "list_categories",
            {"pt": ("Mostra a hierarquia de categorias",), "en": ("Show the category hierarchy",)},
            plan_categories,
            tell_categories,
        ),
        reader.intent(
            "list_in",
            {"pt": ("Lista o que há dentro",), "en": ("List what is inside",)},
            plan_list_in,
            tell_list,
        ),
        reader.intent(
            "get_schema",
            {
                "pt": ("Qual é o esquema do grafo?", "Que tipos de nós e relações existem?"),
                "en": ("What is the schema of the graph?", "Which labels are there?"),
            },
            plan_schema,
            tell_schema,
        ),
        reader.intent(
            "search_nodes",
            {"pt": ("Procura", "Pesquisa"), "en": ("Search for", "Look for")},
            plan_search,
            tell_search,
        ),
        reader.intent(
            "find_node",
            {
                "pt": ("Encontra", "Onde está?", "Qual é o id?"),
                "en": ("Find", "Where is it?", "What is the id?"),
            },
            plan_find,
            tell_find,
        ),
    )

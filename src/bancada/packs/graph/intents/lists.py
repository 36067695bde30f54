"""Intents that find and list: nodes by name, what is in a node, categories, the schema."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bancada import Answered, Intent, Sentence, Step
from bancada.packs.graph.intents.reading import matched, patterns
from bancada.packs.graph.intents.telling import (
    candidates,
    failure,
    node,
    nodes,
    not_found,
    result_of,
)
from bancada.packs.graph.intents.words import counted, dimension_for, is_label, label_for

LIST_UNDER = patterns(
    r"(?:lista|listar|mostra) (?:tudo )?(?:o que (?:ha|esta) )?(?:em|no|sob|do) (?:no de )?id (?P<id>\S+)",
    r"(?:list|show) (?:everything |all |what is )?(?:in|under|of) (?:the )?(?:node )?id (?P<id>\S+)",
)
LIST_IN = patterns(
    r"(?:lista|listar|mostra|mostra-me|quais sao) (?:todos |todas )?(?:os |as )?(?P<label>\w+) (?:que (?:ha|existem|estao) )?(?:dentro d[oae]s?|n[oa]s?|em|d[oa]s?) (?P<name>.+)",
    r"que (?P<label>\w+) (?:ha|existem|estao|tem) (?:(?:dentro d[oae]s?|n[oa]s?|em) )?(?P<name>.+)",
    r"(?:list|show|show me|what are|which are) (?:all )?(?:the )?(?P<label>\w+) (?:that are )?(?:inside|within|in|of|at) (?P<name>.+)",
    r"(?:what|which) (?P<label>\w+) are (?:there )?(?:inside|within|in|of|at) (?P<name>.+)",
)
FIND = patterns(
    r"(?:encontra|localiza|onde (?:esta|fica)|qual e o id d[oae]) (?P<name>.+)",
    r"(?:find|locate|where is|what is the id of) (?P<name>.+)",
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


def plan_list_under(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, LIST_UNDER)
    return [Step(tool="list_related", input={"node_id": found["id"]})] if found else None


def plan_list_in(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, LIST_IN)
    if not found or not is_label(found["label"]) or "categor" in found["label"].casefold():
        return None
    label = label_for(found["label"])
    given = {"name": found["name"]} | ({} if label is None else {"label": label})
    return [Step(tool="list_related_by_name", input=given)]


def plan_find(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, FIND)
    return [Step(tool="find_node", input={"name": found["name"]})] if found else None


def plan_search(sentence: Sentence) -> Sequence[Step] | None:
    found = matched(sentence, SEARCH)
    return [Step(tool="search_nodes", input={"text": found["text"]})] if found else None


def plan_categories(sentence: Sentence) -> Sequence[Step] | None:
    if matched(sentence, CATEGORIES) is None:
        return None
    dimension = dimension_for(sentence.text)
    given = {} if dimension is None else {"dimension": dimension}
    return [Step(tool="list_categories", input=given)]


def plan_schema(sentence: Sentence) -> Sequence[Step] | None:
    return [Step(tool="get_schema", input={})] if SCHEMA.search(sentence.plain) else None


def tell_list(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, answered[-1].step.tool) if answered else None
    if found is None:
        return failure(answered, language)
    if found.get("ambiguous"):
        return candidates(found, answered[-1].step.input.get("label"), language)
    opening = {"pt": "Em {} há {}", "en": "In {} there {verb} {}"}[language].format(
        node(found["node"]),
        counted(found["total"], found["label"], language),
        verb="is" if found["total"] == 1 else "are",
    )
    if not found["total"]:
        return f"{opening}."
    return f"{opening}:\n{nodes(found['nodes'], found['total'], language)}"


def tell_find(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, "find_node")
    if found is None:
        return failure(answered, language)
    if not found["total"]:
        return not_found(sentence, str(answered[-1].step.input.get("name")), found)
    if found["total"] == 1:
        shape = found["nodes"][0]
        return f"{node(shape)}: {shape.get('kind') or shape['label']}."
    opening = {"pt": "Encontrei {} nós:", "en": "I found {} nodes:"}[language]
    return f"{opening.format(found['total'])}\n{nodes(found['nodes'], found['total'], language)}"


def tell_search(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, "search_nodes")
    if found is None:
        return failure(answered, language)
    if not found["total"]:
        return {"pt": "Não encontrei nada parecido.", "en": "I found nothing like it."}[language]
    opening = {"pt": "O mais parecido:", "en": "The most similar:"}[language]
    return f"{opening}\n{nodes(found['nodes'], found['total'], language)}"


def tell_categories(sentence: Sentence, answered: Sequence[Answered]) -> str:
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


def tell_schema(sentence: Sentence, answered: Sequence[Answered]) -> str:
    language = sentence.language
    found = result_of(answered, "get_schema")
    if found is None:
        return failure(answered, language)
    labels = ", ".join(f"{item['label']} ({item['count']})" for item in found["labels"])
    types = ", ".join(f"{item['type']} ({item['count']})" for item in found["relationships"])
    return {
        "pt": "Etiquetas: {}.\nRelações: {}.\nDimensões: {}.",
        "en": "Labels: {}.\nRelationships: {}.\nDimensions: {}.",
    }[language].format(labels, types, ", ".join(found["dimensions"]))


LIST_INTENTS = (
    Intent(
        name="list_under_id",
        phrases={
            "pt": ("Lista tudo o que há no id BF-11",),
            "en": ("List everything in id BF-11",),
        },
        keywords=("lista|listar|mostra|list|show", "id"),
        plan=plan_list_under,
        tell=tell_list,
    ),
    Intent(
        name="list_categories",
        phrases={
            "pt": (
                "Que categorias de localização existem?",
                "Mostra a hierarquia de categorias",
                "Lista as categorias de sistema",
                "Quais são as categorias de contexto?",
            ),
            "en": (
                "Which location categories are there?",
                "Show the category hierarchy",
                "List the system categories",
                "What are the context categories?",
            ),
        },
        keywords=("categorias|categories|hierarquia de categorias|category hierarchy",),
        plan=plan_categories,
        tell=tell_categories,
    ),
    Intent(
        name="list_in",
        phrases={
            "pt": (
                "Lista as bombas do Biofilter 11",
                "Que sensores há no Biofilter 11?",
                "Mostra as válvulas do Edifício Químico",
                "Quais são os ativos do Sistema de Ozonização?",
                "Lista os equipamentos do Sistema de Captação",
                "Lista os sistemas do Edifício de Filtração",
            ),
            "en": (
                "List the pumps in Biofilter 11",
                "Which sensors are in Biofilter 11?",
                "Show the valves in the Chemical Building",
                "What are the assets of the Ozone System?",
                "List the equipment in the Intake System",
                "List the systems in the Filtration Building",
            ),
        },
        keywords=("lista|listar|mostra|mostra me|que|quais|list|show|what|which",),
        plan=plan_list_in,
        tell=tell_list,
    ),
    Intent(
        name="get_schema",
        phrases={
            "pt": ("Qual é o esquema do grafo?", "Que tipos de nós e relações existem?"),
            "en": (
                "What is the schema of the graph?",
                "Which labels and relationship types are there?",
            ),
        },
        keywords=(
            "esquema|schema|rotulos|etiquetas|tipos de nos|tipos de relacoes|labels"
            "|relationship types",
        ),
        plan=plan_schema,
        tell=tell_schema,
    ),
    Intent(
        name="search_nodes",
        phrases={
            "pt": ("Procura biofliter 11", "Pesquisa valvula de purga"),
            "en": ("Search for biofliter 11", "Look for backwash pump"),
        },
        keywords=("procura|procurar|pesquisa|pesquisar|search|look",),
        plan=plan_search,
        tell=tell_search,
    ),
    Intent(
        name="find_node",
        phrases={
            "pt": (
                "Encontra o Biofilter 11",
                "Onde está o Biofilter 11?",
                "Qual é o id do Biofilter 11?",
            ),
            "en": (
                "Find Biofilter 11",
                "Where is Biofilter 11?",
                "What is the id of Biofilter 11?",
            ),
        },
        keywords=("encontra|localiza|onde|id|find|locate|where",),
        plan=plan_find,
        tell=tell_find,
    ),
)

"""Intents about edges. A question names nodes, the tools want ids: the name is looked up first."""

from __future__ import annotations

from collections.abc import Sequence

from bancada import Answered, Intent, JSONObject, Sentence, Step
from bancada.packs.graph.graph import GraphQuestions
from bancada.packs.graph.intents.reading import Reader, matched, name_in, patterns
from bancada.packs.graph.intents.telling import failure, node, nodes, not_found, result_of
from bancada.packs.graph.schema import Schema

CONNECTIONS = patterns(
    r"(?:a que|como) (?:esta|se encontra) (?:ligad[oa]|conectad[oa]) (?P<name>.+)",
    r"(?:que|quais (?:sao )?as|mostra as) (?:ligacoes|conexoes|relacoes) (?:tem |d[oae]s? )(?P<name>.+)",
    r"o que (?:esta )?(?:se )?liga(?:do)? (?:ao?|com) (?P<name>.+)",
    r"(?:how is|what is) (?P<name>.+) connected(?: to)?",
    r"(?:what is|what's) connected to (?P<name>.+)",
    r"(?:show |list )?(?:the )?(?:connections|neighbou?rs|neighbou?rhood) of (?P<name>.+)",
)
PATH = patterns(
    r"(?:qual (?:e )?)?(?:o )?caminho(?: mais curto)? (?:entre|d[eoa]) (?P<a>.+?) (?:e|ate|a|para) (?:o |a )?(?P<b>.+)",
    r"como se chega (?:d[eoa]) (?P<a>.+?) (?:a|ao|ate) (?P<b>.+)",
    r"(?:what is )?(?:the )?(?:shortest )?path (?:between|from) (?P<a>.+?) (?:and|to) (?P<b>.+)",
    r"how (?:are|do) (?P<a>.+?) and (?P<b>.+?) (?:connected|connect)",
)


def plan_connections(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    found = matched(sentence, CONNECTIONS)
    if not found or matched(sentence, PATH):
        return None
    return [_look_up(graph, found["name"])]


def plan_path(sentence: Sentence, graph: GraphQuestions) -> Sequence[Step] | None:
    found = matched(sentence, PATH)
    return [_look_up(graph, found["a"]), _look_up(graph, found["b"])] if found else None


def then_connections(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    found = _found(answered)
    if len(answered) != 1 or not found or found[0]["total"] != 1:
        return ()
    return [Step(tool="get_node_connections", input={"node_id": found[0]["nodes"][0]["id"]})]


def then_path(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    found = _found(answered)
    if len(answered) != 2 or len(found) != 2 or any(one["total"] != 1 for one in found):
        return ()
    start, end = (one["nodes"][0]["id"] for one in found)
    return [Step(tool="shortest_path", input={"from_id": start, "to_id": end})]


def tell_connections(
    sentence: Sentence, answered: Sequence[Answered], schema: Schema | None
) -> str:
    language = sentence.language
    found = result_of(answered, "get_node_connections")
    if found is None:
        return _unclear(sentence, answered)
    text = {
        "pt": "{} tem {} ligações que saem e {} que entram.",
        "en": "{} has {} outgoing and {} incoming connections.",
    }[language].format(node(found["node"]), found["total_outgoing"], found["total_incoming"])
    lines = [f"- → {one['type']} → {node(one['node'])}" for one in found["outgoing"][:8]]
    lines += [f"- ← {one['type']} ← {node(one['node'])}" for one in found["incoming"][:8]]
    if len(lines) < found["total_outgoing"] + found["total_incoming"]:
        lines.append("- …")
    return "\n".join([text, *lines])


def tell_path(sentence: Sentence, answered: Sequence[Answered], schema: Schema | None) -> str:
    language = sentence.language
    found = result_of(answered, "shortest_path")
    if found is None:
        return _unclear(sentence, answered)
    ends = node(found["from"]), node(found["to"])
    if not found["found"]:
        return {"pt": "Não há caminho entre {} e {}.", "en": "There is no path between {} and {}."}[
            language
        ].format(*ends)
    steps = [node(found["nodes"][0])]
    for edge, reached in zip(found["edges"], found["nodes"][1:], strict=True):
        arrow = "→" if edge["target"] == reached["id"] else "←"
        steps.append(f"{arrow} {edge['type']} {arrow} {node(reached)}")
    opening = {
        "pt": "O caminho mais curto tem {} passos: ",
        "en": "The shortest path has {} steps: ",
    }
    return opening[language].format(found["length"]) + " ".join(steps)


def _look_up(graph: GraphQuestions, name: str) -> Step:
    return Step(tool="find_node", input={"name": name_in(graph, name)})


def _found(answered: Sequence[Answered]) -> list[JSONObject]:
    results = (result_of([one], "find_node") for one in answered)
    return [result for result in results if result is not None]


def _unclear(sentence: Sentence, answered: Sequence[Answered]) -> str:
    """A name was not found, or means several nodes."""
    for one in answered:
        found = result_of([one], "find_node")
        if found is None:
            return failure([one], sentence.language)
        name = str(one.step.input.get("name"))
        if not found["total"]:
            return not_found(sentence, name, found)
        if found["total"] > 1:
            opening = {
                "pt": "Há {} nós que correspondem a “{}”. Qual deles?",
                "en": "{} nodes match “{}”. Which one?",
            }[sentence.language].format(found["total"], name)
            return f"{opening}\n{nodes(found['nodes'], found['total'], sentence.language)}"
    return failure(answered, sentence.language)


def edge_intents(reader: Reader) -> tuple[Intent, ...]:
    return (
        reader.intent(
            "shortest_path",
            {"pt": ("Qual é o caminho entre?",), "en": ("What is the shortest path between?",)},
            plan_path,
            tell_path,
            then_path,
        ),
        reader.intent(
            "get_node_connections",
            {
                "pt": ("A que está ligado?", "Mostra as ligações"),
                "en": ("How is it connected?", "Show the connections"),
            },
            plan_connections,
            tell_connections,
            then_connections,
        ),
    )

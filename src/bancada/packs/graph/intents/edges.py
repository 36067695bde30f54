"""Intents about edges. A question names nodes, the tools want ids: the name is looked up first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bancada import Answered, Intent, Results, Sentence, Step
from bancada.packs.graph.embedded import LadybugGraph
from bancada.packs.graph.intents.reading import Reader, matched, name_in, patterns
from bancada.packs.graph.intents.telling import Telling, node

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


def plan_connections(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, CONNECTIONS)
    if not found or matched(sentence, PATH):
        return None
    return [_look_up(graph, found["name"])]


def plan_path(sentence: Sentence, graph: LadybugGraph) -> Sequence[Step] | None:
    found = matched(sentence, PATH)
    return [_look_up(graph, found["a"]), _look_up(graph, found["b"])] if found else None


def then_connections(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    ids = _ids(answered)
    if len(answered) != 1 or ids is None:
        return ()
    return [Step(tool="get_node_connections", input={"node_id": ids[0]})]


def then_path(sentence: Sentence, answered: Sequence[Answered]) -> Sequence[Step]:
    ids = _ids(answered)
    if len(answered) != 2 or ids is None:
        return ()
    return [Step(tool="shortest_path", input={"from_id": ids[0], "to_id": ids[1]})]


def tell_connections(told: Telling) -> str:
    found = told.results.of("get_node_connections")
    if found is None:
        return _unclear(told)
    text = told.say(
        "{} tem {} ligações que saem e {} que entram.",
        "{} has {} outgoing and {} incoming connections.",
        node(found["node"]),
        found["total_outgoing"],
        found["total_incoming"],
    )
    lines = [f"- → {one['type']} → {node(one['node'])}" for one in found["outgoing"][:8]]
    lines += [f"- ← {one['type']} ← {node(one['node'])}" for one in found["incoming"][:8]]
    if len(lines) < found["total_outgoing"] + found["total_incoming"]:
        lines.append("- …")
    return "\n".join([text, *lines])


def tell_path(told: Telling) -> str:
    found = told.results.of("shortest_path")
    if found is None:
        return _unclear(told)
    if not found["found"]:
        return told.say(
            "Não há caminho entre {} e {}.",
            "There is no path between {} and {}.",
            node(found["from"]),
            node(found["to"]),
        )
    steps = [node(found["nodes"][0])]
    for edge, reached in zip(found["edges"], found["nodes"][1:], strict=True):
        arrow = "→" if edge["target"] == reached["id"] else "←"
        steps.append(f"{arrow} {edge['type']} {arrow} {node(reached)}")
    return told.say(
        "O caminho mais curto tem {} passos: {}",
        "The shortest path has {} steps: {}",
        found["length"],
        " ".join(steps),
    )


def _look_up(graph: LadybugGraph, name: str) -> Step:
    return Step(tool="find_node", input={"name": name_in(graph, name)})


def _ids(answered: Sequence[Answered]) -> list[str] | None:
    """The ids that were looked up; none where a name means nobody, or several."""
    if any(one.is_error or one.result.get("total") != 1 for one in answered):
        return None
    return [one.result["nodes"][0]["id"] for one in answered]


def _unclear(told: Telling) -> str:
    """The name that was not found, or means several nodes."""
    looked = next(one for one in told.results if one.result["total"] != 1)
    name, total = str(looked.step.input["name"]), looked.result["total"]
    if not total:
        return told.not_found(name, looked.result)
    shown = replace(told, results=Results([looked]))
    return f"{told.which(total, name)}\n{shown.nodes()}"


def edge_intents(reader: Reader) -> tuple[Intent, ...]:
    return (
        reader.intent(
            "shortest_path",
            ("Qual é o caminho entre?",),
            ("What is the shortest path between?",),
            plan_path,
            tell_path,
            then_path,
        ),
        reader.intent(
            "get_node_connections",
            ("A que está ligado?", "Mostra as ligações"),
            ("How is it connected?", "Show the connections"),
            plan_connections,
            tell_connections,
            then_connections,
        ),
    )

"""Putting results into words. Every node named comes with its id."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from bancada import JSON, Answered, JSONObject, Language, Sentence
from bancada.packs.graph.intents.words import counted
from bancada.packs.graph.schema import Schema

SHOWN = 10
"""How many nodes a sentence lists before it says how many more there are."""


def result_of(answered: Sequence[Answered], tool: str) -> JSONObject | None:
    """The last good result of a tool."""
    for one in reversed(answered):
        if one.step.tool == tool and not one.is_error:
            value = _parsed(one.result)
            return value if isinstance(value, dict) else None
    return None


def _parsed(result: JSON) -> JSON:
    if isinstance(result, str):
        try:
            return json.loads(result)
        except ValueError:
            return result
    return result


def failure(answered: Sequence[Answered], language: Language) -> str:
    """What to say when there is no result to tell."""
    said = next((one.result for one in reversed(answered) if one.is_error), None)
    if said is None:
        return {
            "pt": "Não consegui ler a resposta da ferramenta.",
            "en": "I could not read the tool's answer.",
        }[language]
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    return {"pt": "Não consegui: ", "en": "I could not do that: "}[language] + text


def node(shape: Mapping[str, JSON]) -> str:
    """`Biofilter 11 (BF-11)`"""
    return f"{shape['name']} ({shape['id']})"


def nodes(shapes: Sequence[Mapping[str, JSON]], total: int, language: Language) -> str:
    """A list of nodes, one a line, with how many are not shown."""
    lines = [f"- {node(shape)}" for shape in shapes[:SHOWN]]
    if total > len(lines):
        more = {"pt": "e mais {}", "en": "and {} more"}[language].format(total - len(lines))
        lines.append(f"- … {more}")
    return "\n".join(lines)


def candidates(
    found: JSONObject, label: str | None, language: Language, schema: Schema | None
) -> str:
    """What to say when a name means several nodes."""
    opening = {
        "pt": "Há {} nós que correspondem a “{}”. Qual deles?",
        "en": "{} nodes match “{}”. Which one?",
    }[language].format(found["total"], found["name"])
    inside = {"pt": "em", "en": "in"}[language]
    lines = []
    for shape in found["candidates"][:SHOWN]:
        where = f", {inside} {', '.join(shape['in'])}" if shape.get("in") else ""
        count = "?" if shape["count"] is None else counted(shape["count"], label, language, schema)
        lines.append(f"- {node(shape)}{where}: {count}")
    if found["total"] > len(lines):
        lines.append("- …")
    return "\n".join([opening, *lines])


def by_guess(found: JSONObject, language: Language) -> str:
    """By which relations it was counted, where nobody but the data says that they mean "is in"."""
    if not found.get("by"):
        return ""
    text = {
        "pt": " (contado por {}: a pertença foi proposta a partir dos dados)",
        "en": " (counted by {}: containment was proposed from the data)",
    }[language]
    return text.format(", ".join(found["by"]))


def place(where: Sequence[Sequence[Mapping[str, JSON]]], language: Language) -> str:
    """Where a node is: `em A (a), em B (b)`; further ways follow after "and also"."""
    inside = {"pt": "em", "en": "in"}[language]
    also = {"pt": "; e também ", "en": "; and also "}[language]
    return also.join(", ".join(f"{inside} {node(outer)}" for outer in way) for way in where)


def not_found(sentence: Sentence, name: str, found: JSONObject) -> str:
    """Nothing has that name; perhaps something like it."""
    text = {"pt": "Não há nenhum nó chamado “{}”.", "en": "There is no node called “{}”."}[
        sentence.language
    ].format(name)
    if found.get("similar"):
        like = "; ".join(node(shape) for shape in found["similar"])
        text += {"pt": " Parecidos: ", "en": " Similar: "}[sentence.language] + like + "."
    return text

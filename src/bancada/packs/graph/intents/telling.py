"""Putting results into words. Every node named comes with its id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bancada import JSON, JSONObject, Results, Sentence
from bancada.packs.graph.schema import Schema

SHOWN = 10
"""How many nodes a sentence lists before it says how many more there are."""


def node(shape: Mapping[str, JSON]) -> str:
    """`Biofilter 11 (BF-11)`"""
    return f"{shape['name']} ({shape['id']})"


@dataclass(frozen=True)
class Telling:
    """What came back for a question, and the words for it."""

    sentence: Sentence
    results: Results
    schema: Schema | None

    @property
    def found(self) -> JSONObject:
        """What the last call gave."""
        value: JSONObject = self.results.value
        return value

    @property
    def asked(self) -> JSONObject:
        """What the last call was given."""
        return self.results[-1].step.input

    def say(self, pt: str, en: str, *parts: object, **named: object) -> str:
        return self.sentence.say(pt, en, *parts, **named)

    def counted(self, count: int, label: str | None = None) -> str:
        """A number with its noun: `1 bomba`, `22 assets`; the graph's own word where it has no other."""
        nouns = None
        if self.schema is not None and label is not None:
            nouns = self.schema.noun(label, self.sentence.language)
        if nouns is not None:
            return f"{count} {nouns[count != 1]}"
        text = f"{count} " + (self.say("nó", "node") if count == 1 else self.say("nós", "nodes"))
        return text if label is None else text + self.say(" do tipo {}", " of kind {}", label)

    def nodes(self) -> str:
        """The nodes found, one a line, with how many are not shown."""
        lines = [f"- {node(shape)}" for shape in self.found["nodes"][:SHOWN]]
        if self.found["total"] > len(lines):
            more = self.found["total"] - len(lines)
            lines.append(self.say("- … e mais {}", "- … and {} more", more))
        return "\n".join(lines)

    def which(self, total: int, name: str) -> str:
        return self.say(
            "Há {} nós que correspondem a “{}”. Qual deles?",
            "{} nodes match “{}”. Which one?",
            total,
            name,
        )

    def candidates(self) -> str:
        """What to say when a name means several nodes."""
        found, label = self.found, self.asked.get("label")
        lines = []
        for shape in found["candidates"][:SHOWN]:
            inside = ", ".join(shape.get("in") or ())
            where = self.say(", em {}", ", in {}", inside) if inside else ""
            count = "?" if shape["count"] is None else self.counted(shape["count"], label)
            lines.append(f"- {node(shape)}{where}: {count}")
        if found["total"] > len(lines):
            lines.append("- …")
        return "\n".join([self.which(found["total"], found["name"]), *lines])

    def by_guess(self) -> str:
        """By which relations it was counted, where nobody but the data says that they mean "is in"."""
        if not self.found.get("by"):
            return ""
        return self.say(
            " (contado por {}: a pertença foi proposta a partir dos dados)",
            " (counted by {}: containment was proposed from the data)",
            ", ".join(self.found["by"]),
        )

    def place(self, ways: Sequence[Sequence[Mapping[str, JSON]]]) -> str:
        """Where a node is: `em A (a), em B (b)`; further ways follow after "and also"."""
        told = [", ".join(self.say("em {0}", "in {0}", node(one)) for one in way) for way in ways]
        return self.say("; e também ", "; and also ").join(told)

    def not_found(self, name: str, found: JSONObject) -> str:
        """Nothing has that name; perhaps something like it."""
        text = self.say("Não há nenhum nó chamado “{}”.", "There is no node called “{}”.", name)
        if found.get("similar"):
            like = "; ".join(node(shape) for shape in found["similar"])
            text += self.say(" Parecidos: {}.", " Similar: {}.", like)
        return text

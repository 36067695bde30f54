"""The words a graph is made of: labels, kinds, relationship types, dimensions.

**Labels and kinds.** A node has one label (`Asset`) and may have a kind, a finer word within it
(`Pump`). Wherever a tool takes a label, a kind does as well, in singular or plural.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bancada import JSON, JSONObject, ToolFailed, plain


def fold(text: str) -> str:
    """Lower case, no accents, single spaces: how names are compared."""
    if text.isascii():
        return " ".join(text.casefold().split())
    folded = " ".join(plain(text).split())
    # A name that is nothing but accents is compared as it stands.
    return folded or " ".join(text.casefold().split())


@dataclass(frozen=True)
class NodeGroup:
    """Which nodes are meant: those of a label, of a kind, or of both. Neither: all."""

    label: str | None = None
    kind: str | None = None

    @property
    def word(self) -> str | None:
        return self.kind or self.label


EVERYTHING = NodeGroup()


@dataclass(frozen=True)
class LabelInfo:
    """A label: how many nodes have it, their kinds and their properties."""

    count: int
    kinds: Mapping[str, int] = field(default_factory=dict)
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RelationshipInfo:
    """A relationship type: how many, between which labels, with which properties."""

    count: int
    pairs: Sequence[tuple[str, str]] = ()
    properties: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Noun:
    """What people call a label, a kind or a dimension in one of the languages."""

    language: str
    singular: str
    plural: str


@dataclass(frozen=True)
class Schema:
    """What words a graph is made of."""

    labels: Mapping[str, LabelInfo]
    relationships: Mapping[str, RelationshipInfo]
    dimensions: Sequence[str] = ()
    nouns: Mapping[str, Sequence[Noun]] = field(default_factory=dict)
    """By label, kind or dimension; only what the import brought beside the words themselves."""

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Every kind, of whichever label."""
        return tuple(sorted({kind for info in self.labels.values() for kind in info.kinds}))

    def group(self, text: str | None) -> NodeGroup:
        """The label or kind a word means, in singular or plural; nothing means all nodes."""
        if text is None or not text.strip():
            return EVERYTHING
        group = self.group_called(text)
        if group is not None:
            return group
        raise ToolFailed(
            f"There is no label {text!r}. Labels: {', '.join(self.labels) or 'none'}."
            + (f" Kinds: {', '.join(self.kinds[:40])}." if self.kinds else "")
        )

    def group_called(self, text: str) -> NodeGroup | None:
        """The same where there may be none."""
        wanted = forms(text)
        for label in self.labels:
            if wanted & self._spoken[label]:
                return NodeGroup(label=label)
        owners = {
            (label, kind)
            for label, info in self.labels.items()
            for kind in info.kinds
            if wanted & self._spoken[kind]
        }
        if len(owners) == 1:
            label, kind = owners.pop()
            return NodeGroup(label=label, kind=kind)
        if len({kind for _, kind in owners}) == 1:
            return NodeGroup(kind=owners.pop()[1])
        return None

    @cached_property
    def _spoken(self) -> Mapping[str, frozenset[str]]:
        """How each label, kind and dimension may be said, folded."""
        return {
            word: frozenset(
                fold(said)
                for said in (
                    word,
                    apart(word),
                    *(
                        form
                        for noun in self.nouns.get(word, ())
                        for form in (noun.singular, noun.plural)
                    ),
                )
            )
            for word in (*self.labels, *self.kinds, *self.dimensions)
        }

    def dimension(self, text: str | None) -> str | None:
        """The dimension a word means; nothing means all of them."""
        if text is None or not text.strip():
            return None
        dimension = self.dimension_called(text)
        if dimension is not None:
            return dimension
        raise ToolFailed(
            f"There is no dimension {text!r}. Dimensions: {', '.join(self.dimensions) or 'none'}."
        )

    def dimension_called(self, text: str) -> str | None:
        """The same where there may be none."""
        wanted = forms(text)
        return next((one for one in self.dimensions if wanted & self._spoken[one]), None)

    def noun(self, word: str, language: str) -> tuple[str, str] | None:
        """How a label or kind is told in a language: one of them, and several."""
        for noun in self.nouns.get(word, ()):
            if noun.language == language:
                return noun.singular, noun.plural
        return None

    def count(self, group: NodeGroup) -> int:
        return sum(
            info.count if group.kind is None else info.kinds.get(group.kind, 0)
            for label, info in self.labels.items()
            if group.label in (None, label)
        )

    def as_json(self) -> JSONObject:
        return {
            "labels": [
                {
                    "label": label,
                    "count": info.count,
                    "kinds": dict(info.kinds),
                    "properties": dict(info.properties),
                }
                for label, info in self.labels.items()
            ],
            "relationships": [
                {
                    "type": type,
                    "count": info.count,
                    "between": [{"from": a, "to": b} for a, b in info.pairs],
                    "properties": dict(info.properties),
                }
                for type, info in self.relationships.items()
            ],
            "dimensions": list(self.dimensions),
            "nouns": {
                word: [[noun.language, noun.singular, noun.plural] for noun in nouns]
                for word, nouns in self.nouns.items()
            },
        }

    @staticmethod
    def of(shape: JSON) -> Schema:
        """Read back what `as_json` wrote."""
        return Schema(
            labels={
                item["label"]: LabelInfo(item["count"], item["kinds"], item["properties"])
                for item in shape["labels"]
            },
            relationships={
                item["type"]: RelationshipInfo(
                    item["count"],
                    tuple((pair["from"], pair["to"]) for pair in item["between"]),
                    item["properties"],
                )
                for item in shape["relationships"]
            },
            dimensions=tuple(shape["dimensions"]),
            # A graph that was imported by an earlier release has none.
            nouns={
                word: tuple(Noun(*noun) for noun in nouns)
                for word, nouns in shape.get("nouns", {}).items()
            },
        )


def apart(word: str) -> str:
    """`OzoneGenerator` and `ozone_generator` as people write them."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", word).replace("_", " ")


_SINGULAR = (("ies", "y"), ("oes", "ao"), ("aes", "ao"), ("ais", "al"), ("eis", "el"), ("ns", "m"))


def forms(text: str) -> frozenset[str]:
    """A phrase and its singular, English or Portuguese, as far as final letters tell: the last
    word's ("hospital wards"), or the first one's ("salas de aula")."""
    phrase = fold(text)
    first, _, rest = phrase.partition(" ")
    before, _, last = phrase.rpartition(" ")
    found = {f"{before} {one}".strip() for one in _singulars(last)}
    return frozenset(found | {f"{one} {rest}".strip() for one in _singulars(first)})


def plural(phrase: str) -> str:
    """The last word of a label as several, so that `forms` reads it back. Whose language a label
    is in is not known, so only endings that one language has are changed."""
    for one, several in (("y", "ies"), ("ão", "ões")):
        if phrase.endswith(one):
            return phrase.removesuffix(one) + several
    return phrase + ("es" if phrase.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _singulars(word: str) -> set[str]:
    found = {word, word.removesuffix("s"), word.removesuffix("es")}
    return found | {
        word.removesuffix(plural) + singular
        for plural, singular in _SINGULAR
        if word.endswith(plural)
    }
